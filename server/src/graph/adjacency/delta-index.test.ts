import { afterEach, describe, expect, it } from 'vitest'
import { createRandom } from '#kernel/prng.ts'
import { allocationFault, memoryRefused } from '../memory/allocate.ts'
import { DeltaIndex, homeSlot } from './delta-index.ts'

const TABLE_COUNT = 256

/** The delta indexes under a hash. */
function find(index: DeltaIndex, hash: number): number[] {
  const table = index.tableOf(hash)
  const found: number[] = []
  if (table === null) return found
  let slot = homeSlot(table, hash)
  for (; table[slot + 1] !== 0; slot = (slot + 2) & (table.length - 1)) {
    if (table[slot] === hash) found.push(table[slot + 1]! - 1)
  }
  return found
}

function hashesOf(count: number): number[] {
  const random = createRandom(156)
  return Array.from({ length: count }, () => Math.floor(random.next() * 2 ** 32) | 0)
}

afterEach(() => {
  allocationFault.before = null
})

describe('the index of a delta', () => {
  // Some in front of the size in which edges wait, some behind it.
  it.each([1, 511, 512, 513, 5_000])('finds each of %i edges', (count) => {
    const meter = { bytes: 0 }
    const index = new DeltaIndex(meter)
    const hashes = hashesOf(count)
    for (const [edge, hash] of hashes.entries()) index.add(hash, edge)
    for (const [edge, hash] of hashes.entries()) expect(find(index, hash)).toContain(edge)
    expect(index.sizeBytes).toBe(meter.bytes)
    index.release()
    expect([meter.bytes, find(index, hashes[0]!)]).toEqual([0, []])
  })

  it('finds edges while others are added', () => {
    const index = new DeltaIndex({ bytes: 0 })
    for (const [edge, hash] of hashesOf(3_000).entries()) {
      index.add(hash, edge)
      if (edge % 7 === 0) expect(find(index, hash)).toEqual([edge])
    }
  })

  it('grows a few of its tables at a time, however many edges there are', () => {
    const index = new DeltaIndex({ bytes: 0 })
    let grown = 0
    allocationFault.before = () => {
      grown += 1
    }
    const shares: number[] = []
    let from = 0
    for (const [edge, hash] of hashesOf(120_000).entries()) {
      index.add(hash, edge)
      // Windows of a sixteenth of what is there.
      if (edge < 8_192 || edge + 1 < from * (17 / 16)) continue
      index.tableOf(hash)
      if (from > 0) shares.push(grown / TABLE_COUNT)
      grown = 0
      from = edge + 1
    }
    expect(shares.length).toBeGreaterThan(20)
    // A sixteenth of them at best, at one load for all more than half.
    expect(Math.max(...shares)).toBeLessThan(1 / 4)
  })

  it('takes as much memory for an edge before and behind any number of edges', () => {
    const index = new DeltaIndex({ bytes: 0 })
    for (const [edge, hash] of hashesOf(100_000).entries()) {
      index.add(hash, edge)
      if (edge < 10_000 || edge % 1_000 !== 0) continue
      index.tableOf(hash)
      const bytesPerEdge = index.sizeBytes / (edge + 1)
      expect(bytesPerEdge).toBeGreaterThan(22)
      expect(bytesPerEdge).toBeLessThan(30)
    }
  })

  it('has each edge once when memory was lacking for a while', () => {
    const index = new DeltaIndex({ bytes: 0 })
    const hashes = hashesOf(2_000)
    let asked = 0
    allocationFault.before = (sizeBytes) => {
      if (++asked % 3 === 0) throw memoryRefused(sizeBytes)
    }
    for (const [edge, hash] of hashes.entries()) untilTaken(() => index.add(hash, edge))
    untilTaken(() => index.tableOf(0))
    allocationFault.before = null
    for (const [edge, hash] of hashes.entries()) expect(find(index, hash)).toEqual([edge])
  })
})

function untilTaken(work: () => void): void {
  for (;;) {
    try {
      work()
      return
    } catch (error) {
      expect(error).toMatchObject({ code: 'MEMORY_LIMIT' })
    }
  }
}
