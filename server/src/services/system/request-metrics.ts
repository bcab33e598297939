/**
 * Requests since the start, for scrapers: a counter per endpoint and outcome, and how long they
 * took per kind. Endpoints are many, so only the few kinds have buckets.
 */
import { Counter, Histogram, type Registry, type RegistryContentType } from 'prom-client'
import type { RequestSample } from '../statistics/sample.ts'

/** Series are for ever: what is called under further names counts as `other`. */
export const ENDPOINTS_MAX = 500

const BUCKETS_SECONDS = [
  0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

type Outcome = RequestSample['outcome']
type Counted = Readonly<Record<Outcome, { inc(): void }>> & {
  readonly durations: { observe(seconds: number): void }
}

export class RequestMetrics {
  readonly #requests = new Counter({
    name: 'quiver_requests_total',
    help: 'Requests answered since the start',
    labelNames: ['endpoint', 'outcome'],
    registers: [],
  })
  readonly #durations = new Histogram({
    name: 'quiver_request_duration_seconds',
    help: 'Time to the answer, by kind: queries, other data, management, the console',
    labelNames: ['kind'],
    buckets: BUCKETS_SECONDS,
    registers: [],
  })
  /** By key: looking labels up costs more than counting. */
  readonly #counted = new Map<string, Counted>()

  register<Type extends RegistryContentType>(registry: Registry<Type>): void {
    registry.registerMetric(this.#requests)
    registry.registerMetric(this.#durations)
  }

  observe({ key, outcome, latencyMs }: RequestSample): void {
    const counted = this.#countedOf(key)
    counted[outcome].inc()
    counted.durations.observe(latencyMs / 1000)
  }

  #countedOf(key: string): Counted {
    const known = this.#counted.get(key)
    if (known !== undefined) return known
    const hasRoom = this.#counted.size < ENDPOINTS_MAX
    const labels = (outcome: Outcome) => this.#requests.labels(hasRoom ? key : 'other', outcome)
    const durations = this.#durations.labels(kindOf(key))
    const counts = { ok: labels('ok'), error: labels('error'), timeout: labels('timeout') }
    const made = { ...counts, durations }
    if (hasRoom) this.#counted.set(key, made)
    return made
  }
}

/** Of a statistics key such as `GET /query/acme/q1`: RESTPP keys have no prefix. */
function kindOf(key: string): 'query' | 'data' | 'management' | 'console' {
  const path = key.slice(key.indexOf(' ') + 1)
  if (/^\/(query\/|gsql\/v1\/queries\/interpret$)/.test(path)) return 'query'
  if (/^\/(gsql|informant|api)\//.test(path)) return 'management'
  return /^\/(quiver\/|openapi\.json)/.test(path) ? 'console' : 'data'
}
