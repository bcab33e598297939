/**
 * Folds the deltas into new bases and the log into segments, while reads and writes go on.
 *
 * 1. Between two commits: pin the state, begin a journal per adjacency that is to be merged.
 * 2. Merge each in a worker, copy what changed meanwhile, put the new one in place. Those whose
 *    vertices' dead rows are left out go together: `compaction.ts`.
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
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { StoredPositions } from '../load-positions.ts'
import type { RecentKeys } from '../recent-keys.ts'
import { isNarrower, widenInPieces } from './as-wide.ts'
import {
  type Capture,
  type CapturedEdges,
  type CaptureSource,
  captureState,
  forgetOldRows,
  holdStrings,
  needsMerge,
} from './capture.ts'
import type { CatchUp } from './catch-up.ts'
import { type CompactedVertices, type CompactJob, compactVertices } from './compact-vertices.ts'
import { Compaction } from './compaction.ts'
import { compactedSize, mergedSize, mergeWork, rebuildRoom } from './memory-need.ts'
import { type MergedAdjacency, type MergeJob, mergeAdjacency } from './merge.ts'
import { type MergeRunner, workerMergeRunner } from './merge-runner.ts'
import { makeNextAdjacency } from './next-adjacency.ts'
import { RebuildMeter } from './progress.ts'
import {
  type RebuildOptions,
  type RebuildReport,
  type SegmentChoice,
  type SegmentReport,
  segmentChoices,
  segmentReports,
} from './report.ts'
import type { SegmentDescription } from './segment-format.ts'
import { writeSegments } from './segments-write.ts'

/** Rows that may be left to copy in one go when the new adjacency is put in place. */
const CATCH_UP_COUNT_MAX = 2_000
const CATCH_UP_STEP = 500

export interface RebuildHost extends CaptureSource {
  readonly store: Store
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Edges and vertices up to which a merge is done on this thread. */
  readonly inlineMergeSizeMax: number
  readonly memoryLimitBytes: number
  /** What is left of it. */
  readonly roomBytes: () => number
  /** Arrays of so many bytes were superseded, and are garbage unless somebody reads them. */
  readonly superseded: (sizeBytes: number) => void
  /** How far loading jobs are; null: there are none. */
  readonly loads: () => StoredPositions | null
  /** Outcomes of commits with a key. */
  readonly keys: RecentKeys
  readonly isClosing: boolean
  /** Several servers have the store. */
  readonly isShared: boolean
  /** False on a server that follows another one: the deltas are folded, the log is not. */
  readonly writesSegments: boolean
  /** Runs a task when no batch is half applied; at once if that is now. */
  between<Result>(task: () => Result): Promise<Result>
  /** A rebuild that nobody asked for has failed. */
  failed(error: unknown): void
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
  readonly meter: RebuildMeter
  #runner: MergeRunner | null = null
  readonly #mayWrite: boolean

  constructor(host: RebuildHost, options: RebuildOptions, previous: SegmentDescription | null) {
    this.#host = host
    this.#options = options
    this.#previous = previous
    this.meter = new RebuildMeter(host.clock.nowMs())
    this.#mayWrite = host.writesSegments && options.keepsLog !== true
  }

  async run(): Promise<RebuildResult> {
    const { clock } = this.#host
    const startedMs = clock.nowMs()
    const begun = clock.monotonicMs()
    await this.#compactStrings()
    const { capture, choices } = await this.#host.between(() => this.#begin())
    const isWritten = this.#mayWrite && this.#isWhole(choices) && !this.#isCurrent(capture)
    this.meter.plan(capture, isWritten)
    const compaction = this.#compactionOf(capture)
    try {
      const segments = await this.#reports(capture, choices)
      capture.view = null
      for (const edges of capture.edges) await this.#mergeAndReplace(edges, capture.catalog)
      this.#host.superseded(await compaction.run())
      const description = isWritten ? await this.#write(capture) : null
      if (description === null) compaction.markModified()
      const durationMs = clock.monotonicMs() - begun
      const { sequence } = capture
      const isCheckpoint = description !== null
      return {
        report: { segments, sequence, isCheckpoint, startedMs, durationMs },
        description,
      }
    } catch (error) {
      // The next checkpoint has to write everything that this one did not.
      this.#host.tables.markModified()
      throw error
    } finally {
      endCatchUps(capture)
      compaction.close()
      capture.release()
      await this.#runner?.close()
    }
  }

  #begin(): { capture: Capture; choices: readonly SegmentChoice[] } {
    this.#checkMemory()
    const selected = this.#selection()
    const view = this.#host.pin()
    const choices = segmentChoices(view.view, selected)
    view.release()
    const types = new Set(choices.filter((one) => one.isSelected).map((one) => one.typeId))
    const isWhole = this.#isWhole(choices)
    const capture = captureState(this.#host, {
      merges: (adjacency) => isWhole || types.has(adjacency.fromTypeId),
      compactedTypeIds: isWhole ? this.#compactedTypes() : new Set(),
    })
    if (!isWhole || !this.#mayWrite) return { capture, choices }
    for (const { table } of capture.vertices) table.isModified = false
    for (const { adjacency } of capture.edges) adjacency.isModified = false
    return { capture, choices }
  }

  /** Millions of edges are counted in slices, over the pinned view. */
  async #reports(capture: Capture, choices: readonly SegmentChoice[]): Promise<SegmentReport[]> {
    const { clock, scheduler } = this.#host
    const counting = segmentReports(capture.view!, choices)
    let sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    for (;;) {
      const { done, value } = counting.next()
      if (done === true) return value
      if (clock.monotonicMs() < sliceEnd) continue
      await scheduler.yieldToOthers()
      this.#checkGoingOn(capture.catalog)
      sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    }
  }

  /** Before anything is pinned: columns over the strings of others may not move them. */
  async #compactStrings(): Promise<void> {
    const { clock, scheduler, tables } = this.#host
    let sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    for (const _piece of tables.compactInPieces()) {
      this.#host.changed()
      if (clock.monotonicMs() < sliceEnd) continue
      await scheduler.yieldToOthers()
      if (this.#host.isClosing) throw rebuildEnded()
      sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
    }
  }

  /** A merge needs the old and the new form of one adjacency at the same time. */
  #checkMemory(): void {
    const { tables } = this.#host
    const sizes = tables.edges
      .all()
      .flatMap((table) => table.adjacencies.filter(needsMerge).map((one) => this.#mergedSize(one)))
    const neededBytes = sizes.reduce((a, b) => Math.max(a, b), 0)
    const roomBytes = this.#room
    if (neededBytes <= roomBytes) return
    const message = `There is not enough memory for a rebuild: it takes ${megabytes(neededBytes)}, and ${megabytes(roomBytes)} are left of --memory.`
    throw new DbError('MEMORY_LIMIT', message, { details: { neededBytes, roomBytes } })
  }

  get #room(): number {
    const { roomBytes, memoryLimitBytes } = this.#host
    return rebuildRoom(roomBytes(), memoryLimitBytes)
  }

  #mergedSize(adjacency: Adjacency): number {
    const { tables } = this.#host
    const vertexCount = (typeId: number) => tables.vertexTable(typeId)?.rowCount ?? 0
    return mergedSize(adjacency, vertexCount) + mergeWork(adjacency, vertexCount)
  }

  /** Segments are taken when they are asked for and their type has new data. */
  #selection(): (typeId: number, segmentId: number) => boolean {
    const { vertexTypeIds, segmentIds, force } = this.#options
    const { tables } = this.#host
    const changed = new Set<number>()
    for (const table of tables.vertices) if (table.isModified) changed.add(table.type.id)
    for (const table of tables.edges) {
      for (const adjacency of table.adjacencies) {
        if (adjacency.isModified) changed.add(adjacency.fromTypeId)
      }
    }
    return (typeId, segmentId) =>
      (vertexTypeIds === undefined || vertexTypeIds.includes(typeId)) &&
      (segmentIds === undefined || segmentIds.includes(segmentId)) &&
      (force === true || changed.has(typeId))
  }

  /** Nothing asked for is left out, so that the log can be folded. */
  #isWhole(segments: readonly SegmentChoice[]): boolean {
    const { vertexTypeIds, segmentIds } = this.#options
    const isAll = vertexTypeIds === undefined && segmentIds === undefined
    return isAll || segments.every((segment) => segment.isSelected)
  }

  async #mergeAndReplace(edges: CapturedEdges, catalog: Catalog): Promise<void> {
    const { adjacency, catchUp } = edges
    if (catchUp === null || edges.isRenumbered) return
    this.meter.begin('merging', adjacency)
    edges.merged = await this.#merge({
      adjacency: edges.view,
      fromCount: edges.fromCount,
      toCount: edges.toCount,
      fromRows: null,
      toRows: null,
    })
    this.#checkGoingOn(catalog)
    const supersededBytes = adjacency.sizeBytes
    await this.#replace(edges, catalog)
    holdStrings(adjacency.columns, false)
    forgetOldRows(edges)
    this.#host.superseded(supersededBytes)
  }

  /** Ends what runs on a thread of its own; `run` then fails. */
  async abandon(): Promise<void> {
    await this.#runner?.close()
  }

  #compactionOf(capture: Capture): Compaction {
    return new Compaction({
      host: this.#host,
      capture,
      meter: this.meter,
      merge: (job) => this.#merge(job),
      compact: (job) => this.#compact(job),
      checkGoingOn: (catalog) => this.#checkGoingOn(catalog),
    })
  }

  /** Types with enough dead rows, unless the memory for old and new tables together is lacking. */
  #compactedTypes(): ReadonlySet<number> {
    const { tables } = this.#host
    const dead = tables.mostlyDead()
    const typeIds = new Set(dead.map((table) => table.type.id))
    const renumbered = new Set([...typeIds].flatMap((typeId) => tables.adjacenciesAt(typeId)))
    const sizes = [
      ...dead.map(compactedSize),
      ...[...renumbered].map((adjacency) => this.#mergedSize(adjacency)),
    ]
    return sizes.reduce((sum, size) => sum + size, 0) <= this.#room ? typeIds : new Set()
  }

  #compact(job: CompactJob): CompactedVertices | Promise<CompactedVertices> {
    if (job.table.rowCount <= this.#host.inlineMergeSizeMax) return compactVertices(job)
    this.#runner ??= workerMergeRunner()
    return this.#runner.compact(job)
  }

  #merge(job: MergeJob): MergedAdjacency | Promise<MergedAdjacency> {
    const { baseCount, deltaCount } = job.adjacency
    const size = baseCount + deltaCount + job.fromCount + job.toCount
    if (size <= this.#host.inlineMergeSizeMax) return mergeAdjacency(job)
    this.#runner ??= workerMergeRunner()
    return this.#runner.merge(job)
  }

  async #replace(edges: CapturedEdges, catalog: Catalog): Promise<void> {
    const next = makeNextAdjacency(edges, this.#host.tables.memory)
    try {
      await this.#catchUpAndSwap(edges, next, catalog)
    } catch (error) {
      next.releaseRows()
      throw error
    }
  }

  async #catchUpAndSwap(edges: CapturedEdges, next: Adjacency, catalog: Catalog): Promise<void> {
    const { clock, scheduler } = this.#host
    const { adjacency } = edges
    const catchUp = edges.catchUp!
    const successor = { next, old: adjacency }
    let isSwapped = false
    while (!isSwapped) {
      let sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
      for (const _piece of catchUpInPieces(catchUp, successor)) {
        if (clock.monotonicMs() < sliceEnd) continue
        await scheduler.yieldToOthers()
        this.#checkGoingOn(catalog)
        sliceEnd = clock.monotonicMs() + APPLY_SLICE_MS_MAX
      }
      isSwapped = await this.#host.between(() => {
        this.#checkGoingOn(catalog)
        // The batch that this has waited for may have widened a column.
        if (isNarrower(successor)) return false
        catchUp.copy(next, catchUp.remaining)
        next.isModified = adjacency.isModified || this.#isPartial()
        edges.table.replace(adjacency, next)
        catchUp.stop()
        this.#host.changed()
        return true
      })
    }
  }

  #isPartial(): boolean {
    return this.#options.vertexTypeIds !== undefined || this.#options.segmentIds !== undefined
  }

  #checkGoingOn(catalog: Catalog): void {
    if (this.#host.isClosing) throw rebuildEnded()
    if (this.#host.catalog === catalog) return
    throw new DbError('UNAVAILABLE', 'The schema changed during the rebuild; start it again.')
  }

  /** The segments on disk hold this state already. */
  #isCurrent(capture: Capture): boolean {
    const { foldedSequence } = this.#host.store.statistics()
    const isCurrent = this.#previous !== null && foldedSequence === capture.sequence
    return isCurrent && this.#options.force !== true
  }

  async #write(capture: Capture): Promise<SegmentDescription> {
    const writer = this.#host.store.beginSegments()
    try {
      return await writeSegments({
        capture,
        writer,
        previous: this.#previous,
        meter: this.meter,
        loads: () => this.#host.loads(),
        keys: this.#host.keys,
        pause: () => this.#host.scheduler.yieldToOthers(),
        checkGoingOn: () => {
          if (this.#host.isClosing) throw rebuildEnded()
        },
      })
    } catch (error) {
      await writer.abandon()
      throw error
    }
  }
}

/** Down to what may be copied in one go. */
function* catchUpInPieces(
  catchUp: CatchUp,
  successor: { readonly next: Adjacency; readonly old: Adjacency },
): Generator<undefined, void> {
  yield* widenInPieces([successor])
  while (catchUp.remaining > CATCH_UP_COUNT_MAX) {
    catchUp.copy(successor.next, CATCH_UP_STEP)
    yield
    yield* widenInPieces([successor])
  }
}

function megabytes(sizeBytes: number): string {
  return `${Math.round(sizeBytes / 1e6)} MB`
}

/** By a stop of the server, or because the graph is read again. */
export function rebuildEnded(): DbError {
  const text = 'The rebuild was ended: the server is shutting down or reads the graph again.'
  return new DbError('UNAVAILABLE', text)
}

function endCatchUps(capture: Capture): void {
  for (const { catchUp, table } of capture.vertices) {
    catchUp?.stop()
    holdStrings(table.columns, false)
  }
  for (const { catchUp, adjacency } of capture.edges) {
    catchUp?.stop()
    holdStrings(adjacency.columns, false)
  }
}
