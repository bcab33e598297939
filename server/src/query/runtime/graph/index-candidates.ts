/** What an index proposes, in the version of the graph that a run reads. */

import type { VectorType } from '#catalog/types.ts'
import { vectorStart } from '#graph/columns/read.ts'
import { hasVector } from '#graph/columns/vectors.ts'
import { ordinalOf, rowAtOrdinal } from '#graph/ids/read.ts'
import type { VectorCandidates } from '#graph/vectors/vector-indexes.ts'
import type { ColumnView, VertexTableView } from '#graph/view.ts'

export interface CandidateRow {
  readonly row: number
  /** Where its vector begins in the column. */
  readonly start: number
}

interface Searched {
  readonly table: VertexTableView
  readonly column: ColumnView
  /** One bit per row: whom the search may find. */
  readonly rows: Uint32Array
}

/** The rows that exist, may be found and have a vector, each once. */
export function indexedRows(
  { found, unsure }: VectorCandidates,
  { table, column, rows }: Searched,
): readonly CandidateRow[] {
  const { dimension } = column.type as VectorType
  const data = column.data as Float32Array
  const candidates: CandidateRow[] = []
  for (const ordinal of new Set([...unsure, ...found])) {
    const row = rowAtOrdinal(table, ordinal)
    if (row >= table.rowCount || ordinalOf(table, row) !== ordinal) continue
    if (((rows[row >>> 5]! >>> (row & 31)) & 1) === 0) continue
    const start = vectorStart(column, row)
    if (hasVector(data, start, dimension)) candidates.push({ row, start })
  }
  return candidates
}
