import { describe, expect, it } from 'vitest'
import type { StoredBlob } from '../segment/blob.ts'
import { BlobReaders, type SegmentThread } from './blob-readers.ts'
import type { BlobShare, ReadShare } from './segment-protocol.ts'

const MB = 1024 * 1024
const LARGE = 4 * MB

/** A thread that answers when it is told to. */
class FakeThread {
  readonly asked: string[] = []
  isEnded = false
  readonly #answers: (() => void)[] = []

  /** Of the next shares. */
  shares: ReadShare[] = []

  request(kind: string, input: StoredBlob | BlobShare): Promise<unknown> {
    const isShare = 'blob' in input
    this.asked.push(isShare ? `${input.blob.key} ${input.firstPart}-${input.endPart}` : input.key)
    expect(kind).toBe(isShare ? 'readShare' : 'readBlob')
    const answer = isShare ? this.shares.shift() : new Uint8Array(1)
    return new Promise((resolve, reject) =>
      this.#answers.push(() => (answer ? resolve(answer) : reject(new Error('no room')))),
    )
  }

  answer(): void {
    for (const answer of this.#answers.splice(0)) answer()
  }

  async terminate(): Promise<void> {
    this.isEnded = true
  }
}

function readersOf() {
  const first = new FakeThread()
  const others: FakeThread[] = []
  let fire: (() => void) | null = null
  const timers = {
    after: (_ms: number, call: () => void) => {
      fire = call
      return () => {
        fire = null
      }
    },
    every: () => () => {},
  }
  const startSecond = () => {
    others.push(new FakeThread())
    return others.at(-1) as unknown as SegmentThread
  }
  const readers = new BlobReaders(first as unknown as SegmentThread, startSecond, timers)
  const read = (key: string, sizeBytes: number) =>
    readers.read({ key, number: 1, sizeBytes, crc32: 0 })
  return { first, others, readers, read, idle: () => fire?.() }
}

describe('readers of blobs', () => {
  it('are one thread as long as little waits', async () => {
    const { first, others, read } = readersOf()
    const reads = ['a', 'b', 'c'].map((key) => read(key, 1_000))
    expect([first.asked, others]).toEqual([['a', 'b', 'c'], []])
    first.answer()
    await Promise.all(reads)
  })

  it('are two while much waits, and each gets what the other has no time for', async () => {
    const { first, others, read, idle } = readersOf()
    const reads = ['a', 'b', 'c'].map((key) => read(key, LARGE))
    expect([first.asked, others[0]?.asked]).toEqual([['a', 'c'], ['b']])
    idle()
    expect(others[0]?.isEnded, 'while it reads').toBe(false)
    first.answer()
    others[0]?.answer()
    await Promise.all(reads)
    idle()
    expect(others[0]?.isEnded).toBe(true)
    const later = [read('d', LARGE), read('e', LARGE)]
    expect([first.asked.at(-1), others[1]?.asked]).toEqual(['d', ['e']])
    first.answer()
    others[1]?.answer()
    await Promise.all(later)
  })

  describe('of a blob of many parts', () => {
    const crcs = { middle: 7, end: 0 }
    const head = { before: { sizeBytes: 0, crc: 0 }, end: { sizeBytes: 5 * MB, crc: crcs.middle } }
    const tail = {
      before: { sizeBytes: 5 * MB, crc: crcs.middle },
      end: { sizeBytes: 10 * MB, crc: crcs.end },
    }

    async function readBoth(shares: readonly [ReadShare | null, ReadShare | null]) {
      const { first, others, readers, read } = readersOf()
      readers.read({ key: 'small', number: 1, sizeBytes: LARGE, crc32: 0 }).catch(() => undefined)
      void read('second', LARGE)
      const [reader, second] = [first, others[0]!]
      for (const [index, share] of shares.entries()) {
        if (share !== null) [reader, second][index]!.shares.push(share)
      }
      const reading = read('a', 10 * MB)
      reading.catch(() => undefined)
      // Each answer may lead to another question.
      for (let turn = 0; turn < 5; turn++) {
        reader.answer()
        second.answer()
        await new Promise(setImmediate)
      }
      const whole = await reading
      return { whole, asked: [reader.asked.slice(1), second.asked.slice(1)] }
    }

    it('read a half each', async () => {
      const { whole, asked } = await readBoth([head, tail])
      expect(whole.length).toBe(10 * MB)
      expect(asked).toEqual([['a 0-5'], ['a 5-null']])
    })

    it.each<[string, ReadShare | null, ReadShare | null]>([
      ['a part is smaller', { ...head, end: { sizeBytes: 4 * MB, crc: 7 } }, tail],
      ['a part is larger', null, tail],
      [
        'the halves do not follow each other',
        head,
        { ...tail, before: { ...tail.before, crc: 8 } },
      ],
    ])('read it by one thread when %s than expected', async (_title, ...shares) => {
      const { whole, asked } = await readBoth(shares)
      expect(whole.length).toBe(1)
      expect(asked.flat().filter((one) => one === 'a')).toHaveLength(1)
    })

    it('refuse it when its checksum is wrong', async () => {
      const wrong = { ...tail, end: { ...tail.end, crc: 1 } }
      await expect(readBoth([head, wrong])).rejects.toMatchObject({ code: 'CORRUPT_SEGMENT' })
    })
  })

  it('end the second thread when the store is closed, and start none any more', async () => {
    const { first, others, readers, read } = readersOf()
    const reads = ['a', 'b'].map((key) => read(key, LARGE))
    await readers.close()
    expect(others[0]?.isEnded).toBe(true)
    reads.push(read('c', LARGE))
    expect([first.asked, others.length]).toEqual([['a', 'c'], 1])
    first.answer()
    others[0]?.answer()
    await Promise.all(reads)
  })
})
