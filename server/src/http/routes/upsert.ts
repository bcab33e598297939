/** The route of upserts: parameters and the atomic header to flags, nothing else. */
import type { FastifyInstance } from 'fastify'
import { upsertData } from '#contract/upsert.ts'
import { DbError } from '#kernel/errors.ts'
import type { UpsertService } from '#services/upsert/upsert-service.ts'
import { reply } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountUpsertRoutes(app: FastifyInstance, upserts: UpsertService): void {
  serve(app, upsertData, async ({ params, query, body, headers }) => {
    const { result, code } = await upserts.upsert(params.graph, body, {
      ack: ackOf(query.ack),
      newVertexOnly: query.new_vertex_only,
      updateVertexOnly: query.update_vertex_only,
      vertexMustExist: query.vertex_must_exist,
      sourceVertexMustExist: query.source_vertex_must_exist,
      targetVertexMustExist: query.target_vertex_must_exist,
      atomic: query.atomic_post || isAtomic(headers['gsql-atomic-level']),
    })
    return reply([result], { code })
  })
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
