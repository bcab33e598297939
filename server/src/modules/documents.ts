/** Opens the documents of the store: of this server alone, or shared with others. */
import type { GraphEngine } from '#graph/engine.ts'
import { type Documents, LocalDocuments } from '#storage/documents.ts'
import { SharedDocuments } from '#storage/shared-documents.ts'
import type { ServerOptions } from './server-options.ts'

/** @returns `shared`: null where this server has the store to itself */
export function openDocuments({ store, shared = null, logger }: ServerOptions): {
  readonly documents: Documents
  readonly shared: SharedDocuments | null
} {
  if (shared === null) return { documents: new LocalDocuments(store), shared: null }
  const onFailure = (error: unknown) =>
    logger.error({ err: error }, 'a document that all servers share was not written')
  const documents = new SharedDocuments({ store, self: () => shared.self.name, onFailure })
  return { documents, shared: documents }
}

/**
 * Follows the log from what has been read on, once everything is open that takes changes. Resolves when
 * this server has caught up, and as the writer has written what a start writes.
 */
export async function joinOthers(
  engine: GraphEngine,
  documents: SharedDocuments,
  { shared }: ServerOptions,
): Promise<void> {
  await shared?.follow(engine.follower(documents))
  await documents.stepsDone
}
