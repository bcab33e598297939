/** What answers at this address: how fast, and what its clock says. */
import { queryOptions } from '@tanstack/react-query'
import { ping } from '#contract/diagnosis.ts'
import { callWhole } from './client.ts'
import { polled } from './polling.ts'

const INTERVAL_MS = 5_000

export interface Pong {
  /** `pong`, from a server of this interface. */
  readonly message: string
  readonly latencyMs: number
  /** By how much this computer's clock is ahead of the server's; null where the server tells no time. */
  readonly skewMs: number | null
}

export const connectionQuery = queryOptions({
  queryKey: ['connection'],
  queryFn: async ({ signal }): Promise<Pong> => {
    const { message, durationMs, date } = await callWhole(ping, { signal })
    return { message, latencyMs: durationMs, skewMs: skewOf(date, Date.now() - durationMs / 2) }
  },
  ...polled(INTERVAL_MS),
})

/**
 * @param date the header of that name, which counts whole seconds: on average half of one has passed
 * @param midwayMs the clock here, midway between question and answer
 */
export function skewOf(date: string | null, midwayMs: number): number | null {
  const serverMs = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(serverMs) ? null : Math.round(midwayMs - serverMs - 500)
}
