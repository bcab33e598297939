/** The route of upserts: parameters and the atomic header to flags, nothing else. */
import type { FastifyInstance } from 'fastify'
import { upsertData } from '#contract/upsert.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from '#services/auth/access.ts'
import { requireOnTypes } from '#services/auth/authorise.ts'
import type { NamedTypes } from '#services/upsert/payload-plan.ts'
import type { UpsertService } from '#services/upsert/upsert-service.ts'
import { reply } from '../reply.ts'
import { present, serve } from '../serve.ts'

export function mountUpsertRoutes(app: FastifyInstance, upserts: UpsertService): void {
  serve(app, upsertData, async (context) => {
    const { principal, params, query, body, headers } = context
    const mustExist = query.vertex_must_exist
    const checkTypes = typeCheckOf(present(principal), params.graph, mustExist)
    const { result, code, createdEnds } = await upserts.upsert(params.graph, body, {
      ack: ackOf(query.ack),
      key: context.idempotencyKey,
      newVertexOnly: query.new_vertex_only,
      updateVertexOnly: query.update_vertex_only,
      vertexMustExist: mustExist,
      sourceVertexMustExist: query.source_vertex_must_exist,
      targetVertexMustExist: query.target_vertex_must_exist,
      atomic: query.atomic_post || isAtomic(headers['gsql-atomic-level']),
      ...(checkTypes !== null && { checkTypes }),
    })
    return reply([result], { code, headers: createdHeader(createdEnds) })
  })
}

/** Beside the counts, which clients know: most upserts create no end, and say nothing of it. */
function createdHeader(count: number): Record<string, string> {
  return count > 0 ? { 'x-quiver-created-endpoints': String(count) } : {}
}

/** Null for who may write all of the graph. An upsert makes and changes, whichever it finds. */
function typeCheckOf(
  caller: Principal,
  graph: string,
  mustExist: boolean,
): ((named: NamedTypes) => void) | null {
  const mayAll =
    caller.rights.allows('CREATE_DATA', graph) && caller.rights.allows('UPDATE_DATA', graph)
  if (mayAll) return null
  return ({ vertices, edges, ends }) => {
    requireOnTypes(caller, 'UPDATE_DATA', graph, [...vertices, ...edges])
    requireOnTypes(caller, 'CREATE_DATA', graph, [...vertices, ...edges])
    if (!mustExist) requireOnTypes(caller, 'CREATE_DATA', graph, ends)
  }
}

function ackOf(text: string): 'all' | 'none' {
  if (text === 'all' || text === 'none') return text
  throw new DbError('INVALID_PARAMETER', `The parameter ack must be all or none, not '${text}'.`, {
    details: { contractCode: 'REST-30001' },
  })
}

function isAtomic(level: string | string[] | undefined): boolean {
  if (level === undefined || level === 'nonatomic') return false
  if (level === 'atomic') return true
  throw new DbError(
    'INVALID_PARAMETER',
    `The header gsql-atomic-level must be atomic or nonatomic, not '${level}'.`,
    { details: { contractCode: 'REST-30001' } },
  )
}
