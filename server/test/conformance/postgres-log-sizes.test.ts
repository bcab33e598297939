/**
 * A log in PostgreSQL gives back what it acknowledged, whatever the sizes of the entries: one below, at
 * and one above what is cut into parts, shares a transaction, and is read at once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOG_GROUP_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { FRAME_HEADER_SIZE_BYTES } from '#storage/frame/frame.ts'
import { ROWS_PER_READ } from '#storage/postgres/log-rows.ts'
import { PART_SIZE_BYTES_MAX, PARTS_PER_STATEMENT } from '#storage/postgres/log-table.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { around, LogUnderTest, SMALL, type StoreEnd } from './log-sizes.ts'
import { newSchema, openPostgresHarness } from './postgres-harness.ts'

const MS_MAX = 300_000
const MEGABYTE = 1024 * 1024
const STATEMENT_SIZE_BYTES_MAX = PARTS_PER_STATEMENT * PART_SIZE_BYTES_MAX

let node: PostgresNode
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, MS_MAX)
afterAll(() => node.remove())

const open = async (end: StoreEnd) => new LogUnderTest(await openPostgresHarness(node), end)

describe('a log in PostgreSQL', { timeout: MS_MAX }, () => {
  it.each([PART_SIZE_BYTES_MAX, STATEMENT_SIZE_BYTES_MAX, LOG_GROUP_SIZE_BYTES_MAX])(
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
    const sizes = [1, PART_SIZE_BYTES_MAX, SMALL, 2 * STATEMENT_SIZE_BYTES_MAX, SMALL]
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

  it('is read and goes on where an older version has cut it into parts of 1 MB', async () => {
    const schema = newSchema()
    await using log = new LogUnderTest(await openPostgresHarness(node, schema), 'kill')
    for (const size of [SMALL, 2_500_000, SMALL, MEGABYTE, SMALL]) await log.append(size)
    await node.query(`
      SELECT first_sequence, last_sequence, last_crc, string_agg(bytes, '' ORDER BY part) AS bytes
        INTO ${schema}.whole FROM ${schema}.log GROUP BY 1, 2, 3;
      DELETE FROM ${schema}.log;
      INSERT INTO ${schema}.log
        SELECT first_sequence, part, greatest(1, (octet_length(bytes) + ${MEGABYTE - 1}) / ${MEGABYTE}),
          last_sequence, last_crc, substring(bytes FROM part * ${MEGABYTE} + 1 FOR ${MEGABYTE})
        FROM ${schema}.whole, generate_series(0, greatest(0, (octet_length(bytes) - 1) / ${MEGABYTE})) AS part;
      ALTER TABLE ${schema}.log ALTER COLUMN bytes SET STORAGE EXTERNAL`)
    await log.restartAndCheck()
    await log.append(2_500_000)
    await log.restartAndCheck()
    const [column] = await node.query(`SELECT attcompression, attstorage FROM pg_attribute
      WHERE attrelid = '${schema}.log'::regclass AND attname = 'bytes'`)
    expect(column).toEqual({ attcompression: 'l', attstorage: 'x' })
  })
})
