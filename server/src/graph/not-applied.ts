import { DbError, isDbError } from '#kernel/errors.ts'

/** Reading the graph again takes about as long as a start. */
const RETRY_AFTER_SECONDS = 5

/**
 * A durable entry was not applied: memory may hold a part of it, so nothing is read or written
 * until the graph has been read from the store again.
 */
export function notApplied(cause: unknown): DbError {
  const message = `A log entry could not be applied. The graph is being read again from the store; try again shortly. Nothing that was acknowledged is lost. The cause: ${reasonOf(cause)}`
  return new DbError('UNAVAILABLE', message, {
    cause,
    details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
  })
}

/** The graph could not be read again either. */
export function notReloaded(cause: unknown): DbError {
  if (isDbError(cause, 'OUTCOME_UNKNOWN')) return cause
  const message = `A log entry could not be applied, and the graph could not be read again; restart. Nothing that was acknowledged is lost. The cause: ${reasonOf(cause)}`
  return new DbError('UNAVAILABLE', message, { cause })
}

/** A durable entry was not applied by a server that shares its store: it starts again, others go on. */
export function notAppliedShared(cause: unknown): DbError {
  const message = `A log entry could not be applied, and this server starts again; whether the write counts is told by the next one. The cause: ${reasonOf(cause)}`
  return new DbError('OUTCOME_UNKNOWN', message, { cause })
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
