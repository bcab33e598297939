/**
 * Rates and latencies of every endpoint: counted per second as requests end, and kept over restarts
 * by the archive.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { Documents } from '#storage/documents.ts'
import { HOUR_SECONDS, MINUTE_SECONDS, StatisticsArchive, WEEK_SECONDS } from './archive.ts'
import { type Cell, countInto, mergeInto, newCell } from './cell.ts'
import { type History, type HistoryRange, historyOf } from './history.ts'
import { PercentileReader } from './latency.ts'
import { type MarkerKind, Markers } from './markers.ts'
import type { RequestSample } from './sample.ts'
import { Timeline } from './timeline.ts'

export interface StatisticsOptions {
  readonly documents: Documents
  readonly clock: Clock
  /** Requests for unknown graphs count without one: names in URLs are the caller's. */
  isGraph(name: string): boolean
}

/** Latencies in milliseconds. */
export interface EndpointStatistics {
  CompletedRequests: number
  QPS: number
  TimeoutRequests: number
  AverageLatency: number
  MaxLatency: number
  MinLatency: number
  LatencyPercentile: number[]
}

interface StatisticsParts {
  readonly markers: Markers
  readonly seconds: Timeline
  readonly minutes: Timeline
  readonly archive: StatisticsArchive
}

export class StatisticsService {
  readonly markers: Markers
  readonly #options: StatisticsOptions
  readonly #seconds: Timeline
  readonly #minutes: Timeline
  readonly #archive: StatisticsArchive
  readonly #percentiles = new PercentileReader()
  #inFlight = 0
  #consoleInFlight = 0
  #saving: Promise<void> | null = null

  private constructor(options: StatisticsOptions, parts: StatisticsParts) {
    this.#options = options
    this.markers = parts.markers
    this.#seconds = parts.seconds
    this.#minutes = parts.minutes
    this.#archive = parts.archive
  }

  static async open(options: StatisticsOptions): Promise<StatisticsService> {
    const { documents, clock } = options
    const seconds = new Timeline(1, HOUR_SECONDS)
    const minutes = new Timeline(MINUTE_SECONDS, WEEK_SECONDS)
    const markers = await Markers.open(documents)
    const archive = await StatisticsArchive.open(documents, { seconds, minutes }, secondOf(clock))
    return new StatisticsService(options, { markers, seconds, minutes, archive })
  }

  #now(): number {
    return secondOf(this.#options.clock)
  }

  started(fromConsole: boolean): void {
    if (fromConsole) this.#consoleInFlight++
    else this.#inFlight++
  }

  ended(fromConsole: boolean): void {
    if (fromConsole) this.#consoleInFlight--
    else this.#inFlight--
  }

  observe(sample: RequestSample): void {
    const isKnown = sample.graph !== null && this.#options.isGraph(sample.graph)
    const { key, fromConsole } = sample
    const series = { key, graph: isKnown ? sample.graph : null, fromConsole }
    const now = this.#now()
    countInto(this.#seconds.cellAt(now, series), sample)
    countInto(this.#minutes.cellAt(now, series), sample)
  }

  /** @param graph what it concerns; null: the server as a whole */
  mark(kind: MarkerKind, graph: string | null, text: string): Promise<void> {
    return this.markers.add({ at: this.#now(), kind, graph, text })
  }

  /**
   * The look-back of docs/reference/rest.md: the running second and those before it.
   * @param segments slices of the latency histogram
   */
  lookBack(
    graph: string,
    seconds: number,
    options: { readonly segments: number; readonly withConsole: boolean },
  ): Record<string, EndpointStatistics> {
    const now = this.#now()
    const merged = new Map<string, Cell>()
    for (const { series, cell } of this.#seconds.cells(now - seconds + 1, now + 1)) {
      if (series.graph !== null && series.graph !== graph) continue
      if (series.fromConsole && !options.withConsole) continue
      const target = merged.get(series.key) ?? newCell()
      merged.set(series.key, target)
      mergeInto(target, cell)
    }
    const ordered = [...merged].sort(([one], [other]) => orderOf(one) - orderOf(other))
    return Object.fromEntries(
      ordered.map(([key, cell]) => [key, this.#viewOf(cell, seconds, options.segments)]),
    )
  }

  #viewOf(cell: Cell, seconds: number, segments: number): EndpointStatistics {
    const slices = Array.from({ length: segments }, (_, slice) => ((slice + 1) * 100) / segments)
    const { completed } = cell
    return {
      CompletedRequests: completed,
      QPS: rounded(completed / seconds),
      TimeoutRequests: cell.timeouts,
      AverageLatency: completed === 0 ? 0 : rounded(cell.sumMs / completed),
      MaxLatency: rounded(cell.maxMs),
      MinLatency: completed === 0 ? 0 : rounded(cell.minMs),
      LatencyPercentile: this.#percentiles.read(cell.latencies, slices).map(bucketOf),
    }
  }

  /** @throws DbError INVALID_PARAMETER for a range that is none */
  history(graph: string, range: HistoryRange): History {
    const now = this.#now()
    const to = range.to ?? now
    const from = range.from ?? to - 60
    if (from >= to) throw new DbError('INVALID_PARAMETER', 'The range must begin before it ends.')
    return historyOf(
      { seconds: this.#seconds, minutes: this.#minutes, oldestSecond: now - HOUR_SECONDS },
      {
        graph,
        from,
        to,
        step: range.step,
        withConsole: range.withConsole,
        heat: range.heat,
        since: range.withBefore === true ? this.#since(now) : null,
        inFlight: this.inFlightOf(range.withConsole ?? false),
        markers: this.markers.between(from, to, graph),
      },
    )
  }

  /** Since when requests are counted: a start is noted, a minute may have begun before its first one. */
  #since(now: number): number {
    const minute = (this.#minutes.oldest ?? now) + MINUTE_SECONDS
    return Math.max(Math.min(now, this.markers.oldest ?? now, minute), now - WEEK_SECONDS)
  }

  /** Totals since the first interval that is kept, for the metrics. */
  lastMinute(): { readonly key: string; readonly completed: number }[] {
    const now = this.#now()
    const counts = new Map<string, number>()
    for (const { series, cell } of this.#seconds.cells(now - 60, now)) {
      counts.set(series.key, (counts.get(series.key) ?? 0) + cell.completed)
    }
    return [...counts].map(([key, completed]) => ({ key, completed }))
  }

  get inFlight(): number {
    return this.inFlightOf(true)
  }

  /** Requests that are being answered now. */
  inFlightOf(withConsole: boolean): number {
    return this.#inFlight + (withConsole ? this.#consoleInFlight : 0)
  }

  /** Writes the seconds that ended since the last call, unless a call is still under way. */
  save(): Promise<void> {
    this.#saving ??= this.#archive.save(this.#now(), false).finally(() => {
      this.#saving = null
    })
    return this.#saving
  }

  /** Writes the running second, too. For the orderly end: call it when nothing counts any more. */
  async close(): Promise<void> {
    // Its failure was its caller's; what it did not write is written now, or fails again.
    await this.#saving?.catch(() => undefined)
    await this.#archive.save(this.#now(), true)
  }
}

function secondOf(clock: Clock): number {
  return Math.floor(clock.nowMs() / 1000)
}

/** Queries first (decision 9 of the contract). */
function orderOf(key: string): number {
  return / \/query\//.test(key) ? 0 : 1
}

/**
 * Rounded up to tens of milliseconds, to two digits from 100 ms on. A percentile is
 * the upper end of a bucket one per cent wide: that much is taken off, lest 10 ms read as 20.
 */
function bucketOf(percentileMs: number): number {
  const ms = percentileMs * 0.99
  const unit = ms <= 100 ? 10 : 10 ** (Math.ceil(Math.log10(ms)) - 2)
  return Math.max(10, Math.ceil(ms / unit) * unit)
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000
}
