import { describe, expect, it } from 'vitest'
import { HeapGuard } from './heap-guard.ts'

/** A heap of megabytes that a test fills. */
function world(live: number, garbage = 0) {
  const heap = {
    live,
    garbage,
    collections: 0,
    usedBytes: () => (heap.live + heap.garbage) * 2 ** 20,
    collect: () => {
      heap.collections += 1
      heap.garbage = 0
    },
  }
  return { heap, guard: new HeapGuard(100 * 2 ** 20, heap) }
}

describe('the guard of a heap', () => {
  it('lets a run hold half of it, and not more', () => {
    const { heap, guard } = world(50)
    expect(() => guard.look()).not.toThrow()
    heap.live = 51
    expect(() => guard.look()).toThrow('more than its 50 MB of memory for texts and values')
  })

  it('tells garbage from what is in use, and does not collect at every look', () => {
    const { heap, guard } = world(40, 20)
    guard.look()
    expect(heap.collections).toBe(1)
    for (; heap.garbage < 20; heap.garbage += 1) guard.look()
    expect(heap.collections).toBe(1)
    heap.garbage = 21
    guard.look()
    expect(heap.collections).toBe(2)
  })

  it('is not put off by a run that held too much before', () => {
    const { heap, guard } = world(90)
    expect(() => guard.look()).toThrow()
    heap.live = 71
    expect(() => guard.look()).toThrow()
  })

  it('is crowded between runs from a quarter of the heap on', () => {
    const { heap, guard } = world(25, 30)
    expect(guard.isCrowded()).toBe(false)
    heap.live = 46
    expect(guard.isCrowded()).toBe(true)
  })
})
