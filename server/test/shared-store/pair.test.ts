import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PostgresPair } from './pair.ts'
import { until } from './wait.ts'

describe('a pair of PostgreSQL', () => {
  let pair: PostgresPair

  beforeAll(async () => {
    pair = await PostgresPair.start()
  }, 300_000)
  afterAll(() => pair.remove())

  it('acknowledges nothing that one node alone has, unless a wait is cancelled', async () => {
    await pair.primary.query('CREATE TABLE counted (n int)')
    await pair.primary.query('INSERT INTO counted VALUES (1)')
    pair.replication.set('swallow')
    let isAcknowledged = false
    const waiting = pair.primary.query('INSERT INTO counted VALUES (2)').then(() => {
      isAcknowledged = true
    })
    await until('a commit that waits', async () => ((await waitCount(pair)) === 1 ? true : null))
    expect(isAcknowledged).toBe(false)
    expect(await pair.cancelWaits()).toBe(1)
    await waiting
    expect(await numbers(pair)).toEqual([1, 2])
    await pair.primary.kill()
    await pair.failOver()
    expect(await numbers(pair)).toEqual([1])
    await pair.rejoin()
    await pair.primary.query('INSERT INTO counted VALUES (3)')
    expect(await numbers(pair)).toEqual([1, 3])
  }, 300_000)
})

async function waitCount(pair: PostgresPair): Promise<number> {
  const text = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
  return (await pair.primary.query(text)).length
}

async function numbers(pair: PostgresPair): Promise<readonly number[]> {
  const rows = await pair.primary.query<{ n: number }>('SELECT n FROM counted ORDER BY n')
  return rows.map(({ n }) => n)
}
