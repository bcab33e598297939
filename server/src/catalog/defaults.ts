/** Default values: the declared text read as a value of its type, and the zero of each type. */
import { parseDatetime } from '#kernel/datetime.ts'
import { typeText } from './attribute-type.ts'
import { schemaError } from './rule.ts'
import type { Attribute, AttributeType, AttributeValue, Catalog, TupleField } from './types.ts'

const INT_MIN = -(2n ** 63n)
const INT_MAX = 2n ** 63n - 1n
const UINT_MAX = 2n ** 64n - 1n

/** The value a new vertex or edge has where the payload names none. */
export function defaultValueOf(catalog: Catalog, attribute: Attribute): AttributeValue {
  return attribute.defaultText === undefined
    ? zeroOf(catalog, attribute.type)
    : parseDefault(attribute.type, attribute.defaultText)
}

/** 0, false, "", 1970-01-01, empty, or the zero of each field. */
export function zeroOf(catalog: Catalog, type: AttributeType): AttributeValue {
  switch (type.kind) {
    case 'BOOL':
      return false
    case 'STRING':
      return ''
    case 'FIXED_BINARY':
      return new Uint8Array(type.length)
    case 'LIST':
    case 'SET':
    case 'MAP':
      return []
    case 'TUPLE':
      return (catalog.tuples.find(({ name }) => name === type.name)?.fields ?? []).map(zeroOfField)
    default:
      return 0
  }
}

function zeroOfField(field: TupleField): AttributeValue {
  if (field.type === 'STRING') return ''
  return field.type === 'BOOL' ? false : 0
}

/**
 * Reads a declared default. Collections and tuples have none but the empty one.
 * @throws DbError SCHEMA_RULE when the text is no value of the type
 */
export function parseDefault(type: AttributeType, text: string): AttributeValue {
  const value = readDefault(type, text.trim(), text)
  if (value !== undefined) return value
  throw schemaError(`The default value '${text}' is not a valid ${typeText(type)}.`)
}

function readDefault(type: AttributeType, text: string, exact: string): AttributeValue | undefined {
  switch (type.kind) {
    case 'INT':
      return integer(text, INT_MIN, INT_MAX)
    case 'UINT':
      return integer(text, 0n, UINT_MAX)
    case 'FLOAT':
    case 'DOUBLE':
      return decimal(text)
    case 'BOOL':
      return boolean(text.toLowerCase())
    case 'STRING':
      return exact
    case 'DATETIME':
      return datetime(text)
    case 'FIXED_BINARY':
      return binary(exact, type.length)
    case 'LIST':
    case 'SET':
    case 'MAP':
      return /^(|\[\s*\]|\(\s*\)|\{\s*\})$/.test(text) ? [] : undefined
    default:
      return undefined
  }
}

function integer(text: string, min: bigint, max: bigint): number | bigint | undefined {
  if (!/^[+-]?\d{1,20}$/.test(text)) return undefined
  const value = BigInt(text.replace(/^\+/, ''))
  if (value < min || value > max) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

function decimal(text: string): number | undefined {
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

function boolean(text: string): boolean | undefined {
  if (text === 'true' || text === '1') return true
  return text === 'false' || text === '0' ? false : undefined
}

function binary(text: string, length: number): Uint8Array | undefined {
  const bytes = new TextEncoder().encode(text)
  return bytes.length === length ? bytes : undefined
}

function datetime(text: string): number | undefined {
  const seconds = parseDatetime(text)
  return Number.isNaN(seconds) ? undefined : seconds
}
