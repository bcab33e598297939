import { describe, expect, it, vi } from 'vitest'
import { debounce, getIn, Heap, setIn, toPath } from './cytoscape-parts.ts'

describe('Heap', () => {
  it('gives items in order, also when one changed its place in it', () => {
    const items = Array.from({ length: 200 }, (_, index) => ({ rank: (index * 7919) % 211 }))
    const heap = new Heap<{ rank: number }>((a, b) => a.rank - b.rank)
    for (const item of items) heap.push(item)
    items[17]!.rank = 999
    heap.updateItem(items[17]!)
    items[80]!.rank = -1
    heap.updateItem(items[80]!)
    heap.updateItem({ rank: 0 })
    const expected = items.map(({ rank }) => rank).sort((a, b) => a - b)
    expect(heap.peek()).toBe(items[80])
    expect(Array.from({ length: heap.size() }, () => heap.pop()?.rank)).toEqual(expected)
    expect(heap.pop()).toBeUndefined()
    expect(heap.size()).toBe(0)
  })
})

it('debounce calls once, with what came last', () => {
  vi.useFakeTimers()
  const seen: unknown[] = []
  const call = debounce(function (this: { name: string }, value: number) {
    seen.push(this.name, value)
  }, 100)
  call.call({ name: 'a' }, 1)
  vi.advanceTimersByTime(99)
  call.call({ name: 'b' }, 2)
  vi.advanceTimersByTime(99)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1)
  expect(seen).toEqual(['b', 2])
  vi.useRealTimers()
})

it('data with dots in its name is read and written part by part', () => {
  const data = {}
  setIn(data, toPath('a.b'), 1)
  expect(data).toEqual({ a: { b: 1 } })
  expect(getIn(data, toPath('a.b'))).toBe(1)
  expect(getIn(data, toPath('x.y'))).toBeUndefined()
})
