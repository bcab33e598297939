/** Where the time of a run went, from the click to the picture. */
export type TimePart = 'queue' | 'execute' | 'transfer' | 'parse' | 'render'

export interface RunTime {
  readonly part: TimePart
  readonly ms: number
}

interface Answered {
  /** From sending to the last byte. */
  readonly durationMs: number
  readonly parseMs: number
  /** The header `Server-Timing`; null: the server did not say. */
  readonly serverTiming: string | null
}

/**
 * In the order in which they follow each other. What the server did not say is part of the transfer.
 * @param renderMs null: not drawn yet
 */
export function runTimes(answer: Answered, renderMs: number | null): readonly RunTime[] {
  const server = timingOf(answer.serverTiming)
  const queue = server.get('queue') ?? 0
  const execute = sum([...server].flatMap(([name, ms]) => (name === 'queue' ? [] : [ms])))
  const transfer = Math.max(0, answer.durationMs - queue - execute)
  return [
    ...(server.size === 0
      ? []
      : [
          { part: 'queue' as const, ms: queue },
          { part: 'execute' as const, ms: execute },
        ]),
    { part: 'transfer', ms: transfer },
    { part: 'parse', ms: answer.parseMs },
    ...(renderMs === null ? [] : [{ part: 'render' as const, ms: renderMs }]),
  ]
}

export const totalMs = (times: readonly RunTime[]): number => sum(times.map(({ ms }) => ms))

/** `queue;dur=0.10, execute;dur=12.30`: milliseconds by name; what has none is left out. */
function timingOf(header: string | null): ReadonlyMap<string, number> {
  const entries = (header ?? '').split(',').flatMap((metric): [string, number][] => {
    const found = /^\s*([\w-]+)\s*(?:;.*)?;\s*dur=([\d.]+)/.exec(metric)
    const ms = Number(found?.[2])
    return found?.[1] === undefined || !Number.isFinite(ms) ? [] : [[found[1], ms]]
  })
  return new Map(entries)
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
