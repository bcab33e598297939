/** Failures of runs, as the pool tells them and as answers carry them. */
import { DbError, isDbError } from '#kernel/errors.ts'

/** The schema has changed since the query was bound; it has not begun. */
export const staleBinding = new DbError('UNAVAILABLE', 'The schema changed before the query began.')

/** The engine's runtime errors name the contract's code under `code`; HTTP reads `contractCode`. */
export async function translated<T>(run: Promise<T>): Promise<T> {
  try {
    return await run
  } catch (error) {
    if (!isDbError(error)) throw error
    const { code } = error.details
    if (typeof code !== 'string' || error.details['contractCode'] !== undefined) throw error
    const details = { ...error.details, contractCode: code }
    throw new DbError(error.code, error.message, { details, cause: error })
  }
}
