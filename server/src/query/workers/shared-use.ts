/**
 * What the threads of a pool hold, all together: one word for each thread, which only that thread
 * writes. A thread that ends leaves its word to the next one in its place, so nothing is counted
 * for ever. The last word is that of the main thread: answers that are not sent yet.
 */
import type { CommonUse } from '#query/runtime/cells/memory.ts'

const UNIT_BYTES = 64 * 1024

export class SharedUse {
  readonly words: Int32Array<SharedArrayBuffer>
  readonly limitBytes: number

  constructor(words: Int32Array<SharedArrayBuffer>, limitBytes: number) {
    this.words = words
    this.limitBytes = limitBytes
  }

  static of(threadCount: number, limitBytes: number): SharedUse {
    const buffer = new SharedArrayBuffer((threadCount + 1) * Int32Array.BYTES_PER_ELEMENT)
    return new SharedUse(new Int32Array(buffer), limitBytes)
  }

  /** All threads together, about. */
  totalBytes(): number {
    let units = 0
    for (let i = 0; i < this.words.length; i++) units += Atomics.load(this.words, i)
    return units * UNIT_BYTES
  }

  clear(thread: number): void {
    Atomics.store(this.words, thread, 0)
  }

  /** Of the main thread. @returns what gives it back, once */
  hold(bytes: number): () => void {
    const units = Math.ceil(bytes / UNIT_BYTES)
    const word = this.words.length - 1
    let isHeld = true
    Atomics.add(this.words, word, units)
    return () => {
      if (isHeld) Atomics.sub(this.words, word, units)
      isHeld = false
    }
  }

  ofThread(thread: number): CommonUse {
    return {
      report: (bytes) => {
        const units = Math.floor(bytes / UNIT_BYTES)
        const before = Atomics.exchange(this.words, thread, units)
        // Giving back always succeeds.
        return units <= before || this.totalBytes() <= this.limitBytes
      },
    }
  }
}
