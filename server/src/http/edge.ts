/** What every route needs from the rest of the server; `app.edge` inside the HTTP layer. */
import type { AccessControl, Principal } from '#services/auth/access.ts'

/** One finished request, as the statistics count it. */
export interface RequestSample {
  /** `METHOD /path` of the endpoint catalogue, or `GET /query/{graph}/{name}` with real names. */
  readonly key: string
  readonly graph: string | null
  readonly latencyMs: number
  readonly outcome: 'ok' | 'error' | 'timeout'
  /** Sent by the console itself (`X-Console: 1`). */
  readonly fromConsole: boolean
}

export interface Edge {
  readonly access: AccessControl
  /** `version.schema` of the RESTPP envelope; 0 for an unknown graph. */
  schemaVersionOf(graph: string): number
  observe(sample: RequestSample): void
}

/** What the hooks and `serve` keep about a request while it runs. */
export interface RequestState {
  key: string | null
  graph: string | null
  outcome: RequestSample['outcome']
  principal: Principal | null
}

declare module 'fastify' {
  interface FastifyInstance {
    edge: Edge
  }
  interface FastifyRequest {
    state: RequestState
  }
}
