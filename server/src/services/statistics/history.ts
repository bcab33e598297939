/** The time series that the console draws: per endpoint and together, in equal steps. */
import { HISTORY_STEPS_MAX } from '#contract/statistics.ts'
import { type Cell, mergeInto, newCell } from './cell.ts'
import { type Heat, heatOf } from './heat.ts'
import { PercentileReader } from './latency.ts'
import type { Marker } from './markers.ts'
import type { Timeline } from './timeline.ts'

export interface HistoryRange {
  /** Epoch seconds, the last minute unless said. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly step?: number | undefined
  readonly withConsole: boolean
  /** Whose latency distribution is wanted: an endpoint or `*`. */
  readonly heat?: string | undefined
  /** Whether the time before is summed up, too. */
  readonly withBefore?: boolean
}

export interface HistorySummary {
  readonly completed: number
  readonly errors: number
  readonly timeouts: number
  readonly averageMs: number | null
  readonly minMs: number | null
  readonly maxMs: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
}

/** One array per figure, one entry per step. */
export type HistorySeries = { [Figure in keyof HistorySummary]: HistorySummary[Figure][] }

export interface History {
  readonly from: number
  readonly to: number
  readonly stepSeconds: number
  readonly inFlight: number
  readonly total: { readonly series: HistorySeries; readonly summary: HistorySummary }
  readonly endpoints: { endpoint: string; series: HistorySeries; summary: HistorySummary }[]
  readonly markers: Marker[]
  readonly heat?: Heat
  readonly before?: HistoryBefore
}

/** The time of the same length that ends where the range begins. */
export interface HistoryBefore {
  readonly from: number
  readonly to: number
  readonly since: number
  readonly total: HistorySummary
  readonly endpoints: { endpoint: string; summary: HistorySummary }[]
}

export interface HistorySource {
  readonly seconds: Timeline
  readonly minutes: Timeline
  /** Seconds are kept from here on; older ranges are answered from minutes. */
  readonly oldestSecond: number
}

export interface HistoryRequest {
  readonly graph: string
  readonly from: number
  readonly to: number
  readonly step: number | undefined
  readonly withConsole: boolean
  readonly heat: string | undefined
  /** Requests are counted since then, where the time before is wanted. */
  readonly since: number | null
  readonly inFlight: number
  readonly markers: Marker[]
}

export function historyOf(source: HistorySource, request: HistoryRequest): History {
  const { from, stepSeconds, stepCount, timeline } = plan(source, request)
  const to = from + stepSeconds * stepCount
  const endpoints = new Map<string, Cell[]>()
  const total = newCells(stepCount)
  for (const { start, series, cell } of wantedCells(timeline, { from, to }, request)) {
    const cells = endpoints.get(series.key) ?? newCells(stepCount)
    endpoints.set(series.key, cells)
    const step = Math.floor((start - from) / stepSeconds)
    mergeInto(cells[step]!, cell)
    mergeInto(total[step]!, cell)
  }
  const reader = new PercentileReader()
  return {
    from,
    to,
    stepSeconds,
    inFlight: request.inFlight,
    total: figuresOf(total, reader),
    endpoints: [...endpoints]
      .map(([endpoint, cells]) => ({ endpoint, ...figuresOf(cells, reader) }))
      .sort((one, other) => other.summary.completed - one.summary.completed),
    markers: request.markers,
    ...(request.heat !== undefined && {
      heat: heatOf(request.heat === '*' ? total : (endpoints.get(request.heat) ?? [])),
    }),
    ...(request.since !== null && {
      before: beforeOf(source, request, { from: 2 * from - to, to: from, reader }),
    }),
  }
}

interface Part {
  readonly from: number
  readonly to: number
}

function* wantedCells(timeline: Timeline, { from, to }: Part, request: HistoryRequest) {
  for (const found of timeline.cells(from, to)) {
    const { graph, fromConsole } = found.series
    if (graph !== null && graph !== request.graph) continue
    if (!fromConsole || request.withConsole) yield found
  }
}

/** Older than its seconds, it is added up from minutes: those that begin in it. */
function beforeOf(
  source: HistorySource,
  request: HistoryRequest,
  { from, to, reader }: Part & { readonly reader: PercentileReader },
): HistoryBefore {
  const timeline = from < source.oldestSecond ? source.minutes : source.seconds
  const total = newCell()
  const endpoints = new Map<string, Cell>()
  for (const { series, cell } of wantedCells(timeline, { from, to }, request)) {
    const sum = endpoints.get(series.key) ?? newCell()
    endpoints.set(series.key, sum)
    mergeInto(sum, cell)
    mergeInto(total, cell)
  }
  return {
    from,
    to,
    since: request.since ?? from,
    total: summaryOf(total, reader),
    endpoints: [...endpoints].map(([endpoint, cell]) => ({
      endpoint,
      summary: summaryOf(cell, reader),
    })),
  }
}

/** The step is the wanted one, or the smallest that keeps the number of steps. */
function plan(source: HistorySource, request: HistoryRequest) {
  const range = request.to - request.from
  const smallest = Math.ceil(range / HISTORY_STEPS_MAX)
  const wanted = Math.max(request.step ?? 1, smallest)
  const useMinutes = request.from < source.oldestSecond || wanted >= 60
  const timeline = useMinutes ? source.minutes : source.seconds
  const unit = timeline.stepSeconds
  const stepSeconds = Math.ceil(wanted / unit) * unit
  const from = useMinutes ? timeline.startOf(request.from) : request.from
  const stepCount = Math.min(HISTORY_STEPS_MAX, Math.ceil((request.to - from) / stepSeconds))
  return { from, stepSeconds, stepCount, timeline }
}

function newCells(count: number): Cell[] {
  return Array.from({ length: count }, newCell)
}

function figuresOf(
  cells: readonly Cell[],
  reader: PercentileReader,
): { series: HistorySeries; summary: HistorySummary } {
  const whole = newCell()
  for (const cell of cells) mergeInto(whole, cell)
  const steps = cells.map((cell) => summaryOf(cell, reader))
  const column = <Figure extends keyof HistorySummary>(figure: Figure) =>
    steps.map((step) => step[figure])
  return {
    summary: summaryOf(whole, reader),
    series: {
      completed: column('completed'),
      errors: column('errors'),
      timeouts: column('timeouts'),
      averageMs: column('averageMs'),
      minMs: column('minMs'),
      maxMs: column('maxMs'),
      p50Ms: column('p50Ms'),
      p95Ms: column('p95Ms'),
      p99Ms: column('p99Ms'),
    },
  }
}

const percentiles = [50, 95, 99]

/** A latency is null where nothing completed, never 0. */
function summaryOf(cell: Cell, reader: PercentileReader): HistorySummary {
  const { completed, errors, timeouts } = cell
  if (completed === 0) {
    return {
      completed,
      errors,
      timeouts,
      averageMs: null,
      minMs: null,
      maxMs: null,
      p50Ms: null,
      p95Ms: null,
      p99Ms: null,
    }
  }
  const [p50 = 0, p95 = 0, p99 = 0] = reader.read(cell.latencies, percentiles)
  const within = (ms: number) => rounded(Math.min(Math.max(ms, cell.minMs), cell.maxMs))
  return {
    completed,
    errors,
    timeouts,
    averageMs: rounded(cell.sumMs / completed),
    minMs: rounded(cell.minMs),
    maxMs: rounded(cell.maxMs),
    p50Ms: within(p50),
    p95Ms: within(p95),
    p99Ms: within(p99),
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
