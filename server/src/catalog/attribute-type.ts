/** Attribute types: as text, in the JSON form of docs/reference/rest.md, and what may hold what. */
import { schemaError } from './rule.ts'
import type { AttributeType, Catalog, ElementType, ScalarTypeName } from './types.ts'

export const scalarTypeNames: readonly ScalarTypeName[] = [
  'INT',
  'UINT',
  'FLOAT',
  'DOUBLE',
  'BOOL',
  'STRING',
  'DATETIME',
]

/** Elements of LIST, SET and MAP values besides tuples. */
const elementTypeNames: readonly string[] = ['INT', 'DOUBLE', 'STRING', 'DATETIME']
const mapKeyTypeNames: readonly string[] = ['INT', 'STRING', 'DATETIME']
const indexableTypeNames: readonly string[] = scalarTypeNames
/** GSQL docs/reference/rest.md. */
const discriminatorTypeNames: readonly string[] = ['INT', 'UINT', 'DATETIME', 'STRING']

export interface AttributeTypeJson {
  readonly Name: string
  readonly ValueTypeName?: string | undefined
  readonly KeyTypeName?: string | undefined
  readonly FixedBinaryLength?: number | undefined
}

export function isScalarTypeName(name: string): name is ScalarTypeName {
  return (scalarTypeNames as readonly string[]).includes(name)
}

export function isIndexable(type: AttributeType): boolean {
  return indexableTypeNames.includes(type.kind)
}

export function canDiscriminate(type: AttributeType): boolean {
  return discriminatorTypeNames.includes(type.kind)
}

/** As a declaration spells it: `MAP<STRING, INT>`, `FIXED_BINARY(16)`, `Addr`. */
export function typeText(type: AttributeType): string {
  switch (type.kind) {
    case 'FIXED_BINARY':
      return `FIXED_BINARY(${type.length})`
    case 'LIST':
    case 'SET':
      return `${type.kind}<${elementText(type.element)}>`
    case 'MAP':
      return `MAP<${elementText(type.key)}, ${elementText(type.value)}>`
    case 'VECTOR':
      return `VECTOR(${type.dimension})`
    case 'TUPLE':
      return type.name
    default:
      return type.kind
  }
}

function elementText(type: ElementType): string {
  return type.kind === 'TUPLE' ? type.name : type.kind
}

export function typeToJson(type: AttributeType): AttributeTypeJson {
  switch (type.kind) {
    case 'FIXED_BINARY':
      return { Name: 'FIXED_BINARY', FixedBinaryLength: type.length }
    case 'LIST':
    case 'SET':
      return { Name: type.kind, ValueTypeName: elementText(type.element) }
    case 'MAP':
      return {
        Name: 'MAP',
        KeyTypeName: elementText(type.key),
        ValueTypeName: elementText(type.value),
      }
    case 'TUPLE':
      return { Name: 'UDT', ValueTypeName: type.name }
    default:
      return { Name: type.kind }
  }
}

/**
 * Reads the JSON form; type names in any letter case, and spelled out (`LIST<STRING>`) as well.
 * @throws DbError SCHEMA_RULE for an unknown type or one that may not be held
 */
export function typeFromJson(catalog: Catalog, json: AttributeTypeJson): AttributeType {
  const spelled =
    /^\s*([A-Za-z_]\w*)\s*(?:<\s*([^<>,]+?)\s*(?:,\s*([^<>,]+?)\s*)?>|\(\s*(\d+)\s*\))?\s*$/
  const match = spelled.exec(json.Name.replace(/\s+COMPRESS\s*$/i, ''))
  if (match === null) throw schemaError(`The type '${json.Name}' is not a valid attribute type.`)
  const [, word = '', first, second, length] = match
  const kind = word.toUpperCase()
  if (isScalarTypeName(kind)) return { kind }
  switch (kind) {
    case 'LIST':
    case 'SET':
      return { kind, element: elementType(catalog, kind, first ?? json.ValueTypeName) }
    case 'MAP':
      return {
        kind,
        key: mapKeyType(first ?? json.KeyTypeName),
        value: elementType(catalog, kind, second ?? json.ValueTypeName),
      }
    case 'FIXED_BINARY':
      return { kind, length: binaryLength(length ?? json.FixedBinaryLength) }
    case 'UDT':
      return tupleReference(catalog, json.ValueTypeName ?? '')
    default:
      return tupleReference(catalog, word)
  }
}

function elementType(catalog: Catalog, holder: string, name: string | undefined): ElementType {
  if (!name) throw schemaError(`A ${holder} needs the type of its elements (ValueTypeName).`)
  const kind = name.toUpperCase()
  if (elementTypeNames.includes(kind)) return { kind: kind as ScalarTypeName }
  if (isScalarTypeName(kind)) {
    throw schemaError(
      `A ${holder} cannot hold ${kind}: use ${elementTypeNames.join(', ')} or a tuple.`,
    )
  }
  return tupleReference(catalog, name)
}

function mapKeyType(name: string | undefined): ElementType {
  const kind = (name ?? '').toUpperCase()
  if (mapKeyTypeNames.includes(kind)) return { kind: kind as ScalarTypeName }
  throw schemaError(`The key of a MAP must be ${mapKeyTypeNames.join(', ')}, not '${name ?? ''}'.`)
}

function tupleReference(catalog: Catalog, name: string): { kind: 'TUPLE'; name: string } {
  const tuple = catalog.tuples.find((candidate) => candidate.name === name)
  if (tuple) return { kind: 'TUPLE', name }
  const meant = SQL_TYPES.get(name.toUpperCase())
  const hint = meant === undefined ? '' : ` Use ${meant}.`
  throw schemaError(`The type '${name}' is not a valid attribute type; it does not exist.${hint}`)
}

/** Types of SQL and other languages, and what holds their values here. */
const SQL_TYPES: ReadonlyMap<string, ScalarTypeName> = new Map([
  ...['VARCHAR', 'CHAR', 'TEXT', 'CHARACTER', 'NVARCHAR', 'CLOB', 'UUID', 'STR'].map(
    (name) => [name, 'STRING'] as const,
  ),
  ...['INTEGER', 'BIGINT', 'SMALLINT', 'TINYINT', 'LONG', 'INT64', 'INT32'].map(
    (name) => [name, 'INT'] as const,
  ),
  ...['DECIMAL', 'NUMERIC', 'REAL', 'NUMBER', 'FLOAT64'].map((name) => [name, 'DOUBLE'] as const),
  ...['TIMESTAMP', 'DATE', 'TIME'].map((name) => [name, 'DATETIME'] as const),
  ['BOOLEAN', 'BOOL'],
])

/** @throws DbError SCHEMA_RULE */
function binaryLength(length: string | number | undefined): number {
  const value = Number(length ?? Number.NaN)
  if (Number.isInteger(value) && value >= 1 && value <= FIXED_BINARY_SIZE_BYTES_MAX) return value
  throw schemaError(
    `FIXED_BINARY needs a length from 1 to ${FIXED_BINARY_SIZE_BYTES_MAX} (FixedBinaryLength).`,
  )
}

const FIXED_BINARY_SIZE_BYTES_MAX = 65_535

/** Every tuple a type refers to, by name. */
export function tupleNamesIn(type: AttributeType): readonly string[] {
  switch (type.kind) {
    case 'TUPLE':
      return [type.name]
    case 'LIST':
    case 'SET':
      return tupleNamesIn(type.element)
    case 'MAP':
      return tupleNamesIn(type.value)
    default:
      return []
  }
}
