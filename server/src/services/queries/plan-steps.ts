/** The plan of a query as data, with the names of what it uses. */
import type { Catalog } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'
import type { VectorIndexStatus } from '#graph/vectors/vector-indexes.ts'
import type { GraphView } from '#graph/view.ts'
import { explainQuery, type PlanStep } from '#query/explain/explain.ts'
import type { PlanVectors } from '#query/explain/explain-vectors.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import { type KeptStatistics, statisticsOf } from './statistics-documents.ts'

/** The indexes of vectors; see `VectorIndexes`. */
export interface KnownVectorIndexes {
  readonly fromNumbers: number
  status(): readonly VectorIndexStatus[]
}

/** The indexes of vectors as they are at one moment. */
export interface VectorIndexState {
  readonly fromNumbers: number
  readonly status: readonly VectorIndexStatus[]
}

/** Plain data: a plan may be explained on another thread. */
export interface PlanContext {
  readonly catalog: Catalog
  readonly view: GraphView
  /** Null: there are none. */
  readonly vectors: VectorIndexState | null
  /** Null: estimates go by live counts alone. */
  readonly statistics: KeptStatistics | null
}

export function planSteps(
  query: BoundQuery,
  { catalog, view, vectors, statistics }: PlanContext,
): readonly PlanStep[] {
  const typeOf = (typeId: number) => catalog.vertexTypes.find(({ id }) => id === typeId)
  const indexes = {
    indexOn: (typeId: number, attributeId: number) =>
      typeOf(typeId)?.indexes.find((index) => index.attributeId === attributeId)?.name ?? null,
    vectors: planVectors(catalog, vectors),
  }
  return explainQuery(
    query,
    view,
    indexes,
    statistics === null ? undefined : statisticsOf(statistics),
  )
}

function planVectors(catalog: Catalog, vectors: VectorIndexState | null): PlanVectors {
  return {
    fromNumbers: vectors?.fromNumbers ?? Number.POSITIVE_INFINITY,
    of: (typeId, attributeId) => {
      const type = catalog.vertexTypes.find(({ id }) => id === typeId)
      const attribute = type && vectorsOf(type).find(({ id }) => id === attributeId)
      const isPlace = (one: VectorIndexStatus) =>
        one.typeId === typeId && one.attributeId === attributeId
      return {
        name: `${type?.name ?? typeId}.${attribute?.name ?? attributeId}`,
        isReady: vectors?.status.find(isPlace)?.isReady ?? null,
      }
    },
  }
}
