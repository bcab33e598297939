import { afterEach, describe, expect, it, vi } from 'vitest'
import { allocationFault } from '../memory/allocate.ts'
import { Versions } from '../memory/versions.ts'
import { Delta } from './delta.ts'

const VERTICES = 200_000
const EDGES = 50_000

/** How often the heads moved, and what they were at first. */
function append(versions: Versions) {
  const delta = new Delta({ meter: { bytes: 0 }, versions })
  delta.append(VERTICES - 1, VERTICES - 1, 1)
  const first = delta.view()
  let heads = first.outHeads
  let moves = 0
  for (let edge = 1; edge < EDGES; edge++) {
    delta.append(edge, edge, edge)
    const { outHeads } = delta.view()
    if (outHeads.buffer !== heads.buffer) moves++
    heads = outHeads
  }
  return { delta, first, moves }
}

afterEach(() => {
  allocationFault.before = null
})

describe('edges since the last rebuild', () => {
  it('seldom move the heads of all vertices while somebody reads an older version', () => {
    const versions = new Versions(1e9)
    versions.pin(null)
    const { delta, first, moves } = append(versions)
    expect(moves).toBeLessThanOrEqual(3)
    const end = first.outNext.length
    const isWithin = first.outHeads.every((head) => head <= end)
    expect(isWithin, 'the heads of the reader lead to edges that it has').toBe(true)
    const { outHeads, sources, targets } = delta.view()
    expect([outHeads[1], sources[1], targets[EDGES - 1]]).toEqual([2, 1, EDGES - 1])
  })

  it('never move them otherwise', () => {
    expect(append(new Versions(1e9)).moves).toBe(0)
  })

  it('do not move heads that no view has, whatever else is read', () => {
    const versions = new Versions(1e9)
    versions.pin(null)
    const delta = new Delta({ meter: { bytes: 0 }, versions })
    delta.append(VERTICES - 1, VERTICES - 1, 1)
    let moves = 0
    allocationFault.before = (sizeBytes) => {
      if (sizeBytes >= VERTICES * 4) moves++
    }
    const grow = (edges: number) => {
      for (let edge = delta.count; edge < edges; edge++) delta.append(edge, edge, edge)
    }
    grow(EDGES / 2)
    expect(moves).toBe(0)
    delta.view()
    grow(EDGES)
    expect(moves, 'there was room for as many edges before anybody read').toBe(0)
    grow(EDGES * 2)
    expect(moves, 'heads of both directions, once').toBe(2)
  })

  it('copy a few heads each before they move, however late somebody begins to read', () => {
    for (const late of [1, EDGES / 8, EDGES / 4, EDGES / 2 - 1]) {
      const versions = new Versions(1e9)
      const delta = new Delta({ meter: { bytes: 0 }, versions })
      delta.append(VERTICES - 1, VERTICES - 1, 1)
      while (delta.count < late) delta.append(delta.count, delta.count, delta.count)
      versions.pin(null)
      const { outHeads, inHeads, outNext } = delta.view()
      const set = vi.spyOn(Uint32Array.prototype, 'set')
      try {
        while (delta.count < EDGES * 2) delta.append(delta.count ^ 1, delta.count, delta.count)
        const lengths = set.mock.calls.map(([values]) => values.length)
        expect(Math.max(0, ...lengths), `from edge ${late} on`).toBeLessThan(1_000)
      } finally {
        set.mockRestore()
      }
      const isWithin = (head: number) => head <= outNext.length
      expect(outHeads.every(isWithin) && inHeads.every(isWithin)).toBe(true)
      const now = delta.view()
      expect(now.outHeads.buffer !== outHeads.buffer, 'they have moved').toBe(true)
      const edges = Array.from({ length: 2 * EDGES - late }, (_, index) => late + index)
      expect(edges.filter((edge) => now.inHeads[edge] !== edge + 1)).toEqual([])
      expect(edges.filter((edge) => now.outHeads[edge ^ 1] !== edge + 1)).toEqual([])
      expect(now.outHeads[VERTICES - 1]).toBe(1)
    }
  })
})
