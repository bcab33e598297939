/**
 * The HNSW indexes of all vector attributes that are large enough for one.
 *
 * They are made in the background from the columns, which alone are stored: a restart makes them
 * again. Whatever is missing, behind or lost, a search gets null and looks at every vector.
 */
import type { Catalog, VectorAttribute } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'
import { SEGMENT_ROWS, VECTOR_INDEX_FROM_NUMBERS } from '#kernel/limits.ts'
import type { Scheduler } from '#kernel/scheduler.ts'
import { columnOf } from '../columns/read.ts'
import { rowAtOrdinal } from '../ids/read.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import type { GraphView } from '../view.ts'
import { GraphProcess } from './hnsw/graph-process.ts'
import { indexPays, usualWidth } from './index-cost.ts'
import { RowLog } from './row-log.ts'
import { type IndexedTable, VectorIndex, type VectorPlace } from './vector-index.ts'

/** What the indexes see of the engine. */
export interface IndexedGraph {
  readonly catalog: Catalog
  readonly tables: Tables
  readonly sequence: number
  readonly isApplying: boolean
  view(): GraphView
  memory(): { readonly usedBytes: number; readonly limitBytes: number }
}

export interface VectorIndexOptions {
  readonly graph: IndexedGraph
  readonly scheduler: Scheduler
  readonly nowMs: () => number
  readonly after: (ms: number, call: () => void) => () => void
  /** Numbers in a column from which on it gets an index, whether it pays or not; for tests. */
  readonly fromNumbers?: number
  /** Told when the process with the graphs is lost, and when there is no memory for a graph. */
  readonly onTrouble: (text: string) => void
}

export interface VectorQuery extends VectorPlace {
  /** The version of the graph that the search reads. */
  readonly version: number
  readonly vector: Float32Array
  readonly count: number
}

export interface VectorCandidates {
  /** By ordinal, nearest first; some may be gone or changed in the version that is read. */
  readonly found: Float64Array
  /** By ordinal: vertices that the graph may be wrong about. */
  readonly unsure: Float64Array
}

export interface VectorIndexStatus extends VectorPlace {
  readonly isReady: boolean
  /** Segments whose vectors are not all in the index yet; none when it is ready. */
  readonly missingSegments: readonly number[]
  /** Vectors that were replaced or removed and still take room. */
  readonly staleCount: number
}

/** An index is dropped when its column has become smaller than this share of what it takes. */
const DROP_SHARE = 0.5
/** An index is made while this share of the memory limit is enough for it and all else. */
const ROOM_SHARE = 0.8
/** Bytes of the process before it holds anything. */
const PROCESS_BYTES = 64 * 1024 * 1024
/** Bytes of a node besides its vector, with what the process needs to find it. */
const NODE_BYTES = 600
/** After the first loss of the process another is started so much later, then four times as much. */
const RESTART_MS = 1_000
const RESTART_MS_MAX = 300_000
const RESTART_FACTOR = 4
/** Lost so often before any index was ready, the process is no longer promised. */
const LOSSES_PROMISED_MAX = 3

export class VectorIndexes {
  readonly #options: VectorIndexOptions
  readonly #indexes: VectorIndex[] = []
  /** Told of once. */
  readonly #withoutRoom = new Set<string>()
  /** Searches that were answered with candidates. */
  searchCount = 0
  #process: GraphProcess | null = null
  #nextGraph = 1
  #countedBytes = 0
  #lossCount = 0
  /** Since an index was last ready. */
  #lossesUnready = 0
  #startAtMs = 0
  #isPumping = false
  #failure = ''
  #isClosed = false

  constructor(options: VectorIndexOptions) {
    this.#options = options
  }

  /** Numbers of a column, or of the candidates of a search, from which on an index pays. */
  get fromNumbers(): number {
    return this.#options.fromNumbers ?? VECTOR_INDEX_FROM_NUMBERS
  }

  get memoryBytes(): number {
    return this.#process?.memoryBytes ?? 0
  }

  /** The process that holds the graphs; null: none is needed or there. */
  get processId(): number | null {
    return this.#process?.processId ?? null
  }

  /** Indexes that are there or being made; none that cannot be made here. */
  status(): readonly VectorIndexStatus[] {
    this.check()
    const { graph } = this.#options
    return this.#indexes.flatMap((index) => {
      const { isReady, place, staleCount } = index
      if (this.#withoutRoom.has(keyOf(place))) return []
      if (!isReady && this.#lossesUnready > LOSSES_PROMISED_MAX) return []
      const missing = isReady ? [] : missingSegments(graph, index)
      return [{ ...place, isReady, missingSegments: missing, staleCount }]
    })
  }

  /** Brings the list of indexes in line with the graph; for a timer. */
  check(): void {
    const { graph } = this.#options
    // While a batch is half applied a log that begins would miss its first half.
    if (this.#isClosed || graph.isApplying) return
    for (const { typeId, vector, table } of vectorColumns(graph))
      this.#reconcile(typeId, vector, table)
    for (const index of this.#indexes.filter((one) => this.#isGone(one))) this.#drop(index)
    this.#makeRoom()
    for (const index of this.#indexes) this.#provide(index)
    this.#pump()
  }

  /** @returns null when the search has to look at every vector */
  async search({
    typeId,
    attributeId,
    version,
    vector,
    count,
  }: VectorQuery): Promise<VectorCandidates | null> {
    const index = this.#indexOn({ typeId, attributeId })
    // The log of a table that is gone knows nothing of what was written since.
    if (index === undefined || this.#isGone(index)) return null
    const serving = index.serving(version)
    if (serving === null || this.#process === null) return null
    const found = await this.#process.search(serving.graph, vector, count)
    if (found === null) return null
    this.searchCount += 1
    return { found, unsure: serving.unsure }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const index of [...this.#indexes]) this.#drop(index)
    await this.#endProcess()
  }

  /** Its table is another one now, or has lost the attribute. */
  #isGone({ place, log }: VectorIndex): boolean {
    return tableOf(this.#options.graph, place)?.rowLog !== log
  }

  #indexOn({ typeId, attributeId }: VectorPlace): VectorIndex | undefined {
    return this.#indexes.find(
      ({ place }) => place.typeId === typeId && place.attributeId === attributeId,
    )
  }

  #reconcile(typeId: number, vector: VectorAttribute, table: VertexTable): void {
    const place = { typeId, attributeId: vector.id }
    const known = this.#indexOn(place)
    const numbers = table.liveCount * vector.type.dimension
    if (known !== undefined) {
      if (numbers < this.fromNumbers * DROP_SHARE) this.#drop(known)
    } else if (numbers >= this.fromNumbers && this.#pays(table.liveCount, vector)) {
      table.rowLog ??= new RowLog(
        () => this.#options.graph.sequence,
        () => this.#wake(),
      )
      this.#indexes.push(new VectorIndex(place, vector.type, table.rowLog))
    }
  }

  /** Of few numbers each a great many vectors are looked at as fast as an index is asked. */
  #pays(count: number, { type: { dimension } }: VectorAttribute): boolean {
    if (this.#options.fromNumbers !== undefined) return true
    return indexPays({ count, dimension }, usualWidth(count))
  }

  #drop(index: VectorIndex): void {
    for (const graph of index.graphs) this.#process?.drop(graph)
    index.forget()
    this.#indexes.splice(this.#indexes.indexOf(index), 1)
    this.#withoutRoom.delete(keyOf(index.place))
    const table = tableOf(this.#options.graph, index.place)
    const isLast = !this.#indexes.some(({ log }) => log === index.log)
    if (isLast && table?.rowLog === index.log) table.rowLog = null
    if (this.#indexes.length === 0) void this.#endProcess()
  }

  #provide(index: VectorIndex): void {
    if (!index.needsGraph || !this.#hasRoom(index)) return
    if (this.#process === null && !this.#startProcess()) return
    const graph = this.#nextGraph++
    this.#process?.open(graph, index.spec)
    index.begin(graph)
  }

  /** Writes come first: what only makes searches faster goes when the limit is reached. */
  #makeRoom(): void {
    const { usedBytes, limitBytes } = this.#options.graph.memory()
    if (usedBytes <= limitBytes || this.#process === null) return
    for (const index of this.#indexes) index.forget()
    void this.#endProcess()
  }

  /** A graph that would take the memory of writes is not made. */
  #hasRoom({ place, spec }: VectorIndex): boolean {
    const { graph, onTrouble } = this.#options
    const { usedBytes, limitBytes } = graph.memory()
    const liveCount = tableOf(graph, place)?.liveCount ?? 0
    const key = keyOf(place)
    const processBytes = this.#process === null ? PROCESS_BYTES : 0
    const graphBytes = liveCount * (4 * spec.dimension + NODE_BYTES)
    if (usedBytes + processBytes + graphBytes <= limitBytes * ROOM_SHARE) {
      this.#withoutRoom.delete(key)
      return true
    }
    if (!this.#withoutRoom.has(key))
      onTrouble(`no memory for a vector index of ${liveCount} vectors`)
    this.#withoutRoom.add(key)
    return false
  }

  #startProcess(): boolean {
    if (this.#options.nowMs() < this.#startAtMs) return false
    const { after } = this.#options
    this.#process = new GraphProcess({ after, onLost: (cause) => this.#lost(cause) })
    return true
  }

  async #endProcess(): Promise<void> {
    const ended = this.#process?.close()
    this.#process = null
    this.#countMemory()
    await ended
  }

  #lost(cause: string): void {
    this.#process = null
    for (const index of this.#indexes) index.forget()
    this.#countMemory()
    const delayMs = Math.min(RESTART_MS_MAX, RESTART_MS * RESTART_FACTOR ** this.#lossCount)
    this.#lossCount += 1
    this.#lossesUnready += 1
    this.#startAtMs = this.#options.nowMs() + delayMs
    this.#options.onTrouble(`the process of the vector indexes was lost: ${cause}`)
  }

  /** What indexes take counts as memory of the graph. */
  #countMemory(): void {
    const own = this.#indexes.reduce((sum, index) => sum + index.sizeBytes, 0)
    const logs = new Set(this.#indexes.map(({ log }) => log))
    const bytes = [...logs].reduce((sum, log) => sum + log.sizeBytes, own + this.memoryBytes)
    const { meter } = this.#options.graph.tables.memory
    meter.bytes += bytes - this.#countedBytes
    meter.besideTables = bytes
    this.#countedBytes = bytes
  }

  #wake(): void {
    if (!this.#isPumping) this.#pump()
  }

  #pump(): void {
    if (this.#isPumping || this.#process === null) return
    this.#isPumping = true
    void this.#bringUpToDate()
      .then(
        () => {
          this.#failure = ''
        },
        (error: unknown) => this.#failed(String(error)),
      )
      .finally(() => {
        this.#isPumping = false
      })
  }

  /** The next turn of the timer tries again; what fails the same way is told once. */
  #failed(failure: string): void {
    if (failure !== this.#failure) this.#options.onTrouble(`vector indexes stand still: ${failure}`)
    this.#failure = failure
  }

  /** One index after the other, a batch each, until none is behind. */
  async #bringUpToDate(): Promise<void> {
    const { scheduler, graph } = this.#options
    for (let isBehind = true; isBehind && this.#process !== null; ) {
      isBehind = false
      for (const index of [...this.#indexes]) {
        await scheduler.yieldToOthers()
        // The commit under way wakes or is found by the timer when it is over.
        if (graph.isApplying || this.#isClosed) return
        if (await this.#feed(index)) isBehind = true
      }
    }
  }

  async #feed(index: VectorIndex): Promise<boolean> {
    const graphs = this.#process
    const source = sourceOf(this.#options.graph, index)
    const batch = source === null ? null : index.next(source)
    if (batch === null || graphs === null) return false
    const answer = batch.changes === null ? null : await graphs.apply(batch.graph, batch.changes)
    if (graphs !== this.#process) return false
    const old = index.answered(batch.graph, answer)
    if (old !== null) graphs.drop(old)
    if (index.isReady) this.#lossesUnready = 0
    index.log.trim(index.position)
    this.#countMemory()
    return true
  }
}

function keyOf({ typeId, attributeId }: VectorPlace): string {
  return `${typeId}.${attributeId}`
}

/** The last one at least: it is finished when the whole index is. */
function missingSegments(graph: IndexedGraph, index: VectorIndex): readonly number[] {
  const table = sourceOf(graph, index)?.table
  if (table === undefined) return []
  const last = Math.max(0, Math.ceil(table.rowCount / SEGMENT_ROWS) - 1)
  const row = index.builtTo === null ? table.rowCount : rowAtOrdinal(table, index.builtTo)
  const first = Math.min(last, Math.floor(row / SEGMENT_ROWS))
  return Array.from({ length: last - first + 1 }, (_unused, at) => first + at)
}

function* vectorColumns({ catalog, tables }: IndexedGraph) {
  for (const type of catalog.vertexTypes) {
    const table = tables.vertexTable(type.id)
    if (table === undefined) continue
    for (const vector of vectorsOf(type)) yield { typeId: type.id, vector, table }
  }
}

/** The table of an attribute that is still there. */
function tableOf({ tables }: IndexedGraph, { typeId, attributeId }: VectorPlace) {
  const table = tables.vertexTable(typeId)
  return table?.columns.some(({ attribute }) => attribute.id === attributeId) ? table : undefined
}

function sourceOf(graph: IndexedGraph, { place, log }: VectorIndex): IndexedTable | null {
  if (tableOf(graph, place)?.rowLog !== log) return null
  const table = graph.view().vertexTables.find(({ typeId }) => typeId === place.typeId)
  const column = table && columnOf(table.columns, place.attributeId)
  return table === undefined || column === undefined ? null : { table, column }
}
