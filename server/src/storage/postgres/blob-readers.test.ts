import { describe, expect, it } from 'vitest'
import type { StoredBlob } from '../segment/blob.ts'
import { BlobReaders, type SegmentThread } from './blob-readers.ts'

const LARGE = 4 * 1024 * 1024

/** A thread that answers when it is told to. */
class FakeThread {
  readonly asked: string[] = []
  isEnded = false
  readonly #answers: (() => void)[] = []

  request(_kind: string, blob: StoredBlob): Promise<Uint8Array> {
    this.asked.push(blob.key)
    return new Promise((resolve) => this.#answers.push(() => resolve(new Uint8Array(1))))
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
