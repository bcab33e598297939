import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { newSchema, openPostgresHarness } from './postgres-harness.ts'
import { describeStore } from './store.ts'

const MS_MAX = 300_000
const APPENDS = 20

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, MS_MAX)
afterAll(() => node.remove())

describeStore('postgres store', () => openPostgresHarness(node))

describe('the log in PostgreSQL', { timeout: MS_MAX }, () => {
  it('is searched by its key, also where statistics say that it is one page', async () => {
    const schema = newSchema()
    const first = await openPostgresHarness(node, schema)
    await first.store.append(new Uint8Array(10))
    await first.store.close()
    await sessionsEnded()
    await node.query(`ANALYZE ${schema}.log`)
    const before = await scansOfLog(schema)
    const { store, remove } = await openPostgresHarness(node, schema)
    for (let n = 0; n < APPENDS; n++) await store.append(new Uint8Array(10))
    await store.close()
    await sessionsEnded()
    const after = await scansOfLog(schema)
    expect(after.byKey - before.byKey).toBeGreaterThan(APPENDS)
    expect(after.whole).toBe(before.whole)
    await remove()
  })
})

/** What a session has done is counted when it ends at the latest. */
async function sessionsEnded(): Promise<void> {
  const open = "SELECT 1 FROM pg_stat_activity WHERE application_name = 'quiver'"
  while ((await node.query(open)).length > 0)
    await new Promise((resolve) => setTimeout(resolve, 50))
}

async function scansOfLog(schema: string): Promise<{ whole: number; byKey: number }> {
  const [row] = await node.query<{ seq_scan: string; idx_scan: string }>(
    `SELECT seq_scan, idx_scan FROM pg_stat_user_tables WHERE schemaname = $1 AND relname = 'log'`,
    [schema],
  )
  return { whole: Number(row?.seq_scan), byKey: Number(row?.idx_scan) }
}
