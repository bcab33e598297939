/** Opens stores in PostgreSQL for the suites: each in a schema of its own of one server. */
import { randomUUID } from 'node:crypto'
import { openPostgresStore, type PostgresStoreOptions } from '#storage/postgres/postgres-store.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'
import type { PostgresNode } from '../fixtures/postgres.ts'
import { optionsFor } from './postgres-options.ts'
import type { StoreHarness } from './store.ts'

export function newSchema(): string {
  return `t${randomUUID().replaceAll('-', '')}`
}

export function postgresOptions(
  node: PostgresNode,
  schema: string,
  name = 'one',
): PostgresStoreOptions {
  return optionsFor(node.url({ schema }), name)
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
