import { describe, expect, it } from 'vitest'
import { hopLayout } from './hop-layout.ts'

const pointsOf = (positions: Float64Array) =>
  Array.from({ length: positions.length / 2 }, (_, node) => ({
    x: positions[2 * node]!,
    y: positions[2 * node + 1]!,
  }))

const chain = (count: number) =>
  Uint32Array.from({ length: 2 * (count - 1) }, (_, at) => (at >> 1) + (at & 1))

function layOut(count: number, links: Uint32Array) {
  const points = pointsOf(hopLayout({ count, links, distance: 100 }))
  const distance = (a: number, b: number) =>
    Math.hypot(points[a]!.x - points[b]!.x, points[a]!.y - points[b]!.y)
  return { points, distance }
}

describe('hopLayout', () => {
  it('unfolds a chain: nodes far apart in hops are far apart in the picture', () => {
    const { distance } = layOut(60, chain(60))
    expect(distance(0, 59)).toBeGreaterThan(4_000)
    expect(distance(0, 30)).toBeLessThan(distance(0, 59))
    expect(distance(10, 11)).toBeLessThan(400)
  })

  it('opens a ring instead of folding it', () => {
    const count = 40
    const links = Uint32Array.from({ length: 2 * count }, (_, at) => ((at >> 1) + (at & 1)) % count)
    const { distance } = layOut(count, links)
    for (let node = 0; node < count / 2; node++) {
      expect(distance(node, node + count / 2)).toBeGreaterThan(900)
    }
  })

  it('parts the leaves of a star, which have the same distances', () => {
    const links = Uint32Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? 0 : (at + 1) / 2))
    const { points } = layOut(51, links)
    expect(
      new Set(points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size,
    ).toBeGreaterThan(48)
  })

  it('sets components beside each other', () => {
    const links = Uint32Array.from([0, 1, 1, 2, 3, 4, 4, 5])
    const { points } = layOut(6, links)
    const right = Math.max(...points.slice(0, 3).map(({ x }) => x))
    const left = Math.min(...points.slice(3).map(({ x }) => x))
    const below = Math.min(...points.slice(3).map(({ y }) => y))
    const above = Math.max(...points.slice(0, 3).map(({ y }) => y))
    expect(left > right || below > above).toBe(true)
  })

  it('answers the same for the same graph, and numbers for any', () => {
    const links = Uint32Array.from({ length: 400 }, (_, at) => (at * 7919 + (at >> 2)) % 120)
    const once = hopLayout({ count: 120, links, distance: 80 })
    expect(hopLayout({ count: 120, links, distance: 80 })).toEqual(once)
    expect(once.every(Number.isFinite)).toBe(true)
    expect(hopLayout({ count: 0, links: new Uint32Array(0), distance: 80 })).toHaveLength(0)
    expect([...hopLayout({ count: 1, links: new Uint32Array(0), distance: 80 })]).toEqual([0, 0])
  })
})
