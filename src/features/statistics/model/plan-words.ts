/** The plan of a run in words, a line for each statement. */
import type { SlowRunDetails } from '../api/slow-runs.ts'

type Step = SlowRunDetails['steps'][number]

export interface PlanLine {
  readonly id: number
  readonly line: number
  readonly depth: number
  readonly statement: string
  /** Where it begins and how it hops; empty: it reads no graph. */
  readonly way: string
  /** Edges that the plan expects it to read; null: none. */
  readonly edges: number | null
}

export const planLines = (steps: readonly Step[]): readonly PlanLine[] =>
  steps.map(({ id, line, depth, statement, result, select }) => ({
    id,
    line,
    depth,
    statement: result === null ? statement : `${result} = ${statement}`,
    way: select === null ? '' : wayOf(select),
    edges:
      select === null || select.hops.length === 0
        ? null
        : select.hops.reduce((sum, { estimatedEdges }) => sum + estimatedEdges, 0),
  }))

function wayOf({ start, hops }: NonNullable<Step['select']>): string {
  const types = start.types.join(', ') || 'any type'
  const further = hops.map(({ edges, toTypes, method }) => {
    const over = edges.map(({ type }) => type).join(', ') || 'any edge'
    return `${over} to ${toTypes.join(', ') || 'any type'} (${method})`
  })
  return [beginOf(start, types), ...further].join(' → ')
}

function beginOf({ indexes, source }: NonNullable<Step['select']>['start'], types: string): string {
  if (indexes.length > 0) return `${types} by index ${indexes.join(', ')}`
  return source === 'all' ? `all of ${types}` : `${types} in ${source}`
}
