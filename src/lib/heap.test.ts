import { expect, it } from 'vitest'
import { Heap } from './heap.ts'

it('gives items in order, whatever the order they came in', () => {
  const ranks = Array.from({ length: 200 }, (_, index) => (index * 7919) % 211)
  const heap = new Heap<number>((a, b) => a - b)
  for (const rank of ranks) heap.push(rank)
  const taken = Array.from({ length: heap.size() }, () => heap.pop())
  expect(taken).toEqual(ranks.toSorted((a, b) => a - b))
  expect([heap.pop(), heap.size()]).toEqual([undefined, 0])
})

it('takes items between two that are taken out', () => {
  const heap = new Heap<number>((a, b) => a - b)
  heap.push(5)
  heap.push(3)
  expect(heap.pop()).toBe(3)
  heap.push(4)
  heap.push(9)
  expect([heap.pop(), heap.pop(), heap.pop()]).toEqual([4, 5, 9])
})
