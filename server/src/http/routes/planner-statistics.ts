/** Statistics that estimates of plans go by. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/planner-statistics.ts'
import type { GrantedPrivilege } from '#contract/privileges.ts'
import { formatDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from '#services/auth/access.ts'
import { requirePrivilege } from '#services/auth/authorise.ts'
import type { KeptHistogram, PlannerStatistics } from '#services/queries/planner-statistics.ts'
import { message } from '../reply.ts'
import { present, serve } from '../serve.ts'

export function mountPlannerStatisticsRoutes(
  app: FastifyInstance,
  statistics: PlannerStatistics,
): void {
  serve(app, contract.readCardinality, ({ query }) => {
    const { vertices, edges } = statistics.counts(graphIn(query.graph), query)
    return { vertex_counts: vertices, edge_counts: edges }
  })
  serve(app, contract.keepCardinality, async ({ query, body }) => {
    const graph = graphIn(query.graph)
    const { vertex_counts: vertices = [], edge_counts: edges = [] } = body ?? {}
    if (vertices.length + edges.length === 0) await statistics.measureCounts(graph, query)
    else await statistics.giveCounts(graph, { vertices, edges })
    return message('successfully persisted statistics')
  })
  serve(app, contract.dropCardinality, async ({ query }) => {
    await statistics.dropCounts(graphIn(query.graph), query)
    return message('successfully deleted statistics')
  })
  mountHistograms(app, statistics)
}

function mountHistograms(app: FastifyInstance, statistics: PlannerStatistics): void {
  serve(app, contract.readHistograms, ({ query, body, principal }) => {
    const { graph, ...names } = { ...query, ...body }
    const found = statistics.histograms(allowed(principal, ['READ_DATA'], graph), names)
    return found.map((kept) => {
      const { type, attribute } = kept
      const named = kept.element === 'vertex' ? { vertex: type } : { edge: type }
      return { ...named, attribute, histogram: bucketsOf(kept) }
    })
  })
  serve(app, contract.measureHistogram, async ({ query, body, principal }) => {
    const { graph, bucket, ...names } = { ...query, ...body }
    // Its answer shows values.
    const home = allowed(principal, ['WRITE_SCHEMA', 'READ_DATA'], graph)
    const measured = await statistics.measureHistogram(home, names, bucket)
    return Object.fromEntries(bucketsOf(measured).map((one, index) => [String(index), one]))
  })
  serve(app, contract.dropHistograms, async ({ query, body, principal }) => {
    const { graph, ...names } = { ...query, ...body }
    const home = allowed(principal, ['WRITE_SCHEMA'], graph)
    const count = await statistics.dropHistograms(home, names)
    return `successfully deleted ${count} ${count === 1 ? 'histogram' : 'histograms'}`
  })
}

function bucketsOf({ kind, histogram }: KeptHistogram) {
  return histogram.map(({ rowsTotal, rowsUpper, upperBound }) => ({
    ...{ rowsTotal, rowsUpper },
    upperBound: kind === 'DATETIME' ? formatDatetime(Number(upperBound)) : upperBound,
  }))
}

/** The graph stands in the body, where the contract's privilege cannot see it. */
function allowed(
  principal: Principal | null,
  privileges: readonly GrantedPrivilege[],
  named: string | undefined,
): string {
  const graph = graphIn(named)
  for (const privilege of privileges) requirePrivilege(present(principal), privilege, graph)
  return graph
}

function graphIn(graph: string | undefined): string {
  if (graph !== undefined) return graph
  throw new DbError('INVALID_PARAMETER', 'The parameter graph is required.')
}
