/** Routes of vertex and edge reads and deletes: parameters to options, bytes to the envelope. */
import type { FastifyInstance } from 'fastify'
import { callBuiltin } from '#contract/builtins.ts'
import type { ParamsOf } from '#contract/endpoint.ts'
import * as contract from '#contract/inspect.ts'
import type { GrantedPrivilege } from '#contract/privileges.ts'
import { DbError } from '#kernel/errors.ts'
import { requireOnTypes, requirePrivilege } from '#services/auth/authorise.ts'
import type { EdgePath } from '#services/edges/edge-path.ts'
import type { EdgeService } from '#services/edges/edge-service.ts'
import type { ReadOptions } from '#services/read/read-options.ts'
import type { BuiltinsService } from '#services/vertices/builtins-service.ts'
import type { GraphPlace, VertexService } from '#services/vertices/vertex-service.ts'
import { replyJson } from '../reply.ts'
import { type CallContext, present, serve } from '../serve.ts'

export interface InspectServices {
  readonly vertices: VertexService
  readonly edges: EdgeService
  readonly builtins: BuiltinsService
}

/** Of a search that says no limit: it is looked at by somebody. */
const SEARCHED_MAX = 50

export function mountInspectRoutes(app: FastifyInstance, services: InspectServices): void {
  mountVertexRoutes(app, services.vertices)
  mountEdgeRoutes(app, services.edges)
  serve(app, callBuiltin, async (context) =>
    replyJson(await services.builtins.call(placeOf(context), context.body)),
  )
}

function mountVertexRoutes(app: FastifyInstance, vertices: VertexService): void {
  serve(app, contract.readVertex, (context) => {
    const { vertex_type, vertex_id } = context.params
    requireType(context, 'READ_DATA')
    const place = placeOf(context)
    const options = optionsOf(context)
    const json = vertices.readOneAtOnce(place, vertex_type, vertex_id, options)
    if (json !== null) return replyJson(json)
    return vertices.readOne(place, vertex_type, vertex_id, options).then((late) => replyJson(late))
  })
  serve(app, contract.listVertices, async (context) => {
    requireType(context, 'READ_DATA')
    const { vertex_type } = context.params
    const useIndex = context.query.use_index
    const options = { ...optionsOf(context), useIndex, ...clientOf(context) }
    return replyJson(await vertices.list(placeOf(context), vertex_type, options))
  })
  serve(app, contract.searchVertices, async (context) => {
    const { params, url, query } = context
    const wanted = { ...query, ...context.body }
    const type = wanted.vertex_type ?? wanted.type
    if (type === undefined) {
      throw new DbError('INVALID_PARAMETER', 'The parameter vertex_type is required.')
    }
    const { responseLimitBytes, timeoutMs } = context
    const listed = { limit: SEARCHED_MAX, ...wanted }
    const read = optionsOf({ query: listed, responseLimitBytes, timeoutMs })
    const options = { ...read, ...clientOf(context) }
    return replyJson(await vertices.list({ graph: params.graph, url }, type, options))
  })
  serve(app, contract.deleteVertex, (context) => {
    requireType(context, 'DELETE_DATA')
    const { vertex_type, vertex_id } = context.params
    const { permanent } = context.query
    const key = context.idempotencyKey
    return vertices.deleteOne(placeOf(context), vertex_type, vertex_id, { permanent, key })
  })
  serve(app, contract.deleteVertices, (context) => {
    requireType(context, 'DELETE_DATA')
    return vertices.deleteMany(placeOf(context), context.params.vertex_type, {
      ...optionsOf(context),
      permanent: context.query.permanent,
      ack: ackOf(context.query.ack),
      key: context.idempotencyKey,
    })
  })
  serve(app, contract.deleteVertexType, (context) => {
    requireType(context, 'DELETE_DATA')
    return vertices.deleteAll(placeOf(context), context.params.vertex_type, {
      permanent: context.query.permanent,
      ack: ackOf(context.query.ack),
      key: context.idempotencyKey,
    })
  })
}

type TypedCall = Pick<CallContext<typeof contract.listVertices>, 'params' | 'principal'>

function requireType({ params, principal }: TypedCall, privilege: GrantedPrivilege): void {
  requireOnTypes(present(principal), privilege, params.graph, [params.vertex_type])
}

/** Every type that the path names or may meet; where it leaves the edge open, the whole graph. */
function requireEdgeTypes(
  { params, principal }: Pick<CallContext<typeof contract.listEdges>, 'params' | 'principal'>,
  privilege: GrantedPrivilege,
  edges: EdgeService,
): void {
  const { graph, source_vertex_type, edge_type, target_vertex_type } = params
  const caller = present(principal)
  if (edge_type === undefined || edge_type === '_') {
    requirePrivilege(caller, privilege, graph)
    return
  }
  const target = target_vertex_type === '_' ? undefined : target_vertex_type
  const { name, others } = edges.typesMet(graph, edge_type, source_vertex_type)
  requireOnTypes(caller, privilege, graph, [name])
  // The ends are read along with an edge, and stay as they are when it is deleted.
  const met = [source_vertex_type, ...(target === undefined ? others : [target])]
  requireOnTypes(caller, 'READ_DATA', graph, met)
}

function mountEdgeRoutes(app: FastifyInstance, edges: EdgeService): void {
  serve(app, contract.listEdges, async (context) => {
    requireEdgeTypes(context, 'READ_DATA', edges)
    const path = edgePathOf(context.params, context.query.not_wildcard)
    const options = { ...optionsOf(context), ...clientOf(context) }
    return replyJson(await edges.list(placeOf(context), path, options))
  })
  serve(app, contract.deleteEdges, (context) => {
    requireEdgeTypes(context, 'DELETE_DATA', edges)
    const path = edgePathOf(context.params, context.query.not_wildcard)
    const key = context.idempotencyKey
    return edges.delete(placeOf(context), path, { ...optionsOf(context), key })
  })
}

function edgePathOf(params: ParamsOf<typeof contract.listEdges>, notWildcard: boolean): EdgePath {
  return {
    sourceType: params.source_vertex_type,
    sourceId: params.source_vertex_id,
    edgeType: params.edge_type,
    targetType: params.target_vertex_type,
    targetId: params.target_vertex_id,
    discriminator: params.discriminator,
    notWildcard,
  }
}

interface AnyCall {
  readonly params: { readonly graph: string }
  readonly url: string
}

function placeOf({ params, url }: AnyCall): GraphPlace {
  return { graph: params.graph, url }
}

interface ReadCall
  extends Pick<CallContext<typeof contract.listVertices>, 'responseLimitBytes' | 'timeoutMs'> {
  readonly query: {
    readonly select?: string | undefined
    readonly filter?: string | undefined
    readonly sort?: string | undefined
    readonly limit?: number | undefined
    readonly count_only?: boolean | undefined
    readonly timeout?: number | undefined
  }
}

function optionsOf({ query, responseLimitBytes, timeoutMs }: ReadCall): ReadOptions {
  return {
    select: query.select,
    filter: query.filter,
    sort: query.sort,
    limit: query.limit,
    countOnly: query.count_only,
    timeoutSeconds: query.timeout,
    timeoutMs,
    responseLimitBytes,
  }
}

/** For whom a long read is, and whether it is still wanted. */
function clientOf({
  principal,
  signal,
  onBegin,
}: Pick<CallContext<never>, 'principal' | 'signal' | 'onBegin'>) {
  return { owner: present(principal).name, signal, onBegin }
}

function ackOf(text: string): 'all' | 'none' {
  if (text === 'all' || text === 'none') return text
  throw new DbError('INVALID_PARAMETER', `The parameter ack must be all or none, not '${text}'.`, {
    details: { contractCode: 'REST-30001' },
  })
}
