/**
 * Every store gives back what it acknowledged, whatever the sizes of the entries and wherever they
 * stand: sizes one below, at and one above every constant that cuts the log into pieces.
 */
import { describe, expect, it } from 'vitest'
import {
  LOG_FREE_SIZE_BYTES_MAX,
  LOG_GROUP_SIZE_BYTES_MAX,
  LOG_READ_SIZE_BYTES,
  SEGMENT_BLOB_SIZE_BYTES_MAX,
  STORE_DELETE_SIZE_BYTES_MAX,
  STORE_SHRINK_COMMIT_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import { FRAME_HEADER_SIZE_BYTES } from '#storage/frame/frame.ts'
import type { StoreHarness } from './store.ts'

const MEGABYTE = 1024 * 1024
const BOUNDARIES = [
  LOG_READ_SIZE_BYTES,
  LOG_GROUP_SIZE_BYTES_MAX,
  STORE_DELETE_SIZE_BYTES_MAX,
  SEGMENT_BLOB_SIZE_BYTES_MAX,
  LOG_FREE_SIZE_BYTES_MAX,
  STORE_SHRINK_COMMIT_SIZE_BYTES_MAX,
]
/** The size of a whole frame, and that of its payload, may each meet a boundary. */
const BOUNDARY_SIZES = BOUNDARIES.flatMap((size) => [
  ...around(size),
  ...around(size - FRAME_HEADER_SIZE_BYTES),
])
/** A SQLite page of the log, two blocks and what a block of the replay can hold at once. */
const OTHER_SIZES = [1, 24, ...around(4096), ...around(2 * LOG_READ_SIZE_BYTES), 20 * MEGABYTE]
export const SIZES = [...new Set([...BOUNDARY_SIZES, ...OTHER_SIZES])].sort((a, b) => a - b)
export const SMALL = 100

export type StoreEnd = 'clean stop' | 'kill'

export function describeLogSizes(name: string, open: () => Promise<StoreHarness>): void {
  describe.each(['clean stop', 'kill'] as const)(`${name}: sizes of log entries, %s`, (end) => {
    it.each(SIZES)('an entry of %i bytes alone, last, first and between others', async (size) => {
      await using log = new LogUnderTest(await open(), end)
      for (const appended of [[size], [SMALL, size], [size, SMALL]]) {
        for (const length of appended) await log.append(length)
        await log.restartAndCheck()
      }
    })

    it.each(around(LOG_GROUP_SIZE_BYTES_MAX))('entries of one group of %i bytes', async (size) => {
      const half = Math.floor(size / 2) - FRAME_HEADER_SIZE_BYTES
      const rest = size - half - 2 * FRAME_HEADER_SIZE_BYTES
      await using log = new LogUnderTest(await open(), end)
      await Promise.all([SMALL, half, rest, SMALL, half].map((length) => log.append(length)))
      await log.restartAndCheck()
    })

    it('groups that fill the blocks of the reader exactly', async () => {
      await using log = new LogUnderTest(await open(), end)
      for (let entry = 1; entry <= 8; entry++) {
        await log.append(LOG_READ_SIZE_BYTES / 4 - FRAME_HEADER_SIZE_BYTES)
        if (entry % 4 === 0) await log.restartAndCheck()
      }
    })

    it('an entry of 64 MiB', async () => {
      await using log = new LogUnderTest(await open(), end)
      await log.append(SMALL)
      await log.append(64 * MEGABYTE)
      await log.restartAndCheck()
    })

    it('entries behind a fold at each place of a log of mixed sizes', async () => {
      const sizes = [1, LOG_READ_SIZE_BYTES, SMALL, LOG_READ_SIZE_BYTES - 1, 5 * MEGABYTE]
      for (let folded = 1; folded <= sizes.length; folded++) {
        await using log = new LogUnderTest(await open(), end)
        for (const length of sizes) await log.append(length)
        await log.fold(folded)
        await log.restartAndCheck()
        await log.append(LOG_READ_SIZE_BYTES)
        await log.restartAndCheck()
      }
    })
  })
}

interface Appended {
  readonly sequence: number
  readonly sizeBytes: number
}

/** A store with the sizes of what was appended to it: its n-th entry has bytes that only it has. */
export class LogUnderTest {
  readonly #end: StoreEnd
  readonly #entries: Appended[] = []
  #harness: StoreHarness
  /** How many of the entries are in the checkpoint. */
  #foldedCount = 0
  #beganCount = 0

  constructor(harness: StoreHarness, end: StoreEnd) {
    this.#harness = harness
    this.#end = end
  }

  get entryCount(): number {
    return this.#entries.length
  }

  async append(sizeBytes: number): Promise<void> {
    const number = ++this.#beganCount
    const { store, numbersMore } = this.#harness
    const sequence = await store.append(payload(number, sizeBytes))
    const before = this.#entries.at(-1)?.sequence ?? 0
    if (numbersMore) expect(sequence).toBeGreaterThan(before)
    else expect(sequence).toBe(number)
    this.#entries.push({ sequence, sizeBytes })
  }

  /** A checkpoint of so many entries. */
  async fold(count: number): Promise<void> {
    this.#foldedCount = count
    await this.#harness.store.beginSegments().publish('', this.#foldedSequence)
  }

  async restartAndCheck(end = this.#end): Promise<void> {
    const harness = this.#harness
    this.#harness = await (end === 'kill' ? harness.reopenKilled() : harness.reopen())
    const { store, numbersMore } = this.#harness
    let number = this.#foldedCount
    for await (const entry of store.readLog(this.#foldedSequence)) {
      const appended = this.#entries[number++]
      expect(entry.sequence).toBe(appended?.sequence)
      const wanted = payload(number, appended?.sizeBytes ?? 1)
      expect(entry.payload.length).toBe(wanted.length)
      expect(Buffer.compare(entry.payload, wanted), `bytes of entry ${number}`).toBe(0)
    }
    expect(number).toBe(this.#entries.length)
    if (!numbersMore) expect(store.statistics().lastSequence).toBe(number)
  }

  get #foldedSequence(): number {
    return this.#entries[this.#foldedCount - 1]?.sequence ?? 0
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#harness.remove()
  }
}

/** One below, at and one above. */
export function around(size: number): readonly number[] {
  return [size - 1, size, size + 1]
}

/** Cheap to make: the entry's number in every place, with marks at the end and in the middle. */
function payload(sequence: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(sequence)
  bytes[length - 1] = 255 - sequence
  if (length > 4096) bytes.set([sequence, 1, 2, 3], length >> 1)
  return bytes
}
