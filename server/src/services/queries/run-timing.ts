/** Where the time of a run went, in milliseconds. */
export interface RunTiming {
  /** Reading text and arguments, and what an earlier write still had to do. */
  readonly prepareMs: number
  readonly queueMs: number
  /** In its workers. */
  readonly executeMs: number
  /** Making durable what it changes. */
  readonly commitMs: number
}

/** `queue;dur=0.10, execute;dur=12.30`: browsers show it among the times of a request. */
export function serverTiming({ prepareMs, queueMs, executeMs, commitMs }: RunTiming): string {
  const times = { prepare: prepareMs, queue: queueMs, execute: executeMs, commit: commitMs }
  return Object.entries(times)
    .map(([name, ms]) => `${name};dur=${ms.toFixed(2)}`)
    .join(', ')
}
