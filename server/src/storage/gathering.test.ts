import { describe, expect, it } from 'vitest'
import type { Clock } from '#kernel/clock.ts'
import { CommitQueue } from './commit-queue.ts'
import { Gathering } from './gathering.ts'

/** Time that only the test moves. */
class Time {
  nowMs = 0
  #timers: { atMs: number; call: () => void }[] = []
  readonly clock: Clock = { nowMs: () => this.nowMs, monotonicMs: () => this.nowMs }
  readonly after = (ms: number, call: () => void) => {
    const timer = { atMs: this.nowMs + ms, call }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  async pass(ms: number): Promise<void> {
    await turn()
    this.nowMs += ms
    const due = this.#timers.filter(({ atMs }) => atMs <= this.nowMs)
    this.#timers = this.#timers.filter(({ atMs }) => atMs > this.nowMs)
    for (const { call } of due) call()
    await turn()
  }
}

/** All that is due at once has run. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A queue whose groups are written when the test says so. */
function openQueue() {
  const time = new Time()
  const groups: number[] = []
  let written: (() => void) | null = null
  const queue = new CommitQueue({
    lastSequence: 0,
    clock: time.clock,
    write: (_bytes, entries) => {
      groups.push(entries.length)
      return new Promise<void>((resolve) => {
        written = resolve
      })
    },
    onFailure: (error) => error,
    gathering: new Gathering(time.clock, time.after),
  })
  const append = (count: number) =>
    Array.from({ length: count }, () => queue.append(Uint8Array.of(1)).catch(() => 0))
  return {
    ...{ time, groups, queue, append },
    isWriting: () => written !== null,
    /** The group on its way is written after so long. */
    end: async (ms: number) => {
      await time.pass(ms)
      const resolve = written
      written = null
      resolve?.()
      await turn()
    },
  }
}

describe('a group of commits', () => {
  it('has all clients, once one half of them waits for the other', async () => {
    const { append, end, time, groups, isWriting } = openQueue()
    append(3)
    await turn()
    append(5)
    await end(4)
    // The five could go, and wait for the three of the group before.
    expect(isWriting()).toBe(false)
    await time.pass(1)
    append(3)
    await turn()
    expect(groups).toEqual([3, 8])
    // Nobody waits any more when the first one of them comes back.
    await end(4)
    append(1)
    await turn()
    append(7)
    await turn()
    expect(groups).toEqual([3, 8, 8])
  })

  it('of a lone writer leaves at once', async () => {
    const { append, end, groups } = openQueue()
    for (let count = 1; count <= 5; count++) {
      append(1)
      await turn()
      expect(groups).toHaveLength(count)
      await end(4)
    }
  })

  it('leaves when a part of its usual time has passed, and the next ones at once', async () => {
    const { append, end, time, groups, isWriting } = openQueue()
    append(3)
    await turn()
    append(5)
    await end(4)
    await time.pass(2.9)
    expect(isWriting()).toBe(false)
    await time.pass(0.2)
    expect(groups).toEqual([3, 5])
    append(3)
    await end(4)
    expect(groups).toEqual([3, 5, 3])
    // Tried again.
    append(5)
    await end(4)
    expect(isWriting()).toBe(false)
    await time.pass(3.1)
    expect(groups).toEqual([3, 5, 3, 5])
  })

  it('waits for four milliseconds at most, however long the last one took', async () => {
    const { append, end, time, groups } = openQueue()
    append(3)
    await turn()
    append(5)
    await end(30_000)
    await time.pass(4)
    expect(groups).toEqual([3, 5])
  })

  it('does not wait long after the last one, nor where a group takes less than a timer', async () => {
    const idle = openQueue()
    idle.append(8)
    await idle.end(4)
    await idle.time.pass(10)
    idle.append(1)
    await turn()
    expect(idle.groups).toEqual([8, 1])
    const fast = openQueue()
    fast.append(3)
    await turn()
    fast.append(5)
    await fast.end(0.5)
    expect(fast.groups).toEqual([3, 5])
  })

  it('that waits is refused with the others, and the queue goes on', async () => {
    const { append, end, time, groups, queue, isWriting } = openQueue()
    append(3)
    await turn()
    const refused = append(5)
    await end(4)
    expect(isWriting()).toBe(false)
    queue.rejectAll(new Error('over'))
    expect(await Promise.all(refused)).toEqual([0, 0, 0, 0, 0])
    await time.pass(4)
    append(1)
    await turn()
    expect(groups).toEqual([3, 1])
    const drained = queue.drained()
    await end(1)
    await drained
  })
})
