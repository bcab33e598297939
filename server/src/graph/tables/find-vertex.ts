/** Vertices by their ids as somebody wrote them. */
import { storedKey } from '#catalog/key-parts.ts'
import type { VertexTableView } from '#graph/view.ts'
import { findRow } from '../ids/read.ts'

/**
 * As `findRow`; a composite id is found however its parts are written. The text as it stands comes first:
 * before docs/decisions/0152 ids were stored as they came.
 */
export function findVertex(table: VertexTableView, text: string): number {
  const row = findRow(table, text)
  if (row >= 0 || table.keyKinds === null) return row
  const stored = storedKey(text, table.keyKinds)
  return stored === null || stored === text ? row : findRow(table, stored)
}
