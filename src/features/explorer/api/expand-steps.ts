/** Several steps from a selection, counted or read by one query; see model/expand-steps.ts. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { graphSchemaQuery } from '#api/graph-schema.ts'
import { interpretQuery } from '#contract/queries.ts'
import { escapePercents } from '#lib/json/percents.ts'
import {
  anyStep,
  planSteps,
  type StepPlan,
  type StepsWanted,
  stepsQuery,
} from '../model/expand-steps.ts'
import {
  CanvasFull,
  type Elements,
  parseVertexKey,
  type SceneVertex,
  type VertexKey,
} from '../model/scene.ts'
import { type EdgeRow, toEdge, toVertex, type VertexRow } from '../model/wire-rows.ts'
import { refreshVertices } from './explorer.ts'

/** Milliseconds: a count that takes longer is none. */
const COUNT_TIMEOUT_MS = 2_000
const READ_TIMEOUT_MS = 15_000

export interface StepsRequest {
  readonly graph: string
  readonly start: readonly VertexKey[]
  readonly plans: readonly StepPlan[]
}

function vertexArgument(key: VertexKey) {
  const { type, id } = parseVertexKey(key)
  return { type, id: escapePercents(id) }
}

async function run<Printed>(
  { graph, start, plans }: StepsRequest,
  wanted: StepsWanted,
  signal?: AbortSignal,
): Promise<Printed> {
  const timeout = wanted === 'counts' ? COUNT_TIMEOUT_MS : READ_TIMEOUT_MS
  const text = stepsQuery(graph, plans, wanted)
  const printed = await call(interpretQuery, {
    query: { graph },
    headers: { 'GSQL-TIMEOUT': String(timeout) },
    body: JSON.stringify({ text, parameters: { qv_start: start.map(vertexArgument) } }),
    signal,
  })
  return Object.assign({}, ...printed) as Printed
}

export interface StepCount {
  readonly vertices: number
  /** Undirected ones within a step count from both ends. */
  readonly edges: number
}

/** For each step; undefined: the one before it reaches too many to go on from. */
export const stepCountsQuery = (request: StepsRequest) =>
  queryOptions({
    queryKey: ['explorer', request.graph, 'steps', request.start, request.plans],
    queryFn: async ({ signal }) => {
      const printed = await run<Record<string, number>>(request, 'counts', signal)
      return request.plans.map((_, at): StepCount | undefined => {
        const [vertices, edges] = [printed[`v${at + 1}`], printed[`e${at + 1}`]]
        return vertices === undefined || edges === undefined ? undefined : { vertices, edges }
      })
    },
    retry: false,
    staleTime: 10_000,
    gcTime: 10_000,
  })

/** Their attributes are read behind them. @throws CanvasFull */
export async function fetchSteps(
  request: StepsRequest,
  wanted: 'edges' | 'among' = 'edges',
): Promise<Elements> {
  const { edges: rows } = await run<{ readonly edges?: readonly EdgeRow[] }>(request, wanted)
  if (rows === undefined) throw new CanvasFull('That is more than the canvas holds.')
  const edges = rows.map((row) => toEdge(row, row.directed ? 'out' : 'undirected'))
  const keys = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const vertices = [...keys].map((key) => ({ key, ...parseVertexKey(key), attributes: null }))
  return { vertices, edges: [...new Map(edges.map((edge) => [edge.key, edge])).values()] }
}

/** Some vertices, those that there are, with the edges among them. */
export async function fetchAmong(
  client: QueryClient,
  graph: string,
  keys: readonly VertexKey[],
): Promise<Elements> {
  const { vertices } = await refreshVertices(client, graph, keys)
  const schema = await client.fetchQuery(graphSchemaQuery(graph))
  const types = new Set(vertices.map(({ type }) => type))
  const step = { ...anyStep, direction: 'out', targetTypes: [...types] } as const
  const plans = planSteps(schema, types, [step])
  if (plans[0]?.problem !== null) return { vertices, edges: [] }
  const start = vertices.map(({ key }) => key)
  // Whoever may not run queries sees the vertices.
  const { edges } = await fetchSteps({ graph, start, plans }, 'among').catch(() => ({ edges: [] }))
  return { vertices, edges }
}

/** The first of what is reached. */
export async function fetchStepRows(request: StepsRequest): Promise<readonly SceneVertex[]> {
  const { qv_rows: rows } = await run<{ readonly qv_rows: readonly VertexRow[] }>(request, 'rows')
  return rows.map(toVertex)
}
