/** What one endpoint of one graph did in one interval. Merging is exact for all but percentiles. */
import { addLatency, type LatencyCounts, mergeLatencies, microseconds } from './latency.ts'
import type { RequestSample } from './sample.ts'

export interface SeriesKey {
  readonly key: string
  readonly graph: string | null
  readonly fromConsole: boolean
}

export interface CellFigures {
  /** Answered, with a result or an error; timeouts are not in it. */
  readonly completed: number
  readonly errors: number
  readonly timeouts: number
  readonly sumMs: number
  /** Infinite where nothing completed. */
  readonly minMs: number
  readonly maxMs: number
  /** HDR bucket value in microseconds and count, each bucket once. */
  readonly latencies: Iterable<readonly [bucket: number, count: number]>
}

/** One that counts. */
export interface Cell extends CellFigures {
  completed: number
  errors: number
  timeouts: number
  sumMs: number
  minMs: number
  maxMs: number
  readonly latencies: LatencyCounts
}

export interface SeriesCell<Figures extends CellFigures = CellFigures> {
  readonly series: SeriesKey
  readonly cell: Figures
}

export function newCell(): Cell {
  return {
    completed: 0,
    errors: 0,
    timeouts: 0,
    sumMs: 0,
    minMs: Number.POSITIVE_INFINITY,
    maxMs: 0,
    latencies: new Map(),
  }
}

/** Timed-out requests count only as such. */
export function countInto(cell: Cell, sample: RequestSample): void {
  if (sample.outcome === 'timeout') {
    cell.timeouts++
    return
  }
  cell.completed++
  if (sample.outcome === 'error') cell.errors++
  cell.sumMs += sample.latencyMs
  cell.minMs = Math.min(cell.minMs, sample.latencyMs)
  cell.maxMs = Math.max(cell.maxMs, sample.latencyMs)
  addLatency(cell.latencies, microseconds(sample.latencyMs))
}

export function mergeInto(target: Cell, source: CellFigures): void {
  target.completed += source.completed
  target.errors += source.errors
  target.timeouts += source.timeouts
  target.sumMs += source.sumMs
  target.minMs = Math.min(target.minMs, source.minMs)
  target.maxMs = Math.max(target.maxMs, source.maxMs)
  mergeLatencies(target.latencies, source.latencies)
}

/** As a document keeps it: `[completed, errors, timeouts, sum, min, max, bucket, count, …]`. */
export type StoredCell = readonly number[]

export function storeCell(cell: CellFigures): StoredCell {
  const { completed, errors, timeouts, sumMs, minMs, maxMs } = cell
  const min = Number.isFinite(minMs) ? minMs : -1
  return [
    completed,
    errors,
    timeouts,
    rounded(sumMs),
    rounded(min),
    rounded(maxMs),
    ...[...cell.latencies].flat(),
  ]
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

export function restoreCell(stored: StoredCell): Cell {
  const [completed = 0, errors = 0, timeouts = 0, sumMs = 0, min = -1, maxMs = 0, ...pairs] = stored
  const latencies: LatencyCounts = new Map()
  for (let index = 0; index + 1 < pairs.length; index += 2) {
    latencies.set(pairs[index]!, pairs[index + 1]!)
  }
  const minMs = min < 0 ? Number.POSITIVE_INFINITY : min
  return { completed, errors, timeouts, sumMs, minMs, maxMs, latencies }
}
