/** Opens the documents of the store: of this server alone, or shared with others. */
import type { GraphEngine } from '#graph/engine.ts'
import { type DocumentChange, type Documents, LocalDocuments } from '#storage/documents.ts'
import { SharedDocuments } from '#storage/shared-documents.ts'
import type { Role } from '#storage/shared-store.ts'
import type { ServerOptions } from './server-options.ts'
import type { Mark } from './system.ts'

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
  { shared, mark }: Pick<ServerOptions, 'shared'> & { readonly mark: Mark },
): Promise<void> {
  const catalogChanged = schemaMarker(engine, mark)
  const beside = {
    take: (change: DocumentChange) => documents.take(change),
    roleChanged: (role: Role) => documents.roleChanged(role),
    catalogChanged,
  }
  await shared?.follow(engine.follower(beside))
  await documents.stepsDone
}

/** Adds schema changes of other instances to the time axis of this server's statistics. */
function schemaMarker(engine: GraphEngine, mark: Mark): () => void {
  const versionsNow = () =>
    new Map(engine.catalog.graphs.map(({ name, schemaVersion }) => [name, schemaVersion]))
  let versions = versionsNow()
  return () => {
    const before = versions
    versions = versionsNow()
    for (const [graph, version] of versions) {
      if (before.get(graph) === version) continue
      mark('schema', graph, `The schema of ${graph} was changed: version ${version}.`)
    }
  }
}
