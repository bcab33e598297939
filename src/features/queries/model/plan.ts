/** What the picture of a plan says: steps beside their cost, and the words for how they go. */
import type { z } from 'zod'
import type { explanation } from '#contract/query-plans.ts'
import { formatCount } from '#lib/format.ts'

export type Explanation = z.output<typeof explanation>
export type PlanStep = Explanation['steps'][number]
export type SelectPlan = NonNullable<PlanStep['select']>
export type Hop = SelectPlan['hops'][number]
type VectorSearch = PlanStep['vectorSearches'][number]

export interface StepCost {
  readonly executions: number
  readonly timeMs: number
  readonly rows: number
  readonly edges: number
  readonly threads: number
  /** Rows left after the conditions of the start, and of each hop. */
  readonly kept: readonly number[]
  /** Part of the time of all steps, 0 to 1. */
  readonly timeShare: number
}

export interface PlanRow {
  readonly step: PlanStep
  /** Null: the plan was not run, or its run never came here. */
  readonly cost: StepCost | null
  /** Edges that the plan expects all executions to read; null: it reads none. */
  readonly expectedEdges: number | null
  /** Likewise of the vertices that its SELECT starts from; null: it is none. */
  readonly expectedRows: number | null
}

export function planRows({ steps, run }: Explanation): readonly PlanRow[] {
  const total = run?.statements.reduce((sum, { timeMs }) => sum + timeMs, 0) ?? 0
  const costs = new Map(run?.statements.map((cost) => [cost.id, cost]))
  return steps.map((step) => {
    const cost = costs.get(step.id)
    const { start, hops = [] } = step.select ?? {}
    const executions = cost?.executions ?? 1
    const edges = hops.reduce((sum, { estimatedEdges }) => sum + estimatedEdges, 0)
    return {
      step,
      cost:
        cost === undefined ? null : { ...cost, timeShare: total === 0 ? 0 : cost.timeMs / total },
      expectedEdges: hops.length === 0 ? null : edges * executions,
      expectedRows: start === undefined ? null : start.estimatedScan * executions,
    }
  })
}

const declaring = new Set(['DECLARE', 'SET'])

/** How many rows at the beginning only declare; one alone is not worth folding. */
export function declarationCount(rows: readonly PlanRow[]): number {
  const first = rows.findIndex(({ step }) => !declaring.has(step.statement))
  const count = first === -1 ? rows.length : first
  return count > 1 ? count : 0
}

/** Beyond this factor an estimate has misled whoever trusted it. */
const MISJUDGED_FACTOR = 10
/** A few edges more or less decide nothing. */
const MISJUDGED_EDGES_MIN = 1_000

/** How far the edges of a step were from what was expected; null: near enough, or not run. */
export function misjudged({ cost, expectedEdges }: PlanRow): 'more' | 'fewer' | null {
  if (cost === null || cost.executions === 0 || expectedEdges === null) return null
  if (Math.max(cost.edges, expectedEdges) < MISJUDGED_EDGES_MIN) return null
  if (cost.edges > expectedEdges * MISJUDGED_FACTOR) return 'more'
  return expectedEdges > cost.edges * MISJUDGED_FACTOR ? 'fewer' : null
}

/**
 * The step that a run is in, by the line the server tells; null: none is on that line. Of several
 * on one line the first.
 */
export function stepOfLine(steps: readonly PlanStep[], line: number | undefined): number | null {
  return steps.find((step) => step.line === line)?.id ?? null
}

const methods: Readonly<Record<Hop['method'], string>> = {
  push: 'from each vertex along its edges',
  'push or pull': 'from whichever end has fewer',
  'edge scan': 'in one sweep over all edges',
  search: 'searched breadth first from each start',
  'search from all': 'searched breadth first from all starts at once',
}

/** How a hop is walked, in words. */
export function hopWords(hop: Hop): string {
  const words = [methods[hop.method]]
  if (hop.backwards) words.push('against the way it is written')
  if (hop.joins) words.push('only to test that both ends meet')
  return words.join(', ')
}

/** `1 to 3 times`, `2 times`, `1 time or more`. */
export function repeatWords(repeat: Hop['repeat']): string | null {
  if (repeat === null) return null
  const times = (count: number) => (count === 1 ? '1 time' : `${count} times`)
  if (repeat.max === null) return `${times(repeat.min)} or more`
  return repeat.min === repeat.max ? times(repeat.min) : `${repeat.min} to ${times(repeat.max)}`
}

/** Where the vertices of a SELECT come from. */
export function sourceWords({ source, types, indexes }: SelectPlan['start']): string {
  if (indexes.length > 0) return `found by the index ${indexes.join(', ')}`
  if (source === 'all') return types.length === 1 ? 'every vertex of the type' : 'every vertex'
  return source === 'expression' ? 'from an expression' : `from ${source}`
}

const divisions: Readonly<Record<SelectPlan['parallel'][number], string>> = {
  sources: 'its rows by where they start',
  targets: 'its targets',
  vertices: 'POST-ACCUM by vertex',
}

/** What several threads may share; empty: one thread does it all. */
export function parallelWords({ parallel }: SelectPlan): string {
  if (parallel.length === 0) return ''
  const shared = parallel.map((loop) => divisions[loop]).join(' and ')
  return `threads may share ${shared}`
}

/** Which ends of a hop's line carry an arrow: of its edges, as seen from left to right. */
export function arrowsOf({ edges }: Hop): { readonly left: boolean; readonly right: boolean } {
  return {
    left: edges.some(({ direction }) => direction === 'in'),
    right: edges.some(({ direction }) => direction === 'out'),
  }
}

const searches: Readonly<Record<VectorSearch['method'], string>> = {
  index: 'by its HNSW index',
  building: 'by looking at all, until its index is made',
  scan: 'by looking at all',
}

export function searchWords({ attribute, method, candidates }: VectorSearch): string {
  return `${attribute} among ${formatCount(candidates)}, ${searches[method]}`
}
