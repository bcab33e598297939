import { describe, expect, it } from 'vitest'
import { SharedUse } from '#query/workers/shared-use.ts'
import { MemoryBudget } from './memory.ts'

const MB = 2 ** 20

describe('the memory of a run', () => {
  it('is taken up to its limit, and given back', () => {
    const memory = new MemoryBudget(100)
    memory.take(100)
    expect(() => memory.take(1)).toThrow('more than its 1 MB of memory')
    memory.give(101)
    expect(memory).toMatchObject({ usedBytes: 0, peakBytes: 101 })
  })

  it('has a smaller limit on the heap, which counts as memory as well', () => {
    const memory = new MemoryBudget(100, { heapLimitBytes: 40 })
    memory.takeHeap(40)
    expect(() => memory.takeHeap(1)).toThrow('for texts and values')
    memory.giveHeap(1)
    memory.take(60)
    expect(() => memory.take(1)).toThrow('of memory.')
  })

  it('checks an operation before it allocates', () => {
    const memory = new MemoryBudget(100 * MB, { heapLimitBytes: 20 * MB })
    memory.checkOperation(10 * MB)
    expect(() => memory.checkOperation(10 * MB + 1)).toThrow('more than its 10 MB')
    memory.take(95 * MB)
    expect(() => memory.checkOperation(6 * MB)).toThrow('more than its 100 MB')
    expect(memory.usedBytes).toBe(95 * MB)
  })

  it('is bounded together with that of the other threads', () => {
    const use = SharedUse.of(3, 100 * MB)
    const [one, two] = [0, 1].map(
      (thread) => new MemoryBudget(90 * MB, { common: use.ofThread(thread) }),
    )
    one!.take(70 * MB)
    expect(use.totalBytes()).toBe(70 * MB)
    expect(() => two!.take(31 * MB)).toThrow('need more memory together')
    two!.release()
    one!.give(50 * MB)
    expect(use.totalBytes()).toBe(20 * MB)
    two!.take(31 * MB)
    // A thread that has ended holds nothing.
    use.clear(0)
    expect(use.totalBytes()).toBe(31 * MB)
  })
})
