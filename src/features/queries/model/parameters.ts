/** From a query's signature to a form, and from what was typed to the JSON that runs it. */

export type FieldKind = 'integer' | 'number' | 'boolean' | 'datetime' | 'string' | 'vertex'

export interface ParameterField {
  readonly name: string
  /** As the signature tells it, such as `set<vertex<Person>>`. */
  readonly type: string
  readonly kind: FieldKind
  /** Several values, one a line. */
  readonly many: boolean
  /** The type of a typed vertex; null where the type has to be given, as `Type:id`. */
  readonly vertexType: string | null
}

const kinds: Readonly<Record<string, FieldKind>> = {
  int: 'integer',
  uint: 'integer',
  float: 'number',
  double: 'number',
  bool: 'boolean',
  datetime: 'datetime',
  string: 'string',
}

export function fieldsOf(input: readonly Readonly<Record<string, string>>[]): ParameterField[] {
  return input.flatMap((entry) =>
    Object.entries(entry).map(([name, type]) => {
      const list = /^(?:set|bag|list)<(.+)>$/i.exec(type)
      const element = list?.[1] ?? type
      const vertex = /^vertex(?:<(.+)>)?$/i.exec(element)
      return {
        name,
        type,
        kind: vertex === null ? (kinds[element.toLowerCase()] ?? 'string') : 'vertex',
        many: list !== null,
        vertexType: vertex?.[1] ?? null,
      }
    }),
  )
}

export type ParameterValue = number | bigint | string | boolean | { id: string; type?: string }

export type ReadParameters =
  | { readonly ok: true; readonly values: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> }

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
    const parts = field.many ? text.split('\n').filter((line) => line.trim() !== '') : [text]
    const read = parts.map((part) => readValue(field, part))
    const problem = read.find((value) => typeof value === 'object' && 'problem' in value)
    if (problem !== undefined) problems.set(field.name, (problem as { problem: string }).problem)
    else values.push([field.name, field.many ? read : read[0]])
  }
  return problems.size > 0
    ? { ok: false, problems }
    : { ok: true, values: Object.fromEntries(values) }
}

function readValue(field: ParameterField, text: string): ParameterValue | { problem: string } {
  const trimmed = text.trim()
  switch (field.kind) {
    case 'integer':
      return readInteger(trimmed)
    case 'number': {
      const number = Number(trimmed)
      return Number.isFinite(number) ? number : { problem: `${trimmed} is not a number` }
    }
    case 'boolean':
      return trimmed === 'true'
    case 'datetime':
      return /^\d{1,4}[-/]\d{1,2}[-/]\d{1,2}([ T]\d{1,2}:\d{1,2}:\d{1,2})?$/.test(trimmed)
        ? trimmed
        : { problem: 'a date and time reads YYYY-MM-DD HH:MM:SS' }
    case 'vertex':
      return readVertex(field, trimmed)
    case 'string':
      // The server decodes strings of a POST body once (contract 3.3).
      return text.replaceAll('%', '%25')
  }
}

function readInteger(text: string): number | bigint | { problem: string } {
  if (!/^[+-]?\d+$/.test(text)) return { problem: `${text} is not an integer` }
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

function readVertex(field: ParameterField, text: string): ParameterValue | { problem: string } {
  if (field.vertexType !== null) return { id: text }
  const colon = text.indexOf(':')
  if (colon <= 0) return { problem: 'a vertex of any type reads Type:id' }
  return { id: text.slice(colon + 1), type: text.slice(0, colon) }
}
