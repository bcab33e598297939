/** What the HTTP layer knows of the other instances over the same store. */
import type { InstanceState, SharedLog } from '#storage/shared-store.ts'

export type { InstanceState } from '#storage/shared-store.ts'

export interface Sharing {
  readonly log: SharedLog
  /** How long a change waits until a writer is known. */
  readonly writeWaitMs: number
  /** Reads older than this are refused; null: never. */
  readonly maxStalenessMs: number | null
  readonly counts: { forwarded: number }
  /** A signature that only instances over this store can make. */
  sign(text: string): string
}

/** An instance whose last beat is older is taken for gone: nobody asks it, and nobody misses it. */
const GONE_MS = 30_000

export function othersAlive({ instances }: Pick<SharedLog, 'instances'>): readonly InstanceState[] {
  return instances.filter(
    ({ isSelf, silentMs }) => !isSelf && (silentMs === null || silentMs < GONE_MS),
  )
}

/** Of the entries that are known of; the last one may be further. */
export function logEndOf({
  position,
  instances,
}: Pick<SharedLog, 'position' | 'instances'>): number {
  return Math.max(position, ...instances.map(({ applied }) => applied))
}
