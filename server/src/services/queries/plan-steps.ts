/** The plan of a query as data, with the names of what it uses. */
import type { Catalog } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'
import type { VectorIndexStatus } from '#graph/vectors/vector-indexes.ts'
import type { GraphView } from '#graph/view.ts'
import type { BoundQuery } from '#query/bind/bound.ts'
import type { Statistics } from '#query/exec/estimates.ts'
import { explainQuery, type PlanStep } from '#query/exec/explain.ts'
import type { PlanVectors } from '#query/exec/explain-vectors.ts'

/** The indexes of vectors; see `VectorIndexes`. */
export interface KnownVectorIndexes {
  readonly fromNumbers: number
  status(): readonly VectorIndexStatus[]
}

interface PlanContext {
  readonly catalog: Catalog
  readonly view: GraphView
  /** Null: every vector is always looked at. */
  readonly vectors: KnownVectorIndexes | null
  /** What estimates go by; undefined: counts alone. */
  readonly statistics: Statistics | undefined
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
  return explainQuery(query, view, indexes, statistics)
}

function planVectors(catalog: Catalog, vectors: KnownVectorIndexes | null): PlanVectors {
  let status: readonly VectorIndexStatus[] | null = null
  return {
    fromNumbers: vectors?.fromNumbers ?? Number.POSITIVE_INFINITY,
    of: (typeId, attributeId) => {
      status ??= vectors?.status() ?? []
      const type = catalog.vertexTypes.find(({ id }) => id === typeId)
      const attribute = type && vectorsOf(type).find(({ id }) => id === attributeId)
      const isPlace = (one: VectorIndexStatus) =>
        one.typeId === typeId && one.attributeId === attributeId
      return {
        name: `${type?.name ?? typeId}.${attribute?.name ?? attributeId}`,
        isReady: status.find(isPlace)?.isReady ?? null,
      }
    },
  }
}
