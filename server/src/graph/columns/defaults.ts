/**
 * What a new row holds in an attribute nobody named: the declared default, else the type's zero.
 *
 * The zero of a STRING, collection, tuple or FIXED_BINARY is stored as no bytes at all; a tuple or
 * FIXED_BINARY without bytes reads as zeros.
 */
import { parseDefault } from '#catalog/defaults.ts'
import type { Attribute, AttributeValue } from '#catalog/types.ts'

const encoder = new TextEncoder()
const nothing = new Uint8Array(0)

/** A number or bigint for numeric types, BOOL and DATETIME; bytes for all others. */
export function defaultValueOf(attribute: Attribute): number | bigint | Uint8Array {
  const { kind } = attribute.type
  const isBytes = !['INT', 'UINT', 'DATETIME', 'FLOAT', 'DOUBLE', 'BOOL'].includes(kind)
  if (attribute.defaultText === undefined) return isBytes ? nothing : 0
  return storedForm(parseDefault(attribute.type, attribute.defaultText))
}

function storedForm(value: AttributeValue): number | bigint | Uint8Array {
  if (typeof value === 'string') return encoder.encode(value)
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' || typeof value === 'bigint') return value
  return value instanceof Uint8Array ? value : nothing
}

export function isZero(value: number | bigint | Uint8Array): boolean {
  return typeof value === 'object' ? value.length === 0 : value === 0 || value === 0n
}
