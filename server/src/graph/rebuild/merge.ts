/**
 * Merges base and delta of one adjacency into a new base, leaving deleted edges out.
 *
 * A pure function over a pinned view, so that it runs in a worker while writes go on. Delta edges
 * are put in order by two stable counting passes (target, then source); only parallel edges with
 * discriminators are compared. O(vertices + edges).
 */
import type { AdjacencyView, ColumnArray } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import type { BaseEdges } from '../adjacency/adjacency.ts'
import { compareParallel } from '../adjacency/order.ts'
import { allocateWords } from '../memory/allocate.ts'
import { isSet } from '../memory/bits.ts'
import { sharedArray } from '../memory/growable.ts'
import { NO_ROW, type Renumbering } from './compact-vertices.ts'
import { permuteColumn } from './permute.ts'

export interface MergeJob {
  readonly adjacency: AdjacencyView
  /** Vertices of each side: every row below has its entry in the offsets. */
  readonly fromCount: number
  readonly toCount: number
  /** New rows of each side's vertices when some are left out: none of those has an edge. */
  readonly fromRows: Renumbering | null
  readonly toRows: Renumbering | null
}

export interface MergedAdjacency {
  readonly base: BaseEdges
  /** The data of each column in the new order, in the storage it had. */
  readonly columns: readonly ColumnArray[]
}

export function mergeAdjacency(job: MergeJob): MergedAdjacency {
  const { adjacency, fromCount, toCount } = job
  const deltaRows = sortedDeltaRows(job)
  const size = liveBaseCount(adjacency) + deltaRows.length
  const merged: MergedRows = {
    offsets: sharedArray('uint32', fromCount + 1),
    targets: sharedArray('uint32', size),
    rows: allocateWords(size),
    count: 0,
  }
  mergeRows(job, deltaRows, merged)
  const base = {
    count: size,
    fromCount,
    toCount,
    outOffsets: merged.offsets,
    outTargets: merged.targets,
    ...packIncoming(merged, fromCount, toCount),
  }
  return {
    base: renumbered(base, job),
    columns: adjacency.columns.map((column) => permuteColumn(column, merged.rows)),
  }
}

interface MergedRows {
  readonly offsets: Uint32Array<SharedArrayBuffer>
  readonly targets: Uint32Array<SharedArrayBuffer>
  /** Old edge row of each new one. */
  readonly rows: Uint32Array
  count: number
}

function liveBaseCount(adjacency: AdjacencyView): number {
  if (adjacency.deleted.words === null) return adjacency.baseCount
  let count = 0
  for (let row = 0; row < adjacency.baseCount; row++) if (!isSet(adjacency.deleted, row)) count += 1
  return count
}

/** Live delta indexes by source, then target, then discriminator. */
function sortedDeltaRows(job: MergeJob): Uint32Array {
  const { adjacency, fromCount, toCount } = job
  const { delta } = adjacency
  if (delta === null) return allocateWords(0)
  const live = allocateWords(adjacency.deltaCount)
  let count = 0
  for (let index = 0; index < adjacency.deltaCount; index++) {
    if (!isSet(adjacency.deleted, adjacency.baseCount + index)) live[count++] = index
  }
  const byTarget = countingSort(live.subarray(0, count), delta.targets, toCount)
  const sorted = countingSort(byTarget, delta.sources, fromCount)
  if (adjacency.discriminatorCount > 0) sortParallel(job, sorted)
  return sorted
}

/** A stable sort of `rows` by `keys[row]`, each below `keyCount`. */
function countingSort(rows: Uint32Array, keys: Uint32Array, keyCount: number): Uint32Array {
  const starts = allocateWords(keyCount + 1)
  for (let i = 0; i < rows.length; i++) starts[keys[rows[i]!]! + 1]! += 1
  for (let key = 0; key < keyCount; key++) starts[key + 1]! += starts[key]!
  const sorted = allocateWords(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!
    sorted[starts[keys[row]!]!++] = row
  }
  return sorted
}

function sortParallel(job: MergeJob, sorted: Uint32Array): void {
  const { sources, targets } = job.adjacency.delta!
  const { baseCount } = job.adjacency
  let start = 0
  while (start < sorted.length) {
    const first = sorted[start]!
    let end = start + 1
    while (
      end < sorted.length &&
      sources[sorted[end]!] === sources[first] &&
      targets[sorted[end]!] === targets[first]
    ) {
      end += 1
    }
    if (end - start > 1) {
      sorted
        .subarray(start, end)
        .sort((a, b) => compareParallel(job.adjacency, baseCount + a, baseCount + b))
    }
    start = end
  }
}

function mergeRows(job: MergeJob, deltaRows: Uint32Array, merged: MergedRows): void {
  const { adjacency, fromCount } = job
  const sources = adjacency.delta?.sources
  let next = 0
  for (let source = 0; source < fromCount; source++) {
    const start = next
    while (next < deltaRows.length && sources![deltaRows[next]!] === source) next += 1
    if (start === next) copyBaseRow(adjacency, source, merged)
    else mergeOneSource(job, source, deltaRows.subarray(start, next), merged)
    merged.offsets[source + 1] = merged.count
  }
}

/** The usual case: a source without delta edges. */
function copyBaseRow(adjacency: AdjacencyView, source: number, merged: MergedRows): void {
  if (source >= adjacency.baseFromCount) return
  const { outTargets, deleted } = adjacency
  const { targets, rows } = merged
  const end = adjacency.outOffsets[source + 1]!
  let count = merged.count
  const isClean = deleted.words === null
  for (let row = adjacency.outOffsets[source]!; row < end; row++) {
    if (!isClean && isSet(deleted, row)) continue
    targets[count] = outTargets[row]!
    rows[count++] = row
  }
  merged.count = count
}

function mergeOneSource(
  job: MergeJob,
  source: number,
  added: Uint32Array,
  merged: MergedRows,
): void {
  const { adjacency } = job
  const { outTargets, outOffsets, deleted, baseCount, baseFromCount } = adjacency
  const addedTargets = adjacency.delta!.targets
  let row = source < baseFromCount ? outOffsets[source]! : 0
  const end = source < baseFromCount ? outOffsets[source + 1]! : 0
  let next = 0
  while (row < end || next < added.length) {
    if (row < end && isSet(deleted, row)) {
      row += 1
      continue
    }
    const takesBase =
      next === added.length || (row < end && comesFirst(job, row, outTargets[row]!, added[next]!))
    const index = takesBase ? row++ : baseCount + added[next++]!
    merged.targets[merged.count] = takesBase ? outTargets[index]! : addedTargets[index - baseCount]!
    merged.rows[merged.count] = index
    merged.count += 1
  }
}

/** Whether a base edge stands before a delta edge of the same source. */
function comesFirst(job: MergeJob, row: number, target: number, deltaIndex: number): boolean {
  const other = job.adjacency.delta!.targets[deltaIndex]!
  if (target !== other) return target < other
  return compareParallel(job.adjacency, row, job.adjacency.baseCount + deltaIndex) <= 0
}

type Incoming = Pick<BaseEdges, 'inOffsets' | 'inSources' | 'inRows'>

function packIncoming(merged: MergedRows, fromCount: number, toCount: number): Incoming {
  const { offsets, targets } = merged
  const inOffsets = sharedArray('uint32', toCount + 1)
  for (let row = 0; row < targets.length; row++) inOffsets[targets[row]! + 1]! += 1
  for (let target = 0; target < toCount; target++) inOffsets[target + 1]! += inOffsets[target]!
  const cursors = allocateWords(toCount)
  cursors.set(inOffsets.subarray(0, toCount))
  const inSources = sharedArray('uint32', targets.length)
  const inRows = sharedArray('uint32', targets.length)
  for (let source = 0; source < fromCount; source++) {
    const end = offsets[source + 1]!
    for (let row = offsets[source]!; row < end; row++) {
      const position = cursors[targets[row]!]!++
      inSources[position] = source
      inRows[position] = row
    }
  }
  return { inOffsets, inSources, inRows }
}

/** The base over the new rows of its vertices: their order is the old one, so no edge moves. */
function renumbered(base: BaseEdges, { fromRows, toRows }: MergeJob): BaseEdges {
  if (fromRows !== null) renumberEnds(base.inSources, fromRows)
  if (toRows !== null) renumberEnds(base.outTargets, toRows)
  return {
    ...base,
    fromCount: fromRows?.count ?? base.fromCount,
    toCount: toRows?.count ?? base.toCount,
    outOffsets: fromRows === null ? base.outOffsets : renumberOffsets(base.outOffsets, fromRows),
    inOffsets: toRows === null ? base.inOffsets : renumberOffsets(base.inOffsets, toRows),
  }
}

function renumberEnds(ends: Uint32Array, { map }: Renumbering): void {
  for (let i = 0; i < ends.length; i++) ends[i] = map[ends[i]!]!
}

function renumberOffsets(
  offsets: Uint32Array,
  { map, count }: Renumbering,
): Uint32Array<SharedArrayBuffer> {
  const next = sharedArray('uint32', count + 1)
  for (let row = 0; row < map.length; row++) {
    const newRow = map[row]!
    if (newRow !== NO_ROW) next[newRow + 1] = offsets[row + 1]!
    else assert(offsets[row] === offsets[row + 1], 'a deleted vertex has an edge')
  }
  return next
}
