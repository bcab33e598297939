/**
 * One vector attribute's index, as the server keeps track of it. The graph itself is in another
 * process; here is how far it has come.
 *
 * A graph is filled in two steps: a look at every row in the order of the ordinals, then the changes
 * that the table's log has noted since. A hash of each vector tells what really changed. When a graph
 * has too many stale nodes another is filled, while the old one serves and the changes since are
 * looked at one by one.
 */
import type { VectorType } from '#catalog/types.ts'
import { vectorStart } from '../columns/read.ts'
import { hasVector } from '../columns/vectors.ts'
import { ordinalOf, rowAtOrdinal } from '../ids/read.ts'
import { isSet } from '../memory/bits.ts'
import type { ColumnView, VertexTableView } from '../view.ts'
import type { AppliedAnswer, GraphChanges, GraphSpec } from './hnsw/protocol.ts'
import { isIndexable, vectorHash } from './indexable.ts'
import type { RowLog } from './row-log.ts'

/** Numbers read, and rows looked at, for one message to the process: a millisecond or two. */
const NUMBERS_PER_BATCH = 65_536
const ROWS_PER_BATCH = 8_192
/** More changes than these that the graph has not taken in: searches look at every vector. */
export const UNSURE_COUNT_MAX = 8_192
/** One stale node in so many is too much; fewer than the second number are not. */
const STALE_SHARE = 3
const STALE_COUNT_MIN = 4_096

export interface VectorPlace {
  readonly typeId: number
  readonly attributeId: number
}

/** A graph, and what it holds. */
interface Filling {
  readonly graph: number
  /** Ordinal from which on rows have not been looked at; infinite: all have. */
  cursor: number
  /** Position in the log up to which changes were sent, and answered. */
  sent: number
  applied: number
  /** By ordinal: the hash of the vector that the graph holds; 0: none. */
  hashes: Uint32Array
  /** Vectors that the graph cannot hold. */
  readonly aside: Set<number>
}

export interface Batch {
  readonly graph: number
  /** Null: what was looked at is as the graph has it. */
  readonly changes: GraphChanges | null
}

/** What a search needs to know of the graph that serves. */
export interface Serving {
  readonly graph: number
  /** Vertices to be looked at in the columns, whatever the graph says of them. */
  readonly unsure: Float64Array
}

/** A table as it is now, and the column of the attribute. */
export interface IndexedTable {
  readonly table: VertexTableView
  readonly column: ColumnView
}

export class VectorIndex {
  readonly place: VectorPlace
  readonly spec: GraphSpec
  readonly log: RowLog
  #serving: Filling | null = null
  #filling: Filling | null = null
  /** Of the graph that serves: vectors that were replaced or removed and still take room. */
  staleCount = 0
  #liveCount = 0

  constructor(place: VectorPlace, type: VectorType, log: RowLog) {
    this.place = place
    this.spec = { dimension: type.dimension, metric: type.metric }
    this.log = log
  }

  /** Of what is kept here; the graph is counted with its process. */
  get sizeBytes(): number {
    return (this.#serving?.hashes.byteLength ?? 0) + (this.#filling?.hashes.byteLength ?? 0)
  }

  /** Searches may use a graph. */
  get isReady(): boolean {
    return this.#serving !== null && !Number.isFinite(this.#serving.cursor)
  }

  /** A new graph is wanted: there is none, or the one that serves is mostly stale. */
  get needsGraph(): boolean {
    return this.#filling === null && (this.#serving === null || this.#isStale)
  }

  /** Ordinal up to which rows were looked at; null: all were. */
  get builtTo(): number | null {
    if (this.isReady) return null
    const { cursor } = this.#serving ?? this.#filling ?? { cursor: 0 }
    return Number.isFinite(cursor) ? cursor : null
  }

  /** Those that the process holds for it. */
  get graphs(): readonly number[] {
    return [this.#serving, this.#filling].flatMap((one) => (one === null ? [] : [one.graph]))
  }

  /** The slowest position in the log. */
  get position(): number {
    const positions = [this.#serving, this.#filling].flatMap((one) => (one ? [one.applied] : []))
    return Math.min(this.log.end, ...positions)
  }

  /** Begins to fill a graph that the process has opened. */
  begin(graph: number): void {
    const { end } = this.log
    const hashes = new Uint32Array(1_024)
    this.#filling = { graph, cursor: 0, sent: end, applied: end, hashes, aside: new Set() }
  }

  /** The graphs are gone. */
  forget(): void {
    this.#serving = null
    this.#filling = null
    this.staleCount = 0
  }

  /**
   * The next changes for the process; null: it has them all. Each is followed by `answered`. The
   * table must not be in the middle of a commit.
   */
  next(source: IndexedTable): Batch | null {
    const filling = this.#filling ?? this.#serving
    if (filling === null || !this.#isBehind(filling)) return null
    // The log was cut: every row is looked at again.
    if (filling.sent < this.log.start) {
      filling.cursor = 0
      filling.sent = this.log.end
    }
    const batch = new BatchBuilder(filling, source, this.spec)
    if (Number.isFinite(filling.cursor)) batch.scan()
    else batch.follow(this.log)
    return { graph: filling.graph, changes: batch.finish() }
  }

  /**
   * The process has taken in the last batch.
   * @returns the graph that is of no more use; null: none
   */
  answered(graph: number, answer: AppliedAnswer | null): number | null {
    const filling = [this.#filling, this.#serving].find((one) => one?.graph === graph)
    if (!filling) return null
    filling.applied = filling.sent
    if (answer !== null && filling === this.#serving) this.#count(answer)
    if (filling !== this.#filling || Number.isFinite(filling.cursor)) return null
    if (this.log.end - filling.sent > UNSURE_COUNT_MAX) return null
    const old = this.#serving?.graph ?? null
    this.#serving = filling
    this.#filling = null
    if (answer !== null) this.#count(answer)
    else this.staleCount = 0
    return old
  }

  #count({ liveCount, staleCount }: AppliedAnswer): void {
    this.#liveCount = liveCount
    this.staleCount = staleCount
  }

  get #isStale(): boolean {
    const { staleCount } = this
    return staleCount > STALE_COUNT_MIN && staleCount * STALE_SHARE > this.#liveCount
  }

  /** @returns null when every vector has to be looked at */
  serving(version: number): Serving | null {
    const serving = this.#serving
    if (serving === null || !this.isReady) return null
    const from = this.log.unsureFrom(serving.applied, version)
    if (from === null || this.log.end - from > UNSURE_COUNT_MAX) return null
    const changed = this.log.ordinalsFrom(from)
    if (serving.aside.size === 0) return { graph: serving.graph, unsure: changed }
    const unsure = Float64Array.from(new Set([...changed, ...serving.aside]))
    return { graph: serving.graph, unsure }
  }

  #isBehind({ cursor, sent }: Filling): boolean {
    return Number.isFinite(cursor) || sent < this.log.end
  }
}

/** Collects what one message tells the process. */
class BatchBuilder {
  readonly #filling: Filling
  readonly #source: IndexedTable
  readonly #spec: GraphSpec
  readonly #removed: number[] = []
  readonly #added: number[] = []
  readonly #vectors: Float32Array
  #readCount = 0
  #rowCount = 0

  constructor(filling: Filling, source: IndexedTable, spec: GraphSpec) {
    this.#filling = filling
    this.#source = source
    this.#spec = spec
    const countMax = Math.max(1, Math.floor(NUMBERS_PER_BATCH / spec.dimension))
    this.#vectors = new Float32Array(countMax * spec.dimension)
  }

  get #isFull(): boolean {
    const numbers = (this.#readCount + 1) * this.#spec.dimension
    return numbers > this.#vectors.length || this.#rowCount >= ROWS_PER_BATCH
  }

  /** Rows from the cursor on, and ordinals between them that the graph should not hold any more. */
  scan(): void {
    const { table } = this.#source
    const filling = this.#filling
    let row = rowAtOrdinal(table, filling.cursor)
    for (; row < table.rowCount && !this.#isFull; row++) {
      const ordinal = ordinalOf(table, row)
      this.#removeBetween(filling.cursor, ordinal)
      this.#take(ordinal, row)
      filling.cursor = ordinal + 1
    }
    if (row < table.rowCount) return
    this.#removeBetween(filling.cursor, filling.hashes.length)
    filling.cursor = Number.POSITIVE_INFINITY
  }

  follow(log: RowLog): void {
    const filling = this.#filling
    const { table } = this.#source
    while (filling.sent < log.end && !this.#isFull) {
      const ordinal = log.at(filling.sent)
      filling.sent += 1
      const row = rowAtOrdinal(table, ordinal)
      const isThere = row < table.rowCount && ordinalOf(table, row) === ordinal
      this.#take(ordinal, isThere ? row : -1)
    }
  }

  /** Null: nothing has changed. */
  finish(): GraphChanges | null {
    if (this.#removed.length === 0 && this.#added.length === 0) return null
    return {
      removed: Float64Array.from(this.#removed),
      added: Float64Array.from(this.#added),
      vectors: this.#vectors.subarray(0, this.#added.length * this.#spec.dimension),
    }
  }

  #take(ordinal: number, row: number): void {
    this.#rowCount += 1
    const { table, column } = this.#source
    const { dimension } = this.#spec
    const data = column.data as Float32Array
    const start = row < 0 ? -1 : vectorStart(column, row)
    if (start < 0 || isSet(table.deleted, row) || !hasVector(data, start, dimension)) {
      this.#remove(ordinal)
      return
    }
    this.#readCount += 1
    const vector = data.subarray(start, start + dimension)
    if (!isIndexable(vector, this.#spec.metric)) {
      this.#remove(ordinal)
      this.#filling.aside.add(ordinal)
      return
    }
    const hash = vectorHash(vector)
    if (this.#hashOf(ordinal) === hash) return
    this.#setHash(ordinal, hash)
    this.#filling.aside.delete(ordinal)
    this.#vectors.set(vector, this.#added.length * dimension)
    this.#added.push(ordinal)
  }

  #removeBetween(from: number, to: number): void {
    const end = Math.min(to, this.#filling.hashes.length)
    for (let ordinal = from; ordinal < end; ordinal++) this.#remove(ordinal)
  }

  #remove(ordinal: number): void {
    this.#filling.aside.delete(ordinal)
    if (this.#hashOf(ordinal) === 0) return
    this.#setHash(ordinal, 0)
    this.#removed.push(ordinal)
  }

  #hashOf(ordinal: number): number {
    return this.#filling.hashes[ordinal] ?? 0
  }

  #setHash(ordinal: number, hash: number): void {
    const { hashes } = this.#filling
    if (ordinal >= hashes.length) {
      const longer = new Uint32Array(Math.max(ordinal + 1, hashes.length * 2))
      longer.set(hashes)
      this.#filling.hashes = longer
    }
    this.#filling.hashes[ordinal] = hash
  }
}
