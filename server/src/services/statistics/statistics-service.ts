/**
 * Rates and latencies of every endpoint: counted per second as requests end, kept over restarts in
 * the store's documents, one per minute for the seconds and one per hour for the minutes.
 */
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import type { DocumentStore } from '../auth/user-store.ts'
import { type Cell, countInto, mergeInto, newCell } from './cell.ts'
import { type History, type HistoryRange, historyOf } from './history.ts'
import { PercentileReader } from './latency.ts'
import { type MarkerKind, Markers } from './markers.ts'
import type { RequestSample } from './sample.ts'
import { type StoredInterval, Timeline } from './timeline.ts'

export interface StatisticsOptions {
  readonly documents: DocumentStore
  readonly clock: Clock
  /** Requests for unknown graphs count without one: names in URLs are the caller's. */
  isGraph(name: string): boolean
}

/** Contract 2.5; latencies in milliseconds. */
export interface EndpointStatistics {
  CompletedRequests: number
  QPS: number
  TimeoutRequests: number
  AverageLatency: number
  MaxLatency: number
  MinLatency: number
  LatencyPercentile: number[]
}

const HOUR_SECONDS = 3_600
const WEEK_SECONDS = 7 * 86_400
const SECONDS_COLLECTION = 'statistics-seconds'
const MINUTES_COLLECTION = 'statistics-minutes'

export class StatisticsService {
  readonly markers: Markers
  readonly #options: StatisticsOptions
  readonly #seconds = new Timeline(1, HOUR_SECONDS)
  readonly #minutes = new Timeline(60, WEEK_SECONDS)
  readonly #percentiles = new PercentileReader()
  #inFlight = 0
  #consoleInFlight = 0
  /** Everything before this second is in the documents. */
  #savedBefore: number

  private constructor(options: StatisticsOptions, markers: Markers) {
    this.#options = options
    this.markers = markers
    this.#savedBefore = this.#now()
  }

  static async open(options: StatisticsOptions): Promise<StatisticsService> {
    const service = new StatisticsService(options, await Markers.open(options.documents))
    await service.#restore()
    await service.mark('start', null, 'The server started.')
    return service
  }

  #now(): number {
    return Math.floor(this.#options.clock.nowMs() / 1000)
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
    const series = { ...sample, graph: isKnown ? sample.graph : null }
    const now = this.#now()
    const { key, graph, fromConsole } = series
    countInto(this.#seconds.cellAt(now, { key, graph, fromConsole }), sample)
    countInto(this.#minutes.cellAt(now, { key, graph, fromConsole }), sample)
  }

  /** @param graph what it concerns; null: the server as a whole */
  mark(kind: MarkerKind, graph: string | null, text: string): Promise<void> {
    return this.markers.add({ at: this.#now(), kind, graph, text })
  }

  /**
   * The look-back of contract 2.5: the running second and those before it.
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
        inFlight: this.#inFlight + (range.withConsole ? this.#consoleInFlight : 0),
        markers: this.markers.between(from, to, graph),
      },
    )
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
    return this.#inFlight + this.#consoleInFlight
  }

  /** Writes what was counted since the last call. Called each minute and at shutdown. */
  async save(): Promise<void> {
    const { documents } = this.#options
    const now = this.#now()
    const fromMinute = this.#minutes.startOf(this.#savedBefore)
    for (let minute = fromMinute; minute <= now; minute += 60) {
      const intervals = this.#seconds.export(minute, minute + 60)
      if (intervals.length > 0) await put(documents, SECONDS_COLLECTION, minute, intervals)
    }
    const fromHour = this.#savedBefore - (this.#savedBefore % HOUR_SECONDS)
    for (let hour = fromHour; hour <= now; hour += HOUR_SECONDS) {
      const intervals = this.#minutes.export(hour, hour + HOUR_SECONDS)
      if (intervals.length > 0) await put(documents, MINUTES_COLLECTION, hour, intervals)
    }
    await this.#forget(SECONDS_COLLECTION, now - HOUR_SECONDS - 60)
    await this.#forget(MINUTES_COLLECTION, now - WEEK_SECONDS - HOUR_SECONDS)
    this.#savedBefore = now
  }

  async #forget(collection: string, before: number): Promise<void> {
    const { documents } = this.#options
    for (const { key } of await documents.listDocuments(collection)) {
      if (Number(key) < before) await documents.deleteDocument(collection, key)
    }
  }

  async #restore(): Promise<void> {
    const { documents } = this.#options
    const now = this.#now()
    const seconds = await load(documents, SECONDS_COLLECTION)
    this.#seconds.import(seconds.filter(({ start }) => start >= now - HOUR_SECONDS))
    const minutes = await load(documents, MINUTES_COLLECTION)
    this.#minutes.import(minutes.filter(({ start }) => start >= now - WEEK_SECONDS))
  }
}

/** Queries first (decision 9 of the contract). */
function orderOf(key: string): number {
  return / \/query\//.test(key) ? 0 : 1
}

/**
 * Contract 2.5: rounded up to tens of milliseconds, to two digits from 100 ms on. A percentile is
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

function put(
  documents: DocumentStore,
  collection: string,
  start: number,
  intervals: readonly StoredInterval[],
): Promise<void> {
  return documents.putDocument(collection, String(start), Buffer.from(JSON.stringify(intervals)))
}

async function load(documents: DocumentStore, collection: string): Promise<StoredInterval[]> {
  const stored = await documents.listDocuments(collection)
  return stored
    .flatMap(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as StoredInterval[])
    .sort((one, other) => one.start - other.start)
}
