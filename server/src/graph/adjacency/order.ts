/**
 * The order of the edges of a view: by the other end's row, parallel edges by their discriminators.
 *
 * Base edges lie in this order. Delta edges are chained as they came, so `DeltaOrder` brings those of
 * one vertex into it, and readers walk both together: what a query or a list shows does not depend
 * on when the last rebuild was. Runs on any thread.
 */
import type { AdjacencyView, ColumnView } from '#graph/view.ts'
import { bytesAt, numberOrBigintAt } from '../columns/read.ts'
import { isSet } from '../memory/bits.ts'
import { compareBytes } from '../memory/compare.ts'
import { makePairs, type Pairs, resized, runThrough, sortPairs } from '../memory/pairs.ts'

/** Order of two parallel edges by their discriminators; 0 when the type has none. */
export function compareParallel(adjacency: AdjacencyView, a: number, b: number): number {
  const { columns, discriminatorCount } = adjacency
  for (let i = 0; i < discriminatorCount; i++) {
    const order = compareValues(columns[i]!, a, b)
    if (order !== 0) return order
  }
  return 0
}

function compareValues(column: ColumnView, a: number, b: number): number {
  if (column.heap !== null) return compareBytes(bytesAt(column, a), bytesAt(column, b))
  const first = numberOrBigintAt(column, a)
  const second = numberOrBigintAt(column, b)
  if (first < second) return -1
  return first > second ? 1 : 0
}

/** Chains longer than this are put in order in pieces, between which a caller may pause. */
const CHAIN_AT_ONCE_MAX = 1_024
/** Up to so many are sorted by insertion. */
const INSERTION_SORT_MAX = 24
const CHAIN_STEPS_PER_PIECE = 4_096
/** Orders of chains this long are kept: a hub is met from many sides. */
const CHAIN_KEPT_MIN = 4_096

/** The live delta edges of one vertex after the other, each in the order of a rebuild. */
export class DeltaOrder {
  /** Delta edges of the vertex loaded last. */
  count = 0
  readonly #adjacency: AdjacencyView
  readonly #heads: Uint32Array
  readonly #links: Uint32Array
  readonly #ends: Uint32Array
  #indexes = new Uint32Array(8)
  #others = new Uint32Array(8)
  #row = -1
  readonly #kept = new Map<number, Pairs>()

  /** @param adjacency a view with a delta that stays as it is while this is used */
  constructor(adjacency: AdjacencyView, isBackward: boolean) {
    const delta = adjacency.delta!
    this.#adjacency = adjacency
    this.#heads = isBackward ? delta.inHeads : delta.outHeads
    this.#links = isBackward ? delta.inNext : delta.outNext
    this.#ends = isBackward ? delta.sources : delta.targets
  }

  /** Makes the delta edges of a row the present ones. @returns how many there are */
  load(row: number): number {
    if (row === this.#row) return this.count
    if (this.#collect(row, CHAIN_AT_ONCE_MAX)) this.#sortAtOnce()
    else runThrough(this.loadInPieces(row))
    return this.count
  }

  /** As `load`, stopping every millisecond or so. */
  *loadInPieces(row: number): Generator<undefined, void> {
    const kept = this.#kept.get(row)
    const pairs = kept ?? (yield* this.#collectInPieces(row))
    const count = pairs.words.length / 2
    if (kept === undefined) yield* sortPairs(pairs, count)
    this.#take(pairs, count)
    if (kept === undefined) this.#sortParallel()
    this.#row = row
    if (count < CHAIN_KEPT_MIN || kept !== undefined) return
    this.#give(pairs)
    this.#kept.set(row, pairs)
  }

  /** Edge row of the edge in this place of the order. */
  edgeAt(at: number): number {
    return this.#adjacency.baseCount + this.#indexes[at]!
  }

  /** The other end of the edge in this place of the order. */
  otherAt(at: number): number {
    return this.#others[at]!
  }

  /** Whether a base edge toward the same vertex stands behind the edge in this place. */
  isBefore(at: number, baseEdge: number): boolean {
    return compareParallel(this.#adjacency, this.edgeAt(at), baseEdge) < 0
  }

  /** Fills the lists, in no order; false when the chain is longer than `limit`. */
  #collect(row: number, limit: number): boolean {
    const { deltaCount, baseCount, deleted } = this.#adjacency
    const links = this.#links
    const ends = this.#ends
    this.#row = -1
    let count = 0
    let next = row < this.#heads.length ? this.#heads[row]! : 0
    for (let steps = 0; next !== 0; next = links[next - 1]!) {
      if (++steps > limit) return false
      const index = next - 1
      // A head may point past the delta rows of this view.
      if (index >= deltaCount || isSet(deleted, baseCount + index)) continue
      if (count === this.#indexes.length) this.#reserve(count + 1)
      this.#indexes[count] = index
      this.#others[count] = ends[index]!
      count += 1
    }
    this.count = count
    this.#row = row
    return true
  }

  *#collectInPieces(row: number): Generator<undefined, Pairs> {
    const { deltaCount, baseCount, deleted } = this.#adjacency
    let pairs = makePairs(CHAIN_AT_ONCE_MAX * 2)
    let length = 0
    this.#row = -1
    let next = row < this.#heads.length ? Atomics.load(this.#heads, row) : 0
    for (let steps = 1; next !== 0; next = this.#links[next - 1]!, steps++) {
      const index = next - 1
      if (index < deltaCount && !isSet(deleted, baseCount + index)) {
        if (length === pairs.words.length) pairs = resized(pairs, length)
        pairs.words[length++] = index
        pairs.words[length++] = this.#ends[index]!
      }
      if (steps % CHAIN_STEPS_PER_PIECE === 0) yield
    }
    return resized(pairs, length / 2)
  }

  #reserve(count: number): void {
    if (count <= this.#indexes.length) return
    const size = Math.max(count, this.#indexes.length * 2)
    const [indexes, others] = [new Uint32Array(size), new Uint32Array(size)]
    indexes.set(this.#indexes)
    others.set(this.#others)
    this.#indexes = indexes
    this.#others = others
  }

  #take({ words }: Pairs, count: number): void {
    this.#reserve(count)
    this.count = count
    for (let at = 0; at < count; at++) {
      this.#indexes[at] = words[at * 2]!
      this.#others[at] = words[at * 2 + 1]!
    }
  }

  #give({ words }: Pairs): void {
    for (let at = 0; at < this.count; at++) {
      words[at * 2] = this.#indexes[at]!
      words[at * 2 + 1] = this.#others[at]!
    }
  }

  #sortAtOnce(): void {
    const count = this.count
    if (count < 2) return
    // Chains run from the newest to the oldest, and many are loaded in ascending order.
    if (this.#others[0]! > this.#others[count - 1]!) this.#reverse()
    if (count <= INSERTION_SORT_MAX) {
      this.#insertionSort()
      return
    }
    const pairs = makePairs(count)
    this.#give(pairs)
    pairs.values.sort()
    this.#take(pairs, count)
    this.#sortParallel()
  }

  #reverse(): void {
    const indexes = this.#indexes
    const others = this.#others
    for (let low = 0, high = this.count - 1; low < high; low++, high--) {
      const [index, other] = [indexes[low]!, others[low]!]
      indexes[low] = indexes[high]!
      others[low] = others[high]!
      indexes[high] = index
      others[high] = other
    }
  }

  #insertionSort(): void {
    const indexes = this.#indexes
    const others = this.#others
    const { baseCount } = this.#adjacency
    for (let at = 1; at < this.count; at++) {
      const index = indexes[at]!
      const other = others[at]!
      let to = at
      for (; to > 0; to--) {
        const before = others[to - 1]!
        if (before < other) break
        const isTied = before === other
        if (
          isTied &&
          compareParallel(this.#adjacency, baseCount + indexes[to - 1]!, baseCount + index) <= 0
        )
          break
        indexes[to] = indexes[to - 1]!
        others[to] = before
      }
      indexes[to] = index
      others[to] = other
    }
  }

  /** Edges toward one vertex stand beside each other already. */
  #sortParallel(): void {
    const adjacency = this.#adjacency
    if (adjacency.discriminatorCount === 0) return
    const { baseCount } = adjacency
    for (let start = 0, end = 1; start < this.count; start = end++) {
      while (end < this.count && this.#others[end] === this.#others[start]) end++
      if (end - start === 1) continue
      this.#indexes
        .subarray(start, end)
        .sort((a, b) => compareParallel(adjacency, baseCount + a, baseCount + b))
    }
  }
}
