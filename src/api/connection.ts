/** What answers at this address: how fast, what its clock says, and whether it knows our sessions. */
import { queryOptions } from '@tanstack/react-query'
import { ping } from '#contract/diagnosis.ts'
import { callWhole } from './client.ts'
import { polled } from './polling.ts'
import { fetchSession, sessionKey } from './session.ts'

const INTERVAL_MS = 5_000

export interface Pong {
  /** `pong`, from a server of this interface. */
  readonly message: string
  readonly latencyMs: number
  /** By how much this computer's clock is ahead of the server's; null where the server tells no time. */
  readonly skewMs: number | null
}

/** Failures are what it is about, so they are data: shown until another answer is there. */
export interface Connection {
  readonly pong: Pong | null
  readonly pingError: unknown
  /** Of the console's own endpoint, which only Quiver has. */
  readonly sessionError: unknown
}

export const connectionQuery = queryOptions({
  queryKey: ['connection'],
  queryFn: async ({ signal, client }): Promise<Connection> => {
    const asked = await settled(() => callWhole(ping, { ofAnyAge: true, signal }))
    if (asked.answer === null) return { pong: null, pingError: asked.error, sessionError: null }
    const { message, durationMs, date } = asked.answer
    const skewMs = skewOf(date, Date.now() - durationMs / 2)
    const { answer: session, error } = await settled(() => fetchSession(signal))
    // Whoever waited for it, such as the whole frame, goes on.
    if (session !== null && client.getQueryData(sessionKey) === undefined) {
      client.setQueryData(sessionKey, session)
    }
    const pong = { message, latencyMs: durationMs, skewMs }
    return { pong, pingError: null, sessionError: error }
  },
  ...polled(INTERVAL_MS),
})

async function settled<T>(ask: () => Promise<T>) {
  try {
    return { answer: await ask(), error: null }
  } catch (error) {
    return { answer: null, error }
  }
}

/**
 * @param date the header of that name, which counts whole seconds: on average half of one has passed
 * @param midwayMs the clock here, midway between question and answer
 */
export function skewOf(date: string | null, midwayMs: number): number | null {
  const serverMs = date === null ? Number.NaN : Date.parse(date)
  return Number.isNaN(serverMs) ? null : Math.round(midwayMs - serverMs - 500)
}
