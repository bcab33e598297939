/** Which rows of a vertex table a `filter`, `sort` and `limit` leave, found in slices. */
import type { VertexType } from '#catalog/types.ts'
import { lowerBound } from '#graph/adjacency/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { VertexTableView } from '#graph/view.ts'
import { type ReadableType, readableVertexType } from '../read/attributes.ts'
import {
  bindFilter,
  type Condition,
  parseFilter,
  predicateOf,
  type RowPredicate,
} from '../read/filter.ts'
import { limitOf, type ReadOptions } from '../read/read-options.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from '../read/read-scope.ts'
import { RowList } from '../read/row-list.ts'
import { parseSort, type RowOrder, rowOrder, sortInSlices } from '../read/sort.ts'

/** A vertex type's filter and sort, resolved against the present table. */
export interface VertexSearch {
  readonly table: VertexTableView
  readonly readable: ReadableType
  readonly conditions: readonly Condition[]
  readonly predicate: RowPredicate | null
  readonly order: RowOrder | null
  readonly limit: number
}

/** Rows that can hold what the conditions ask, ascending, from an index; null: look at all. */
export type IndexLookup = (
  table: VertexTableView,
  conditions: readonly Condition[],
) => Uint32Array | null

/** @throws DbError ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER */
export function vertexSearch(
  type: VertexType,
  table: VertexTableView,
  options: ReadOptions,
): VertexSearch {
  const readable = readableVertexType(type, table)
  const conditions = bindFilter(parseFilter(options.filter), readable)
  const keys = parseSort(options.sort)
  return {
    table,
    readable,
    conditions,
    predicate: predicateOf(conditions, table.ids),
    order: keys.length === 0 ? null : rowOrder(keys, readable, table.ids),
    limit: limitOf(options),
  }
}

/** The rows in their order, at most `limit`. */
export function findRows(
  search: VertexSearch,
  scope: ReadScope,
  lookUp: IndexLookup | null,
): Sliced<Uint32Array> {
  const isFiltered = search.conditions.length > 0
  const candidates = isFiltered ? (lookUp?.(search.table, search.conditions) ?? null) : null
  return findRowsOf(search, scope, { candidates, first: 0 })
}

export interface SearchedRows {
  /** Ascending; null: all rows. */
  readonly candidates: Uint32Array | null
  /** Rows before it are left out. */
  readonly first: number
}

/** As `findRows`, over given rows. */
export function* findRowsOf(
  search: VertexSearch,
  scope: ReadScope,
  searched: SearchedRows,
): Sliced<Uint32Array> {
  const { order, limit } = search
  const enough = order === null ? limit : Number.POSITIVE_INFINITY
  const found = new RowList()
  const visit = (row: number): boolean => {
    found.push(row)
    return found.length < enough
  }
  if (enough > 0) yield* walkRows(search, scope, searched, visit)
  if (order === null) return found.rows
  yield* sortInSlices(found.rows, order, scope)
  return found.rows.subarray(0, limit)
}

/** Visits the rows that pass, ascending, until the visitor has enough. */
export function* walkRows(
  search: VertexSearch,
  scope: ReadScope,
  { candidates, first }: SearchedRows,
  visit: (row: number) => boolean,
): Sliced<void> {
  const count = candidates?.length ?? search.table.rowCount
  const start = candidates === null ? first : lowerBound(candidates, 0, count, first)
  for (let index = start; index < count; index++) {
    if ((index & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
    const row = candidates === null ? index : candidates[index]!
    if (passes(search, row) && !visit(row)) return
  }
}

export function* countRows(
  search: VertexSearch,
  scope: ReadScope,
  lookUp: IndexLookup | null,
): Sliced<number> {
  if (search.predicate === null) return Math.min(search.table.liveCount, search.limit)
  const rows = yield* findRows({ ...search, order: null }, scope, lookUp)
  return rows.length
}

function passes({ table, predicate }: VertexSearch, row: number): boolean {
  if (row >= table.rowCount || isSet(table.deleted, row)) return false
  return predicate === null || predicate(row)
}
