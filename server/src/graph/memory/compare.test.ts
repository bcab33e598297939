import { expect, it } from 'vitest'
import { compareBytes, holdsAt } from './compare.ts'

/** Around the size from which the platform compares. */
const sizes = [0, 1, 2, 63, 64, 65, 200]

function numbered(size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, at) => (at * 7) % 251)
}

it('orders bytes at, below and above the size from which the platform compares', () => {
  for (const size of sizes) {
    const bytes = numbered(size)
    expect(compareBytes(bytes, bytes.slice())).toBe(0)
    for (const at of [0, size - 1].filter((place) => place >= 0 && place < size)) {
      const greater = bytes.slice()
      greater[at] = 255
      expect(compareBytes(bytes, greater), `${size} bytes, another at ${at}`).toBeLessThan(0)
      expect(compareBytes(greater, bytes), `${size} bytes, another at ${at}`).toBeGreaterThan(0)
    }
    for (const longer of sizes.filter((other) => other > size)) {
      expect(compareBytes(bytes, numbered(longer)), `${size} and ${longer}`).toBeLessThan(0)
      expect(compareBytes(numbered(longer), bytes), `${longer} and ${size}`).toBeGreaterThan(0)
    }
  }
})

it('finds a value in shared memory, and no other', () => {
  for (const size of sizes) {
    const heap = new Uint8Array(new SharedArrayBuffer(size + 10))
    const value = { bytes: new Uint8Array(size + 5), start: 5, length: size }
    value.bytes.set(numbered(size), 5)
    heap.set(numbered(size), 3)
    expect(holdsAt(heap, 3, value), `${size} bytes`).toBe(true)
    for (const at of [0, size - 1].filter((place) => place >= 0 && place < size)) {
      heap[3 + at]! ^= 1
      expect(holdsAt(heap, 3, value), `${size} bytes, another at ${at}`).toBe(false)
      heap[3 + at]! ^= 1
    }
  }
})

it('does not find a long value that goes beyond the bytes', () => {
  const heap = new Uint8Array(new SharedArrayBuffer(100))
  expect(holdsAt(heap, 1, { bytes: new Uint8Array(100), start: 0, length: 100 })).toBe(false)
})
