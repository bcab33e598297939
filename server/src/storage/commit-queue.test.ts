import { describe, expect, it } from 'vitest'
import { CommitQueue } from './commit-queue.ts'
import { decodeFrame, LOG_START, sealFrames } from './frame/frame.ts'

const clock = { nowMs: () => 0, monotonicMs: () => 0 }

/** A queue whose groups are kept here as they are to be written. */
function queueOf() {
  const groups: Uint8Array[] = []
  const queue = new CommitQueue({
    lastSequence: 0,
    clock,
    write: async (bytes) => void groups.push(bytes),
    onFailure: (error) => error,
  })
  return { queue, groups }
}

const megabyte = 2 ** 20

describe('a group of the commit log', () => {
  it('is laid out at once up to a megabyte', async () => {
    const { queue, groups } = queueOf()
    void queue.append(new Uint8Array(megabyte - 100))
    await Promise.resolve()
    expect(groups).toHaveLength(1)
  })

  it('leaves others their turns above that, and is the same', async () => {
    const { queue, groups } = queueOf()
    const payloads = [3 * megabyte + 1, 5, 700_000].map((size, seed) =>
      Uint8Array.from({ length: size }, (_, at) => (at * 7 + seed) % 251),
    )
    const appended = Promise.all(payloads.map((payload) => queue.append(payload)))
    let turns = 0
    while (groups.length === 0) {
      turns += 1
      await new Promise(setImmediate)
    }
    expect(turns).toBeGreaterThanOrEqual(6)
    expect(await appended).toEqual([1, 2, 3])
    const [bytes] = groups
    sealFrames(bytes!, LOG_START)
    let previous = LOG_START
    let offset = 0
    for (const payload of payloads) {
      const frame = decodeFrame(bytes!, offset, previous)
      expect(Buffer.compare(frame.payload, payload)).toBe(0)
      offset += frame.sizeBytes
      previous = frame
    }
    expect(offset).toBe(bytes!.length)
  })

  it('that is laid out keeps the ones behind it waiting, in their order', async () => {
    const { queue, groups } = queueOf()
    const first = queue.append(new Uint8Array(2 * megabyte))
    await Promise.resolve()
    const second = queue.append(new Uint8Array(10))
    expect(await Promise.all([first, second])).toEqual([1, 2])
    expect(groups.map(({ length }) => length > megabyte)).toEqual([true, false])
  })
})
