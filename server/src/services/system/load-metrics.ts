/** How long work waits: queries for a worker, and everything for its turn of the event loop. */
import { Histogram, type Registry, type RegistryContentType } from 'prom-client'
import type { Clock } from '#kernel/clock.ts'

const WAIT_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300]
const LAG_BUCKETS_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How often the lag of the event loop is looked at. */
export const LAG_INTERVAL_MS = 100

export class LoadMetrics {
  readonly #clock: Clock
  readonly #waits = new Histogram({
    name: 'quiver_query_queue_seconds',
    help: 'Time that a query waited for a worker before it began',
    buckets: WAIT_BUCKETS_SECONDS,
    registers: [],
  })
  readonly #lags = new Histogram({
    name: 'quiver_event_loop_lag_seconds',
    help: 'How late a timer of the answering thread was, looked at ten times a second',
    buckets: LAG_BUCKETS_SECONDS,
    registers: [],
  })
  /** Null: the first call of the timer has nothing to compare with. */
  #lastMs: number | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  register<Type extends RegistryContentType>(registry: Registry<Type>): void {
    registry.registerMetric(this.#waits)
    registry.registerMetric(this.#lags)
  }

  queryBegan(queuedMs: number): void {
    this.#waits.observe(queuedMs / 1000)
  }

  /** Called every LAG_INTERVAL_MS, or as soon after as the event loop allows. */
  tick(): void {
    const nowMs = this.#clock.monotonicMs()
    if (this.#lastMs !== null) {
      const lateMs = nowMs - this.#lastMs - LAG_INTERVAL_MS
      this.#lags.observe(Math.max(0, lateMs) / 1000)
    }
    this.#lastMs = nowMs
  }
}
