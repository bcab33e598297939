/** How a listing of vertices finds what its filter asks: by which index, or by a look at every row. */
import type { VertexType } from '#catalog/types.ts'
import type { VertexTableView } from '#graph/view.ts'
import {
  chooseIndex,
  countRead,
  type IndexChoice,
  type IndexEngine,
  isServable,
} from '../indexes/index-lookup.ts'
import type { IndexUsage } from '../indexes/index-usage.ts'
import type { Condition } from '../read/filter.ts'
import { vertexSearch } from './vertex-find.ts'

export interface BrowseIndexes {
  readonly engine: IndexEngine
  readonly usage: IndexUsage
}

export interface SearchPlan {
  readonly index: string | null
  /** At most so many rows are looked at. */
  readonly rows: number
  /** Attributes of the filter that an index would help with. */
  readonly unindexed: string[]
  /** Indexes that would help and are not ready: they are being built, or a large batch is applied. */
  readonly pending: string[]
}

interface PlannedSearch {
  readonly filter: string
  readonly engine: IndexEngine | null
}

/** @throws DbError ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER */
export function searchPlan(
  type: VertexType,
  table: VertexTableView,
  { filter, engine }: PlannedSearch,
): SearchPlan {
  const { conditions } = vertexSearch(type, table, { filter })
  const choice = engine === null ? null : chooseIndex(engine, type.id, conditions)
  if (choice !== null) {
    const index = indexName(type, choice.attributeId)
    return { index, rows: choice.rows.length, unindexed: [], pending: [] }
  }
  const servable = new Set(conditions.filter(isServable).map(({ attribute }) => attribute))
  const pending = [...servable].flatMap(({ attributeId }) => indexName(type, attributeId) ?? [])
  const unindexed = [...servable]
    .filter(({ attributeId }) => indexName(type, attributeId) === null)
    .map(({ name }) => name)
  return { index: null, rows: table.liveCount, unindexed, pending }
}

interface PageOfRead {
  readonly indexes: BrowseIndexes | null
  readonly cursor?: string | undefined
}

/** The first page counts as the read; the next ones belong to it. */
export function readByIndex(
  typeId: number,
  conditions: readonly Condition[],
  { indexes, cursor }: PageOfRead,
): IndexChoice | null {
  if (indexes === null || conditions.length === 0) return null
  const choice = chooseIndex(indexes.engine, typeId, conditions)
  if (cursor === undefined) countRead(indexes.usage, { typeId, conditions, choice })
  return choice
}

export const indexName = (type: VertexType, attributeId: number): string | null =>
  type.indexes.find((index) => index.attributeId === attributeId)?.name ?? null
