/** Attribute types: text as people write it, the wire form of docs/reference/rest.md, and what each may do. */

export const scalarTypes = ['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL', 'STRING', 'DATETIME'] as const
const elementTypes = ['INT', 'DOUBLE', 'STRING', 'DATETIME'] as const
const mapKeyTypes = ['INT', 'STRING', 'DATETIME'] as const

/** Ready-made texts for a picker; any other legal text may be typed. */
export const commonTypes = [
  ...scalarTypes,
  'LIST<STRING>',
  'LIST<INT>',
  'LIST<DOUBLE>',
  'SET<STRING>',
  'SET<INT>',
  'MAP<STRING,STRING>',
  'MAP<STRING,INT>',
] as const

/** The wire form: docs/reference/rest.md, "Attribute type". */
export interface AttributeTypeJson {
  readonly Name: string
  readonly ValueTypeName?: string | undefined
  readonly KeyTypeName?: string | undefined
  readonly FixedBinaryLength?: number | undefined
}

type ParsedType =
  | { readonly ok: true; readonly type: string; readonly json: AttributeTypeJson }
  | { readonly ok: false; readonly message: string }

const binaryPattern = /^FIXED_BINARY\((\d+)\)$/
const listPattern = /^(LIST|SET)<(.+)>$/
const mapPattern = /^MAP<([^,]+),(.+)>$/

/**
 * Reads a type as people write it: any case for keywords, blanks anywhere. Tuples are known by the
 * names given; their case counts.
 */
export function parseAttributeType(text: string, tuples: readonly string[] = []): ParsedType {
  const bare = text.trim().replace(/\s*([<>,()])\s*/g, '$1')
  if (bare === '') return { ok: false, message: 'Give a type, such as STRING or LIST<INT>.' }
  if (tuples.includes(bare)) return known(bare, { Name: 'UDT', ValueTypeName: bare })

  const upper = bare.toUpperCase()
  if (isScalar(upper) || upper === 'STRING COMPRESS') return known(upper, { Name: upper })

  const binary = binaryPattern.exec(upper)
  if (binary !== null) return parseBinary(Number(binary[1]))
  const list = listPattern.exec(bareKeyword(bare))
  if (list !== null) return parseList(list[1] ?? '', list[2] ?? '', tuples)
  const map = mapPattern.exec(bareKeyword(bare))
  if (map !== null) return parseMap(map[1] ?? '', map[2] ?? '', tuples)

  return {
    ok: false,
    message: `No type ${bare}. Types: ${scalarTypes.join(', ')}, LIST, SET, MAP.`,
  }
}

/** The canonical text of a wire type; an unknown one keeps its name, so that nothing is hidden. */
export function typeText(json: AttributeTypeJson): string {
  switch (json.Name) {
    case 'LIST':
    case 'SET':
      return `${json.Name}<${json.ValueTypeName ?? 'STRING'}>`
    case 'MAP':
      return `MAP<${json.KeyTypeName ?? 'STRING'},${json.ValueTypeName ?? 'STRING'}>`
    case 'FIXED_BINARY':
      return `FIXED_BINARY(${json.FixedBinaryLength ?? 0})`
    case 'UDT':
      return json.ValueTypeName ?? 'UDT'
    default:
      return json.Name
  }
}

/** The wire form of a canonical text. A text that is no built-in type names a tuple. */
export function typeJson(type: string): AttributeTypeJson {
  const builtIn = parseAttributeType(type, elementNames(type))
  return builtIn.ok ? builtIn.json : { Name: 'UDT', ValueTypeName: type }
}

/** Secondary indexes hold one scalar attribute: docs/reference/rest.md. */
export function isIndexable(type: string): boolean {
  return isScalar(type) || type === 'STRING COMPRESS'
}

const widenings: Readonly<Record<string, readonly string[]>> = {
  INT: ['DOUBLE', 'STRING'],
  UINT: ['INT', 'DOUBLE', 'STRING'],
  FLOAT: ['DOUBLE'],
  BOOL: ['INT', 'STRING'],
  DATETIME: ['STRING'],
  STRING: ['STRING COMPRESS'],
  'STRING COMPRESS': ['STRING'],
  'LIST<INT>': ['LIST<DOUBLE>'],
  'SET<INT>': ['SET<DOUBLE>'],
}

/** Types that the values of a published attribute can be kept in; the server looks at each value. */
export const widenedTypes = (type: string): readonly string[] => widenings[type] ?? []

/** Discriminators tell parallel edges apart and so need an exact, ordered value: docs/reference/gsql/schema.md. */
export function isDiscriminable(type: string): boolean {
  return ['INT', 'UINT', 'DATETIME', 'STRING'].includes(type)
}

/** Collections and tuples take no declared default. */
export function takesDefault(type: string): boolean {
  return isScalar(type)
}

function isScalar(type: string): boolean {
  return (scalarTypes as readonly string[]).includes(type)
}

function known(type: string, json: AttributeTypeJson): ParsedType {
  return { ok: true, type, json }
}

/** Raises the keyword in front of `<` only: tuple names inside keep their case. */
function bareKeyword(bare: string): string {
  return bare.replace(/^[a-z]+(?=<)/i, (keyword) => keyword.toUpperCase())
}

function parseBinary(length: number): ParsedType {
  if (length < 1) return { ok: false, message: 'FIXED_BINARY needs a length of at least 1.' }
  return known(`FIXED_BINARY(${length})`, { Name: 'FIXED_BINARY', FixedBinaryLength: length })
}

function parseList(name: string, elementText: string, tuples: readonly string[]): ParsedType {
  const element = parseElement(elementText, elementTypes, tuples)
  if (element === null) {
    return { ok: false, message: `${name} holds ${elementTypes.join(', ')} or a tuple.` }
  }
  return known(`${name}<${element}>`, { Name: name, ValueTypeName: element })
}

function parseMap(keyText: string, valueText: string, tuples: readonly string[]): ParsedType {
  const key = parseElement(keyText, mapKeyTypes, [])
  if (key === null) return { ok: false, message: `MAP keys are ${mapKeyTypes.join(', ')}.` }
  const value = parseElement(valueText, elementTypes, tuples)
  if (value === null) {
    return { ok: false, message: `MAP values are ${elementTypes.join(', ')} or a tuple.` }
  }
  return known(`MAP<${key},${value}>`, { Name: 'MAP', KeyTypeName: key, ValueTypeName: value })
}

function parseElement(
  text: string,
  allowed: readonly string[],
  tuples: readonly string[],
): string | null {
  const bare = text.trim()
  if (tuples.includes(bare)) return bare
  const upper = bare.toUpperCase()
  return allowed.includes(upper) ? upper : null
}

function elementNames(type: string): readonly string[] {
  const inner = /<(.+)>$/.exec(type)?.[1]
  return inner === undefined ? [] : inner.split(',').map((name) => name.trim())
}
