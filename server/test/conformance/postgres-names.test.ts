/** A name belongs to one process at a time: who lives keeps it, and it comes back after a crash. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore, type PostgresStore } from '#storage/postgres/postgres-store.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { becomesWriter, startStore } from '../fixtures/started-store.ts'
import { newSchema, postgresOptions } from './postgres-harness.ts'

const MS_MAX = 300_000
/** Longer than any test takes: nobody is gone because of silence. */
const NEVER_MS = 2 * MS_MAX
const taken = { code: 'STORE_LOCKED', message: expect.stringMatching(/under the name 'one', at /) }

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, MS_MAX)
afterAll(() => node.remove())

const optionsOf = (schema: string, takeoverAfterMs = NEVER_MS) => ({
  ...postgresOptions(node, schema),
  takeoverAfterMs,
})

describe('a process that starts under the name', { timeout: MS_MAX }, () => {
  it('of one that lives is refused, and the other one goes on', async () => {
    const options = optionsOf(newSchema())
    const first = await startStore(options)
    await becomesWriter(first)
    await expect(openPostgresStore(options)).rejects.toMatchObject(taken)
    expect(await first.store.append(new Uint8Array([1]))).toBeGreaterThan(1)
    await first.store.shared.latest(MS_MAX)
    expect(first.store.shared.role).toBe('writer')
    await first.store.close()
  })

  it('of one that still reads the store is refused', async () => {
    const options = optionsOf(newSchema())
    const first = await openPostgresStore(options)
    await expect(openPostgresStore(options)).rejects.toMatchObject(taken)
    await first.abandon()
  })

  it('of one that has crashed gets it at once, with its number', async () => {
    const options = optionsOf(newSchema())
    const other = await openPostgresStore({ ...options, name: 'other' })
    const crashed = await openPostgresStore(options)
    await crashed.abandon()
    const next = await openPostgresStore(options)
    expect([other, crashed, next].map(({ shared }) => shared.self.ordinal)).toEqual([1, 2, 2])
    await next.abandon()
    await other.abandon()
  })

  it('of one that is held gets it when its beat stands still, and the other one has to end', async () => {
    const options = optionsOf(newSchema(), 1_500)
    let isHeld = false
    const { timers } = options
    const every = (ms: number, call: () => void) => timers.every(ms, () => isHeld || call())
    const held = await startStore({ ...options, timers: { ...timers, every } })
    await becomesWriter(held)
    isHeld = true
    const next = await startStore(options)
    await becomesWriter(next)
    await expect(held.store.append(new Uint8Array([1]))).rejects.toMatchObject({
      code: 'NOT_WRITER',
    })
    isHeld = false
    expect(await held.ended).toContain('another process has taken the name')
    await held.store.abandon()
    await next.store.close()
  })

  it('of another one that starts at the same time: one of them gets it', async () => {
    const options = optionsOf(newSchema())
    for (const before of ['nobody', 'a process that has crashed']) {
      const opened = await Promise.allSettled([
        openPostgresStore(options),
        openPostgresStore(options),
        openPostgresStore(options),
      ])
      const refused = opened.filter(({ status }) => status === 'rejected')
      expect(refused, before).toEqual([
        { status: 'rejected', reason: expect.objectContaining(taken) },
        { status: 'rejected', reason: expect.objectContaining(taken) },
      ])
      await Promise.all(opened.map(abandon))
    }
  })
})

async function abandon(opened: PromiseSettledResult<PostgresStore>): Promise<void> {
  if (opened.status === 'fulfilled') await opened.value.abandon()
}
