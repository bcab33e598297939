import type { FastifyInstance } from 'fastify'
import { deleteDocument, listDocuments, readDocument, writeDocument } from '#contract/documents.ts'
import type { DocumentService } from '#services/system/document-service.ts'
import { message, replyJson } from '../reply.ts'
import { callerName, serve } from '../serve.ts'

export function mountDocumentRoutes(app: FastifyInstance, documents: DocumentService): void {
  serve(app, listDocuments, async (context) =>
    replyJson(await documents.list(callerName(context), context.params.collection)),
  )
  serve(app, readDocument, async (context) => {
    const { collection, key } = context.params
    return replyJson(await documents.read(callerName(context), collection, key))
  })
  serve(app, writeDocument, async (context) => {
    const { collection, key } = context.params
    await documents.write({ user: callerName(context), collection, key }, context.body)
    return message('')
  })
  serve(app, deleteDocument, async (context) => {
    const { collection, key } = context.params
    await documents.delete(callerName(context), collection, key)
    return message('')
  })
}
