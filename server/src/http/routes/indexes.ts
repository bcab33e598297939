import type { FastifyInstance } from 'fastify'
import { readIndexFacts, readIndexUsage } from '#contract/index-usage.ts'
import { createIndexes, dropIndexes, listIndexes, readIndex } from '#contract/indexes.ts'
import type { IndexService } from '#services/schema/index-service.ts'
import { message } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountIndexRoutes(app: FastifyInstance, indexes: IndexService): void {
  serve(app, listIndexes, ({ query }) => indexes.list(query.graph ?? null))
  serve(app, readIndexUsage, ({ query }) => indexes.usage(query.graph ?? null))
  serve(app, readIndexFacts, ({ query }) => indexes.facts(query.graph ?? null))
  serve(app, readIndex, ({ params, query }) => indexes.read(query.graph ?? null, params.index))
  serve(app, createIndexes, async ({ query, body }) =>
    message(await indexes.create(query.graph ?? null, body.vertex, body.addIndexAttributes)),
  )
  serve(app, dropIndexes, async ({ params, query }) => {
    const names = params.index === undefined ? (query.index ?? []) : [params.index]
    return message(await indexes.drop(query.graph ?? null, query.vertex, names))
  })
}
