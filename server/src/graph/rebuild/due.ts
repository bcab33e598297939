/** When a rebuild is worth its work. */
import {
  REBUILD_DELTA_COUNT_MIN,
  REBUILD_DELTA_SHARE,
  REBUILD_LOG_BYTES_MAX,
  REBUILD_LOG_BYTES_MIN,
} from '#kernel/limits.ts'
import type { Tables } from '../tables/tables.ts'

/**
 * True when so many edges lie in deltas, or are deleted, that dense traversals suffer, when dead
 * vertices hold too many rows, or when strings that nothing refers to fill most of a heap.
 */
export function isRebuildDue(tables: Tables): boolean {
  if (tables.isWasteful) return true
  if (tables.mostlyDead().some(({ deleted }) => deleted.count >= REBUILD_DELTA_COUNT_MIN))
    return true
  for (const table of tables.edges) {
    for (const { delta, base, deleted } of table.adjacencies) {
      const loose = delta.count + deleted.count
      if (loose >= REBUILD_DELTA_COUNT_MIN && loose >= base.count * REBUILD_DELTA_SHARE) return true
    }
  }
  return false
}

/**
 * Log size from which folding pays: a quarter of the segments it rewrites, within bounds. A shared store
 * has no upper one: every byte of its segments is written to other machines, too.
 */
export function rebuildLogBytes(segmentSizeBytes: number, isShared = false): number {
  const share = Math.max(REBUILD_LOG_BYTES_MIN, segmentSizeBytes / 4)
  return isShared ? share : Math.min(REBUILD_LOG_BYTES_MAX, share)
}
