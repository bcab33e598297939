/** One finished request, as the statistics count it. */
export interface RequestSample {
  /** `METHOD /path` of the endpoint catalogue, or `GET /query/{graph}/{name}` with real names. */
  readonly key: string
  /** Null for calls that name no graph. */
  readonly graph: string | null
  readonly latencyMs: number
  readonly outcome: 'ok' | 'error' | 'timeout'
  /** Sent by the console itself (`X-Console: 1`). */
  readonly fromConsole: boolean
}
