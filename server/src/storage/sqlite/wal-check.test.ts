import { cpSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dataFiles } from './directory.ts'
import { repairLog } from './repair.ts'
import { openSqliteStore, type SqliteStore } from './sqlite-store.ts'
import {
  appendEach,
  bytesOf,
  testClock as clock,
  logTexts,
  type TestDirectory,
  testDirectory,
} from './test-directory.ts'

const HEADER_SIZE_BYTES = 32
const FRAME_SIZE_BYTES = 24 + 4096

describe('a damaged write-ahead log', () => {
  it('is refused by the start, and repair keeps what is before the damage', async () => {
    using directory = testDirectory()
    await killed(directory, (store) => appendEach(store, ['a', 'b', 'c', 'd', 'e']))
    const { log } = dataFiles(directory.path)
    const damaged = flip(`${log}-wal`, frameOf(-3))
    await expect(open(directory)).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: expect.stringMatching(/log\.db-wal is damaged: its frame \d+ fails its checksum/),
    })
    expect(readFileSync(`${log}-wal`).equals(damaged), 'the refused start changed it').toBe(true)
    const report = repairLog(directory.path, clock)
    expect(report).toMatchObject({ keptThrough: 2, lostCommitCount: 3 })
    expect(readFileSync(`${report.damagedFile}-wal`).equals(damaged)).toBe(true)
    const store = await open(directory)
    expect(await logTexts(store)).toEqual(['a', 'b'])
    expect(await store.append(bytesOf('next'))).toBe(3)
    await store.close()
  })

  it.each([
    ['its last frame', frameOf(-1)],
    ['its header', 17],
  ])('is refused for %s, by what was acknowledged', async (_name, place) => {
    using directory = testDirectory()
    await killed(directory, (store) => appendEach(store, ['a', 'b', 'c']))
    flip(`${dataFiles(directory.path).log}-wal`, place)
    await expect(open(directory)).rejects.toThrow(/ends at frame \d, but frame 3 was acknowledged/)
    expect(repairLog(directory.path, clock).keptThrough).toBeLessThan(3)
    await (await open(directory)).close()
  })

  it('that is gone or cut short is refused', async () => {
    for (const size of [null, 0, HEADER_SIZE_BYTES + 5]) {
      using directory = testDirectory()
      await killed(directory, (store) => appendEach(store, ['a', 'b', 'c']))
      const wal = `${dataFiles(directory.path).log}-wal`
      if (size === null) rmSync(wal)
      else truncateSync(wal, size)
      await expect(open(directory)).rejects.toThrow('it ends at frame 0, but frame 3')
    }
  })

  it('is refused when only changes of documents are missing', async () => {
    using directory = testDirectory()
    await killed(directory, async (store) => {
      await appendEach(store, ['a'])
      await store.putDocument('users', 'ada', bytesOf('1'))
      await store.putDocument('users', 'ada', bytesOf('2'))
    })
    flip(`${dataFiles(directory.path).log}-wal`, frameOf(-1))
    await expect(open(directory)).rejects.toThrow('the last 1 changes of documents are missing')
    const report = repairLog(directory.path, clock)
    expect(report).toMatchObject({ keptThrough: 1, lostCommitCount: 0, lostDocumentChanges: 1 })
    const store = await open(directory)
    expect(await store.getDocument('users', 'ada')).toEqual(bytesOf('1'))
    await store.close()
  })

  it('without its database is refused and remains', async () => {
    using directory = testDirectory()
    await killed(directory, (store) => appendEach(store, ['a']))
    const { log } = dataFiles(directory.path)
    rmSync(log)
    await expect(open(directory)).rejects.toThrow('its database is missing')
    expect(statSync(`${log}-wal`).size).toBeGreaterThan(0)
  })
})

describe('what a power loss leaves of the last commit', () => {
  it('opens without a word when nothing acknowledged is missing', async () => {
    using directory = testDirectory()
    const before = await killed(directory, (store) => appendEach(store, ['a', 'b']))
    const { log } = dataFiles(directory.path)
    // A commit of several frames of which one was not written.
    const torn = Buffer.concat([readFileSync(`${log}-wal`), before.nextCommit])
    torn.fill(0, torn.length - 2 * FRAME_SIZE_BYTES, torn.length - FRAME_SIZE_BYTES)
    writeFileSync(`${log}-wal`, torn)
    const store = await open(directory)
    expect(await logTexts(store)).toEqual(['a', 'b'])
    await store.close()
  })

  it('leaves no trace that a later one could be taken for damage', async () => {
    using directory = testDirectory()
    await killed(directory, (store) => appendEach(store, ['a', 'b']))
    const { log } = dataFiles(directory.path)
    const store = await open(directory)
    expect(statSync(`${log}-wal`).size).toBe(0)
    await store.close()
  })
})

/** Runs the work and leaves the files as a killed process does. */
async function killed(
  directory: TestDirectory,
  work: (store: SqliteStore) => Promise<void>,
): Promise<{ readonly nextCommit: Buffer }> {
  using live = testDirectory()
  const store = await open(live)
  await work(store)
  cpSync(live.path, directory.path, { recursive: true })
  const wal = `${dataFiles(live.path).log}-wal`
  const { size } = statSync(wal)
  await store.append(new Uint8Array(30_000))
  const nextCommit = readFileSync(wal).subarray(size)
  await store.close()
  return { nextCommit }
}

function open(directory: TestDirectory): Promise<SqliteStore> {
  return openSqliteStore({ directory: directory.path, clock })
}

/** A byte of the page in a frame, counted from the end. */
function frameOf(fromEnd: number): number {
  return fromEnd * FRAME_SIZE_BYTES + 2000
}

/** Flips a bit at an offset, from the end if it is negative. @returns the bytes of the damaged file */
function flip(path: string, offset: number): Buffer {
  const bytes = readFileSync(path)
  bytes[offset < 0 ? bytes.length + offset : offset]! ^= 4
  writeFileSync(path, bytes)
  return bytes
}
