import { DbError } from '#kernel/errors.ts'

/** Memory may hold a part of a durable entry, so nothing is read or written until a restart. */
export function notApplied(cause: unknown): DbError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `A log entry could not be applied; restart. Nothing that was acknowledged is lost. The cause: ${reason}`
  return new DbError('UNAVAILABLE', message, { cause })
}
