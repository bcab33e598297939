/** Latencies of one kind of request: exact maximum, quantiles from a histogram of microseconds. */
import { createHistogram, type RecordableHistogram } from 'node:perf_hooks'

export interface LatencyFigures {
  readonly count: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export class Latencies {
  readonly #histogram: RecordableHistogram = createHistogram()

  add(durationMs: number): void {
    this.#histogram.record(Math.max(1, Math.round(durationMs * 1_000)))
  }

  get figures(): LatencyFigures {
    const histogram = this.#histogram
    if (histogram.count === 0) return { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 }
    return {
      count: histogram.count,
      p50Ms: histogram.percentile(50) / 1_000,
      p99Ms: histogram.percentile(99) / 1_000,
      maxMs: histogram.max / 1_000,
    }
  }
}
