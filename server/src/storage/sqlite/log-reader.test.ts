import { describe, expect, it } from 'vitest'
import { LOG_READ_SIZE_BYTES } from '#kernel/limits.ts'
import { FRAME_HEADER_SIZE_BYTES, layOutFrame } from '../frame/frame.ts'
import { dataFiles } from './directory.ts'
import { LogFile } from './log-file.ts'
import { LogReader } from './log-reader.ts'
import { repairLog } from './repair.ts'
import { openSqliteStore } from './sqlite-store.ts'
import { testClock as clock, logTexts, tamper, testDirectory } from './test-directory.ts'
import { verifyLog } from './verify.ts'

describe('a block of the log', () => {
  it('ends before the group that would make it too large, and the last one leads nowhere', () => {
    using directory = testDirectory()
    const log = logOf(directory.path, [LOG_READ_SIZE_BYTES / 2, LOG_READ_SIZE_BYTES / 2, 100])
    expect(log.readBlock(1)).toMatchObject({ nextSequence: 3 })
    expect(log.readBlock(2)).toMatchObject({ nextSequence: null })
    expect(log.readBlock(3)).toMatchObject({ nextSequence: null })
    log.close()
  })

  it.each([-1, 0, 1])('of one group of the largest size and %i leads nowhere', (more) => {
    using directory = testDirectory()
    const log = logOf(directory.path, [LOG_READ_SIZE_BYTES + more])
    const block = log.readBlock(1)
    expect(block.bytes).toHaveLength(LOG_READ_SIZE_BYTES + more)
    expect(block.nextSequence).toBeNull()
    log.close()
  })

  it('that leads back is an error of the program, not a loop', () => {
    using directory = testDirectory()
    const log = logOf(directory.path, [100, 100])
    const block = { ...log.readBlock(1), nextSequence: 1 }
    log.close()
    expect(() => [...new LogReader(0).frames(block)]).toThrow('leads on to a later one')
  })
})

describe('what a row of the log says of its group', () => {
  it.each([
    'UPDATE groups SET last_sequence = 1 WHERE first_sequence = 2',
    'UPDATE groups SET last_crc = last_crc + 1 WHERE first_sequence = 2',
    'UPDATE groups SET first_sequence = 3 WHERE first_sequence = 2',
  ])('is held against its frames by start, verification and repair: %s', async (damage) => {
    using directory = testDirectory()
    const { log } = dataFiles(directory.path)
    logOf(directory.path, [100, 100]).close()
    tamper(log, damage)
    const open = openSqliteStore({ directory: directory.path, clock })
    await expect(open).rejects.toMatchObject({ code: 'CORRUPT_LOG' })
    expect(() => verifyLog({ path: log })).toThrow(expect.objectContaining({ code: 'CORRUPT_LOG' }))
    const report = repairLog(directory.path, clock)
    expect(report.damage).toHaveLength(1)
    const again = await openSqliteStore({ directory: directory.path, clock })
    expect(await logTexts(again)).toHaveLength(report.keptThrough)
    await again.close()
  })
})

/** A log with one group of so many bytes each. */
function logOf(directory: string, sizes: readonly number[]): LogFile {
  const log = new LogFile({ path: dataFiles(directory).log })
  for (const [index, size] of sizes.entries()) {
    const bytes = new Uint8Array(size)
    const payload = new Uint8Array(size - FRAME_HEADER_SIZE_BYTES).fill(97)
    layOutFrame(bytes, { offset: 0, sequence: index + 1 }, payload)
    log.appendGroup(bytes)
  }
  return log
}
