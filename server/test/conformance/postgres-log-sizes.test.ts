/**
 * A log in PostgreSQL gives back what it acknowledged, whatever the sizes of the entries: one below, at
 * and one above what is cut into parts, shares a transaction, and is read at once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOG_GROUP_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { FRAME_HEADER_SIZE_BYTES } from '#storage/frame/frame.ts'
import { PART_SIZE_BYTES_MAX, ROWS_PER_READ } from '#storage/postgres/log-table.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { around, LogUnderTest, SMALL, type StoreEnd } from './log-sizes.ts'
import { openPostgresHarness } from './postgres-harness.ts'

const MS_MAX = 300_000

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, MS_MAX)
afterAll(() => node.remove())

const open = async (end: StoreEnd) => new LogUnderTest(await openPostgresHarness(node), end)

describe('a log in PostgreSQL', { timeout: MS_MAX }, () => {
  it.each([PART_SIZE_BYTES_MAX, LOG_GROUP_SIZE_BYTES_MAX])(
    'holds entries of about %i bytes, alone and in one transaction',
    async (boundary) => {
      await using log = await open('kill')
      const payloads = around(boundary - FRAME_HEADER_SIZE_BYTES)
      for (const size of [...around(boundary), ...payloads]) await log.append(size)
      await log.append(SMALL)
      // As many bytes as a transaction takes, one fewer and one more.
      for (const size of payloads) {
        const half = Math.floor(size / 2) - FRAME_HEADER_SIZE_BYTES
        await Promise.all([SMALL, half, size - half].map((part) => log.append(part)))
      }
      await log.restartAndCheck()
    },
  )

  it('holds those behind a fold at each place of mixed sizes', async () => {
    await using log = await open('clean stop')
    const sizes = [1, PART_SIZE_BYTES_MAX, SMALL, 2 * PART_SIZE_BYTES_MAX, SMALL]
    for (const size of sizes) await log.append(size)
    for (let folded = 1; folded <= sizes.length; folded++) {
      await log.fold(folded)
      await log.restartAndCheck()
    }
    expect(log.entryCount).toBe(sizes.length)
  })

  it('holds those that take as many rows as are read at once, and one more', async () => {
    await using log = await open('kill')
    // The first of the rows is the group that is known.
    const size = (ROWS_PER_READ - 1) * PART_SIZE_BYTES_MAX - FRAME_HEADER_SIZE_BYTES
    for (const length of [size, size + 1]) {
      await log.append(length)
      await log.append(SMALL)
    }
    for (let small = 0; small <= ROWS_PER_READ; small++) await log.append(SMALL)
    await log.restartAndCheck()
  })
})
