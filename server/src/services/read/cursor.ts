/** Cursors of our own listings: opaque to clients, a small JSON array as base64url inside. */
import { DbError } from '#kernel/errors.ts'

export function encodeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/**
 * @param head what the cursor must begin with: the listing it belongs to
 * @returns the parts behind the head. @throws DbError INVALID_PARAMETER for any other cursor
 */
export function decodeCursor(
  cursor: string,
  head: readonly (string | number)[],
): readonly (string | number)[] {
  const parts = partsOf(cursor)
  const fits = parts !== null && head.every((part, index) => parts[index] === part)
  if (!fits) throw foreignCursor()
  return parts.slice(head.length)
}

export function foreignCursor(): DbError {
  return new DbError('INVALID_PARAMETER', 'The cursor does not belong to this listing.')
}

function partsOf(cursor: string): (string | number)[] | null {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    const isList = Array.isArray(parts)
    const isPlain = (part: unknown) => typeof part === 'string' || Number.isSafeInteger(part)
    return isList && parts.every(isPlain) ? parts : null
  } catch {
    return null
  }
}
