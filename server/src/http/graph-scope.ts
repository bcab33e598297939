/**
 * Which graph a request's privilege is about. Only what the contract declares counts: a `graph`
 * that the endpoint does not read would let a call in by rights on another graph than it touches.
 */
import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'

export interface GraphKeys {
  readonly inPath: boolean
  readonly inQuery: readonly string[]
}

const queryKeys = ['graph', 'graphName', 'graph_name']

export const anyGraphKeys: GraphKeys = { inPath: true, inQuery: queryKeys }

export function graphKeysOf({ params, query, ofAllGraphs = false }: Endpoint): GraphKeys {
  if (ofAllGraphs) return { inPath: false, inQuery: [] }
  return {
    inPath: 'graph' in shapeOf(params),
    inQuery: queryKeys.filter((key) => key in shapeOf(query)),
  }
}

/** Fields of an object schema; a record of anything declares none. */
function shapeOf(schema: unknown): object {
  return (schema as { readonly shape?: object } | undefined)?.shape ?? {}
}

export function graphNamed({ inPath, inQuery }: GraphKeys, request: FastifyRequest): string | null {
  const params = request.params as Readonly<Record<string, string | undefined>>
  if (inPath && params['graph']) return params['graph']
  const query = request.query as Readonly<Record<string, string | string[] | undefined>>
  for (const key of inQuery) {
    const named = query[key]
    const graph = Array.isArray(named) ? named.at(-1) : named
    // What is empty names none; the next key may.
    if (graph) return graph
  }
  return null
}
