/** All neighbours of one kind as a file, read page by page; only the text is kept. */
import { PAGE_LIMIT_MAX } from '#contract/quiver-data.ts'
import type { ExpandRequest } from '../model/expansion.ts'
import { type CsvColumns, columnsOf, headOf, linesOf, rowsOf } from '../model/neighbour-csv.ts'
import type { DegreeRow, VertexKey } from '../model/scene.ts'
import { fetchNeighbours } from './explorer.ts'

export interface CsvRequest {
  readonly graph: string
  readonly vertex: VertexKey
  readonly row: DegreeRow
  readonly filter: string
  readonly sort: string
  readonly signal: AbortSignal
  readonly onRows: (count: number) => void
}

export interface CsvFile {
  readonly blob: Blob
  readonly rowCount: number
}

/** @throws what the server answers, or an AbortError once the signal says so */
export async function neighbourCsv(request: CsvRequest): Promise<CsvFile> {
  const { graph, vertex, row, filter, sort, signal, onRows } = request
  const parts: string[] = []
  let columns: CsvColumns | null = null
  let rowCount = 0
  let cursor: string | null = null
  do {
    const wanted: ExpandRequest = { vertex, row, limit: PAGE_LIMIT_MAX, cursor }
    const page = await fetchNeighbours(graph, wanted, { filter, sort, signal })
    signal.throwIfAborted()
    const lines = linesOf(vertex, page)
    if (columns === null) {
      columns = columnsOf(lines)
      parts.push(headOf(columns, row.edgeType, row.targetType))
    }
    parts.push(rowsOf(lines, columns))
    rowCount += lines.length
    cursor = page.nextCursor
    onRows(rowCount)
  } while (cursor !== null)
  return { blob: new Blob(parts, { type: 'text/csv' }), rowCount }
}
