/**
 * Damages one file of a data directory, as a bad disk does, and looks what becomes of it: everything
 * that was acknowledged is read back, or the store refuses to open and says that it is damaged.
 * Anything else is a silent loss. What is refused is repaired: what is then there is a beginning of
 * what was written, and what the repair says was lost is what is missing.
 */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import type { Random } from '#kernel/prng.ts'
import { repairLog } from '#storage/sqlite/repair.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { Store } from '#storage/store.ts'

const clock = { nowMs: () => 0, monotonicMs: () => 0 }
const REFUSALS = ['CORRUPT_LOG', 'CORRUPT_SEGMENT', 'UNSUPPORTED_FORMAT', 'STORE_FAILED']

/** The files of a store whose process was killed, and what it had acknowledged. */
export interface Image extends Disposable {
  readonly directory: string
  readonly entries: readonly Uint8Array[]
  readonly folded: number
  readonly documents: ReadonlyMap<string, Uint8Array>
  /** The write-ahead log with one more commit, of several pages, that was not acknowledged. */
  readonly nextWal: Buffer
}

export interface Outcome {
  readonly damage: string
  readonly result: 'harmless' | 'refused' | 'silent loss'
}

type DamageKind = 'flip' | 'garble' | 'zero' | 'truncate' | 'delete'

const FILES = ['log.db-wal', 'log.db-wal', 'log.db', 'segments.db', 'log.db-shm', 'log.end']
const KINDS: readonly DamageKind[] = [
  'flip',
  'flip',
  'flip',
  'garble',
  'zero',
  'truncate',
  'delete',
]

export async function makeImage(random: Random): Promise<Image> {
  const live = mkdtempSync(join(tmpdir(), 'quiver-image-'))
  const directory = mkdtempSync(join(tmpdir(), 'quiver-image-'))
  let store = await openSqliteStore({ directory: live, clock })
  const entries: Uint8Array[] = []
  const documents = new Map<string, Uint8Array>()
  const append = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const bytes = randomBytes(random, sizeOf(random))
      entries.push(bytes)
      await store.append(bytes)
      if (random.below(4) > 0) continue
      const key = `d${random.below(8)}`
      documents.set(key, randomBytes(random, 1 + random.below(9000)))
      await store.putDocument('some', key, documents.get(key)!)
    }
  }
  await append(10 + random.below(60))
  const folded = random.below(entries.length)
  const writer = store.beginSegments()
  await writer.writeBlob('blob', randomBytes(random, 200_000))
  await writer.publish('', folded)
  await store.settled()
  await append(10 + random.below(40))
  // A clean stop moves what is there from the write-ahead log to the log itself.
  if (random.below(2) === 0) {
    await store.close()
    store = await openSqliteStore({ directory: live, clock })
  }
  if (random.below(3) > 0) await append(10 + random.below(80))
  cpSync(live, directory, { recursive: true })
  await store.append(randomBytes(random, 20_000))
  const nextWal = readFileSync(join(live, 'log.db-wal'))
  await store.close()
  rmSync(live, { recursive: true })
  const remove = () => rmSync(directory, { recursive: true })
  return { directory, entries, folded, documents, nextWal, [Symbol.dispose]: remove }
}

export async function damageRound(image: Image, random: Random): Promise<Outcome> {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-damage-'))
  try {
    cpSync(image.directory, directory, { recursive: true })
    const damage = applyDamage(directory, random)
    const failure = await check(image, directory)
    if (failure === null) return { damage, result: 'harmless' }
    if (!isDbError(failure) || !REFUSALS.includes(failure.code)) {
      return { damage: `${damage}: ${failure}`, result: 'silent loss' }
    }
    // The refused start changed nothing that the repair needs.
    await repairAndCheck(image, directory, damage)
    return { damage: `${damage}: ${failure.message}`, result: 'refused' }
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** A power loss tears the last commit, which nobody was told of: the store opens without it. */
export async function tornRound(image: Image, random: Random): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-torn-'))
  try {
    cpSync(image.directory, directory, { recursive: true })
    const wal = join(directory, 'log.db-wal')
    const start = statSync(wal).size
    const torn = Buffer.from(image.nextWal)
    const isSameWal = torn.subarray(0, start).equals(readFileSync(wal))
    // A commit that begins the write-ahead log anew tears nothing that is needed.
    if (!isSameWal || torn.length === start) return
    for (let offset = start; offset < torn.length; offset += 512) {
      if (random.below(2) === 0) torn.fill(0, offset, Math.min(offset + 512, torn.length))
    }
    torn.fill(255, start + 24, start + 124)
    writeFileSync(wal, torn.subarray(0, start + 200 + random.below(torn.length - start)))
    if (random.below(2) === 0) rmSync(join(directory, 'log.end'))
    expect(await check(image, directory)).toBeNull()
  } finally {
    rmSync(directory, { recursive: true })
  }
}

/** @returns null when everything is there, else why it is not */
async function check(image: Image, directory: string): Promise<unknown> {
  let store: Store
  try {
    store = await openSqliteStore({ directory, clock })
  } catch (error) {
    return error
  }
  try {
    const entries = await readEntries(store, image)
    if (entries !== image.entries.length) return `${entries} of ${image.entries.length} entries`
    await store.readBlob('blob')
    for (const [key, bytes] of image.documents) {
      const found = await store.getDocument('some', key)
      if (found === null || Buffer.compare(found, bytes) !== 0) return `document ${key}`
    }
    const { length } = await store.listDocuments('some')
    return length === image.documents.size ? null : `${length} documents`
  } catch (error) {
    return error
  } finally {
    await store.close()
  }
}

/** @returns the last sequence, after it saw that the log is a beginning of what was written */
async function readEntries(store: Store, { entries, folded }: Image): Promise<number> {
  const from = (await store.readManifest())?.foldedSequence ?? 0
  if (from !== folded) return -1
  let last = from
  for await (const { sequence, payload } of store.readLog(from)) {
    last++
    const expected = entries[last - 1]
    if (sequence !== last || expected === undefined) return -1
    if (Buffer.compare(payload, expected) !== 0) return -1
  }
  return last
}

async function repairAndCheck(image: Image, directory: string, damage: string): Promise<void> {
  const before = filesOf(directory)
  let report: ReturnType<typeof repairLog>
  try {
    report = repairLog(directory, clock)
  } catch (error) {
    // Segments are not repaired: that takes a backup.
    expect(damage, String(error)).toMatch(/segments\.db/)
    return
  }
  if (report.damagedFile === null) return expectSegmentDamage(damage)
  for (const [tail, bytes] of before) {
    const kept = readFileSync(report.damagedFile + tail)
    expect(Buffer.compare(kept, bytes), `${damage}: ${tail} remains`).toBe(0)
  }
  const store = await openSqliteStore({ directory, clock })
  const last = await readEntries(store, image)
  expect(last, damage).toBe(report.keptThrough)
  expect(last + report.lostCommitCount, damage).toBe(image.entries.length)
  await expectDocuments(store, image, report)
  expect(await store.append(Uint8Array.of(1))).toBe(last + 1)
  await store.close()
  expect(repairLog(directory, clock).damage).toEqual([])
}

function expectSegmentDamage(damage: string): void {
  expect(damage).toMatch(/segments\.db/)
}

/** Each document is as it was acknowledged, or the repair says that some are not. */
async function expectDocuments(
  store: Store,
  { documents }: Image,
  report: ReturnType<typeof repairLog>,
): Promise<void> {
  const found = new Map((await store.listDocuments('some')).map(({ key, bytes }) => [key, bytes]))
  const wrong = [...documents].filter(
    ([key, bytes]) => !found.has(key) || Buffer.compare(found.get(key)!, bytes) !== 0,
  )
  const isTold = report.lostDocumentChanges > 0 || report.damage.length > 0
  expect(wrong.length === 0 || isTold, 'missing documents are told').toBe(true)
}

/** The damaged log and its write-ahead log, by what follows the name of the log. */
function filesOf(directory: string): readonly (readonly [string, Buffer])[] {
  return ['', '-wal']
    .filter((tail) => existsSync(join(directory, `log.db${tail}`)))
    .map((tail) => [tail, readFileSync(join(directory, `log.db${tail}`))] as const)
}

function applyDamage(directory: string, random: Random): string {
  const paths = FILES.map((name) => join(directory, name)).filter(hasBytes)
  const path = paths[random.below(paths.length)]!
  const kind = KINDS[random.below(KINDS.length)]!
  const bytes = readFileSync(path)
  const at = random.below(bytes.length)
  const name = `${kind} ${basename(path)} at ${at} of ${bytes.length}`
  switch (kind) {
    case 'flip':
      bytes[at]! ^= 1 << random.below(8)
      break
    case 'garble':
      bytes.set(randomBytes(random, Math.min(1 + random.below(64), bytes.length - at)), at)
      break
    case 'zero':
      bytes.fill(0, at - (at % 512), Math.min(at - (at % 512) + 512, bytes.length))
      break
    case 'truncate':
      truncateSync(path, at)
      return name
    case 'delete':
      rmSync(path)
      return name
  }
  writeFileSync(path, bytes)
  return name
}

function hasBytes(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/** Most are small, some go over many pages. */
function sizeOf(random: Random): number {
  return random.below(8) === 0 ? 1 + random.below(60_000) : 1 + random.below(1500)
}

function randomBytes(random: Random, length: number): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256))
}
