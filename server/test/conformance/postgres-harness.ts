/** Opens stores in PostgreSQL for the suites: each in a schema of its own of one server. */
import { randomUUID } from 'node:crypto'
import { parseStoreAddress } from '#storage/postgres/address.ts'
import { openPostgresStore, type PostgresStoreOptions } from '#storage/postgres/postgres-store.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'
import type { PostgresNode } from '../fixtures/postgres.ts'
import type { StoreHarness } from './store.ts'

export const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

export const timers = {
  after: (ms: number, call: () => void) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  every: (ms: number, call: () => void) => {
    const timer = setInterval(call, ms)
    return () => clearInterval(timer)
  },
}

export function newSchema(): string {
  return `t${randomUUID().replaceAll('-', '')}`
}

export function postgresOptions(
  node: PostgresNode,
  schema: string,
  name = 'one',
): PostgresStoreOptions {
  return {
    address: parseStoreAddress(node.url({ schema })),
    clock,
    timers,
    name,
    url: `http://${name}:14240`,
    version: 'test',
    memoryLimitBytes: 1e9,
    takeoverAfterMs: 5_000,
    checkpointBytesPerSecond: 1e9,
  }
}

export async function openPostgresHarness(
  node: PostgresNode,
  schema = newSchema(),
): Promise<StoreHarness> {
  const store = await openPostgresStore(postgresOptions(node, schema))
  await store.shared.follow(idleFollower)
  return {
    store,
    numbersMore: true,
    reopen: async () => {
      await store.close()
      return openPostgresHarness(node, schema)
    },
    reopenKilled: async () => {
      await store.abandon()
      return openPostgresHarness(node, schema)
    },
    remove: async () => {
      await store.close()
      await node.query(`DROP SCHEMA ${schema} CASCADE`)
    },
  }
}
