/** From a query's signature to a form, and from what was typed to the JSON that runs it. */
import { escapePercents } from '#lib/json/percents.ts'

export type ValueKind = 'integer' | 'unsigned' | 'number' | 'boolean' | 'datetime' | 'string'
export type FieldKind = ValueKind | 'vertex' | 'map'

export interface ParameterField {
  readonly name: string
  /** As the signature tells it, such as `set<vertex<Person>>`. */
  readonly type: string
  readonly kind: FieldKind
  /** Several values, one a line. */
  readonly many: boolean
  /** The type of a typed vertex; null where the type has to be given, as `Type:id`. */
  readonly vertexType: string | null
  /** Kinds of a map's keys and values; null for all others. */
  readonly entry: { readonly key: ValueKind; readonly value: ValueKind } | null
}

const kinds: Readonly<Record<string, ValueKind>> = {
  int: 'integer',
  uint: 'unsigned',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  datetime: 'datetime',
  string: 'string',
}

export function fieldsOf(input: readonly Readonly<Record<string, string>>[]): ParameterField[] {
  return input.flatMap((entry) => Object.entries(entry).map(([name, type]) => fieldOf(name, type)))
}

const kindOf = (type: string): ValueKind => kinds[type.trim().toLowerCase()] ?? 'string'

function fieldOf(name: string, type: string): ParameterField {
  const map = /^map<([^,<>]+),(.+)>$/i.exec(type)
  if (map !== null) {
    const entry = { key: kindOf(map[1] ?? ''), value: kindOf(map[2] ?? '') }
    return { name, type, kind: 'map', many: true, vertexType: null, entry }
  }
  const list = /^(?:set|bag|list)<(.+)>$/i.exec(type)
  const element = list?.[1] ?? type
  const vertex = /^vertex(?:<(.+)>)?$/i.exec(element)
  const kind = vertex === null ? kindOf(element) : 'vertex'
  return { name, type, kind, many: list !== null, vertexType: vertex?.[1] ?? null, entry: null }
}

export type ParameterValue = number | bigint | string | boolean | { id: string; type?: string }

export type ReadParameters =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> }

/** How an empty string is written, since an empty field means: not given. */
export const EMPTY_STRING = '""'

/** Empty fields are left out, so that the query's own defaults hold. */
export function readParameters(
  fields: readonly ParameterField[],
  texts: ReadonlyMap<string, string>,
): ReadParameters {
  const values: [string, unknown][] = []
  const problems = new Map<string, string>()
  for (const field of fields) {
    const text = texts.get(field.name) ?? ''
    if (text.trim() === '') continue
    const read = readField(field, text)
    if (isProblem(read)) problems.set(field.name, read.problem)
    else values.push([field.name, read])
  }
  return problems.size > 0
    ? { ok: false, problems }
    : { ok: true, values: Object.fromEntries(values) }
}

interface Problem {
  readonly problem: string
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'problem' in value

function readField(field: ParameterField, text: string): unknown {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (field.entry !== null) return readMap(field.entry, lines)
  const read = (field.many ? lines : [text]).map((part) => readElement(field, part))
  return read.find(isProblem) ?? (field.many ? read : read[0])
}

/** One `key: value` a line, as the two lists that the server reads. */
function readMap({ key, value }: NonNullable<ParameterField['entry']>, lines: readonly string[]) {
  const entries = lines.map((line) => {
    // The first colon before a blank; a datetime has colons of its own.
    const found = /^(.*?):\s+(.*)$/.exec(line) ?? /^([^:]*):(.*)$/.exec(line)
    if (found === null) return { problem: `${line} is no entry: write key: value` }
    const read = [readValue(key, found[1] ?? ''), readValue(value, found[2] ?? '')] as const
    return read.find(isProblem) ?? read
  })
  const problem = entries.find(isProblem)
  if (problem !== undefined) return problem
  const pairs = entries as readonly (readonly [ParameterValue, ParameterValue])[]
  return { keylist: pairs.map(([first]) => first), valuelist: pairs.map(([, second]) => second) }
}

function readElement(field: ParameterField, text: string): ParameterValue | Problem {
  return field.kind === 'vertex'
    ? readVertex(field, text.trim())
    : readValue(field.kind as ValueKind, text)
}

function readValue(kind: ValueKind, text: string): ParameterValue | Problem {
  const trimmed = text.trim()
  switch (kind) {
    case 'integer':
      return readInteger(trimmed)
    case 'unsigned':
      return trimmed.startsWith('-') ? { problem: `${trimmed} is negative` } : readInteger(trimmed)
    case 'number': {
      const number = Number(trimmed)
      return Number.isFinite(number) ? number : { problem: `${trimmed} is not a number` }
    }
    case 'boolean':
      if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true'
      return { problem: `${trimmed} is neither true nor false` }
    case 'datetime':
      return /^\d{1,4}[-/]\d{1,2}[-/]\d{1,2}([ T]\d{1,2}:\d{1,2}:\d{1,2})?$/.test(trimmed)
        ? trimmed
        : { problem: 'a date and time reads YYYY-MM-DD HH:MM:SS' }
    case 'string':
      if (trimmed === EMPTY_STRING) return ''
      return escapePercents(text)
  }
}

function readInteger(text: string): number | bigint | Problem {
  if (!/^[+-]?\d+$/.test(text)) return { problem: `${text} is not an integer` }
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

function readVertex(field: ParameterField, text: string): ParameterValue | Problem {
  if (field.vertexType !== null) return { id: escapePercents(text) }
  const colon = text.indexOf(':')
  if (colon <= 0) return { problem: 'a vertex of any type reads Type:id' }
  return { id: escapePercents(text.slice(colon + 1)), type: text.slice(0, colon) }
}
