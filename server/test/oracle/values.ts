/**
 * Values of the naive interpreter: plain JavaScript, one object for each vertex and edge.
 *
 * INT and UINT are bigints, FLOAT, DOUBLE and DATETIME numbers (epoch seconds), a tuple is an array
 * of its fields, a collection is a state of `collections.ts`, the unknown vertex and the empty edge
 * are null.
 */
import type { ValueType } from '#query/ir/types.ts'
import type { State } from './state.ts'

export interface Vertex {
  readonly typeId: number
  readonly typeName: string
  readonly row: number
  /** The number that `getvid` yields: unique over all types, ascending by type and row. */
  readonly number: number
  readonly id: string
  /** By attribute id; -1 is the primary id. */
  readonly values: ReadonlyMap<number, Value>
  /** Name and JSON text of each attribute that prints. */
  readonly printed: readonly (readonly [name: string, json: string])[]
  /** Likewise of each vector, which prints on request only. */
  readonly vectors: readonly (readonly [name: string, json: string])[]
}

export interface StoredEdge {
  readonly typeId: number
  readonly typeName: string
  readonly directed: boolean
  readonly source: Vertex
  readonly target: Vertex
  /** Position in the order of its adjacency: by source, target and discriminator. */
  readonly order: number
  readonly values: ReadonlyMap<number, Value>
  readonly printed: readonly (readonly [name: string, json: string])[]
  /** Printed values of the discriminator, joined; null: the type has none. */
  readonly discriminator: string | null
  /** Of a virtual edge: it is deleted, and an EDGE value of it is the empty edge. */
  readonly isGone?: boolean
  /** Of a virtual edge, whose place among others changes: one that is inserted again is another. */
  readonly serial?: number
}

/** An edge as a pattern met it. */
export interface EdgeValue {
  readonly stored: StoredEdge
  readonly typeName: string
  readonly from: Vertex
  readonly to: Vertex
}

export type Value =
  | bigint
  | number
  | string
  | boolean
  | null
  | Vertex
  | EdgeValue
  | State
  | readonly Value[]

/** A node or a case that the interpreter does not know: the caller skips the query. */
export class Unsupported extends Error {}

/** What ends a run with an error of the language. */
export class RuntimeFailure extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

export function fail(code: string, text: string): never {
  throw new RuntimeFailure(code, `Runtime Error: ${text}`)
}

export function isVertex(value: Value): value is Vertex {
  return typeof value === 'object' && value !== null && 'printed' in value && 'number' in value
}

export function isEdge(value: Value): value is EdgeValue {
  return typeof value === 'object' && value !== null && 'stored' in value
}

const INT_BITS = 64

/** Wraps to the 64 bits of INT or UINT. */
export function wrap(value: bigint, kind: ValueType['kind']): bigint {
  return kind === 'UINT' ? BigInt.asUintN(INT_BITS, value) : BigInt.asIntN(INT_BITS, value)
}

/** Strings are ordered by their UTF-8 bytes, which is the order of their code points. */
function compareText(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

/** Negative, zero or positive. Both are values of one type. */
export function compare(left: Value, right: Value): number {
  if (Array.isArray(left) && Array.isArray(right)) return compareLists(left, right)
  if (typeof left === 'string') return compareText(left, right as string)
  if (typeof left === 'boolean') return Number(left) - Number(right)
  if (typeof left === 'bigint' || typeof left === 'number')
    return compareReals(left, right as number)
  if (isNumbered(left) && isNumbered(right)) return numberOf(left) - numberOf(right)
  if (hasElements(left) && hasElements(right)) return left.compareWith(right)
  throw new Unsupported('comparison of these values')
}

/** NaN comes after every number, and one NaN is another. */
function compareReals(left: bigint | number, right: bigint | number): number {
  if (Number.isNaN(left) || Number.isNaN(right)) {
    return (Number.isNaN(left) ? 1 : 0) - (Number.isNaN(right) ? 1 : 0)
  }
  return left < right ? -1 : left === right ? 0 : 1
}

function isNumbered(value: Value): value is Vertex | null {
  return value === null || isVertex(value)
}

function hasElements(value: Value): value is State {
  return typeof value === 'object' && value !== null && 'compareWith' in value
}

export function compareLists(left: readonly Value[], right: readonly Value[]): number {
  for (let i = 0; i < left.length && i < right.length; i++) {
    const order = compare(left[i]!, right[i]!)
    if (order !== 0) return order
  }
  return left.length - right.length
}

export function numberOf(vertex: Vertex | null): number {
  return vertex === null ? -1 : vertex.number
}

/** Equal for equal values of one type. */
export function keyOf(value: Value): string {
  if (value === null) return '?'
  if (Array.isArray(value)) return `(${value.map(keyOf).join(',')})`
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'object':
      break
    default:
      // The two zeros of a real number are one key.
      return Object.is(value, -0) ? '0' : String(value)
  }
  const entity = value as Vertex | EdgeValue | State
  if ('printed' in entity) return `v${entity.number}`
  if ('stored' in entity) {
    const { stored, from, to, typeName } = entity
    const order = stored.serial ?? stored.order
    return `e${typeName}:${from.number}:${to.number}:${stored.discriminator ?? ''}:${order}`
  }
  return entity.key()
}
