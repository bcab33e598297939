/**
 * Which types an attribute's values can be carried over to, each of them as the same value: what is
 * not in this table loses something for some values, or says another thing.
 */
import { formatDatetime } from '#kernel/datetime.ts'
import { typeText } from './attribute-type.ts'
import { parseDefault } from './defaults.ts'
import { schemaError } from './rule.ts'
import type { Attribute, AttributeType, AttributeValue } from './types.ts'

const scalars: Readonly<Record<string, readonly AttributeType[]>> = {
  INT: [{ kind: 'DOUBLE' }, { kind: 'STRING' }],
  UINT: [{ kind: 'INT' }, { kind: 'DOUBLE' }, { kind: 'STRING' }],
  FLOAT: [{ kind: 'DOUBLE' }],
  BOOL: [{ kind: 'INT' }, { kind: 'STRING' }],
  DATETIME: [{ kind: 'STRING' }],
}

export function widenedTypes(type: AttributeType): readonly AttributeType[] {
  const isCollection = type.kind === 'LIST' || type.kind === 'SET'
  if (!isCollection) return scalars[type.kind] ?? []
  return type.element.kind === 'INT' ? [{ kind: type.kind, element: { kind: 'DOUBLE' } }] : []
}

export function isWidening(from: AttributeType, to: AttributeType): boolean {
  return widenedTypes(from).some((type) => typeText(type) === typeText(to))
}

/**
 * Whether every value there may be is carried over exactly; otherwise each one is looked at: an INT
 * beyond 2^53 may be no DOUBLE, a UINT from 2^63 on is no INT.
 */
export function keepsEveryValue(from: AttributeType, to: AttributeType): boolean {
  if (to.kind === 'STRING') return true
  return from.kind === 'BOOL' || from.kind === 'FLOAT'
}

const INT_MAX = 2n ** 63n - 1n

/** Whether an integer is the same number in the wider type. */
export function isKept(value: number | bigint, to: AttributeType): boolean {
  if (to.kind === 'INT') return value <= INT_MAX
  return typeof value === 'number' || BigInt(Number(value)) === value
}

/** A scalar as the text that a STRING holds in its place. */
export function widenedText(type: AttributeType, value: AttributeValue): string {
  return type.kind === 'DATETIME' ? formatDatetime(Number(value)) : String(value)
}

/**
 * The declared default in the words of the wider type.
 * @throws DbError SCHEMA_RULE when it is no value of that
 */
export function widenedDefault(attribute: Attribute, to: AttributeType): string | undefined {
  const { name, type, defaultText } = attribute
  if (defaultText === undefined) return undefined
  const value = parseDefault(type, defaultText)
  if (Array.isArray(value)) return defaultText
  const scalar = typeof value === 'boolean' && to.kind === 'INT' ? Number(value) : value
  if ((typeof scalar === 'number' || typeof scalar === 'bigint') && to.kind !== 'STRING') {
    if (!isKept(scalar, to)) {
      const text = `The default value '${defaultText}' of ${name} cannot be kept as ${typeText(to)}.`
      throw schemaError(text, 'SCHEMA_RULE', name)
    }
  }
  return widenedText(type, scalar)
}
