/** Paths between vertices. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/paths.ts'
import { DbError } from '#kernel/errors.ts'
import type { PathEnd, PathFilter, PathService } from '#services/paths/path-service.ts'
import { replyJson } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountPathRoutes(app: FastifyInstance, paths: PathService): void {
  serve(app, contract.shortestPath, async ({ params, body, url, timeoutMs, signal }) => {
    const wanted = body.allShortestPaths ? 'shortest' : 'one'
    const request = { ...requestOf(body), lengthMax: body.maxLength, wanted } as const
    const json = await paths.find({ graph: params.graph, url }, request, { timeoutMs, signal })
    return replyJson(json, { message: noticeOf(body) })
  })
  serve(app, contract.allPaths, async ({ params, body, url, timeoutMs, signal }) => {
    const request = { ...requestOf(body), lengthMax: body.maxLength, wanted: 'all' } as const
    const json = await paths.find({ graph: params.graph, url }, request, { timeoutMs, signal })
    return replyJson(json, { message: noticeOf(body) })
  })
  mountExpansion(app, paths)
}

function mountExpansion(app: FastifyInstance, paths: PathService): void {
  serve(app, contract.expandSteps, async ({ params, body, url, timeoutMs, signal }) => {
    const { vertexFilters = null, edgeFilters = null, step: lengthMax } = body
    const sources = [...(body.source_vertices ?? []), ...(body.sources ?? [])]
    if (sources.length === 0) {
      throw new DbError('INVALID_PARAMETER', 'The body must hold source_vertices.')
    }
    const filters = { vertexFilters, edgeFilters }
    const request = { sources, targets: [], ...filters, lengthMax, wanted: 'reached' } as const
    return replyJson(await paths.find({ graph: params.graph, url }, request, { timeoutMs, signal }))
  })
}

interface PathBody {
  readonly source?: readonly PathEnd[] | undefined
  readonly sources?: readonly PathEnd[] | undefined
  readonly target?: readonly PathEnd[] | undefined
  readonly targets?: readonly PathEnd[] | undefined
  readonly vertexFilters?: readonly PathFilter[] | undefined
  readonly edgeFilters?: readonly PathFilter[] | undefined
}

function requestOf(body: PathBody) {
  const { vertexFilters = null, edgeFilters = null } = body
  return {
    sources: endsOf('source', body.source, body.sources),
    targets: endsOf('target', body.target, body.targets),
    vertexFilters,
    edgeFilters,
  }
}

function endsOf(
  name: string,
  one: readonly PathEnd[] | undefined,
  several: readonly PathEnd[] | undefined,
): readonly PathEnd[] {
  const ends = [...(one ?? []), ...(several ?? [])]
  if (ends.length > 0) return ends
  throw new DbError('INVALID_PARAMETER', `The body must hold ${name} or ${name}s.`)
}

/** A notice of the contract, no error. */
function noticeOf({ vertexFilters, edgeFilters }: PathBody): string {
  if (vertexFilters === undefined) return "Cannot get 'vertex_filters' filters, use empty filter."
  return edgeFilters === undefined ? "Cannot get 'edge_filters' filters, use empty filter." : ''
}
