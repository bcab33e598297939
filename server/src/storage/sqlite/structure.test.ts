import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dataFiles } from './directory.ts'
import { repairLog } from './repair.ts'
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts'
import {
  appendEach,
  bytesOf,
  testClock as clock,
  logTexts,
  publishBlob,
  type TestDirectory,
  tamper,
  testDirectory,
} from './test-directory.ts'

/** In the header of a SQLite file: how many free pages it has, big-endian. */
const FREE_PAGES_OFFSET = 36

describe('a file whose structure is damaged', () => {
  it('is refused when a document is missing, and repair keeps the others', async () => {
    using directory = testDirectory()
    await filled(directory)
    tamper(dataFiles(directory.path).log, `DELETE FROM documents WHERE key = 'ada'`)
    await expect(open(directory)).rejects.toThrow('the documents are not those that were written')
    expect(repairLog(directory.path, clock)).toMatchObject({ keptThrough: 3, lostCommitCount: 0 })
    const store = await open(directory)
    expect(await logTexts(store)).toEqual(['a', 'b', 'c'])
    expect(await store.listDocuments('users')).toHaveLength(1)
    await store.close()
  })

  it('is refused when its list of free pages is wrong', async () => {
    using directory = testDirectory()
    await filled(directory)
    addFreePage(dataFiles(directory.path).log)
    await expect(open(directory)).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: expect.stringContaining('its pages are damaged'),
    })
    expect(repairLog(directory.path, clock)).toMatchObject({ keptThrough: 3, lostCommitCount: 0 })
    await (await open(directory)).close()
  })

  it('is refused when a table is not ours', async () => {
    using directory = testDirectory()
    await filled(directory)
    tamper(dataFiles(directory.path).log, 'ALTER TABLE groups RENAME COLUMN last_crc TO last_csc')
    await expect(open(directory)).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: 'commit log: its tables are not those of format 2',
    })
    expect(repairLog(directory.path, clock).damage).toHaveLength(1)
  })

  it('is refused when its format says that it is empty', async () => {
    using directory = testDirectory()
    await filled(directory)
    tamper(dataFiles(directory.path).log, 'PRAGMA user_version = 0')
    await expect(open(directory)).rejects.toMatchObject({ code: 'CORRUPT_LOG' })
  })

  it('is read if it holds the segments, but not written to', async () => {
    using directory = testDirectory()
    await filled(directory)
    addFreePage(dataFiles(directory.path).segments)
    const store = await open(directory)
    expect(new TextDecoder().decode((await store.readBlob('blob')).slice())).toBe('text')
    await expect(publishBlob(store, 'other', 0)).rejects.toMatchObject({ code: 'CORRUPT_SEGMENT' })
    await expect(store.append(bytesOf('d'))).rejects.toMatchObject({ code: 'STORE_READ_ONLY' })
    await store.close()
  })
})

async function filled(directory: TestDirectory): Promise<void> {
  const store = await open(directory)
  await appendEach(store, ['a', 'b', 'c'])
  await publishBlob(store, 'text', 0)
  await store.putDocument('users', 'ada', bytesOf('1'))
  await store.putDocument('users', 'bob', bytesOf('2'))
  await store.close()
}

function open(directory: TestDirectory): Promise<SqliteStore> {
  return openSqliteStore({ directory: directory.path, clock })
}

/** The header counts one more than the list has. */
function addFreePage(path: string): void {
  const bytes = readFileSync(path)
  bytes.writeUInt32BE(bytes.readUInt32BE(FREE_PAGES_OFFSET) + 1, FREE_PAGES_OFFSET)
  writeFileSync(path, bytes)
}
