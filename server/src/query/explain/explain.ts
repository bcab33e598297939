/**
 * EXPLAIN: the plan of a query as data: its statements in the order of the generated code, and for
 * every SELECT where it starts, how each hop is walked, and how much that is expected to be.
 *
 * Estimates (`estimates.ts`): the counts of vertices and edges, live or as statistics say; a condition
 * keeps what a histogram tells, or else a tenth (equality) or a third of the rows; a hop multiplies
 * them by the mean degree of its types.
 */
import type { GraphView } from '#graph/view.ts'
import { generateQuery } from '#query/generate/statements/query.ts'
import { NeedsWideIntegers } from '#query/generate/text/unit.ts'
import type { BoundQuery, BoundStatement } from '#query/ir/bound.ts'
import type { BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import type { BoundSelect } from '#query/ir/bound-select.ts'
import {
  speaksOfEdgesOnly,
  wantsEndsOfRepeat,
  wantsTargetsOnly,
} from '#query/plan/parallel/one-hop-shapes.ts'
import {
  isParallelPostAccum,
  type ParallelShape,
  parallelShape,
} from '#query/plan/parallel/parallel-shape.ts'
import { deadResults } from '#query/plan/rewrites/drop-dead-results.ts'
import { indexedStart } from '#query/plan/rewrites/index-start.ts'
import { planSelect, type SelectPlan, type Walk } from '#query/plan/select/select-plan.ts'
import { findVertexTable } from '#query/runtime/graph/physical.ts'
import { withVirtualEdges } from '#query/runtime/graph/virtual-edges.ts'
import { fanOut, noStatistics, partKeptBy, type Statistics, vertexCount } from './estimates.ts'
import { type PlanVectors, type VectorSearchStep, vectorSearchSteps } from './explain-vectors.ts'

export interface PlanStep {
  /** Names the step in a profile. */
  readonly id: number
  readonly line: number
  /** Nesting in loops and branches, from 0. */
  readonly depth: number
  /** `SELECT`, `PRINT`, `WHILE`, … */
  readonly statement: string
  /** Vertex set that is assigned; null: none. */
  readonly result: string | null
  readonly select: SelectStep | null
  /** A step for each attribute that a vectorSearch of the statement looks at. */
  readonly vectorSearches: readonly VectorSearchStep[]
}

export interface SelectStep {
  readonly start: StartStep
  readonly hops: readonly HopStep[]
  readonly accum: boolean
  readonly postAccum: number
  readonly sorted: boolean
  /** What several threads may do at the same time, when there are many rows. */
  readonly parallel: readonly ParallelLoop[]
  readonly estimatedRows: number
}

/**
 * `sources`: the rows, divided by where they start. `targets`: each target gathers what the hop
 * brings it. `vertices`: POST-ACCUM.
 */
export type ParallelLoop = ParallelShape | 'vertices'

export interface StartStep {
  readonly alias: string
  readonly types: readonly string[]
  /** Where its vertices come from: `all`, a set's name, or `expression`. */
  readonly source: string
  readonly conditions: number
  /** Names of the secondary indexes that propose its rows, instead of a scan. */
  readonly indexes: readonly string[]
  /** Vertices that are looked at: what the conditions are asked of. */
  readonly estimatedScan: number
  readonly estimatedRows: number
}

/**
 * `push`: from each vertex along its edges. `push or pull`: the targets look for a source when the
 * set is large. `edge scan`: one sweep over the edges when every vertex is a source. `search`:
 * breadth first, from each source or (`search from all`) from all at once.
 */
export type HopMethod = 'push' | 'push or pull' | 'edge scan' | 'search' | 'search from all'

export interface HopStep {
  readonly from: string
  readonly to: string
  readonly toTypes: readonly string[]
  readonly edges: readonly { readonly type: string; readonly direction: string }[]
  readonly method: HopMethod
  /** The other end is known: the hop only tests. */
  readonly joins: boolean
  /** Walked against the way it is written. */
  readonly backwards: boolean
  readonly repeat: { readonly min: number; readonly max: number | null } | null
  readonly conditions: number
  readonly estimatedEdges: number
  readonly estimatedRows: number
}

/** The name of the index on an attribute of a vertex type; null: there is none. */
export type IndexNames = (typeId: number, attributeId: number) => string | null

export interface PlanIndexes {
  readonly indexOn: IndexNames
  readonly vectors: PlanVectors
}

export function explainQuery(
  bound: BoundQuery,
  view: GraphView,
  { indexOn, vectors }: PlanIndexes,
  statistics: Statistics = noStatistics,
): readonly PlanStep[] {
  const { query, statements } = generated(bound, view)
  const sizes = new Map<number, number>()
  const context = { view, sizes, dead: deadResults(query.body), indexOn, statistics }
  return statements.map(({ statement, depth }, id) => {
    const select = statement.kind === 'select' ? describe(query, statement, context) : null
    const slot = resultSlot(statement)
    const sizeOf = (set: BoundVertexSetExpression) => setSize(set, context)
    const vectorSearches =
      statement.kind === 'assignVertexSet'
        ? vectorSearchSteps(statement.value, { view, vectors, sizeOf })
        : []
    if (slot !== null) sizes.set(slot, resultSize(statement, select, context))
    return {
      id,
      line: statement.place.line,
      depth,
      statement: names[statement.kind] ?? statement.kind.toUpperCase(),
      result: slot === null ? null : query.vertexSets[slot]!.name,
      select,
      vectorSearches,
    }
  })
}

const names: Readonly<Partial<Record<BoundStatement['kind'], string>>> = {
  declareAccum: 'DECLARE',
  declareVirtual: 'DECLARE',
  setVariable: 'SET',
  updateAccum: 'ACCUMULATE',
  mutate: 'ACCUMULATE',
  assignVertexSet: 'ASSIGN',
}

function generated(bound: BoundQuery, graph: GraphView) {
  const view = withVirtualEdges(graph, bound)
  try {
    return generateQuery(bound, view, false)
  } catch (error) {
    if (!(error instanceof NeedsWideIntegers)) throw error
    return generateQuery(bound, view, true)
  }
}

interface Sizes {
  readonly view: GraphView
  /** Expected members of the vertex set variables assigned so far. */
  readonly sizes: ReadonlyMap<number, number>
  /** SELECTs whose set nobody reads. */
  readonly dead: ReadonlySet<BoundSelect>
  readonly indexOn: IndexNames
  readonly statistics: Statistics
}

function resultSlot(statement: BoundStatement): number | null {
  if (statement.kind === 'select') return statement.resultSlot
  return statement.kind === 'assignVertexSet' ? statement.slot : null
}

function resultSize(statement: BoundStatement, select: SelectStep | null, context: Sizes): number {
  if (statement.kind === 'assignVertexSet') return setSize(statement.value, context)
  if (statement.kind !== 'select' || select === null) return 0
  const { typeIds } = statement.positions[statement.resultPosition]!
  return Math.min(select.estimatedRows, vertexCount(context, typeIds))
}

function setSize(set: BoundVertexSetExpression, context: Sizes): number {
  switch (set.kind) {
    case 'allOfTypes':
      return vertexCount(context, set.typeIds)
    case 'variable':
      return context.sizes.get(set.slot) ?? 1
    case 'vertices':
      return set.value.type.kind === 'VERTEX' ? 1 : 10
    case 'vectorSearch':
      return set.count.kind === 'literal' ? Number(set.count.value) : 10
    case 'union':
      return setSize(set.left, context) + setSize(set.right, context)
    case 'intersect':
      return Math.min(setSize(set.left, context), setSize(set.right, context))
    default:
      return setSize((set as { readonly left: BoundVertexSetExpression }).left, context)
  }
}

function describe(query: BoundQuery, select: BoundSelect, context: Sizes): SelectStep {
  const plan = planSelect(select)
  const start = describeStart(query, plan, context)
  let rows = start.estimatedRows
  const hops = plan.walks.map((walk, index) => {
    const hop = describeHop(plan, { walk, index, rows }, context)
    rows = hop.estimatedRows
    return hop
  })
  return {
    start,
    hops,
    accum: select.accum !== null,
    postAccum: select.postAccum.length,
    sorted: select.orderBy.length > 0,
    parallel: parallelLoops(query, select, context),
    estimatedRows: rows,
  }
}

function parallelLoops(
  query: BoundQuery,
  select: BoundSelect,
  { dead }: Sizes,
): readonly ParallelLoop[] {
  const wanted = dead.has(select) ? { ...select, resultSlot: null } : select
  const shape = parallelShape(planSelect(wanted), query)
  const isDivided = select.postAccum.some((clause) => isParallelPostAccum(clause, query))
  return [...(shape === null ? [] : [shape]), ...(isDivided ? (['vertices'] as const) : [])]
}

function describeStart(query: BoundQuery, plan: SelectPlan, context: Sizes): StartStep {
  const { alias, typeIds, within } = plan.select.positions[plan.start]!
  const conditions = plan.filters[0]!
  const size = within === null ? vertexCount(context, typeIds) : setSize(within, context)
  const indexes = indexesOf(query, plan, context)
  const estimatedRows = Math.round(size * partKeptBy(conditions, context.statistics))
  return {
    alias,
    types: typeNames(context.view, typeIds),
    source: sourceName(query, within),
    conditions: conditions.length,
    indexes,
    // What an index proposes is nearly what is kept.
    estimatedScan: indexes.length > 0 ? estimatedRows : Math.round(size),
    estimatedRows,
  }
}

function indexesOf(query: BoundQuery, plan: SelectPlan, { indexOn }: Sizes): string[] {
  const names = plan.select.positions[plan.start]!.typeIds.flatMap((typeId) =>
    indexedStart(plan, query, typeId).map(({ attributeId }) => indexOn(typeId, attributeId)),
  )
  return [...new Set(names)].filter((name) => name !== null)
}

function sourceName(query: BoundQuery, within: BoundVertexSetExpression | null): string {
  if (within === null) return 'all'
  return within.kind === 'variable' ? query.vertexSets[within.slot]!.name : 'expression'
}

function typeNames(view: GraphView, typeIds: readonly number[]): string[] {
  return typeIds.map((typeId) => findVertexTable(view, typeId)?.typeName ?? String(typeId))
}

interface HopPlace {
  readonly walk: Walk
  readonly index: number
  /** Expected rows before the hop. */
  readonly rows: number
}

function describeHop(plan: SelectPlan, { walk, index, rows }: HopPlace, context: Sizes): HopStep {
  const { positions } = plan.select
  const conditions = plan.filters[index + 1]!
  const target = positions[walk.to]!
  const edges = rows * fanOut(context, walk.steps) ** walkLength(walk)
  const kept = edges * partKeptBy(conditions, context.statistics) * (walk.joins ? 0.1 : 1)
  return {
    from: positions[walk.from]!.alias,
    to: target.alias,
    toTypes: typeNames(context.view, target.typeIds),
    edges: walk.steps
      .flatMap((step) => step.chain ?? [step])
      .map(({ typeName, direction }) => ({ type: typeName, direction })),
    method: methodOf(plan, walk),
    joins: walk.joins,
    backwards: walk.turned,
    repeat: walk.repeat,
    conditions: conditions.length,
    estimatedEdges: Math.round(edges),
    estimatedRows: Math.round(kept),
  }
}

/** Edges of a repetition, for the estimate: as many as it has to take, a few when it may go on. */
function walkLength({ repeat }: Walk): number {
  return repeat === null ? 1 : Math.max(1, Math.min(repeat.max ?? 3, 3))
}

function methodOf(plan: SelectPlan, { repeat }: Walk): HopMethod {
  if (repeat !== null) return wantsEndsOfRepeat(plan) ? 'search from all' : 'search'
  if (wantsTargetsOnly(plan)) return 'push or pull'
  return speaksOfEdgesOnly(plan) ? 'edge scan' : 'push'
}
