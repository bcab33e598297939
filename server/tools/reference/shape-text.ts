/**
 * JSON schemas as short text in the notation of TypeScript: `{ name: string; ids?: integer[] }`.
 * Limits follow a type in parentheses: `string (1 to 2,560 characters)`.
 */

export type JsonSchema = Readonly<Record<string, unknown>>

/** A shape up to this width stays on one line, in characters. */
const LINE_WIDTH_CHARS_MAX = 96

/** Objects that have a name: it is written instead of their fields. By their schema as JSON. */
export type NamedShapes = ReadonlyMap<string, string>

/** @param itself the schema is one of the named, and its fields are wanted */
export function shapeText(
  schema: JsonSchema,
  names: NamedShapes = new Map(),
  itself = false,
): string {
  const place = { indent: 0, definitions: definitionsOf(schema), open: [], names }
  return itself ? objectText(schema, place) : textOf(schema, place)
}

/** The text of a value that is no object, with its limits; for tables. */
export function typeText(schema: JsonSchema): string {
  return shapeText(schema).replace(/\s+/g, ' ')
}

interface Place {
  readonly indent: number
  readonly definitions: Readonly<Record<string, JsonSchema>>
  /** Definitions around this place: a shape within itself is named and not repeated. */
  readonly open: readonly string[]
  readonly names: NamedShapes
}

function definitionsOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['$defs'] ?? {}) as Readonly<Record<string, JsonSchema>>
}

function textOf(schema: JsonSchema, place: Place): string {
  const { $ref, anyOf, oneOf, allOf, type } = schema
  if (typeof $ref === 'string') return referenceText($ref, place)
  const union = anyOf ?? oneOf
  if (Array.isArray(union)) return alternatives(union as JsonSchema[], place)
  if (Array.isArray(allOf)) return allOf.map((one) => textOf(one as JsonSchema, place)).join(' & ')
  if (type === 'object') return place.names.get(JSON.stringify(schema)) ?? objectText(schema, place)
  return type === 'array' ? arrayText(schema, place) : scalarText(schema)
}

/** As `name` of server/contract/parameters.ts limits it. */
const NAME_LENGTH_MAX = 2_560

function scalarText(schema: JsonSchema): string {
  const { type, minLength, maxLength } = schema
  if ('const' in schema) return JSON.stringify(schema['const'])
  const values = schema['enum']
  if (Array.isArray(values)) return values.map((one) => JSON.stringify(one)).join(' | ')
  if (Array.isArray(type)) return type.join(' | ')
  if (type === 'string' && minLength === 1 && maxLength === NAME_LENGTH_MAX) return 'name'
  return typeof type === 'string' ? type + limitsOf(schema) : 'any'
}

function referenceText(reference: string, place: Place): string {
  const name = reference.split('/').at(-1) ?? ''
  const target = place.definitions[name]
  if (target === undefined || place.open.includes(name)) return 'the same again'
  return textOf(target, { ...place, open: [...place.open, name] })
}

/** A bigint has no JSON schema: beside a number it says nothing more. */
function alternatives(schemas: readonly JsonSchema[], place: Place): string {
  const texts = [...new Set(schemas.map((one) => textOf(one, place)))]
  const isNumber = texts.some((text) => text.startsWith('number') || text.startsWith('integer'))
  return texts.filter((text) => text !== 'any' || !isNumber).join(' | ')
}

function arrayText(schema: JsonSchema, place: Place): string {
  const { prefixItems, items } = schema
  if (Array.isArray(prefixItems)) {
    return `[${prefixItems.map((one) => textOf(one as JsonSchema, place)).join(', ')}]`
  }
  const element = textOf((items ?? {}) as JsonSchema, place)
  const isPlain = element.startsWith('{') ? endsWhereItBegan(element) : /^[\w.]+$/.test(element)
  return (isPlain ? `${element}[]` : `(${element})[]`) + limitsOf(schema)
}

/** Whether the brace that opens a text is closed at its end: `{…}` and not `{…} | null`. */
function endsWhereItBegan(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '{') depth++
    if (text[at] === '}' && --depth === 0) return at === text.length - 1
  }
  return false
}

function objectText(schema: JsonSchema, place: Place): string {
  const fields = fieldsOf(schema, place)
  if (fields.length === 0) return '{}'
  const line = `{ ${fields.join('; ')} }`
  if (!line.includes('\n') && place.indent + line.length <= LINE_WIDTH_CHARS_MAX) return line
  const inner = { ...place, indent: place.indent + 2 }
  const margin = ' '.repeat(inner.indent)
  const lines = fieldsOf(schema, inner).map((field) => `${margin}${field}`)
  return `{\n${lines.join('\n')}\n${' '.repeat(place.indent)}}`
}

function fieldsOf(schema: JsonSchema, place: Place): string[] {
  const properties = (schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>
  const required = (schema['required'] ?? []) as readonly string[]
  const fields = Object.entries(properties).map(([name, property]) => {
    const key = /^\w+$/.test(name) ? name : JSON.stringify(name)
    return `${key}${required.includes(name) ? '' : '?'}: ${textOf(property, place)}`
  })
  const others = schema['additionalProperties']
  if (typeof others !== 'object' || others === null) return fields
  const value = textOf(others as JsonSchema, place)
  return Object.keys(others).length === 0 && fields.length > 0
    ? [...fields, '…']
    : [...fields, `[name]: ${value}`]
}

/** The largest integer of JavaScript is no limit that anybody set. */
const isLimit = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER

export function limitsOf(schema: JsonSchema): string {
  const units: Readonly<Record<string, string>> = { string: ' characters', array: ' elements' }
  const unit = units[String(schema['type'])] ?? ''
  const least = schema['minLength'] ?? schema['minItems'] ?? schema['minimum']
  const most = schema['maxLength'] ?? schema['maxItems'] ?? schema['maximum']
  const figure = (value: number) => value.toLocaleString('en-US')
  if (isLimit(least) && isLimit(most)) return ` (${figure(least)} to ${figure(most)}${unit})`
  if (isLimit(most)) return ` (at most ${figure(most)}${unit})`
  if (least === 1 && unit !== '') return ' (not empty)'
  if (isLimit(least) && least !== 0) return ` (at least ${figure(least)}${unit})`
  if (isLimit(schema['exclusiveMinimum'])) return ` (above ${figure(schema['exclusiveMinimum'])})`
  return ''
}
