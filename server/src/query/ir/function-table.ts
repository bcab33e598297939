/**
 * Built-in functions of docs/reference/gsql/functions.md and `getvid`: what they take and give.
 * `query/functions` implements them under these names.
 */
import { ANY_VERTEX, DATETIME, DOUBLE, FLOAT, INT, STRING, type ValueType } from './types.ts'

export type ParameterKind =
  | 'number'
  | 'int'
  | 'double'
  | 'string'
  | 'bool'
  | 'datetime'
  | 'vertex'
  | 'edge'
  /** INTERVAL n unit: becomes two arguments, an INT and the unit in upper case. */
  | 'interval'
  | 'any'

export interface FunctionInfo {
  readonly name: string
  readonly parameters: readonly ParameterKind[]
  /** Parameters that must be given; the rest may be left out from the right. */
  readonly required: number
  /** `same`: the type of the first argument. */
  readonly result: ValueType | 'same'
  readonly summary: string
}

type Row = readonly [name: string, parameters: string, result: ValueType | 'same', summary: string]

/** Parameters: kinds separated by spaces; those in brackets may be left out. */
const rows: readonly Row[] = [
  ['abs', 'number', 'same', 'absolute value'],
  ['sqrt', 'double', FLOAT, 'square root'],
  ['pow', 'double double', FLOAT, 'first to the power of second'],
  ['rand', '[int]', DOUBLE, 'random number in [0, 1)'],
  ['floor', 'number', INT, 'largest integer not above'],
  ['ceil', 'number', INT, 'smallest integer not below'],
  ['round', 'double [int]', DOUBLE, 'nearest, half away from zero'],
  ['trunc', 'double [int]', DOUBLE, 'towards zero'],
  ['log', 'double', DOUBLE, 'natural logarithm'],
  ['log2', 'double', DOUBLE, 'logarithm to base 2'],
  ['log10', 'double', FLOAT, 'logarithm to base 10'],
  ['exp', 'double', FLOAT, 'e to the power'],
  ['fmod', 'double double', FLOAT, 'remainder of a real division'],
  ['ldexp', 'double int', FLOAT, 'first times 2 to the power of second'],
  ['square', 'number', 'same', 'second power'],
  ['sign', 'number', INT, '-1, 0 or 1'],
  ['float_to_int', 'double', INT, 'cut to an integer'],
  ['pi', '', DOUBLE, 'the number pi'],
  ['sin', 'double', FLOAT, 'sine of radians'],
  ['cos', 'double', FLOAT, 'cosine of radians'],
  ['tan', 'double', FLOAT, 'tangent of radians'],
  ['asin', 'double', FLOAT, 'inverse sine'],
  ['acos', 'double', FLOAT, 'inverse cosine'],
  ['atan', 'double', FLOAT, 'inverse tangent'],
  ['atan2', 'double double', FLOAT, 'angle of the point (x, y), given y, x'],
  ['sinh', 'double', FLOAT, 'hyperbolic sine'],
  ['cosh', 'double', FLOAT, 'hyperbolic cosine'],
  ['tanh', 'double', FLOAT, 'hyperbolic tangent'],
  ['cot', 'double', DOUBLE, 'cotangent of radians'],
  ['degrees', 'double', DOUBLE, 'radians to degrees'],
  ['radians', 'double', DOUBLE, 'degrees to radians'],
  ['ascii', 'string', INT, 'code of the first character'],
  ['chr', 'int', STRING, 'character with this code, modulo 256'],
  ['length', 'string', INT, 'number of characters'],
  ['lower', 'string', STRING, 'in lower case'],
  ['upper', 'string', STRING, 'in upper case'],
  ['reverse', 'string', STRING, 'backwards'],
  ['left', 'string int', STRING, 'first n characters'],
  ['right', 'string int', STRING, 'last n characters'],
  ['lpad', 'string int [string]', STRING, 'filled on the left to n characters'],
  ['rpad', 'string int [string]', STRING, 'filled on the right to n characters'],
  ['ltrim', 'string [string]', STRING, 'without leading characters of a set'],
  ['rtrim', 'string [string]', STRING, 'without trailing characters of a set'],
  ['repeat', 'string int', STRING, 'n times'],
  ['space', 'int', STRING, 'n spaces'],
  ['replace', 'string string [string]', STRING, 'with every occurrence replaced'],
  ['translate', 'string string string', STRING, 'with characters exchanged one by one'],
  ['substr', 'string int [int]', STRING, 'part from a 0-based start; negative counts from the end'],
  ['instr', 'string string [int] [int]', INT, '0-based place of a part, -1 if absent'],
  ['find_in_set', 'string string', INT, '0-based place in a comma-separated list, -1 if absent'],
  ['insert', 'string int string', STRING, 'with a text inserted'],
  ['soundex', 'string', STRING, 'phonetic code'],
  ['difference', 'string string', INT, 'agreement of two phonetic codes, 0 to 4'],
  ['to_string', 'any', STRING, 'as text'],
  ['str_to_int', 'string', INT, 'number that a text spells'],
  ['datetime_to_epoch', 'datetime', INT, 'seconds since 1970'],
  ['epoch_to_datetime', 'int', DATETIME, 'from seconds since 1970'],
  ['to_datetime', 'string', DATETIME, 'from "Y-m-d H:M:S" or "Y-m-d"'],
  ['year', 'datetime', INT, 'year'],
  ['month', 'datetime', INT, 'month, 1 to 12'],
  ['day', 'datetime', INT, 'day of the month'],
  ['hour', 'datetime', INT, 'hour'],
  ['minute', 'datetime', INT, 'minute'],
  ['second', 'datetime', INT, 'second'],
  ['datetime_add', 'datetime interval', DATETIME, 'later by an interval'],
  ['datetime_sub', 'datetime interval', DATETIME, 'earlier by an interval'],
  ['datetime_diff', 'datetime datetime', INT, 'seconds from second to first'],
  ['datetime_format', 'datetime [string]', STRING, 'as text, by a %-format'],
  ['now', '', DATETIME, 'when the query began'],
  ['getvid', 'vertex', INT, 'internal number, -1 for the unknown vertex'],
  ['gettgtvid', 'edge', ANY_VERTEX, 'the vertex an edge leads to'],
  ['getsrcvid', 'edge', ANY_VERTEX, 'the vertex an edge comes from'],
  ['gsql_uuid_v4', '', STRING, 'a random UUID'],
]

export const functions: ReadonlyMap<string, FunctionInfo> = new Map(
  rows.map((row) => [row[0], infoOf(row)]),
)

function infoOf([name, text, result, summary]: Row): FunctionInfo {
  const words = text === '' ? [] : text.split(' ')
  const required = words.filter((word) => !word.startsWith('[')).length
  const parameters = words.map((word) => word.replace(/[[\]]/g, '') as ParameterKind)
  return { name, parameters, required, result, summary }
}

/** Other forms of a function, told apart by the number of arguments. */
const overloads: ReadonlyMap<string, FunctionInfo> = new Map([
  ['insert/4', infoOf(['insert_over', 'string int int string', STRING, 'with a part replaced'])],
])

/** The function that a call of so many arguments means. */
export function functionOf(name: string, count: number): FunctionInfo | undefined {
  return overloads.get(`${name}/${count}`) ?? functions.get(name)
}

export const AGGREGATES = [
  ...(['count', 'sum', 'min', 'max', 'avg', 'stdev', 'stdevp'] as const),
  'percentilecont',
] as const

export const DATETIME_UNITS = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND']
