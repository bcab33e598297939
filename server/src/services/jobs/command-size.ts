/** The limit of one command that is read on the event loop. */
import { DbError } from '#kernel/errors.ts'
import { SCRIPT_COMMAND_SIZE_CHARS_MAX } from '#kernel/limits.ts'

/** @param texts of one request @throws DbError BODY_TOO_LARGE */
export function checkCommandSize(texts: readonly string[]): void {
  const sizeChars = texts.reduce((sum, text) => sum + text.length, 0)
  if (sizeChars <= SCRIPT_COMMAND_SIZE_CHARS_MAX) return
  const limit = `${SCRIPT_COMMAND_SIZE_CHARS_MAX} characters`
  throw new DbError('BODY_TOO_LARGE', `The GSQL text is longer than ${limit}.`)
}
