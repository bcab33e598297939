import type { FastifyInstance } from 'fastify'
import { readIndexFacts, readIndexUsage } from '#contract/index-usage.ts'
import { createIndexes, dropIndexes, listIndexes, readIndex } from '#contract/indexes.ts'
import { schemaWriter } from '#services/auth/authorise.ts'
import type { IndexService } from '#services/indexes/index-service.ts'
import { message } from '../reply.ts'
import { present, serve } from '../serve.ts'

export function mountIndexRoutes(app: FastifyInstance, indexes: IndexService): void {
  serve(app, listIndexes, ({ query }) => indexes.list(query.graph ?? null))
  serve(app, readIndexUsage, ({ query }) => indexes.usage(query.graph ?? null))
  serve(app, readIndexFacts, ({ query }) => indexes.facts(query.graph ?? null))
  serve(app, readIndex, ({ params, query }) => indexes.read(query.graph ?? null, params.index))
  serve(app, createIndexes, async ({ principal, query, body }) => {
    const { vertex, addIndexAttributes } = body
    const graph = query.graph ?? null
    return message(
      await indexes.create(graph, vertex, addIndexAttributes, schemaWriter(present(principal))),
    )
  })
  serve(app, dropIndexes, async ({ principal, params, query }) => {
    const names = params.index === undefined ? (query.index ?? []) : [params.index]
    const { graph = null, vertex } = query
    return message(await indexes.drop(graph, vertex, names, schemaWriter(present(principal))))
  })
}
