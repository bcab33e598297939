/**
 * How an attribute is written: its type in GraphAr, its column in Parquet and its values.
 *
 * GraphAr knows bool, int64, float, double, string, timestamp and lists of four of them. What it
 * does not know becomes text in the form of the other exports, with a note: maps, tuples, bytes,
 * lists of the rest, and UINT if one of its values is beyond 63 bits.
 */
import type { ColumnSource, SchemaElement } from 'hyparquet-writer'
import { typeText } from '#catalog/attribute-type.ts'
import type { AttributeType, AttributeValue } from '#catalog/types.ts'
import { bigintAt, numberAt, stringAt, valueAt } from '#graph/columns/read.ts'
import { idText, idValue } from '#graph/ids/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { BitsView, ColumnView, IdsView } from '#graph/view.ts'
import { exactValue, plainElement } from '../exact-value.ts'
import type { PlannedAttribute, PlannedVertices } from './plan.ts'

export type Cell = number | bigint | boolean | string | null | readonly (number | bigint | string)[]

type Encoding = NonNullable<ColumnSource['encoding']>

/** One column of a Parquet file. */
export interface Column {
  readonly name: string
  readonly schema: readonly SchemaElement[]
  /** Absent: a dictionary where it helps. */
  readonly encoding?: Encoding
  readonly read: (row: number) => Cell
}

export interface Property extends Column {
  /** A type of GraphAr. */
  readonly dataType: string
  readonly isKey: boolean
  readonly isNullable: boolean
  /** What the reader should know of values that are no longer of their type; null: nothing. */
  readonly note: string | null
}

/** Which rows hold values. */
export interface LiveRows {
  readonly count: number
  readonly deleted: BitsView
}

interface Kind {
  readonly dataType: string
  readonly element: Omit<SchemaElement, 'name'>
  readonly encoding?: Encoding
}

/** As the C++ library of GraphAr writes it: milliseconds of no time zone. */
const timestamp = { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' } as const

/** A dictionary would take -0 for 0, so floats go without one. */
const kinds = {
  BOOL: { dataType: 'bool', element: { type: 'BOOLEAN' }, encoding: 'PLAIN' },
  INT: { dataType: 'int64', element: { type: 'INT64' } },
  FLOAT: { dataType: 'float', element: { type: 'FLOAT' }, encoding: 'PLAIN' },
  DOUBLE: { dataType: 'double', element: { type: 'DOUBLE' }, encoding: 'PLAIN' },
  STRING: {
    dataType: 'string',
    element: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  },
  DATETIME: { dataType: 'timestamp', element: { type: 'INT64', logical_type: timestamp } },
} as const satisfies Record<string, Kind>

/** Of a table that holds nothing: nothing is read. */
const noIds = {} as IdsView
const noColumn = {} as ColumnView

/** Integers below 32 bits: the library packs their differences without bigints. */
export function smallIntegers(name: string, read: (row: number) => number): Column {
  return {
    name,
    schema: [{ name, ...kinds.INT.element, repetition_type: 'REQUIRED' }],
    encoding: 'DELTA_BINARY_PACKED',
    read,
  }
}

export function idProperty(
  { name, type }: NonNullable<PlannedVertices['idColumn']>,
  given: IdsView | undefined,
  rows: LiveRows,
): Property {
  const base = { name, isKey: true }
  const ids = given ?? noIds
  switch (type) {
    case 'STRING':
      return scalar(base, kinds.STRING, (row) => idText(ids, row))
    case 'DATETIME':
      return scalar(base, kinds.DATETIME, (row) => BigInt(idValue(ids, row)) * 1000n)
    case 'INT':
      return scalar(base, kinds.INT, (row) => BigInt(idValue(ids, row)))
    case 'UINT': {
      // The view holds the 64 bits as they are: what is beyond 63 reads as negative.
      const isWide = someRow(rows, (row) => BigInt(ids.values![row]!) < 0n)
      if (!isWide) return scalar(base, kinds.INT, (row) => BigInt(idValue(ids, row)))
      return scalar(base, kinds.STRING, (row) => idText(ids, row), wideNote('UINT'))
    }
  }
}

export function attributeProperty(
  { name, type, isKey }: PlannedAttribute,
  given: ColumnView | null,
  rows: LiveRows,
): Property {
  const base = { name, isKey }
  const column = given ?? noColumn
  switch (type.kind) {
    case 'BOOL':
      return scalar(base, kinds.BOOL, (row) => numberAt(column, row) !== 0)
    case 'FLOAT':
    case 'DOUBLE':
      return scalar(base, kinds[type.kind], (row) => numberAt(column, row))
    case 'STRING':
      return scalar(base, kinds.STRING, (row) => stringAt(column, row))
    case 'DATETIME':
      return scalar(base, kinds.DATETIME, (row) => bigintAt(column, row) * 1000n)
    case 'INT':
    case 'UINT':
      return integer(base, column, rows)
    case 'LIST':
    case 'SET':
      return list(base, type, column, rows)
    case 'VECTOR':
      return vector(base, column)
    case 'MAP':
    case 'TUPLE':
      return text(base, column, `${typeText(type)} as JSON`)
    case 'FIXED_BINARY':
      return text(base, column, `${typeText(type)} as "Bytes" and its signed bytes`)
  }
}

type Base = Pick<Property, 'name' | 'isKey'>

function scalar(
  base: Base,
  { dataType, element, ...encoding }: Kind,
  read: Column['read'],
  note: string | null = null,
): Property {
  const schema = [{ ...element, name: base.name, repetition_type: 'REQUIRED' as const }]
  return { ...base, dataType, schema, ...encoding, read, isNullable: false, note }
}

function text(base: Base, column: ColumnView, note: string): Property {
  return scalar(base, kinds.STRING, (row) => plainText(exactValue(column, row, 'plain')!), note)
}

/** A JSON text of a string is written as the string, any other as it is. */
function plainText(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

function integer(base: Base, column: ColumnView, rows: LiveRows): Property {
  if (column.storage === 'int32') {
    return { ...scalar(base, kinds.INT, (row) => numberAt(column, row)), ...packed }
  }
  if (column.storage === 'uint64' && someRow(rows, (row) => isWide(bigintAt(column, row)))) {
    return scalar(base, kinds.STRING, (row) => String(bigintAt(column, row)), wideNote('UINT'))
  }
  return scalar(base, kinds.INT, (row) => bigintAt(column, row))
}

const packed = { encoding: 'DELTA_BINARY_PACKED' } as const

function vector(base: Base, column: ColumnView): Property {
  const read = (row: number) => {
    const numbers = valueAt(column, row) as readonly number[]
    return numbers.length === 0 ? null : numbers
  }
  return listOf(base, kinds.FLOAT, read, { isNullable: true })
}

function list(
  base: Base,
  type: Extract<AttributeType, { kind: 'LIST' | 'SET' }>,
  column: ColumnView,
  rows: LiveRows,
): Property {
  const { element } = type
  const itemsOf = (row: number) => valueAt(column, row) as readonly AttributeValue[]
  const mapped = (map: (item: AttributeValue) => number | bigint | string) => (row: number) =>
    itemsOf(row).map(map)
  switch (element.kind) {
    case 'FLOAT':
    case 'DOUBLE':
      return listOf(base, kinds[element.kind], mapped(Number), {})
    case 'STRING':
      return listOf(base, kinds.STRING, mapped(String), {})
    case 'INT':
    case 'UINT': {
      const isWideRow = (row: number) => itemsOf(row).some((item) => isWide(item as bigint))
      if (element.kind === 'UINT' && someRow(rows, isWideRow)) {
        return listOf(base, kinds.STRING, mapped(String), { note: wideNote(typeText(type)) })
      }
      const integers = mapped((item) => BigInt(item as bigint))
      return listOf(base, kinds.INT, integers, {})
    }
    case 'BOOL':
    case 'DATETIME':
    case 'TUPLE': {
      const read = mapped((item) => plainText(plainElement(element, item, column.tuples)))
      return listOf(base, kinds.STRING, read, { note: `${typeText(type)} as texts` })
    }
  }
}

function listOf(
  base: Base,
  { dataType, element, ...encoding }: Kind,
  read: Column['read'],
  {
    isNullable = false,
    note = null,
  }: { readonly isNullable?: boolean; readonly note?: string | null },
): Property {
  const outer = { converted_type: 'LIST', logical_type: { type: 'LIST' } } as const
  return {
    ...base,
    dataType: `list<${dataType}>`,
    schema: [
      {
        name: base.name,
        repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED',
        num_children: 1,
        ...outer,
      },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { ...element, name: 'element', repetition_type: 'REQUIRED' },
    ],
    ...encoding,
    read,
    isNullable,
    note,
  }
}

const INT64_MAX = 2n ** 63n - 1n

function isWide(value: number | bigint): boolean {
  return value > INT64_MAX
}

function wideNote(type: string): string {
  return `${type} with values beyond 63 bits, as decimal texts`
}

function someRow({ count, deleted }: LiveRows, isSuch: (row: number) => boolean): boolean {
  for (let row = 0; row < count; row++) if (!isSet(deleted, row) && isSuch(row)) return true
  return false
}
