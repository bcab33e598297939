/** `copy`, and what `backup`, `restore` and `reset-password` do for a store that several servers share. */
import { randomUUID } from 'node:crypto'
import type { Clock } from '#kernel/clock.ts'
import { FIRST_USER } from '#services/auth/user-store.ts'
import { type CopySource, type CopyTarget, copyStore } from '#storage/copy/copy.ts'
import { describeAddress, isStoreAddress, type StoreAddress } from '#storage/postgres/address.ts'
import type { StoreTimers } from '#storage/postgres/link.ts'
import { openDirectorySource, openDirectoryTarget } from '#storage/sqlite/copy-directory.ts'
import type { Environment } from './settings.ts'
import { addressOf } from './shared-options.ts'
import { withNewPassword } from './store-commands.ts'

/** A data directory, or the address of a shared store. */
export type Place = string | StoreAddress

export interface CopyOptions {
  readonly from: Place
  readonly to: Place
  readonly clock: Clock
  readonly timers: StoreTimers
}

/** Of an argument: what looks like an address is one. @throws DbError INVALID_PARAMETER */
export function placeOf(text: string, environment: Environment): Place {
  return isStoreAddress(text) ? addressOf(text, environment) : text
}

/** Everything, into an empty place. @throws DbError */
export async function runCopy({
  from,
  to,
  clock,
  timers,
}: CopyOptions): Promise<readonly string[]> {
  const source = await openSource(from, clock, timers)
  try {
    const target = await openTarget(to, clock, timers)
    try {
      const { lastSequence, documentCount, blobCount } = await copyStore(source, target)
      return [
        `Copied ${nameOf(from)} to ${nameOf(to)}: entries up to ${lastSequence}, ${documentCount} documents, ${blobCount} blobs; every checksum was verified.`,
      ]
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

export interface SharedResetOptions {
  readonly address: StoreAddress
  readonly user: string
  readonly clock: Clock
  readonly timers: StoreTimers
  readonly version: string
}

/** Beside the servers: takes over for as long as it needs to write, and resigns. */
export async function runSharedReset(options: SharedResetOptions): Promise<readonly string[]> {
  const { address, clock, timers, version } = options
  const user = options.user || FIRST_USER
  const { openPostgresStore } = await import('#storage/postgres/postgres-store.ts')
  const store = await openPostgresStore({
    ...{ address, clock, timers, version },
    name: `reset-password-${randomUUID()}`,
    url: 'http://localhost',
    memoryLimitBytes: Number.MAX_SAFE_INTEGER,
    takeoverAfterMs: 0,
    isGuest: true,
  })
  try {
    await store.shared.follow({
      apply: async () => {},
      roleChanged: async () => {},
      mustStartAgain: () => {},
      digest: () => ({ sequence: 0, checksum: 0 }),
      compare: () => {},
    })
    return await withNewPassword(store, user)
  } finally {
    await store.close()
  }
}

async function openSource(place: Place, clock: Clock, timers: StoreTimers): Promise<CopySource> {
  if (typeof place === 'string') return openDirectorySource(place, clock)
  const { openTableSource } = await import('#storage/postgres/copy-tables.ts')
  return openTableSource({ address: place, clock, timers })
}

async function openTarget(place: Place, clock: Clock, timers: StoreTimers): Promise<CopyTarget> {
  if (typeof place === 'string') return openDirectoryTarget(place)
  const { openTableTarget } = await import('#storage/postgres/copy-tables.ts')
  return openTableTarget({ address: place, clock, timers })
}

function nameOf(place: Place): string {
  return typeof place === 'string' ? place : describeAddress(place)
}
