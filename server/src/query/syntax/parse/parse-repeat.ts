/** Repetition bounds of both pattern styles; `max` null means without end. */
import type { Cursor } from '../cursor.ts'

export interface Bounds {
  readonly min: number
  readonly max: number | null
}

/**
 * After `*`: nothing, `n`, `m..n`, `..n`, `m..`. Without a lower bound a walk may be empty in GSQL; in
 * openCypher it has at least one edge (docs/decisions/0105).
 */
export function parseBounds(cursor: Cursor): Bounds {
  const least = cursor.cypher ? 1 : 0
  const min = cursor.atKind('int') ? Number(cursor.advance().text) : null
  if (!cursor.acceptSymbol('..')) return { min: min ?? least, max: min }
  const max = cursor.atKind('int') ? Number(cursor.advance().text) : null
  // openCypher 9 has `*..`, too.
  if (min === null && max === null && !cursor.cypher) cursor.fail()
  return { min: min ?? least, max }
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
