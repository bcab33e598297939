/** What EXPLAIN says of `vectorSearch`: which attributes it searches, and whether by an index. */
import { askedWidth } from '#graph/vectors/index-cost.ts'
import type { GraphView } from '#graph/view.ts'
import type { BoundVectorSearch, BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import { findVertexTable } from '#query/runtime/graph/physical.ts'

export interface VectorSearchStep {
  /** `Doc.emb`. */
  readonly attribute: string
  /**
   * `index`: an HNSW graph proposes candidates. `building`: there will be one, and until then every
   * vector is looked at. `scan`: every vector of the candidates is looked at, which is faster or all
   * that there is.
   */
  readonly method: 'index' | 'building' | 'scan'
  /** Vertices among which it searches. */
  readonly candidates: number
  /** Candidates that the index is asked for; null: none is. */
  readonly width: number | null
}

/** The indexes of vectors as a plan needs them. */
export interface PlanVectors {
  /** Numbers in the vectors of a search from which on an index is asked. */
  readonly fromNumbers: number
  /** The name of the attribute, and whether it has an index that is ready, or will have one. */
  of(
    typeId: number,
    attributeId: number,
  ): { readonly name: string; readonly isReady: boolean | null }
}

interface Context {
  readonly view: GraphView
  readonly vectors: PlanVectors
  /** Expected members. */
  sizeOf(set: BoundVertexSetExpression): number
}

export function vectorSearchSteps(
  set: BoundVertexSetExpression,
  context: Context,
): readonly VectorSearchStep[] {
  switch (set.kind) {
    case 'union':
    case 'intersect':
    case 'minus':
      return [...vectorSearchSteps(set.left, context), ...vectorSearchSteps(set.right, context)]
    case 'vectorSearch':
      return set.attributes.map((place) => searchStep(set, place, context))
    default:
      return []
  }
}

/** As many as usual where a parameter says it. */
const NEAREST_USUAL = 10

function searchStep(
  search: BoundVectorSearch,
  { typeId, attributeId }: BoundVectorSearch['attributes'][number],
  { view, vectors, sizeOf }: Context,
): VectorSearchStep {
  const liveCount = findVertexTable(view, typeId)?.liveCount ?? 0
  const { candidates, dimension } = search
  const count = candidates === null ? liveCount : Math.min(liveCount, sizeOf(candidates))
  const nearest = Math.min(numberIn(search.count) ?? NEAREST_USUAL, count)
  const width = search.width === null ? null : numberIn(search.width)
  const { name, isReady } = vectors.of(typeId, attributeId)
  const isMany = count * dimension >= vectors.fromNumbers
  const asked = isMany ? askedWidth({ count, dimension, liveCount, nearest, width }) : null
  const method = asked === null || isReady === null ? 'scan' : isReady ? 'index' : 'building'
  return { attribute: name, method, candidates: count, width: method === 'index' ? asked : null }
}

function numberIn(node: BoundVectorSearch['count']): number | null {
  return node.kind === 'literal' ? Number(node.value) : null
}
