/**
 * ORDER BY: vertices with their sort keys in columns, sorted by a merge sort over row numbers.
 * Vertices that lack a key (their type has no such attribute) come last; ties keep vertex order.
 */
import { compareNumbers } from '#kernel/order.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { StringTable } from '../cells/strings.ts'
import type { Value } from '../cells/value.ts'

export interface SortKeyKind {
  readonly descending: boolean
  readonly strings: boolean
  /** Bigint keys: `signed` for INT, `unsigned` for UINT. */
  readonly wide: 'signed' | 'unsigned' | null
}

type Keys = Float64Array | BigInt64Array | BigUint64Array

const FIRST_ROWS = 256

export class Sorter {
  private vertices = new Uint32Array(FIRST_ROWS)
  private readonly keys: Keys[]
  private readonly missing: Uint8Array[]
  private count = 0
  private readonly kinds: readonly SortKeyKind[]
  private readonly memory: MemoryBudget
  private readonly strings: StringTable

  constructor(kinds: readonly SortKeyKind[], memory: MemoryBudget, strings: StringTable) {
    this.kinds = kinds
    this.memory = memory
    this.strings = strings
    this.keys = kinds.map((kind) => newKeys(kind, FIRST_ROWS))
    this.missing = kinds.map(() => new Uint8Array(FIRST_ROWS).fill(1))
  }

  row(vertex: number): void {
    if (this.count === this.vertices.length) this.grow()
    this.vertices[this.count++] = vertex
  }

  /** The key of the last row. */
  key(index: number, value: Value): void {
    const row = this.count - 1
    this.missing[index]![row] = 0
    if (this.kinds[index]!.wide !== null) (this.keys[index] as BigInt64Array)[row] = value as bigint
    else (this.keys[index] as Float64Array)[row] = Number(value)
  }

  sorted(): Uint32Array {
    const order = new Uint32Array(this.count)
    for (let i = 0; i < order.length; i++) order[i] = i
    this.mergeSort(order)
    for (let i = 0; i < order.length; i++) order[i] = this.vertices[order[i]!]!
    return order
  }

  private mergeSort(order: Uint32Array): void {
    let from: Uint32Array = order
    let to: Uint32Array = new Uint32Array(order.length)
    for (let width = 1; width < order.length; width *= 2) {
      for (let start = 0; start < order.length; start += width * 2) {
        this.merge(from, to, { start, width })
      }
      const swap = from
      from = to
      to = swap
    }
    if (from !== order) order.set(from)
  }

  private merge(from: Uint32Array, to: Uint32Array, run: { start: number; width: number }): void {
    const middle = Math.min(run.start + run.width, from.length)
    const end = Math.min(run.start + run.width * 2, from.length)
    let left = run.start
    let right = middle
    for (let at = run.start; at < end; at++) {
      const takeLeft =
        right >= end || (left < middle && this.compare(from[left]!, from[right]!) <= 0)
      to[at] = takeLeft ? from[left++]! : from[right++]!
    }
  }

  private compare(a: number, b: number): number {
    for (let i = 0; i < this.kinds.length; i++) {
      const missing = this.missing[i]![a]! - this.missing[i]![b]!
      if (missing !== 0) return missing
      const order = this.compareKey(i, a, b)
      if (order !== 0) return this.kinds[i]!.descending ? -order : order
    }
    return 0
  }

  private compareKey(index: number, a: number, b: number): number {
    const keys = this.keys[index]!
    const [left, right] = [keys[a]!, keys[b]!]
    if (left === right) return 0
    if (this.kinds[index]!.strings) return this.strings.compare(left as number, right as number)
    return compareNumbers(left, right)
  }

  private grow(): void {
    const length = this.vertices.length * 2
    this.memory.take((length / 2) * (4 + this.kinds.length * 9))
    const vertices = new Uint32Array(length)
    vertices.set(this.vertices)
    this.vertices = vertices
    this.kinds.forEach((kind, i) => {
      const missing = new Uint8Array(length).fill(1)
      missing.set(this.missing[i]!)
      this.missing[i] = missing
      const keys = newKeys(kind, length)
      // Both are of the kind that `wide` says.
      ;(keys as Float64Array).set(this.keys[i] as Float64Array)
      this.keys[i] = keys
    })
  }
}

function newKeys({ wide }: SortKeyKind, length: number): Keys {
  if (wide === null) return new Float64Array(length)
  return wide === 'signed' ? new BigInt64Array(length) : new BigUint64Array(length)
}
