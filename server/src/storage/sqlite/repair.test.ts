import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dataFiles } from './directory.ts'
import { keepAlso, repairLog } from './repair.ts'
import { openSqliteStore } from './sqlite-store.ts'
import {
  appendEach,
  bytesOf,
  testClock as clock,
  flipBit,
  logTexts,
  publishBlob,
  tamper,
  testDirectory,
} from './test-directory.ts'

describe('repairLog', () => {
  it('changes nothing where nothing is damaged', async () => {
    using directory = testDirectory()
    await fill(directory.path)
    expect(repairLog(directory.path, clock)).toEqual({
      damage: [],
      keptThrough: 6,
      lostCommitCount: 0,
      lostDocuments: [],
      lostDocumentChanges: 0,
      damagedFile: null,
    })
    expect(await contents(directory.path)).toEqual({ log: ['d', 'e', 'f'], ada: 'user' })
  })

  it('keeps every commit before the damaged one, and the damaged file', async () => {
    using directory = testDirectory()
    await fill(directory.path)
    flipBit(dataFiles(directory.path).log, {
      table: 'groups',
      where: 'first_sequence = 5',
      offset: 9,
    })
    const report = repairLog(directory.path, clock)
    expect(report).toMatchObject({ keptThrough: 4, lostCommitCount: 2 })
    expect(report.damage).toEqual([expect.stringMatching('frame 5 is damaged')])
    expect(existsSync(report.damagedFile!)).toBe(true)
    expect(await contents(directory.path)).toEqual({ log: ['d'], ada: 'user' })
    expect(repairLog(directory.path, clock).damage).toEqual([])
  })

  it('keeps the sound frames of a group that is damaged further on', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await Promise.all(['a', 'b', 'c', 'd'].map((text) => store.append(bytesOf(text))))
    await store.close()
    flipBit(dataFiles(directory.path).log, { table: 'groups', where: '1', offset: 25 * 2 + 24 })
    expect(repairLog(directory.path, clock)).toMatchObject({ keptThrough: 2, lostCommitCount: 2 })
    const again = await openSqliteStore({ directory: directory.path, clock })
    expect(await logTexts(again)).toEqual(['a', 'b'])
    expect(await again.append(bytesOf('new'))).toBe(3)
    await again.close()
  })

  it('names the documents it had to leave behind', async () => {
    using directory = testDirectory()
    await fill(directory.path)
    flipBit(dataFiles(directory.path).log, { table: 'documents', where: '1', offset: 0 })
    const report = repairLog(directory.path, clock)
    expect(report).toMatchObject({
      keptThrough: 6,
      lostCommitCount: 0,
      lostDocuments: ['users/ada'],
    })
    expect(await contents(directory.path)).toEqual({ log: ['d', 'e', 'f'], ada: null })
  })

  it('starts behind the segments when the file cannot be read at all', async () => {
    using directory = testDirectory()
    await fill(directory.path)
    writeFileSync(dataFiles(directory.path).log, 'this is no database, whatever its name says')
    const report = repairLog(directory.path, clock)
    expect(report.keptThrough).toBe(3)
    expect(report.damage).toHaveLength(1)
    expect(await contents(directory.path)).toEqual({ log: [], ada: null })
  })

  it('starts behind the segments when the log lost its first frames', async () => {
    using directory = testDirectory()
    await fill(directory.path)
    tamper(dataFiles(directory.path).log, 'DELETE FROM groups WHERE first_sequence = 4')
    expect(repairLog(directory.path, clock)).toMatchObject({ keptThrough: 3, lostCommitCount: 3 })
  })

  it('keeps a copy where the file system knows no second names', () => {
    using directory = testDirectory()
    const file = join(directory.path, 'log')
    const refuse = () => {
      throw new Error('EPERM: operation not permitted, link')
    }
    writeFileSync(file, 'damaged')
    keepAlso(file, `${file}.kept`, refuse)
    expect(readFileSync(`${file}.kept`, 'utf8')).toBe('damaged')
    expect(readFileSync(file, 'utf8')).toBe('damaged')
    writeFileSync(file, 'another')
    expect(() => keepAlso(file, `${file}.kept`, refuse)).toThrow('EEXIST')
  })

  it('leaves damaged segments to a backup', async () => {
    using directory = testDirectory()
    await fill(directory.path)
    flipBit(dataFiles(directory.path).segments, { table: 'parts', where: '1', offset: 0 })
    expect(() => repairLog(directory.path, clock)).toThrow('blob blob is damaged')
  })
})

/** Six commits, three of them folded, and a document. */
async function fill(directory: string): Promise<void> {
  const store = await openSqliteStore({ directory, clock })
  await appendEach(store, ['a', 'b', 'c', 'd', 'e', 'f'])
  await publishBlob(store, 'blob', 3)
  await store.putDocument('users', 'ada', bytesOf('user'))
  await store.settled()
  await store.close()
}

async function contents(directory: string): Promise<{ log: string[]; ada: string | null }> {
  const store = await openSqliteStore({ directory, clock })
  const log = await logTexts(store, 3)
  const ada = await store.getDocument('users', 'ada')
  await store.close()
  return { log, ada: ada === null ? null : new TextDecoder().decode(ada) }
}
