/**
 * Vertex sets: a bit per vertex number, and after ORDER BY the order of the members. Immutable once
 * made: assigning shares them.
 */
import { isSet } from '#graph/memory/bits.ts'
import type { VertexTableView } from '#graph/view.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import { type VertexLayout, wordsPart } from './layout.ts'
import { RowLists } from './row-lists.ts'

export interface VertexSet {
  readonly words: Uint32Array
  readonly size: number
  /** Members in sort order; null: ascending. */
  readonly order: Uint32Array | null
}

export class VertexSets {
  private readonly layout: VertexLayout
  private readonly memory: MemoryBudget
  /** Bitmaps given out since the last `keep`, or kept by it. */
  private inUse: Uint32Array[] = []
  /** Those of the queries that called this one. */
  private readonly callers: Uint32Array[][] = []
  /** Bitmaps to be given out again. */
  private readonly spare: Uint32Array[] = []
  private readonly rowLists: RowLists
  /** Lists of members made since the last `keep`. */
  private listBytes = 0

  constructor(layout: VertexLayout, memory: MemoryBudget) {
    this.layout = layout
    this.memory = memory
    this.rowLists = new RowLists(memory)
  }

  newWords(): Uint32Array {
    const words = this.spare.pop()?.fill(0) ?? this.moreWords()
    this.inUse.push(words)
    return words
  }

  /** Whether so many bitmaps more are within the limit of memory. */
  hasRoom(count: number): boolean {
    const fresh = Math.max(0, count - this.spare.length)
    return this.memory.hasRoom((fresh * this.layout.total) / 8)
  }

  /**
   * Between two statements of the body only the vertex set variables hold sets: all other bitmaps
   * are free again, and their lists are gone.
   */
  keep(sets: readonly VertexSet[]): void {
    const isKept = (words: Uint32Array) => sets.some((set) => set.words === words)
    const kept: Uint32Array[] = []
    for (const words of this.inUse) {
      if (isKept(words)) kept.push(words)
      else this.spare.push(words)
    }
    this.inUse = kept
    this.rowLists.keep(isKept)
    this.memory.give(this.listBytes)
    this.listBytes = 0
  }

  /** Bitmaps made after a mark and released are free again. */
  mark(): number {
    return this.inUse.length
  }

  release(mark: number): void {
    const released = this.inUse.splice(mark)
    this.rowLists.keep((words) => !released.includes(words))
    this.spare.push(...released)
  }

  /** A called query has sets of its own: what the caller holds stays until it goes on. */
  enter(): void {
    this.callers.push(this.inUse)
    this.inUse = []
    this.rowLists.enter()
  }

  leave(): void {
    this.spare.push(...this.inUse)
    this.inUse = this.callers.pop() ?? []
    this.rowLists.leave()
  }

  private moreWords(): Uint32Array {
    const count = this.layout.total / 32
    return new Uint32Array(this.memory.buffer(count * 4))
  }

  private newList(length: number): Uint32Array {
    const list = new Uint32Array(this.memory.buffer(length * 4))
    this.listBytes += list.byteLength
    return list
  }

  of(words: Uint32Array): VertexSet {
    return { words, size: countBits(words), order: null }
  }

  empty(): VertexSet {
    return { words: this.newWords(), size: 0, order: null }
  }

  allOf(typeIds: readonly number[]): VertexSet {
    const words = this.newWords()
    let size = 0
    for (const typeId of typeIds) {
      const table = this.layout.tableOfType(typeId)
      fillLive(words, this.layout.baseOfType(typeId), table)
      size += table.liveCount
    }
    return { words, size, order: null }
  }

  combine(left: VertexSet, right: VertexSet, operator: 'union' | 'intersect' | 'minus'): VertexSet {
    const words = this.newWords()
    const [a, b] = [left.words, right.words]
    if (operator === 'union') for (let i = 0; i < words.length; i++) words[i] = a[i]! | b[i]!
    else if (operator === 'minus') for (let i = 0; i < words.length; i++) words[i] = a[i]! & ~b[i]!
    else for (let i = 0; i < words.length; i++) words[i] = a[i]! & b[i]!
    return this.of(words)
  }

  has(set: VertexSet, vertex: number): boolean {
    return vertex >= 0 && ((set.words[vertex >>> 5]! >>> (vertex & 31)) & 1) === 1
  }

  /** Rows of one type that are members; null: every row is. */
  rows(set: VertexSet, typeId: number): Uint32Array | null {
    return this.rowsIn(set.words, typeId)
  }

  /** The same of a bitmap that does not change any more. */
  rowsIn(words: Uint32Array, typeId: number): Uint32Array | null {
    const known = this.rowLists.find(words, typeId)
    if (known !== undefined) return known
    const part = wordsPart(this.layout, words, typeId)
    const count = countBits(part)
    if (count === this.layout.tableOfType(typeId).rowCount) return null
    const { rows, room } = this.rowLists.make(words, typeId, count)
    collectBits(part, room)
    return rows
  }

  /** The rows of a list that are members. */
  rowsAmong(set: VertexSet, typeId: number, candidates: Uint32Array): Uint32Array {
    const part = wordsPart(this.layout, set.words, typeId)
    const rows = this.newList(candidates.length)
    let count = 0
    for (const row of candidates) {
      if (((part[row >>> 5]! >>> (row & 31)) & 1) === 1) rows[count++] = row
    }
    return rows.subarray(0, count)
  }

  members(set: VertexSet): Uint32Array {
    if (set.order !== null) return set.order
    const members = this.newList(set.size)
    collectBits(set.words, members)
    return members.subarray(0, set.size)
  }

  limit(set: VertexSet, offset: number, count: number): VertexSet {
    const from = Math.max(0, Math.trunc(offset))
    const kept = this.members(set).subarray(from, from + Math.max(0, Math.trunc(count)))
    const words = this.newWords()
    for (const vertex of kept) setBit(words, vertex)
    return { words, size: kept.length, order: set.order === null ? null : kept }
  }

  ordered(order: Uint32Array): VertexSet {
    const words = this.newWords()
    for (const vertex of order) setBit(words, vertex)
    return { words, size: order.length, order }
  }
}

function setBit(words: Uint32Array, vertex: number): void {
  words[vertex >>> 5] = words[vertex >>> 5]! | (1 << (vertex & 31))
}

function fillLive(words: Uint32Array, base: number, table: VertexTableView): void {
  const { rowCount, deleted } = table
  const first = base / 32
  const whole = rowCount >>> 5
  words.fill(0xffffffff, first, first + whole)
  const rest = rowCount & 31
  if (rest > 0) words[first + whole] = 2 ** rest - 1
  if (deleted.words === null) return
  for (let row = 0; row < rowCount; row++) {
    if (!isSet(deleted, row)) continue
    const word = first + (row >>> 5)
    words[word] = words[word]! & ~(1 << (row & 31))
  }
}

export function countBits(words: Uint32Array): number {
  let count = 0
  for (let i = 0; i < words.length; i++) {
    let word = words[i]!
    if (word === 0) continue
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

/** Writes the numbers of the set bits, ascending. */
function collectBits(words: Uint32Array, into: Uint32Array): void {
  let count = 0
  for (let i = 0; i < words.length; i++) {
    const last = i * 32 + 31
    // As a signed number: V8 computes with 32 bits, not with doubles.
    for (let rest = words[i]! | 0; rest !== 0; rest &= rest - 1) {
      into[count++] = last - Math.clz32(rest & -rest)
    }
  }
}
