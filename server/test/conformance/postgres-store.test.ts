import { afterAll, beforeAll } from 'vitest'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { openPostgresHarness } from './postgres-harness.ts'
import { describeStore } from './store.ts'

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, 300_000)
afterAll(() => node.remove())

describeStore('postgres store', () => openPostgresHarness(node))
