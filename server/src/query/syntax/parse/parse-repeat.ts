/** Repetition bounds of both pattern styles; `max` null means without end. */
import type { Cursor } from '../cursor.ts'

export interface Bounds {
  readonly min: number
  readonly max: number | null
}

/** After `*`: nothing, `n`, `m..n`, `..n`, `m..`. */
export function parseBounds(cursor: Cursor): Bounds {
  const min = cursor.atKind('int') ? Number(cursor.advance().text) : null
  if (!cursor.acceptSymbol('..')) return min === null ? { min: 0, max: null } : { min, max: min }
  const max = cursor.atKind('int') ? Number(cursor.advance().text) : null
  if (min === null && max === null) cursor.fail()
  return { min: min ?? 0, max }
}

/** After a V3 arrow: `*`, `+`, `{n}`, `{m,}`, `{m,n}`; null: none. */
export function parseQuantifier(cursor: Cursor): Bounds | null {
  if (cursor.acceptSymbol('*')) return { min: 0, max: null }
  if (cursor.acceptSymbol('+')) return { min: 1, max: null }
  if (!cursor.acceptSymbol('{')) return null
  const min = Number(cursor.expectKind('int').text)
  let max: number | null = min
  if (cursor.acceptSymbol(',')) {
    max = cursor.atKind('int') ? Number(cursor.advance().text) : null
  }
  cursor.expectSymbol('}')
  return { min, max }
}
