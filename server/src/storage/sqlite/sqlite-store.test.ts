import { rmSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { DbError } from '#kernel/errors.ts'
import {
  FRAME_SIZE_BYTES_MAX,
  LOG_GROUP_SIZE_BYTES_MAX,
  STORE_DELETE_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import { createRandom } from '#kernel/prng.ts'
import type { Store } from '../store.ts'
import { dataFiles } from './directory.ts'
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

describe('group commit', () => {
  it('shares one sync among concurrent appends', async () => {
    using directory = testDirectory()
    await using store = closing(await openSqliteStore({ directory: directory.path, clock }))
    await Promise.all(Array.from({ length: 300 }, (_, index) => store.append(bytesOf(`${index}`))))
    const { commitCount, commitGroupCount } = store.statistics()
    expect(commitCount).toBe(300)
    expect(commitGroupCount).toBe(1)
  })

  it('cuts groups at their largest size, and lets a larger frame go alone', async () => {
    using directory = testDirectory()
    await using store = closing(await openSqliteStore({ directory: directory.path, clock }))
    const half = new Uint8Array(LOG_GROUP_SIZE_BYTES_MAX / 2 - 24)
    const over = new Uint8Array(LOG_GROUP_SIZE_BYTES_MAX)
    await Promise.all([half, half, half, over, half].map((payload) => store.append(payload)))
    expect(store.statistics().commitGroupCount).toBe(4)
  })

  it('refuses a frame one byte over the limit and goes on', async () => {
    using directory = testDirectory()
    await using store = closing(await openSqliteStore({ directory: directory.path, clock }))
    const tooLarge = new Uint8Array(FRAME_SIZE_BYTES_MAX - 23)
    await expect(store.append(tooLarge)).rejects.toMatchObject({ code: 'BODY_TOO_LARGE' })
    expect(await store.append(bytesOf('next'))).toBe(1)
  })
})

describe('segments', () => {
  it('hold what is written out of a buffer of 4 GiB and more', async () => {
    using directory = testDirectory()
    await using store = closing(await openSqliteStore({ directory: directory.path, clock }))
    const gib = 2 ** 30
    const whole = new SharedArrayBuffer(4 * gib + 1_000)
    const exact = new SharedArrayBuffer(4 * gib)
    const blobs = [
      new Uint8Array(exact, gib, 1_000),
      new Uint8Array(whole, 100, 1_000),
      new Uint8Array(whole, 4 * gib, 1_000),
    ]
    const writer = store.beginSegments()
    for (const [index, bytes] of blobs.entries()) {
      bytes.fill(index + 1)
      await writer.writeBlob(`${index}`, bytes)
    }
    await writer.publish('{}', 0)
    for (const [index, bytes] of blobs.entries()) {
      expect(Buffer.compare(await store.readBlob(`${index}`), bytes)).toBe(0)
    }
  })
})

describe('damage', () => {
  it('of the last frame refuses to start, naming its sequence and what failed', async () => {
    using directory = testDirectory()
    await filled(directory.path, ['a', 'b', 'c'])
    const { log } = dataFiles(directory.path)
    flipBit(log, { table: 'groups', where: 'first_sequence = 3', offset: 24 })
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toThrow(
      /frame 3 is damaged: its checksum is/,
    )
  })

  it('of an earlier frame is found by replay, after the frames before it', async () => {
    using directory = testDirectory()
    await filled(directory.path, ['a', 'b', 'c'])
    const { log } = dataFiles(directory.path)
    flipBit(log, { table: 'groups', where: 'first_sequence = 2', offset: 24 })
    await using store = closing(await openSqliteStore({ directory: directory.path, clock }))
    const seen: number[] = []
    const failure = await replay(store, seen)
    expect(failure).toMatchObject({ code: 'CORRUPT_LOG', details: { sequence: 2 } })
    expect(seen).toEqual([1])
  })

  it('shows as a broken chain when a frame is missing', async () => {
    using directory = testDirectory()
    await filled(directory.path, ['a', 'b', 'c'])
    tamper(dataFiles(directory.path).log, 'DELETE FROM groups WHERE first_sequence = 2')
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toThrow(
      'frame 2 is damaged: frame 3 stands in its place',
    )
  })

  it('shows as a broken chain when the log lost its beginning', async () => {
    using directory = testDirectory()
    await filled(directory.path, ['a', 'b', 'c'])
    tamper(dataFiles(directory.path).log, 'DELETE FROM groups WHERE first_sequence = 1')
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
      message: 'commit log: it begins with frame 2 instead of 1',
    })
  })

  it('of a blob is found when it is read, naming the part', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await publishBlob(store, 'the blob', 0)
    await store.close()
    const { segments } = dataFiles(directory.path)
    flipBit(segments, { table: 'parts', where: '1', offset: 3 })
    await using again = closing(await openSqliteStore({ directory: directory.path, clock }))
    await expect(again.readBlob('blob')).rejects.toThrow(/blob blob is damaged: part 0 has a wrong/)
  })

  it('of a blob that lost a part is found', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await publishBlob(store, 'the blob', 0)
    await store.close()
    tamper(dataFiles(directory.path).segments, 'DELETE FROM parts')
    await using again = closing(await openSqliteStore({ directory: directory.path, clock }))
    await expect(again.readBlob('blob')).rejects.toThrow(/it has 0 of 8 bytes/)
  })

  it('of the manifest refuses to start', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await publishBlob(store, 'the blob', 0)
    await store.close()
    tamper(dataFiles(directory.path).segments, `UPDATE manifest SET json = replace(json, '0', '1')`)
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toMatchObject({
      code: 'CORRUPT_SEGMENT',
    })
  })

  it('of a document is found when it is read', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await store.putDocument('users', 'ada', bytesOf('{}'))
    await store.close()
    flipBit(dataFiles(directory.path).log, { table: 'documents', where: '1', offset: 0 })
    await using again = closing(await openSqliteStore({ directory: directory.path, clock }))
    await expect(again.getDocument('users', 'ada')).rejects.toThrow(
      'users/ada has a wrong checksum',
    )
  })

  it('of the file itself refuses to start', async () => {
    using directory = testDirectory()
    await filled(directory.path, ['a'])
    const { writeFileSync } = await import('node:fs')
    writeFileSync(dataFiles(directory.path).log, 'this is no database, whatever its name says')
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toMatchObject({
      code: 'CORRUPT_LOG',
    })
  })
})

describe('log and segments', () => {
  it('that do not belong together are refused', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await appendEach(store, ['a', 'b', 'c'])
    await publishBlob(store, 'blob', 2)
    await store.close()
    const files = dataFiles(directory.path)
    tamper(files.log, 'DELETE FROM groups')
    tamper(files.log, 'UPDATE anchor SET sequence = 1')
    rmSync(files.end)
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toThrow(
      'it ends at frame 1, but the segments contain frame 2',
    )
    tamper(files.log, 'UPDATE anchor SET sequence = 9')
    await expect(openSqliteStore({ directory: directory.path, clock })).rejects.toThrow(
      'they reach frame 2, but the log begins after frame 9',
    )
  })

  it('lose what is folded and superseded in slices after publishing', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    const large = new Uint8Array(3 * 1024 * 1024).fill(1)
    for (let index = 0; index < 5; index++) await store.append(large)
    for (const folded of [3, 4]) {
      const writer = store.beginSegments()
      await writer.writeBlob('large', new Uint8Array(9 * 1024 * 1024).fill(folded))
      await writer.publish('', folded)
    }
    await store.settled()
    expect(store.statistics()).toMatchObject({ logEntryCount: 1, logSizeBytes: large.length + 24 })
    await store.close()
    expect(rowCount(dataFiles(directory.path).segments, 'parts')).toBe(9)
    expect(rowCount(dataFiles(directory.path).log, 'groups')).toBe(1)
  })

  it('finish at the next start what was left to delete', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    await appendEach(store, ['a', 'b', 'c'])
    await publishBlob(store, 'blob', 2)
    await store.settled()
    await store.close()
    const { segments } = dataFiles(directory.path)
    tamper(segments, `INSERT INTO parts VALUES (77 * 1048576, 0, x'00', 0)`)
    const again = await openSqliteStore({ directory: directory.path, clock })
    await again.settled()
    await again.close()
    expect(rowCount(segments, 'parts')).toBe(1)
  })
})

describe('the size of the files', () => {
  it('falls once superseded blobs and folded frames are gone', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock })
    const files = dataFiles(directory.path)
    await Promise.all(Array.from({ length: 24 }, () => store.append(new Uint8Array(1_000_000))))
    await publishNoise(store, 12_000_000, 1)
    await publishNoise(store, 1_000_000, 24)
    await store.settled()
    expect(await store.readBlob('noise')).toHaveLength(1_000_000)
    await store.close()
    expect(statSync(files.log).size).toBeLessThan(100_000)
    expect(statSync(files.segments).size).toBeLessThan(1_000_000 + STORE_DELETE_SIZE_BYTES_MAX)
  })
})

describe('a full disk', () => {
  it('refuses the append that does not fit and every later write; reads go on', async () => {
    using directory = testDirectory()
    await using store = closing(
      await openSqliteStore({ directory: directory.path, clock, logPagesMax: 30 }),
    )
    await store.putDocument('users', 'ada', bytesOf('{}'))
    await store.append(bytesOf('kept'))
    const appends = Array.from({ length: 3 }, () => store.append(new Uint8Array(200_000)))
    const outcomes = await Promise.allSettled(appends)
    const codes = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : null))
    expect(codes.map((error) => error?.code)).toEqual(['DISK_FULL', 'DISK_FULL', 'DISK_FULL'])
    expect(store.state).toMatchObject({ kind: 'read-only', reason: /full/ })
    await expect(store.append(bytesOf('small'))).rejects.toMatchObject({ code: 'STORE_READ_ONLY' })
    await expect(store.putDocument('a', 'b', bytesOf('c'))).rejects.toMatchObject({
      code: 'STORE_READ_ONLY',
    })
    expect(() => store.beginSegments()).toThrow(DbError)
    expect(await logTexts(store)).toEqual(['kept'])
    expect(await store.getDocument('users', 'ada')).toEqual(bytesOf('{}'))
  })

  it('loses nothing that was acknowledged', async () => {
    using directory = testDirectory()
    const store = await openSqliteStore({ directory: directory.path, clock, logPagesMax: 40 })
    const acknowledged: string[] = []
    for (let index = 0; store.state.kind === 'ready'; index++) {
      const text = `${index} ${'x'.repeat(3000)}`
      await store.append(bytesOf(text)).then(
        () => acknowledged.push(text),
        () => undefined,
      )
    }
    await store.close()
    expect(acknowledged.length).toBeGreaterThan(5)
    await using again = closing(await openSqliteStore({ directory: directory.path, clock }))
    expect(await logTexts(again)).toEqual(acknowledged)
    expect(await again.append(bytesOf('more'))).toBe(acknowledged.length + 1)
  })

  it('while writing segments leaves the old ones readable', async () => {
    using directory = testDirectory()
    await using store = closing(
      await openSqliteStore({ directory: directory.path, clock, segmentPagesMax: 30 }),
    )
    await publishBlob(store, 'old', 0)
    const writer = store.beginSegments()
    await expect(writer.writeBlob('large', noise(3_000_000))).rejects.toMatchObject({
      code: 'DISK_FULL',
    })
    expect(store.state.kind).toBe('read-only')
    expect(new TextDecoder().decode((await store.readBlob('blob')).slice())).toBe('old')
  })
})

/** Bytes that no codec makes smaller. */
function noise(sizeBytes: number): Uint8Array {
  const random = createRandom(sizeBytes)
  const words = Uint32Array.from({ length: sizeBytes / 4 }, () => random.below(2 ** 32))
  return new Uint8Array(words.buffer)
}

async function publishNoise(store: Store, sizeBytes: number, folded: number): Promise<void> {
  const writer = store.beginSegments()
  await writer.writeBlob('noise', noise(sizeBytes))
  await writer.publish('', folded)
}

async function filled(directory: string, texts: readonly string[]): Promise<void> {
  const store = await openSqliteStore({ directory, clock })
  await appendEach(store, texts)
  await store.close()
}

function closing<S extends { close(): Promise<void> }>(store: S): S & AsyncDisposable {
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}

async function replay(
  store: { readLog(after: number): AsyncIterable<{ sequence: number }> },
  seen: number[],
) {
  try {
    for await (const { sequence } of store.readLog(0)) seen.push(sequence)
    return null
  } catch (error) {
    return error
  }
}

function rowCount(path: string, table: string): number {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(path, { readOnly: true })
  const row = database.prepare(`SELECT count(*) AS count FROM ${table}`).get()
  database.close()
  return Number(row?.['count'])
}
