import { describe, expect, it } from 'vitest'
import { hashBytes } from './hash.ts'

/** Around the size from which bytes are hashed in lanes, and around the step of a lane. */
const sizes = [1, 15, 16, 17, 4_095, 4_096, 4_097, 4_111, 4_112, 4_113, 10_000]

describe('hashBytes', () => {
  it('depends on every byte, wherever the value lies', () => {
    for (const size of sizes) {
      const bytes = Uint8Array.from({ length: size + 8 }, (_, at) => (at * 31) % 256)
      const hash = hashBytes(bytes, 3, size)
      expect(hashBytes(bytes.slice(3), 0, size), `${size} bytes at another place`).toBe(hash)
      const others = new Set<number>()
      for (let at = 0; at < size; at++) {
        bytes[3 + at]! ^= 1
        others.add(hashBytes(bytes, 3, size))
        bytes[3 + at]! ^= 1
      }
      expect(others.has(hash), `${size} bytes`).toBe(false)
      // Of 10,000 hashes of 32 bits hardly two are equal.
      expect(others.size).toBeGreaterThanOrEqual(size - 1)
    }
  })

  it('spreads long values over all bits', () => {
    const bytes = new Uint8Array(4_096)
    const view = new DataView(bytes.buffer)
    const low = new Set<number>()
    const high = new Set<number>()
    for (let number = 0; number < 4_096; number++) {
      view.setUint32(2_000, number)
      const hash = hashBytes(bytes, 0, bytes.length)
      low.add(hash & 4_095)
      high.add(hash >>> 20)
    }
    // Of random numbers 63 % of the places are taken.
    expect(low.size).toBeGreaterThan(4_096 * 0.6)
    expect(high.size).toBeGreaterThan(4_096 * 0.6)
  })
})
