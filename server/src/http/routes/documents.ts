import type { FastifyInstance } from 'fastify'
import {
  deleteDocument,
  listDocuments,
  readDocument,
  readSharedScene,
  writeDocument,
} from '#contract/documents.ts'
import { markBytes } from '#kernel/byte-order-mark.ts'
import { DbError } from '#kernel/errors.ts'
import { checkUnlimitedReach } from '#services/auth/authorise.ts'
import type { DocumentPlace, DocumentService } from '#services/system/document-service.ts'
import { message, replyJson } from '../reply.ts'
import { type CallContext, present, serve } from '../serve.ts'

export function mountDocumentRoutes(app: FastifyInstance, documents: DocumentService): void {
  serve(app, listDocuments, (context) => documents.list(ownerOf(context), context.params.kind))
  serve(app, readDocument, async (context) => replyJson(await documents.read(placeOf(context))))
  serve(app, readSharedScene, async ({ params: { graph, user, id } }) =>
    replyJson(await documents.read({ user, kind: 'shared-scene', key: `${graph}/${id}` })),
  )
  serve(app, writeDocument, (context) => {
    const { body, bodyBytes, query } = context
    if (body === undefined) throw new DbError('INVALID_PARAMETER', 'The body must be JSON.')
    return documents.write(placeOf(context), withoutMark(bodyBytes), query.version)
  })
  serve(app, deleteDocument, async (context) => {
    await documents.delete(placeOf(context), context.query.version)
    return message('')
  })
}

/** Inside of other JSON a byte order mark is a fault. */
function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes.subarray(markBytes(bytes))
}

function placeOf(
  context: Pick<CallContext<typeof readDocument>, 'params' | 'principal'>,
): DocumentPlace {
  return { user: ownerOf(context), ...context.params }
}

/** Documents are about any graph: a token that is limited to one does not reach them. */
function ownerOf({ principal }: Pick<CallContext<typeof listDocuments>, 'principal'>): string {
  const caller = present(principal)
  checkUnlimitedReach(caller)
  return caller.name
}
