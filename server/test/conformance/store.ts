/**
 * What every store promises, as tests over the interface alone. An implementation calls
 * `describeStore` with a way to open an empty store and to restart it.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isDbError } from '#kernel/errors.ts'
import { DOCUMENT_SIZE_BYTES_MAX, SEGMENT_BLOB_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { Store } from '#storage/store.ts'

export interface StoreHarness {
  readonly store: Store
  /** Documents and checkpoints are numbered like entries, so that those may skip numbers. */
  readonly numbersMore?: boolean
  /** Closes the store and opens it again on what is durable. */
  reopen(): Promise<StoreHarness>
  /** Opens it again on what a process that ends without warning leaves. */
  reopenKilled(): Promise<StoreHarness>
  remove(): Promise<void>
}

export function describeStore(name: string, open: () => Promise<StoreHarness>): void {
  describe(`${name}: log`, () => {
    const { store, restart, numbersMore } = useStore(open)

    it('numbers entries from 1 in the order of the calls', async () => {
      const sequences = await Promise.all(
        ['a', 'b', 'c'].map((text) => store().append(bytes(text))),
      )
      sequences.push(await store().append(bytes('d')))
      expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
      if (!numbersMore()) expect(sequences).toEqual([1, 2, 3, 4])
      expect(await log(store())).toEqual(lines(sequences, 'abcd'))
    })

    it('settles concurrent appends in order', async () => {
      const settled: number[] = []
      const appends = Array.from({ length: 500 }, (_, index) =>
        store()
          .append(bytes(`entry ${index}`))
          .then((sequence) => settled.push(sequence)),
      )
      await Promise.all(appends)
      expect(settled).toEqual(Array.from({ length: 500 }, (_, index) => settled[0]! + index))
      expect(await log(store())).toHaveLength(500)
    })

    it('copies what it is given', async () => {
      const payload = bytes('first')
      const sequence = await store().append(payload)
      payload.fill(0)
      expect(await log(store())).toEqual([`${sequence} first`])
    })

    it('takes a view into a pool of bytes and leaves the pool alone', async () => {
      const pool = Buffer.from('before PAYLOAD after')
      const sequence = await store().append(pool.subarray(7, 14))
      await store().putDocument('pool', 'view', pool.subarray(7, 14))
      const writer = store().beginSegments()
      await writer.writeBlob('view', pool.subarray(7, 14))
      await writer.publish('', 0)
      expect(pool.toString()).toBe('before PAYLOAD after')
      await restart()
      expect(await log(store())).toEqual([`${sequence} PAYLOAD`])
      expect(await documents(store(), 'pool')).toEqual(['view PAYLOAD'])
      expect(text(await store().readBlob('view'))).toBe('PAYLOAD')
    })

    it('leaves the bytes it is given to their owner', async () => {
      const whole = Buffer.alloc(20_000, 7)
      await store().append(whole)
      await store().putDocument('pool', 'whole', whole)
      const writer = store().beginSegments()
      await writer.writeBlob('whole', whole)
      await writer.publish('', 0)
      expect(whole.every((byte) => byte === 7)).toBe(true)
      expect(whole.length).toBe(20_000)
      whole.fill(8)
      expect((await store().getDocument('pool', 'whole'))!.every((byte) => byte === 7)).toBe(true)
      expect((await store().readBlob('whole')).every((byte) => byte === 7)).toBe(true)
    })

    it('reads only what comes after a sequence', async () => {
      const sequences = await appendAll(store(), 'abc')
      expect(await log(store(), sequences[1])).toEqual(lines(sequences.slice(2), 'c'))
      expect(await log(store(), sequences[2])).toEqual([])
    })

    it('keeps entries and their numbers over a restart', async () => {
      const sequences = await appendAll(store(), 'abc')
      await restart()
      expect(await log(store())).toEqual(lines(sequences, 'abc'))
      sequences.push(await store().append(bytes('d')))
      if (!numbersMore()) expect(sequences).toEqual([1, 2, 3, 4])
      await restart()
      expect(await log(store(), sequences[0])).toEqual(lines(sequences.slice(1), 'bcd'))
    })

    it('carries large and tiny payloads side by side', async () => {
      const large = pattern(9 * 1024 * 1024, 3)
      await Promise.all([
        store().append(bytes('a')),
        store().append(large),
        store().append(bytes('b')),
      ])
      await restart()
      const payloads: Uint8Array[] = []
      for await (const entry of store().readLog(0)) payloads.push(entry.payload.slice())
      expect(payloads.map((payload) => payload.length)).toEqual([1, large.length, 1])
      expect(Buffer.compare(payloads[1]!, large)).toBe(0)
    })

    it('counts what it holds', async () => {
      const sequences = await appendAll(store(), 'ab')
      expect(store().statistics()).toMatchObject({
        logEntryCount: 2,
        lastSequence: sequences[1],
        foldedSequence: 0,
        commitCount: 2,
        segmentSizeBytes: 0,
      })
      expect(store().statistics().logSizeBytes).toBeGreaterThan(2)
    })

    it('refuses appends once it is closed', async () => {
      await store().close()
      await expect(store().append(bytes('late'))).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    })
  })

  describe(`${name}: segments`, () => {
    const { store, restart, numbersMore } = useStore(open)

    it('has none at first', async () => {
      expect(await store().readManifest()).toBeNull()
    })

    it('makes blobs current with publish, and drops the folded entries', async () => {
      const sequences = await appendAll(store(), 'abc')
      const foldedSequence = sequences[1]!
      const writer = store().beginSegments()
      await writer.writeBlob('one', bytes('blob one'))
      await writer.writeBlob('empty', new Uint8Array(0))
      const manifest = await writer.publish('what is what', foldedSequence)
      expect(manifest).toMatchObject({ foldedSequence, description: 'what is what' })
      expect(manifest.blobs.map((blob) => [blob.key, blob.sizeBytes])).toEqual([
        ['one', 8],
        ['empty', 0],
      ])
      await restart()
      expect(await store().readManifest()).toEqual(manifest)
      expect(text(await store().readBlob('one'))).toBe('blob one')
      expect((await store().readBlob('empty')).length).toBe(0)
      expect(await log(store(), foldedSequence)).toEqual(lines(sequences.slice(2), 'c'))
      expect(store().statistics()).toMatchObject({ foldedSequence, segmentSizeBytes: 8 })
    })

    it('goes on numbering after everything was folded', async () => {
      const [, folded] = await appendAll(store(), 'ab')
      await store().beginSegments().publish('all', folded!)
      await restart()
      await restart()
      const sequence = await store().append(bytes('c'))
      if (numbersMore()) expect(sequence).toBeGreaterThan(folded!)
      else expect(sequence).toBe(3)
      expect(await log(store(), folded)).toEqual([`${sequence} c`])
    })

    it('cuts large blobs and gives them back whole, in shared memory', async () => {
      const large = pattern(2 * SEGMENT_BLOB_SIZE_BYTES_MAX + 17, 5)
      const shared = new Uint8Array(new SharedArrayBuffer(SEGMENT_BLOB_SIZE_BYTES_MAX))
      shared.set(large.subarray(0, shared.length))
      const writer = store().beginSegments()
      await writer.writeBlob('large', large)
      await writer.writeBlob('shared', shared)
      await writer.publish('', 0)
      await restart()
      const read = await store().readBlob('large')
      expect(read.buffer).toBeInstanceOf(SharedArrayBuffer)
      // A row that is added to an array of this size does not copy it.
      expect(read.buffer.growable).toBe(true)
      expect(Buffer.compare(read, large)).toBe(0)
      expect(Buffer.compare(await store().readBlob('shared'), shared)).toBe(0)
    })

    it('has written a piece of a blob before the one after the next is made', async () => {
      const rooms = [1, 2].map(() => new Uint8Array(new SharedArrayBuffer(1_000)))
      function* pieces() {
        for (let number = 0; number < 5; number++) yield rooms[number % 2]!.fill(number + 1)
      }
      const writer = store().beginSegments()
      await writer.writePieces('made', pieces())
      await writer.publish('', 0)
      await restart()
      const read = await store().readBlob('made')
      const expected = Uint8Array.from(
        { length: 5_000 },
        (_, index) => 1 + Math.floor(index / 1_000),
      )
      expect(Buffer.compare(read, expected)).toBe(0)
    })

    it('writes a view without the bytes around it', async () => {
      const whole = pattern(100, 1)
      const writer = store().beginSegments()
      await writer.writeBlob('view', whole.subarray(10, 20))
      await writer.publish('', 0)
      expect([...(await store().readBlob('view'))]).toEqual([...whole.subarray(10, 20)])
    })

    it('keeps blobs without rewriting them, and drops the others', async () => {
      await publish(store(), { kept: 'kept', gone: 'gone' })
      const writer = store().beginSegments()
      await writer.keepBlob('kept')
      await writer.writeBlob('new', bytes('new'))
      await writer.publish('second', 0)
      await restart()
      expect(text(await store().readBlob('kept'))).toBe('kept')
      expect(text(await store().readBlob('new'))).toBe('new')
      await expect(store().readBlob('gone')).rejects.toMatchObject({ code: 'CORRUPT_SEGMENT' })
    })

    it('replaces a blob of the same key', async () => {
      await publish(store(), { blob: 'old' })
      await publish(store(), { blob: 'new' })
      await restart()
      expect(text(await store().readBlob('blob'))).toBe('new')
    })

    it('shows nothing of a checkpoint that was abandoned or not published', async () => {
      await publish(store(), { blob: 'old' })
      const abandoned = store().beginSegments()
      await abandoned.writeBlob('blob', bytes('abandoned'))
      await abandoned.abandon()
      await store().beginSegments().writeBlob('blob', bytes('unpublished'))
      expect(text(await store().readBlob('blob'))).toBe('old')
      await restart()
      expect(text(await store().readBlob('blob'))).toBe('old')
    })

    it('refuses to keep a blob that is not there', async () => {
      await expect(store().beginSegments().keepBlob('none')).rejects.toMatchObject({
        code: 'CORRUPT_SEGMENT',
      })
    })

    it('refuses to fold what is not in the log', async () => {
      const sequence = await store().append(bytes('a'))
      await expect(
        store()
          .beginSegments()
          .publish('', sequence + 1),
      ).rejects.toThrow('only durable entries')
    })
  })

  describe(`${name}: documents`, () => {
    const { store, restart } = useStore(open)

    it('puts, replaces, lists and deletes by collection and key', async () => {
      await store().putDocument('users', 'b', bytes('1'))
      await store().putDocument('users', 'a', bytes('2'))
      await store().putDocument('queries', 'a', bytes('3'))
      await store().putDocument('users', 'b', bytes('4'))
      await restart()
      expect(await documents(store(), 'users')).toEqual(['a 2', 'b 4'])
      await store().deleteDocument('users', 'a')
      await store().deleteDocument('users', 'never there')
      await restart()
      expect(await documents(store(), 'users')).toEqual(['b 4'])
      expect(await store().getDocument('users', 'a')).toBeNull()
      expect(text((await store().getDocument('queries', 'a'))!)).toBe('3')
      expect(await documents(store(), 'nothing')).toEqual([])
    })

    it('takes any name and an empty document', async () => {
      const key = '__proto__/é🙂%2F'
      await store().putDocument('__proto__', key, new Uint8Array(0))
      await restart()
      expect(await store().listDocuments('__proto__')).toEqual([{ key, bytes: new Uint8Array(0) }])
    })

    it('refuses a document one byte over the limit', async () => {
      const tooLarge = new Uint8Array(DOCUMENT_SIZE_BYTES_MAX + 1)
      const failure: unknown = await store()
        .putDocument('x', 'y', tooLarge)
        .catch((error: unknown) => error)
      expect(isDbError(failure, 'BODY_TOO_LARGE')).toBe(true)
    })
  })
}

function useStore(open: () => Promise<StoreHarness>) {
  let harness: StoreHarness
  beforeEach(async () => {
    harness = await open()
  })
  afterEach(() => harness.remove())
  return {
    store: () => harness.store,
    numbersMore: () => harness.numbersMore === true,
    restart: async () => {
      harness = await harness.reopen()
    },
  }
}

/** One entry for each letter, at the same time. */
function appendAll(store: Store, letters: string): Promise<number[]> {
  return Promise.all([...letters].map((letter) => store.append(bytes(letter))))
}

function lines(sequences: readonly number[], letters: string): string[] {
  return [...letters].map((letter, index) => `${sequences[index]} ${letter}`)
}

async function publish(store: Store, blobs: Readonly<Record<string, string>>): Promise<void> {
  const writer = store.beginSegments()
  for (const [key, content] of Object.entries(blobs)) await writer.writeBlob(key, bytes(content))
  await writer.publish('', 0)
}

async function log(store: Store, after = 0): Promise<string[]> {
  const lines: string[] = []
  for await (const entry of store.readLog(after)) {
    lines.push(`${entry.sequence} ${text(entry.payload)}`)
  }
  return lines
}

async function documents(store: Store, collection: string): Promise<string[]> {
  const found = await store.listDocuments(collection)
  return found.map((document) => `${document.key} ${text(document.bytes)}`)
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.slice())
}

/** Bytes that differ from place to place, so that swapped parts are noticed. */
function pattern(length: number, seed: number): Uint8Array {
  const result = new Uint8Array(length)
  for (let index = 0; index < length; index++)
    result[index] = (index * 31 + (index >> 12) + seed) & 255
  return result
}
