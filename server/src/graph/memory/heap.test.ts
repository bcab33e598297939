import { expect, it } from 'vitest'
import { HEAP_SIZE_BYTES_MAX, Heap } from './heap.ts'

it('never gives out an offset of more than 32 bits, however much its memory grew', () => {
  // Nothing of it is touched: the memory is only promised.
  const sizeBytes = 3_600_000_000
  const buffer = new SharedArrayBuffer(sizeBytes, { maxByteLength: 2 ** 33 })
  const heap = new Heap({ bytes: 0 }, new Uint8Array(buffer, 0, sizeBytes))
  const value = new Uint8Array(100).fill(7)
  expect(heap.append(value, 0, 100)).toBe(sizeBytes)
  heap.length = HEAP_SIZE_BYTES_MAX - 101
  expect(heap.bytes.length).toBeGreaterThan(sizeBytes)
  expect(() => heap.append(value, 0, 100)).toThrow('heap is full')
})
