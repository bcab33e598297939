/**
 * A query as part of an address: its name, what was typed for its parameters, and its text where it
 * is not the installed one. Opening the link runs nothing.
 */
import { packText, unpackText } from '#lib/packed-text.ts'

const MARK = 'query'

export interface SharedQuery {
  /** Empty: a new query. */
  readonly name: string
  /** Null: the installed text. */
  readonly text: string | null
  readonly parameters: readonly (readonly [string, string])[]
}

export const packQuery = (query: SharedQuery): Promise<string> =>
  packText(MARK, JSON.stringify(query))

/** Null when the fragment holds no query. */
export async function unpackQuery(fragment: string): Promise<SharedQuery | null> {
  const packed = await unpackText(MARK, fragment)
  if (packed === null) return null
  try {
    const query: unknown = JSON.parse(packed)
    return isShared(query) ? query : null
  } catch {
    return null
  }
}

/** Anybody may have made the address. */
function isShared(value: unknown): value is SharedQuery {
  if (typeof value !== 'object' || value === null) return false
  const { name, text, parameters } = value as Partial<SharedQuery>
  return (
    typeof name === 'string' &&
    (text === null || typeof text === 'string') &&
    Array.isArray(parameters) &&
    parameters.every(
      (pair) => Array.isArray(pair) && pair.every((part) => typeof part === 'string'),
    )
  )
}
