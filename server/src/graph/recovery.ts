/**
 * Reads the graph from the store: its segments, then the log after them. This happens at the start,
 * and again while the server runs when a durable entry could not be applied.
 */
import { type Catalog, emptyCatalog } from '#catalog/types.ts'
import type { Store } from '#storage/store.ts'
import { decodeCatalog } from './catalog-entry.ts'
import { type MadeBefore, nothingMade } from './columns/made-columns.ts'
import type { DeletedIds } from './gse/deleted-ids.ts'
import type { LoadPositions } from './load-positions.ts'
import { FrameApplication } from './mutate/apply.ts'
import { frameKind } from './mutate/frame-format.ts'
import { type MutationOutcome, OutcomeBuilder } from './mutate/outcome.ts'
import type { SegmentDescription } from './rebuild/segment-format.ts'
import { readSegments } from './rebuild/segments-read.ts'
import type { RecentKeys } from './recent-keys.ts'
import type { Tables } from './tables/tables.ts'

export interface RecoveryTarget {
  readonly store: Store
  /** Empty, as are the deleted ids and the positions. */
  readonly tables: Tables
  readonly deletedIds: DeletedIds
  readonly positions: LoadPositions
  readonly keys: RecentKeys
  /** Starts a time slice; the function that it returns is true once the slice is used up. */
  readonly deadline: () => () => boolean
  /** @throws what ends the recovery: the engine closes */
  readonly yieldToOthers: () => Promise<void>
}

export interface RecoveredGraph {
  readonly catalog: Catalog
  /** Sequence of the last log entry. */
  readonly sequence: number
  /** Up to where the segments contain the log. */
  readonly foldedSequence: number
  /** Null: there is no checkpoint yet. */
  readonly segments: SegmentDescription | null
  /** By sequence, of the entries from `outcomesFrom` on. */
  readonly outcomes: ReadonlyMap<number, MutationOutcome>
}

/**
 * @param outcomesFrom the first sequence whose outcome is collected
 * @throws DbError CORRUPT_LOG, CORRUPT_SEGMENT, MEMORY_LIMIT
 */
export async function recoverGraph(
  target: RecoveryTarget,
  outcomesFrom = Number.POSITIVE_INFINITY,
): Promise<RecoveredGraph> {
  const { store, tables, deletedIds, positions, keys } = target
  const manifest = await store.readManifest()
  const loaded = manifest === null ? null : await readSegments(target, manifest)
  positions.restore(loaded?.description.loads)
  if (loaded?.description.keys) keys.restore(await store.readBlob(loaded.description.keys))
  let catalog = loaded?.catalog ?? emptyCatalog
  const foldedSequence = manifest?.foldedSequence ?? 0
  let sequence = foldedSequence
  const outcomes = new Map<number, MutationOutcome>()
  for await (const entry of store.readLog(sequence)) {
    let outcome: MutationOutcome
    if (entry.payload[0] === frameKind.catalog) {
      catalog = decodeCatalog(entry.payload, catalog)
      installCatalog(tables, deletedIds, catalog)
      outcome = new OutcomeBuilder().finish(entry.sequence)
    } else {
      const application = new FrameApplication(entry.payload, {
        tables,
        deletions: deletedIds,
        positions,
        keys,
      })
      while (!application.step(target.deadline())) await target.yieldToOthers()
      outcome = application.outcome(entry.sequence)
    }
    if (entry.sequence >= outcomesFrom) outcomes.set(entry.sequence, outcome)
    sequence = entry.sequence
  }
  const segments = loaded?.description ?? null
  return { catalog, sequence, foldedSequence, segments, outcomes }
}

/** Makes the tables those of the catalogue. @param made columns that were made beforehand */
export function installCatalog(
  tables: Tables,
  deletedIds: DeletedIds,
  catalog: Catalog,
  made: MadeBefore = nothingMade,
): void {
  tables.reconcile(catalog, made)
  const typeIds = new Set(catalog.vertexTypes.map((type) => type.id))
  for (const id of deletedIds.typeIds()) if (!typeIds.has(id)) deletedIds.drop(id)
}
