import { describe, expect, it } from 'vitest'
import { type ForceRequest, runForce } from './force.ts'

function layOut(count: number, links: readonly number[], more: Partial<ForceRequest> = {}) {
  const positions = runForce({
    positions: null,
    fixed: new Uint8Array(count),
    radii: new Float64Array(count).fill(14),
    links: Uint32Array.from(links),
    ticks: 160,
    distance: 110,
    lengths: new Float64Array(links.length / 2),
    ...more,
  })
  const distance = (a: number, b: number) =>
    Math.hypot(positions[2 * a]! - positions[2 * b]!, positions[2 * a + 1]! - positions[2 * b + 1]!)
  return { positions, distance }
}

const ring = (count: number) =>
  Array.from({ length: 2 * count }, (_, at) => ((at >> 1) + (at & 1)) % count)

describe('runForce', () => {
  it('keeps the ends of edges together and all others apart', () => {
    const { distance } = layOut(40, ring(40))
    for (let node = 0; node < 40; node++) {
      const next = (node + 1) % 40
      expect(distance(node, next)).toBeGreaterThan(70)
      expect(distance(node, next)).toBeLessThan(250)
      expect(distance(node, (node + 20) % 40)).toBeGreaterThan(800)
    }
  })

  it('gives the leaves of a hub room around it', () => {
    const leaves = 60
    const { distance } = layOut(
      leaves + 1,
      Array.from({ length: 2 * leaves }, (_, at) => (at % 2 === 0 ? 0 : (at + 1) / 2)),
    )
    for (let leaf = 1; leaf <= leaves; leaf++) {
      expect(distance(0, leaf)).toBeGreaterThan(110)
      for (let other = 1; other < leaf; other++) expect(distance(leaf, other)).toBeGreaterThan(40)
    }
  })

  it('moves nothing that is fixed, whatever is upon it', () => {
    const positions = Float64Array.of(5, 5, 5, 5, 5, 5)
    const fixed = Uint8Array.of(1, 0, 1)
    const found = layOut(3, [0, 1, 1, 2], { positions, fixed })
    expect([found.positions[0], found.positions[1], found.positions[4]]).toEqual([5, 5, 5])
    expect(found.distance(0, 1)).toBeGreaterThan(60)
  })

  it('keeps parts without an edge between them near the middle', () => {
    const { positions } = layOut(30, [])
    expect(positions.every((place) => Math.abs(place) < 3_000)).toBe(true)
  })

  it('answers the same for the same graph, and something for any', () => {
    const links = Array.from({ length: 400 }, (_, at) => (at * 7919 + (at >> 2)) % 120)
    expect(layOut(120, links).positions).toEqual(layOut(120, links).positions)
    expect(layOut(120, links).positions.every(Number.isFinite)).toBe(true)
    expect(layOut(0, []).positions).toHaveLength(0)
    expect(layOut(1, []).positions.every(Number.isFinite)).toBe(true)
    // A loop pulls nothing.
    expect(layOut(2, [0, 0]).positions.every(Number.isFinite)).toBe(true)
  })
})
