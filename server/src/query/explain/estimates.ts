/** What plans expect: how many vertices and edges there are, and how many a condition keeps. */
import type { GraphView } from '#graph/view.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import { findAdjacency, findVertexTable } from '#query/runtime/graph/physical.ts'
import { type Comparison, type Histogram, partKept } from './histogram.ts'

export interface Pair {
  readonly fromTypeId: number
  readonly toTypeId: number
}

/** What somebody had measured, or gave; null: look at the graph, or guess. */
export interface Statistics {
  vertices(typeId: number): number | null
  edges(edgeTypeId: number, pair: Pair): number | null
  histogram(typeId: number, attributeId: number): Histogram | null
}

export const noStatistics: Statistics = {
  vertices: () => null,
  edges: () => null,
  histogram: () => null,
}

export interface Counted {
  readonly view: GraphView
  readonly statistics: Statistics
}

export function vertexCount({ view, statistics }: Counted, typeIds: readonly number[]): number {
  const countOf = (typeId: number) =>
    statistics.vertices(typeId) ?? findVertexTable(view, typeId)?.liveCount ?? 0
  return typeIds.reduce((sum, typeId) => sum + countOf(typeId), 0)
}

/** Mean number of edges that a vertex of the types has along the steps. */
export function fanOut(counted: Counted, steps: readonly BoundStep[]): number {
  const from = new Set(steps.map(({ fromTypeId }) => fromTypeId))
  const vertices = vertexCount(counted, [...from])
  const edges = steps.reduce((sum, { edgeTypeId, pair, direction, chain }) => {
    if (chain !== undefined) {
      return sum + chain.reduce((product, part) => product * fanOut(counted, [part]), vertices)
    }
    const { view, statistics } = counted
    const live = () => findAdjacency(view, edgeTypeId, pair)?.liveCount ?? 0
    const count = statistics.edges(edgeTypeId, pair) ?? live()
    return sum + (direction === 'both' ? count * 2 : count)
  }, 0)
  return vertices === 0 ? 0 : edges / vertices
}

/** Conditions are taken to be independent of each other. */
export function partKeptBy(conditions: readonly BoundExpression[], statistics: Statistics): number {
  return conditions.reduce(
    (part, condition) => part * (measuredPart(condition, statistics) ?? guess(condition)),
    1,
  )
}

function guess(node: BoundExpression): number {
  return node.kind === 'compare' && node.operator === '==' ? 0.1 : 1 / 3
}

const turned: Readonly<Record<Comparison, Comparison>> = {
  '==': '==',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

/** Of an attribute that is compared with a constant, and whose every type has a histogram. */
function measuredPart(node: BoundExpression, statistics: Statistics): number | null {
  if (node.kind !== 'compare') return null
  const isTurned = node.left.kind === 'literal'
  const [attribute, constant] = isTurned ? [node.right, node.left] : [node.left, node.right]
  if (attribute.kind !== 'attribute' || constant.kind !== 'literal') return null
  const operator = isTurned ? turned[node.operator] : node.operator
  const found = attribute.byType.map(({ typeId, attributeId }) =>
    statistics.histogram(typeId, attributeId),
  )
  const histograms = found.filter((histogram) => histogram !== null)
  if (histograms.length === 0 || histograms.length < found.length) return null
  const rows = (histogram: Histogram) =>
    histogram.reduce((sum, { rowsTotal }) => sum + rowsTotal, 0)
  const total = histograms.reduce((sum, histogram) => sum + rows(histogram), 0)
  if (total === 0) return null
  const kept = histograms.map((one) => partKept(one, operator, constant.value) * rows(one))
  return kept.reduce((sum, count) => sum + count, 0) / total
}
