/**
 * Composite ids: the parts in key order, joined by commas. Each part is the text of its attribute's value,
 * so that one key has one id however it was written (docs/decisions/0152).
 */
import { formatDatetime, parseDatetime } from '#kernel/datetime.ts'
import { INTEGER_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import type { AttributeType, VertexType } from './types.ts'

type Kind = AttributeType['kind']

/**
 * A comma too many belongs to the last part.
 * @returns exactly `count` parts, or null when the id has fewer
 */
export function keyParts(id: string, count: number): readonly string[] | null {
  const parts = id.split(',')
  if (parts.length < count) return null
  return [...parts.slice(0, count - 1), parts.slice(count - 1).join(',')]
}

/** Kinds of the parts of a type's ids, in key order; null: its ids have no parts. */
export function keyKinds({ primaryId, attributes }: VertexType): readonly Kind[] | null {
  if (primaryId.syntax !== 'COMPOSITE') return null
  return primaryId.names.map(
    (name) => attributes.find((attribute) => attribute.name === name)?.type.kind ?? 'STRING',
  )
}

/** An id as it is stored; null: its parts are too few, or one is no value of its attribute. */
export function storedKey(id: string, kinds: readonly Kind[]): string | null {
  const parts = keyParts(id, kinds.length)
  if (parts === null) return null
  const stored = parts.map((part, index) => storedPart(part, kinds[index]!))
  return stored.includes(null) ? null : stored.join(',')
}

/** One part of an id as it is stored; null: it is no value of the kind. */
export function storedPart(part: string, kind: Kind): string | null {
  switch (kind) {
    case 'INT':
    case 'UINT': {
      const value = integerId(part, kind === 'UINT')
      return value === null ? null : String(value)
    }
    case 'FLOAT':
    case 'DOUBLE':
      return realText(part, kind)
    case 'BOOL':
      return part === 'true' || part === 'false' ? part : null
    case 'DATETIME': {
      const seconds = parseDatetime(part)
      return Number.isNaN(seconds) ? null : formatDatetime(seconds)
    }
    default:
      return part
  }
}

function realText(part: string, kind: 'FLOAT' | 'DOUBLE'): string | null {
  const given = part.trim() === '' ? Number.NaN : Number(part)
  const value = kind === 'FLOAT' ? Math.fround(given) : given
  if (!Number.isFinite(value)) return null
  return kind === 'FLOAT' ? floatText(value) : String(value)
}

const FLOAT_DIGITS_MAX = 9

/** The fewest digits that mean a number of 32 bits. */
function floatText(value: number): string {
  for (let digits = 6; digits < FLOAT_DIGITS_MAX; digits++) {
    const shorter = Number(value.toPrecision(digits))
    if (Math.fround(shorter) === value) return String(shorter)
  }
  return String(Number(value.toPrecision(FLOAT_DIGITS_MAX)))
}

/** An INT or UINT id's value; null when the text is none. */
export function integerId(text: string, isUnsigned: boolean): bigint | null {
  if (text.length > INTEGER_SIZE_CHARS_MAX || !/^[+-]?\d+$/.test(text)) return null
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text)
  const fits = isUnsigned
    ? value >= 0n && value < 2n ** 64n
    : value >= -(2n ** 63n) && value < 2n ** 63n
  return fits ? value : null
}
