/** Opens the documents of the store: of this server alone, or shared with others. */
import type { Catalog } from '#catalog/types.ts'
import { conversionsOf } from '#graph/conversions.ts'
import type { GraphEngine } from '#graph/engine.ts'
import type { IndexUsage } from '#services/indexes/index-usage.ts'
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
  {
    shared,
    ...parts
  }: Pick<ServerOptions, 'shared'> & { readonly mark: Mark; readonly lookups: IndexUsage },
): Promise<void> {
  const beside = {
    take: (change: DocumentChange) => documents.take(change),
    roleChanged: (role: Role) => documents.roleChanged(role),
    catalogChanged: catalogFollower(engine, parts),
  }
  await shared?.follow(engine.follower(beside))
  await documents.stepsDone
}

/** What a schema change of another instance changes here beside the graph. */
function catalogFollower(
  engine: GraphEngine,
  { mark, lookups }: { readonly mark: Mark; readonly lookups: IndexUsage },
): (before: Catalog) => void {
  return (before) => {
    const { catalog } = engine
    for (const { typeId, from, to } of conversionsOf(before, catalog)) {
      lookups.moved({ typeId, attributeId: from.id }, { typeId, attributeId: to.id })
    }
    const versions = new Map(before.graphs.map(({ name, schemaVersion }) => [name, schemaVersion]))
    for (const { name, schemaVersion } of catalog.graphs) {
      if (versions.get(name) === schemaVersion) continue
      mark('schema', name, `The schema of ${name} was changed: version ${schemaVersion}.`)
    }
  }
}
