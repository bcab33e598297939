import { describe, expect, it } from 'vitest'
import { increasing, layerLayout } from './layer-layout.ts'

const NODE = { width: 40, height: 20 }

function layOut(count: number, links: readonly (readonly [number, number])[]) {
  const sizes = Float64Array.from({ length: 2 * count }, (_, at) =>
    at % 2 === 0 ? NODE.width : NODE.height,
  )
  const request = { sizes, links: Uint32Array.from(links.flat()), nodeGap: 10, layerGap: 100 }
  const positions = layerLayout(request)
  return Array.from({ length: count }, (_, node) => ({
    x: positions[2 * node]!,
    y: positions[2 * node + 1]!,
  }))
}

describe('layerLayout', () => {
  it('puts every target to the right of its source', () => {
    const links = [
      [0, 1],
      [0, 2],
      [1, 3],
      [2, 3],
      [0, 3],
    ] as const
    const points = layOut(4, links)
    for (const [source, target] of links) {
      expect(points[target]!.x).toBeGreaterThanOrEqual(points[source]!.x + NODE.width + 100)
    }
    expect(points[0]!.y).toBeCloseTo(points[3]!.y)
  })

  it('ends on cycles and loops, and gives the same again', () => {
    const links = [
      [0, 1],
      [1, 2],
      [2, 0],
      [1, 1],
      [2, 1],
    ] as const
    const points = layOut(3, links)
    expect(points.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
    expect(new Set(points.map(({ x }) => x)).size).toBe(3)
    expect(layOut(3, links)).toEqual(points)
  })

  it('keeps nodes of one layer apart, however many', () => {
    const links = Array.from(
      { length: 60 },
      (_, index) => [index % 5, 5 + ((index * 7) % 40)] as const,
    )
    const points = layOut(45, links)
    for (const [index, a] of points.entries()) {
      for (const b of points.slice(index + 1)) {
        if (a.x === b.x) expect(Math.abs(a.y - b.y)).toBeGreaterThan(NODE.height + 9.99)
      }
    }
  })

  it('uncrosses what can be uncrossed', () => {
    const points = layOut(6, [
      [0, 5],
      [1, 4],
      [2, 3],
    ])
    const order = (nodes: readonly number[]) =>
      nodes.toSorted((a, b) => points[a]!.y - points[b]!.y)
    expect(order([3, 4, 5])).toEqual(order([0, 1, 2]).map((node) => 5 - node))
  })

  it('has nothing to do for nothing', () => expect(layOut(0, [])).toEqual([]))
})

it('increasing pools what is out of order', () => {
  expect(increasing([1, 3, 2, 4])).toEqual([1, 2.5, 2.5, 4])
  expect(increasing([3, 2, 1])).toEqual([2, 2, 2])
  expect(increasing([])).toEqual([])
})
