/**
 * The part of a rebuild that gives the rows of deleted vertices back.
 *
 * Tables that are mostly dead (`Tables.mostlyDead`) are made anew without those rows, together with every
 * adjacency of their types, whose ends get new numbers. All of them are put in place at one moment,
 * after the changes that came meanwhile were copied; the order of the rows stays, so that nothing a
 * reader sees depends on when this happened. Readers with a pinned version keep the old tables.
 */
import type { Catalog } from '#catalog/types.ts'
import { APPLY_SLICE_MS_MAX } from '#kernel/limits.ts'
import type { Adjacency } from '../adjacency/adjacency.ts'
import { Column } from '../columns/column.ts'
import { DeletedIds } from '../gse/deleted-ids.ts'
import { Bits } from '../memory/bits.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import { VertexTable } from '../tables/vertex-table.ts'
import { isNarrower, type Successor, widenInPieces } from './as-wide.ts'
import {
  type Capture,
  type CapturedEdges,
  type CapturedVertices,
  captureColumns,
} from './capture.ts'
import type { CatchUp } from './catch-up.ts'
import type { CompactedVertices, CompactJob } from './compact-vertices.ts'
import type { MergedAdjacency, MergeJob } from './merge.ts'
import { makeNextAdjacency } from './next-adjacency.ts'
import type { RebuildMeter } from './progress.ts'
import type { RebuildHost } from './rebuild.ts'
import type { CompactedTable, VertexCatchUp } from './vertex-catch-up.ts'

/** Changes that may be left to copy in one go when everything is put in place. */
const CATCH_UP_COUNT_MAX = 2_000
const CATCH_UP_STEP = 500

export interface CompactionWork {
  readonly host: RebuildHost
  readonly capture: Capture
  readonly meter: RebuildMeter
  merge(job: MergeJob): MergedAdjacency | Promise<MergedAdjacency>
  compact(job: CompactJob): CompactedVertices | Promise<CompactedVertices>
  /** @throws DbError when the rebuild has to be given up */
  checkGoingOn(catalog: Catalog): void
}

interface NextVertices extends CompactedTable {
  readonly captured: CapturedVertices
  readonly compacted: CompactedVertices
  readonly catchUp: VertexCatchUp
}

interface NextEdges {
  readonly captured: CapturedEdges
  readonly adjacency: Adjacency
  readonly catchUp: CatchUp
}

export class Compaction {
  readonly #work: CompactionWork
  readonly #vertices: NextVertices[] = []
  readonly #edges: NextEdges[] = []
  #epoch = 0
  #isSwapped = false

  constructor(work: CompactionWork) {
    this.#work = work
  }

  /**
   * @returns bytes of the arrays that were superseded
   * @throws what ends a rebuild; the tables are then what they were
   */
  async run(): Promise<number> {
    const { capture, host } = this.#work
    try {
      for (const captured of capture.vertices) {
        if (captured.catchUp !== null) await this.#compact(captured, captured.catchUp)
      }
      if (this.#vertices.length === 0) return 0
      for (const captured of capture.edges) {
        if (captured.isRenumbered) await this.#merge(captured)
      }
      this.#captureNext()
      let supersededBytes: number | null = null
      while (supersededBytes === null) {
        await this.#catchUp()
        // The batch that this waits for may widen a column.
        supersededBytes = await host.between(() => (this.#isNarrower ? null : this.#swap()))
      }
      return supersededBytes
    } finally {
      if (!this.#isSwapped) this.#giveUp()
    }
  }

  /** The segments on disk are over the old rows: the next checkpoint has to write the new ones. */
  markModified(): void {
    for (const { table } of this.#vertices) table.isModified = true
    for (const { adjacency } of this.#edges) adjacency.isModified = true
  }

  /** The new tables' first state is in segments, or never will be. */
  close(): void {
    if (this.#epoch === 0) return
    const { tables } = this.#work.host
    tables.memory.versions.release(this.#epoch)
    tables.changed()
    this.#work.host.changed()
  }

  async #compact(captured: CapturedVertices, catchUp: VertexCatchUp): Promise<void> {
    this.#work.meter.begin('merging', captured.table)
    const { view, deletedIds } = captured
    const { capture, checkGoingOn } = this.#work
    const compacted = await this.#work.compact({ table: view, deletedIds })
    checkGoingOn(capture.catalog)
    const record = new DeletedIds()
    if (compacted.deletedIds !== null) record.restore(view.typeId, compacted.deletedIds)
    const { map } = compacted.rows
    const table = this.#makeTable(captured, compacted)
    this.#vertices.push({ captured, compacted, catchUp, table, map, record })
  }

  #makeTable(captured: CapturedVertices, compacted: CompactedVertices): VertexTable {
    const { table, view, nextOrdinal } = captured
    const { memory } = this.#work.host.tables
    const columns = table.columns.map((column, index) => {
      const next = new Column(column.attribute, column.tuples, memory, {
        storage: view.columns[index]!.storage,
        data: compacted.columns[index] as ArrayOfKind[keyof ArrayOfKind],
        heap: null,
        successorOf: column,
      })
      next.sharesStrings = true
      return next
    })
    return new VertexTable(table.type, this.#work.capture.catalog.tuples, memory, {
      ids: compacted.ids,
      retired: null,
      ordinals: compacted.ordinals,
      nextOrdinal,
      columns,
      deleted: new Bits(memory.meter, memory.versions, compacted.deleted ?? undefined),
    })
  }

  async #merge(captured: CapturedEdges): Promise<void> {
    this.#work.meter.begin('merging', captured.adjacency)
    const { view, fromCount, toCount, catchUp } = captured
    const from = this.#vertexOf(view.fromTypeId)
    const to = this.#vertexOf(view.toTypeId)
    captured.merged = await this.#work.merge({
      adjacency: view,
      fromCount,
      toCount,
      fromRows: from?.compacted.rows ?? null,
      toRows: to?.compacted.rows ?? null,
    })
    this.#work.checkGoingOn(this.#work.capture.catalog)
    const adjacency = makeNextAdjacency(captured, this.#work.host.tables.memory)
    catchUp!.rowOf = {
      source: (row) => from?.catchUp.rowOf(row) ?? row,
      target: (row) => to?.catchUp.rowOf(row) ?? row,
    }
    this.#edges.push({ captured, adjacency, catchUp: catchUp! })
  }

  #vertexOf(typeId: number): NextVertices | undefined {
    return this.#vertices.find(({ captured }) => captured.view.typeId === typeId)
  }

  /** What segments are to hold of the new tables: their state before the first change is copied. */
  #captureNext(): void {
    this.#epoch = this.#work.host.tables.memory.versions.pin(null)
    for (const { captured, compacted, table, catchUp, map, record } of this.#vertices) {
      const view = table.view()
      captured.compacted = {
        view,
        columns: captureColumns(table.columns, view.columns),
        deletedIds: compacted.deletedIds,
      }
      catchUp.begin({ table, map, record })
    }
  }

  get #remaining(): number {
    const all = [...this.#vertices, ...this.#edges]
    return all.reduce((sum, { catchUp }) => sum + catchUp.remaining, 0)
  }

  async #catchUp(): Promise<void> {
    const { clock, scheduler } = this.#work.host
    let sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    for (const _piece of this.#catchUpInPieces()) {
      if (clock.monotonicMs() < sliceEnd) continue
      await scheduler.yieldToOthers()
      this.#work.checkGoingOn(this.#work.capture.catalog)
      sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    }
  }

  *#catchUpInPieces(): Generator<undefined, void> {
    yield* widenInPieces(this.#successors)
    while (this.#remaining > CATCH_UP_COUNT_MAX) {
      this.#copy(CATCH_UP_STEP)
      yield
      yield* widenInPieces(this.#successors)
    }
  }

  get #successors(): Successor[] {
    return [
      ...this.#vertices.map(({ table, captured }) => ({ next: table, old: captured.table })),
      ...this.#edges.map(({ adjacency, captured }) => ({
        next: adjacency,
        old: captured.adjacency,
      })),
    ]
  }

  get #isNarrower(): boolean {
    return this.#successors.some(isNarrower)
  }

  /** Vertices first, all of them: an edge can only be copied when its ends are there. */
  #copy(count: number): void {
    for (const { catchUp } of this.#vertices) catchUp.copy(count)
    if (this.#vertices.some(({ catchUp }) => catchUp.remaining > 0)) return
    for (const { catchUp, adjacency } of this.#edges) catchUp.copy(adjacency, count)
  }

  #swap(): number {
    const { host, capture, checkGoingOn } = this.#work
    checkGoingOn(capture.catalog)
    while (this.#remaining > 0) this.#copy(Number.POSITIVE_INFINITY)
    const old = [
      ...this.#vertices.map(({ captured }) => captured.table),
      ...this.#edges.map(({ captured }) => captured.adjacency),
    ]
    const supersededBytes = old.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    for (const { captured, table, record, catchUp } of this.#vertices) {
      catchUp.stop()
      host.tables.replaceVertices(captured.table, table)
      host.deletedIds.take(table.type.id, record)
    }
    for (const { captured, adjacency, catchUp } of this.#edges) {
      catchUp.stop()
      adjacency.isModified = captured.adjacency.isModified
      captured.table.replace(captured.adjacency, adjacency)
    }
    this.#isSwapped = true
    host.changed()
    return supersededBytes
  }

  #giveUp(): void {
    for (const { table } of this.#vertices) table.releaseRows()
    for (const { adjacency } of this.#edges) adjacency.releaseRows()
  }
}
