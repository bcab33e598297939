/** Values of the model, what a new row holds, and both as text. */
import type { Attribute, AttributeValue, EdgeType, VertexType } from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import { formatDatetime } from '#kernel/datetime.ts'

/** Integers of 64 bits are bigints here; SET and MAP are sorted. */
export type ModelValue = AttributeValue
export type ModelRow = Map<string, ModelValue>

export function defaultRow(attributes: readonly Attribute[]): ModelRow {
  return new Map(
    attributes.map(({ name, type, defaultText }) => [name, defaultOf(type.kind, defaultText)]),
  )
}

function defaultOf(kind: string, text: string | undefined): ModelValue {
  if (kind === 'STRING') return text ?? ''
  if (kind === 'INT' || kind === 'UINT') return BigInt(text ?? 0)
  if (kind === 'BOOL') return false
  if (kind === 'TUPLE') return ['', 0n]
  if (kind === 'VECTOR') return []
  return kind === 'LIST' || kind === 'SET' || kind === 'MAP' ? [] : 0
}

/** Attributes, and a vertex type's vectors. */
export function storedOf(type: VertexType | EdgeType): readonly Attribute[] {
  return 'primaryId' in type ? storedAttributes(type) : type.attributes
}

export function valuesText(
  type: VertexType | EdgeType,
  row: ReadonlyMap<string, ModelValue>,
): string {
  return storedOf(type)
    .map(({ name, type: { kind } }) => `${name}=${textOf(kind, row.get(name)!)}`)
    .join(' ')
}

/** The ends of an undirected edge between one type have no order. */
export function edgeText(type: EdgeType, ends: readonly [string, string], values: string): string {
  const isOrdered = type.directed || ends[0].split('|')[0] !== ends[1].split('|')[0]
  return `${type.name}: ${(isOrdered ? ends : [...ends].sort()).join(' → ')} ${values}`
}

export function textOf(kind: string, value: ModelValue): string {
  if (kind === 'DATETIME') return formatDatetime(Number(value))
  return JSON.stringify(value, (_key, part) => {
    // JSON has neither.
    if (typeof part === 'number' && (!Number.isFinite(part) || Object.is(part, -0))) {
      return `«${Object.is(part, -0) ? '-0' : part}»`
    }
    return typeof part === 'bigint' ? String(part) : part
  }).replaceAll(/"(-?\d+)"/g, '$1')
}
