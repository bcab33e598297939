import { describe, expect, it } from 'vitest'
import { allocationFault } from '../memory/allocate.ts'
import { NumberIds } from './number-ids.ts'
import { SLOT_WORDS } from './slot-table.ts'
import { type DeadRows, StringIds } from './string-ids.ts'

const SLOTS_PER_STEP = 8

const encoder = new TextEncoder()

type Ids = StringIds | NumberIds

function bytesOf(ids: Ids, id: number): Uint8Array {
  if (ids.kind === 'string') return encoder.encode(`vertex number ${id}`)
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigInt64(0, BigInt(id), true)
  return bytes
}

/** A small generator whose sequence a seed repeats. */
function sequence(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const kinds = [
  ['string', () => new StringIds({ bytes: 0 })],
  ['number', () => new NumberIds('INT', { bytes: 0 })],
] as const

describe.each(kinds)('the table of %s ids', (kind, make) => {
  function add(ids: Ids, id: number, dead?: DeadRows): number {
    const bytes = bytesOf(ids, id)
    return ids.findOrAdd(bytes, 0, bytes.length, dead)
  }

  function find(ids: Ids, id: number, dead?: DeadRows): number {
    const bytes = bytesOf(ids, id)
    return ids.find(bytes, 0, bytes.length, dead)
  }

  it('is replaced in steps: no row that is added copies all others', () => {
    const ids = make()
    while (ids.slots.mask + 1 < 4096) add(ids, ids.count)
    while (ids.count < 2048) add(ids, ids.count)
    for (let step = 1; step < 4096 / SLOTS_PER_STEP; step++) {
      add(ids, ids.count)
      expect(ids.view().slotCount).toBe(4096)
    }
    expect(ids.sizeBytes).toBeGreaterThan((4096 + 8192) * SLOT_WORDS * 4)
    add(ids, ids.count)
    expect(ids.view().slotCount).toBe(8192)
    for (let id = 0; id < ids.count; id++) expect(find(ids, id)).toBe(id)
    expect(find(ids, ids.count)).toBe(-1)
  })

  it('finds the living row of every id, whatever is deleted and added while it is copied', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const ids = make()
      const below = sequence(seed)
      const living = new Map<number, number>()
      const deadRows = new Set<number>()
      const dead: DeadRows = {
        get count() {
          return deadRows.size
        },
        has: (row) => deadRows.has(row),
      }
      for (let turn = 0; turn < 12_000; turn++) {
        const id = below(6_000)
        const row = living.get(id)
        if (row !== undefined && below(3) === 0) {
          living.delete(id)
          deadRows.add(row)
          continue
        }
        const expected = row ?? ids.count
        expect(add(ids, id, dead)).toBe(expected)
        living.set(id, expected)
        if (turn % 64 === 0) expect(find(ids, id, dead)).toBe(expected)
      }
      for (let id = 0; id < 6_000; id++) expect(find(ids, id, dead)).toBe(living.get(id) ?? -1)
    }
  })

  it('keeps the rows of an older version in the table which that version reads', () => {
    const ids = make()
    const copies: { readonly words: Uint32Array; readonly count: number }[] = []
    for (let id = 0; id < 5_000; id++) {
      add(ids, id)
      if (id % 97 === 0) copies.push({ words: ids.view().slots, count: ids.count })
    }
    for (const { words, count } of copies) {
      const rows = new Set<number>()
      for (let slot = 0; slot < words.length; slot += SLOT_WORDS) rows.add(words[slot + 1]!)
      for (let row = 1; row <= count; row++) expect(rows.has(row)).toBe(true)
    }
  })

  it('counts both tables, and nothing after its release', () => {
    const meter = { bytes: 0 }
    const ids = kind === 'string' ? new StringIds(meter) : new NumberIds('INT', meter)
    for (let id = 0; id < 2_100; id++) {
      add(ids, id)
      expect(meter.bytes).toBe(ids.sizeBytes)
    }
    ids.release()
    expect(meter.bytes).toBe(0)
  })

  it('is as it was when the system has no memory for the next table', () => {
    const ids = make()
    while (ids.count < 2048) add(ids, ids.count)
    allocationFault.before = () => {
      throw new Error('no memory')
    }
    try {
      expect(() => add(ids, 5_000)).toThrow('no memory')
      expect(() => add(ids, 5_000)).toThrow('no memory')
    } finally {
      allocationFault.before = null
    }
    expect(ids.count).toBe(2048)
    expect(find(ids, 5_000)).toBe(-1)
    expect(add(ids, 5_000)).toBe(2048)
    expect(find(ids, 2_047)).toBe(2_047)
  })

  it('is replaced at once when it was stored three quarters full', () => {
    let ids = make()
    while (ids.count < 2048) add(ids, ids.count)
    // Each round stores the table in the midst of its copy: what was copied is lost.
    for (let round = 0; round < 20; round++) {
      for (let i = 0; i < 100; i++) add(ids, ids.count)
      const { slots, offsets, bytes: heap, values } = ids.view()
      const bytes = heap?.subarray(0, offsets![ids.count]!) ?? null
      const stored = { count: ids.count, slots, offsets, bytes, values }
      const isText = ids.kind === 'string'
      const meter = { bytes: 0 }
      ids = isText ? new StringIds(meter, stored) : new NumberIds('INT', meter, stored)
      expect(ids.count).toBeLessThanOrEqual(((ids.slots.mask + 1) * 3) / 4)
    }
    for (let id = 0; id < ids.count; id++) expect(find(ids, id)).toBe(id)
  })

  it('says what the next table would need', () => {
    const { slots } = make()
    expect(slots.neededBytes(7)).toBe(0)
    expect(slots.neededBytes(8)).toBe(2 * slots.words.byteLength)
  })
})
