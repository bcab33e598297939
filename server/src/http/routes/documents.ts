import type { FastifyInstance } from 'fastify'
import {
  deleteDocument,
  listDocuments,
  readDocument,
  readSharedScene,
  writeDocument,
} from '#contract/documents.ts'
import type { DocumentPlace, DocumentService } from '#services/system/document-service.ts'
import { message, replyJson } from '../reply.ts'
import { type CallContext, callerName, serve } from '../serve.ts'

export function mountDocumentRoutes(app: FastifyInstance, documents: DocumentService): void {
  serve(app, listDocuments, (context) => documents.list(callerName(context), context.params.kind))
  serve(app, readDocument, async (context) => replyJson(await documents.read(placeOf(context))))
  serve(app, readSharedScene, async ({ params: { graph, user, id } }) =>
    replyJson(await documents.read({ user, kind: 'shared-scene', key: `${graph}/${id}` })),
  )
  serve(app, writeDocument, (context) =>
    documents.write(placeOf(context), context.body, context.query.version),
  )
  serve(app, deleteDocument, async (context) => {
    await documents.delete(placeOf(context), context.query.version)
    return message('')
  })
}

function placeOf(
  context: Pick<CallContext<typeof readDocument>, 'params' | 'principal'>,
): DocumentPlace {
  return { user: callerName(context), ...context.params }
}
