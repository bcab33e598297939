/**
 * The edges of one edge type between one pair of vertex types, as the writer holds them: a base in
 * compressed sparse rows, both directions, and an append-only delta with chains and a hash.
 *
 * Attribute columns and tombstones are indexed by edge row: base positions, then delta rows.
 */
import type { EdgePair, EdgeType, TupleType } from '#catalog/types.ts'
import type { AdjacencyView } from '#graph/view.ts'
import { growColumns, rowCapacity } from '../columns/capacity.ts'
import type { Column, Memory } from '../columns/column.ts'
import { columnsOf } from '../columns/columns-of.ts'
import { type MadeBefore, nothingMade } from '../columns/made-columns.ts'
import { hashBytes, hashPair } from '../ids/hash.ts'
import { Bits } from '../memory/bits.ts'
import { sharedArray } from '../memory/growable.ts'
import { Delta } from './delta.ts'
import { homeSlot } from './delta-index.ts'
import { compareToKey, type DiscriminatorKey } from './discriminator.ts'
import { lowerBound, sourceOf } from './read.ts'

/** The merged part: immutable once made, replaced as a whole by a rebuild. */
export interface BaseEdges {
  readonly count: number
  readonly fromCount: number
  readonly toCount: number
  readonly outOffsets: Uint32Array<SharedArrayBuffer>
  readonly outTargets: Uint32Array<SharedArrayBuffer>
  readonly inOffsets: Uint32Array<SharedArrayBuffer>
  readonly inSources: Uint32Array<SharedArrayBuffer>
  readonly inRows: Uint32Array<SharedArrayBuffer>
}

export const emptyBase: BaseEdges = {
  count: 0,
  fromCount: 0,
  toCount: 0,
  outOffsets: sharedArray('uint32', 1),
  outTargets: sharedArray('uint32', 0),
  inOffsets: sharedArray('uint32', 1),
  inSources: sharedArray('uint32', 0),
  inRows: sharedArray('uint32', 0),
}

const baseIds = new WeakMap<BaseEdges, number>()
let lastBaseId = 0

function baseIdOf(base: BaseEdges): number {
  const known = baseIds.get(base)
  if (known !== undefined) return known
  baseIds.set(base, ++lastBaseId)
  return lastBaseId
}

/** Takes down rows that change in place. */
export interface ChangeJournal {
  touched(row: number): void
}

export interface AdjacencyParts {
  readonly base: BaseEdges
  readonly columns: readonly Column[]
}

export class Adjacency {
  readonly fromTypeId: number
  readonly toTypeId: number
  /** Undirected between two vertices of one type: stored from the smaller row to the larger. */
  readonly isSymmetric: boolean
  base: BaseEdges
  delta: Delta
  deleted: Bits
  columns: Column[]
  liveCount: number
  discriminators: readonly Column[]
  /** While a rebuild works on a pinned version: which rows change meanwhile. */
  journal: ChangeJournal | null = null
  /** Changed since the last checkpoint. */
  isModified = false
  readonly #discriminatorCount: number
  readonly #memory: Memory
  /** Rows the columns have room for. */
  #capacity = 0

  constructor(type: EdgeType, pair: EdgePair, memory: Memory, parts?: AdjacencyParts) {
    this.fromTypeId = pair.fromTypeId
    this.toTypeId = pair.toTypeId
    this.isSymmetric = !type.directed && pair.fromTypeId === pair.toTypeId
    this.base = parts?.base ?? emptyBase
    this.#memory = memory
    this.columns = [...(parts?.columns ?? [])]
    this.#discriminatorCount = type.discriminatorCount
    this.discriminators = this.columns.slice(0, this.#discriminatorCount)
    this.delta = new Delta(memory)
    this.deleted = new Bits(memory.meter, memory.versions)
    this.liveCount = this.base.count
    memory.meter.bytes += baseSize(this.base)
    this.#capacity = rowCapacity(this.columns, this.rowCount)
  }

  /** Rows in use, deleted ones included. */
  get rowCount(): number {
    return this.base.count + this.delta.count
  }

  get sizeBytes(): number {
    const columns = this.columns.reduce((sum, column) => sum + column.sizeBytes, 0)
    return baseSize(this.base) + this.delta.sizeBytes + this.deleted.sizeBytes + columns
  }

  /** Takes over the columns of a changed type, as `VertexTable.setType` does. */
  setColumns(
    attributes: EdgeType['attributes'],
    tuples: readonly TupleType[],
    made: MadeBefore = nothingMade,
  ): void {
    const old = this.columns
    if (!hasColumns(old, attributes)) this.isModified = true
    const { rowCount, deleted } = this
    const rows = { memory: this.#memory, rowCount, isDead: (row: number) => deleted.has(row) }
    this.columns = columnsOf(attributes, tuples, old, { ...rows, made })
    this.discriminators = this.columns.slice(0, this.#discriminatorCount)
    // Not more than before: columns that were widened since have room without the default in it.
    this.#capacity = Math.min(this.#capacity, rowCapacity(this.columns, this.rowCount))
    this.deleted.ensure(this.#capacity)
  }

  /** The row of an edge, deleted ones included, or -1. */
  find(source: number, target: number, key: DiscriminatorKey): number {
    return this.findHashed({ source, target }, key, this.hashOf(source, target, key))
  }

  /** As `find`, for a caller that needs the hash as well. */
  findHashed(
    ends: { readonly source: number; readonly target: number },
    key: DiscriminatorKey,
    hash: number,
  ): number {
    const inDelta = this.#findInDelta(ends, key, hash)
    return inDelta >= 0 ? inDelta : this.#findInBase(ends.source, ends.target, key)
  }

  /** 32 bits, signed. */
  hashOf(source: number, target: number, key: DiscriminatorKey): number {
    const pair = hashPair(source, target) | 0
    if (key.start === key.end) return pair
    return pair ^ hashBytes(key.bytes, key.start, key.end - key.start)
  }

  sourceOf(row: number): number {
    const { base } = this
    if (row >= base.count) return this.delta.sources[row - base.count]!
    return sourceOf(this.topologyView(), row)
  }

  targetOf(row: number): number {
    const { base } = this
    return row < base.count ? base.outTargets[row]! : this.delta.targets[row - base.count]!
  }

  /** A new edge without attribute values; the caller fills the columns. */
  append(source: number, target: number, hash: number): number {
    const row = this.base.count + this.delta.append(source, target, hash)
    if (row >= this.#capacity) this.#grow(row + 1)
    this.liveCount += 1
    this.isModified = true
    return row
  }

  /** Marks an edge deleted; false when it is already. */
  delete(row: number): boolean {
    if (this.deleted.has(row)) return false
    this.deleted.set(row, this.#capacity)
    this.columns.forEach((column, index) => {
      if (index < this.#discriminatorCount) column.abandon(row)
      else column.forget(row)
    })
    this.liveCount -= 1
    this.isModified = true
    this.journal?.touched(row)
    return true
  }

  /** Brings a deleted edge back, attributes at their defaults. */
  revive(row: number): void {
    this.deleted.clear(row)
    this.liveCount += 1
    this.columns.forEach((column, index) => {
      if (index < this.#discriminatorCount) column.reclaim(row)
      else column.writeDefault(row)
    })
  }

  view(): AdjacencyView {
    const columns = this.columns.map((column) => column.view())
    return { ...this.topologyView(), discriminatorCount: this.#discriminatorCount, columns }
  }

  /** The present edges without attributes, for walking while writing. */
  topologyView(): AdjacencyView {
    const { base } = this
    return {
      fromTypeId: this.fromTypeId,
      toTypeId: this.toTypeId,
      liveCount: this.liveCount,
      discriminatorCount: 0,
      baseId: baseIdOf(base),
      baseCount: base.count,
      baseFromCount: base.fromCount,
      baseToCount: base.toCount,
      outOffsets: base.outOffsets,
      outTargets: base.outTargets,
      inOffsets: base.inOffsets,
      inSources: base.inSources,
      inRows: base.inRows,
      deltaCount: this.delta.count,
      delta: this.delta.count === 0 ? null : this.delta.view(),
      deleted: this.deleted.view(),
      columns: [],
    }
  }

  /** Lets go of everything but the strings, with which a rebuilt adjacency goes on. */
  releaseRows(): void {
    this.#memory.meter.bytes -= baseSize(this.base)
    this.base = emptyBase
    this.delta.release()
    this.deleted.release()
    for (const column of this.columns) column.releaseRows()
  }

  release(): void {
    this.#memory.meter.bytes -= baseSize(this.base)
    this.delta.release()
    this.deleted.release()
    for (const column of this.columns) column.release()
  }

  #findInDelta(
    ends: { readonly source: number; readonly target: number },
    key: DiscriminatorKey,
    hash: number,
  ): number {
    const delta = this.delta
    const table = delta.index.tableOf(hash)
    if (table === null) return -1
    let slot = homeSlot(table, hash)
    for (;;) {
      const value: number = table[slot + 1]!
      if (value === 0) return -1
      if (table[slot] === hash) {
        const index = value - 1
        if (delta.sources[index] === ends.source && delta.targets[index] === ends.target) {
          const row = this.base.count + index
          if (key.start === key.end || compareToKey(this.discriminators, row, key) === 0) return row
        }
      }
      slot = (slot + 2) & (table.length - 1)
    }
  }

  #findInBase(source: number, target: number, key: DiscriminatorKey): number {
    const { base } = this
    if (source >= base.fromCount) return -1
    const end = base.outOffsets[source + 1]!
    const first = lowerBound(base.outTargets, base.outOffsets[source]!, end, target)
    if (first === end || base.outTargets[first] !== target) return -1
    if (key.start === key.end) return first
    let low = first
    let high = lowerBound(base.outTargets, first, end, target + 1)
    while (low < high) {
      const middle = (low + high) >>> 1
      const order = compareToKey(this.discriminators, middle, key)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return -1
  }

  #grow(rowCount: number): void {
    this.#capacity = growColumns(this.columns, rowCount)
    this.deleted.ensure(this.#capacity)
  }
}

/** True when the columns are those of the attributes, in their order. */
export function hasColumns(
  columns: readonly Column[],
  attributes: EdgeType['attributes'],
): boolean {
  return (
    columns.length === attributes.length &&
    columns.every((column, index) => column.attribute.id === attributes[index]!.id)
  )
}

export function baseSize(base: BaseEdges): number {
  return base === emptyBase
    ? 0
    : base.outOffsets.byteLength +
        base.outTargets.byteLength +
        base.inOffsets.byteLength +
        base.inSources.byteLength +
        base.inRows.byteLength
}
