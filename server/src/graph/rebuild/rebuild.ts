/**
 * Folds the deltas into new bases and the log into segments, while reads and writes go on.
 *
 * 1. Between two commits: pin the state, begin a journal per adjacency that is to be merged.
 * 2. Merge each in a worker, copy what changed meanwhile, put the new one in place.
 * 3. Write the pinned state as segments and make them current; the store then drops the log up to
 *    the pinned sequence.
 *
 * A rebuild of selected types does 1 and 2 for them only and leaves the disk alone: segments can
 * only be current as a whole.
 */
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { APPLY_SLICE_MS_MAX } from '#kernel/limits.ts'
import type { Scheduler } from '#kernel/scheduler.ts'
import type { Store } from '#storage/store.ts'
import { Adjacency } from '../adjacency/adjacency.ts'
import { Column } from '../columns/column.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import {
  type Capture,
  type CapturedEdges,
  type CaptureSource,
  captureState,
  needsMerge,
} from './capture.ts'
import { type MergedAdjacency, type MergeJob, mergeAdjacency } from './merge.ts'
import { type MergeRunner, workerMergeRunner } from './merge-runner.ts'
import {
  type RebuildOptions,
  type RebuildReport,
  type SegmentReport,
  segmentReports,
} from './report.ts'
import type { SegmentDescription } from './segment-format.ts'
import { writeSegments } from './segments-write.ts'

/** Rows that may be left to copy in one go when the new adjacency is put in place. */
const CATCH_UP_COUNT_MAX = 2_000
/** Writes stop at the limit; a rebuild, which ends with less memory, may go beyond it for a while. */
const REBUILD_MEMORY_FACTOR = 1.25
const CATCH_UP_STEP = 500

export interface RebuildHost extends CaptureSource {
  readonly store: Store
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Edges and vertices up to which a merge is done on this thread. */
  readonly inlineMergeSizeMax: number
  readonly memoryLimitBytes: number
  readonly isClosing: boolean
  /** Runs a task when no batch is half applied; at once if that is now. */
  between<Result>(task: () => Result): Promise<Result>
  /** Something that views show was replaced. */
  changed(): void
}

export interface RebuildResult {
  readonly report: RebuildReport
  /** What the segments on disk are now; null when they were not written. */
  readonly description: SegmentDescription | null
}

export class Rebuild {
  readonly #host: RebuildHost
  readonly #options: RebuildOptions
  readonly #previous: SegmentDescription | null
  #runner: MergeRunner | null = null

  constructor(host: RebuildHost, options: RebuildOptions, previous: SegmentDescription | null) {
    this.#host = host
    this.#options = options
    this.#previous = previous
  }

  async run(): Promise<RebuildResult> {
    const { clock } = this.#host
    const startedMs = clock.nowMs()
    const begun = clock.monotonicMs()
    const { capture, segments } = await this.#host.between(() => this.#begin())
    try {
      for (const edges of capture.edges) await this.#mergeAndReplace(edges, capture.catalog)
      const description = this.#isWhole(segments) ? await this.#write(capture) : null
      const durationMs = clock.monotonicMs() - begun
      const { sequence } = capture
      const isCheckpoint = description !== null
      return {
        report: { segments, sequence, isCheckpoint, startedMs, durationMs },
        description,
      }
    } catch (error) {
      markModified(capture)
      throw error
    } finally {
      for (const { catchUp } of capture.edges) catchUp?.stop()
      capture.pinned.release()
      await this.#runner?.close()
    }
  }

  #begin(): { capture: Capture; segments: SegmentReport[] } {
    this.#checkMemory()
    this.#host.tables.compact()
    this.#host.changed()
    const selected = this.#selection()
    const view = this.#host.pin()
    const segments = segmentReports(view.view, selected)
    view.release()
    const types = new Set(segments.filter((one) => one.isSelected).map((one) => one.typeId))
    const isWhole = this.#isWhole(segments)
    const capture = captureState(
      this.#host,
      (adjacency) => isWhole || types.has(adjacency.fromTypeId),
    )
    if (!isWhole) return { capture, segments }
    for (const { table } of capture.vertices) table.isModified = false
    for (const { adjacency } of capture.edges) adjacency.isModified = false
    return { capture, segments }
  }

  /** A merge needs the old and the new form of one adjacency at the same time. */
  #checkMemory(): void {
    const { tables, memoryLimitBytes } = this.#host
    const sizes = tables.edges.flatMap((table) =>
      (table?.adjacencies ?? []).filter(needsMerge).map((adjacency) => adjacency.sizeBytes),
    )
    const neededBytes = tables.memory.meter.bytes + sizes.reduce((a, b) => Math.max(a, b), 0)
    const limitBytes = memoryLimitBytes * REBUILD_MEMORY_FACTOR
    if (neededBytes <= limitBytes) return
    throw new DbError('MEMORY_LIMIT', 'There is not enough memory for a rebuild.', {
      details: { neededBytes, limitBytes },
    })
  }

  /** Segments are taken when they are asked for and their type has new data. */
  #selection(): (typeId: number, segmentId: number) => boolean {
    const { vertexTypeIds, segmentIds, force } = this.#options
    const { tables } = this.#host
    const changed = new Set<number>()
    for (const table of tables.vertices) if (table?.isModified) changed.add(table.type.id)
    for (const table of tables.edges) {
      for (const adjacency of table?.adjacencies ?? []) {
        if (adjacency.isModified) changed.add(adjacency.fromTypeId)
      }
    }
    return (typeId, segmentId) =>
      (vertexTypeIds === undefined || vertexTypeIds.includes(typeId)) &&
      (segmentIds === undefined || segmentIds.includes(segmentId)) &&
      (force === true || changed.has(typeId))
  }

  /** Nothing asked for is left out, so that the log can be folded. */
  #isWhole(segments: readonly SegmentReport[]): boolean {
    const { vertexTypeIds, segmentIds } = this.#options
    const isAll = vertexTypeIds === undefined && segmentIds === undefined
    return isAll || segments.every((segment) => segment.isSelected)
  }

  async #mergeAndReplace(edges: CapturedEdges, catalog: Catalog): Promise<void> {
    const { adjacency, catchUp } = edges
    if (catchUp === null) return
    for (const column of adjacency.columns) column.sharesStrings = true
    try {
      edges.merged = await this.#merge({
        adjacency: edges.view,
        fromCount: edges.fromCount,
        toCount: edges.toCount,
      })
      this.#checkGoingOn(catalog)
      await this.#replace(edges, catalog)
    } finally {
      for (const column of adjacency.columns) column.sharesStrings = false
    }
  }

  #merge(job: MergeJob): MergedAdjacency | Promise<MergedAdjacency> {
    const { baseCount, deltaCount } = job.adjacency
    const size = baseCount + deltaCount + job.fromCount + job.toCount
    if (size <= this.#host.inlineMergeSizeMax) return mergeAdjacency(job)
    this.#runner ??= workerMergeRunner()
    return this.#runner.merge(job)
  }

  /** The new adjacency: merged rows, the strings of the old one, an empty delta. */
  #makeNext(edges: CapturedEdges): Adjacency {
    const { adjacency, table, view } = edges
    const merged = edges.merged!
    const { memory } = this.#host.tables
    const columns = adjacency.columns.map((column, index) => {
      const next = new Column(column.attribute, column.tuples, memory, {
        storage: view.columns[index]!.storage,
        data: merged.columns[index] as ArrayOfKind[keyof ArrayOfKind],
        heap: null,
        successorOf: column,
      })
      next.sharesStrings = true
      return next
    })
    return new Adjacency(table.type, adjacency, memory, { base: merged.base, columns })
  }

  async #replace(edges: CapturedEdges, catalog: Catalog): Promise<void> {
    const next = this.#makeNext(edges)
    try {
      await this.#catchUpAndSwap(edges, next, catalog)
    } catch (error) {
      next.releaseRows()
      throw error
    }
  }

  async #catchUpAndSwap(edges: CapturedEdges, next: Adjacency, catalog: Catalog): Promise<void> {
    const { clock, scheduler } = this.#host
    const catchUp = edges.catchUp!
    let sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    while (catchUp.remaining > CATCH_UP_COUNT_MAX) {
      catchUp.copy(next, CATCH_UP_STEP)
      if (clock.monotonicMs() < sliceEnd) continue
      await scheduler.yieldToOthers()
      this.#checkGoingOn(catalog)
      sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    }
    await this.#host.between(() => {
      this.#checkGoingOn(catalog)
      catchUp.copy(next, catchUp.remaining)
      next.isModified = edges.adjacency.isModified || this.#isPartial()
      for (const column of next.columns) column.sharesStrings = false
      edges.table.replace(edges.adjacency, next)
      catchUp.stop()
      this.#host.changed()
    })
  }

  #isPartial(): boolean {
    return this.#options.vertexTypeIds !== undefined || this.#options.segmentIds !== undefined
  }

  #checkGoingOn(catalog: Catalog): void {
    if (this.#host.isClosing) throw new DbError('UNAVAILABLE', 'The server is shutting down.')
    if (this.#host.catalog === catalog) return
    throw new DbError('UNAVAILABLE', 'The schema changed during the rebuild; start it again.')
  }

  async #write(capture: Capture): Promise<SegmentDescription | null> {
    const { foldedSequence } = this.#host.store.statistics()
    const isCurrent = this.#previous !== null && foldedSequence === capture.sequence
    if (isCurrent && this.#options.force !== true) return null
    const writer = this.#host.store.beginSegments()
    try {
      return await writeSegments({
        capture,
        writer,
        previous: this.#previous,
        pause: async () => {
          await this.#host.scheduler.yieldToOthers()
          if (this.#host.isClosing) {
            throw new DbError('UNAVAILABLE', 'The server is shutting down.')
          }
        },
      })
    } catch (error) {
      await writer.abandon()
      throw error
    }
  }
}

/** The next checkpoint has to write everything that this one did not. */
function markModified(capture: Capture): void {
  for (const { table, wasModified } of capture.vertices) table.isModified ||= wasModified
  for (const { table, adjacency, wasModified } of capture.edges) {
    adjacency.isModified ||= wasModified
    for (const one of table.adjacencies) one.isModified ||= wasModified
  }
}
