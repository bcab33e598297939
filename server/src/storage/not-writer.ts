import { DbError, isDbError } from '#kernel/errors.ts'

/** Of a write to a shared store by who is not its writer: nothing of it was carried out. */
export function notWriter(): DbError {
  return new DbError('NOT_WRITER', 'Another server writes to the shared store.', {
    details: { retryAfterSeconds: 1 },
  })
}

export function isNotWriter(error: unknown): boolean {
  return isDbError(error, 'NOT_WRITER')
}
