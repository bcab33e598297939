/** Which state of the shared log an answer shows, and which one a request wants (docs/decisions/0129). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DbError } from '#kernel/errors.ts'
import type { Sharing } from '#services/instances/sharing.ts'
import { numericHeader } from './input.ts'

export const POSITION_HEADER = 'x-quiver-position'
export const STALENESS_HEADER = 'x-quiver-staleness-ms'
export const AFTER_HEADER = 'x-quiver-after'

/** Unless the request has a time-out of its own. */
const WAIT_MS = 5_000
const RETRY_AFTER = { retryAfterSeconds: 1 }

/** What an answer shows at least. */
export interface Shown {
  readonly position: number
  readonly stalenessMs: number
}

/** Before a read: while it goes on the log does, too. */
export function shownBy({ log }: Sharing): Shown {
  return { position: log.position, stalenessMs: Math.round(log.stalenessMs()) }
}

/** @param least what the answer of another instance showed */
export function stampPosition(sharing: Sharing, exchange: Exchange, least: number): void {
  const { request, response } = exchange
  const { position, stalenessMs } = request.state.shown ?? shownBy(sharing)
  response.header(POSITION_HEADER, Math.max(position, least))
  response.header(STALENESS_HEADER, stalenessMs)
}

interface Exchange {
  readonly request: FastifyRequest
  readonly response: FastifyReply
}

/**
 * Waits until this instance shows the state that the request wants.
 * @returns null: it does already
 * @throws DbError BEHIND when it does not in time, or shows nothing that is new enough
 */
export function reachPosition(sharing: Sharing, request: FastifyRequest): Promise<void> | null {
  const wanted = request.headers[AFTER_HEADER]
  if (wanted === undefined || wanted === '') return null
  const { log } = sharing
  const msMax = numericHeader(request, 'gsql-timeout') || WAIT_MS
  if (wanted === 'latest') {
    return withRetry(log.latest(msMax).then((end) => log.reached(end, msMax)))
  }
  const sequence = Number(wanted)
  if (!Number.isSafeInteger(sequence) || sequence < 0) {
    const text = `The header ${AFTER_HEADER} must be a position or 'latest', not '${wanted}'.`
    throw new DbError('INVALID_PARAMETER', text, { details: { contractCode: 'REST-30001' } })
  }
  return sequence <= log.position ? null : withRetry(log.reached(sequence, msMax))
}

/** @throws DbError BEHIND where what is shown here may be older than the server allows */
export function checkStaleness({ log, maxStalenessMs }: Sharing): void {
  if (maxStalenessMs === null) return
  const stalenessMs = Math.round(log.stalenessMs())
  if (stalenessMs <= maxStalenessMs) return
  const text = `What this instance shows may be ${stalenessMs} ms old, more than the ${maxStalenessMs} ms that it may be.`
  throw new DbError('BEHIND', text, { details: RETRY_AFTER })
}

async function withRetry(waited: Promise<unknown>): Promise<void> {
  try {
    await waited
  } catch (cause) {
    if (!(cause instanceof DbError) || cause.code !== 'BEHIND') throw cause
    throw new DbError('BEHIND', cause.message, { cause, details: RETRY_AFTER })
  }
}
