import { describe, expect, it } from 'vitest'
import { detailOf } from './engine/stylesheet.ts'
import { describeNode, nearestInDirection, nextNeighbour } from './interaction/walk.ts'
import { runForce } from './layout/force.ts'
import { fan, freeAngle, placeNewNodes } from './layout/placement.ts'
import type { Point, Scene } from './scene.ts'

function scene(ids: readonly string[], links: readonly (readonly [string, string])[]): Scene {
  return {
    nodes: ids.map((id) => ({ id, typeName: 'T', label: id })),
    edges: links.map(([source, target]) => ({
      id: `${source}-${target}`,
      source,
      target,
      typeName: 'E',
      label: 'E',
      directed: true,
    })),
  }
}

const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y)

describe('placeNewNodes', () => {
  it('places every new node, near the node it hangs on, and no old one', () => {
    const ids = Array.from({ length: 200 }, (_, i) => `n${i}`)
    const links = ids.map((id) => ['a', id] as const)
    const old = new Map([
      ['a', { x: 10, y: 10 }],
      ['b', { x: 100, y: 10 }],
    ])
    const placed = placeNewNodes(scene(['a', 'b', ...ids], [['a', 'b'], ...links]), old)
    expect([...placed.keys()].sort()).toEqual([...ids].sort())
    const points = [...placed.values()]
    expect(Math.max(...points.map((point) => distance(point, { x: 10, y: 10 })))).toBeLessThan(700)
    const gaps = points.flatMap((point, i) =>
      points.slice(i + 1).map((other) => distance(point, other)),
    )
    expect(Math.min(...gaps)).toBeGreaterThan(20)
  })

  it('follows chains of new nodes and sets unconnected ones aside', () => {
    const old = new Map([['a', { x: 0, y: 0 }]])
    const placed = placeNewNodes(
      scene(
        ['a', 'b', 'c', 'x'],
        [
          ['a', 'b'],
          ['b', 'c'],
        ],
      ),
      old,
    )
    expect([...placed.keys()].sort()).toEqual(['b', 'c', 'x'])
    expect(distance(placed.get('c')!, placed.get('b')!)).toBeLessThan(150)
    expect(placed.get('x')!.y).toBeGreaterThan(Math.max(placed.get('b')!.y, 0))
  })

  it('fans out away from the neighbours that are there', () => {
    const angle = freeAngle({ x: 0, y: 0 }, [{ x: 5, y: 0 }])
    expect(Math.cos(angle)).toBeCloseTo(-1)
    expect(fan(['a'], { x: 0, y: 0 }, angle).get('a')!.x).toBeLessThan(0)
  })
})

describe('walking', () => {
  const positions = new Map([
    ['middle', { x: 0, y: 0 }],
    ['right', { x: 100, y: 10 }],
    ['far', { x: 400, y: 0 }],
    ['up', { x: 20, y: -80 }],
  ])

  it('goes to the nearest node in the direction, and nowhere when there is none', () => {
    expect(nearestInDirection(positions, 'middle', 'right')).toBe('right')
    expect(nearestInDirection(positions, 'middle', 'up')).toBe('up')
    expect(nearestInDirection(positions, 'middle', 'down')).toBeUndefined()
    expect(nearestInDirection(positions, 'right', 'right')).toBe('far')
  })

  it('cycles through neighbours both ways', () => {
    const ring = scene(
      ['a', 'b', 'c'],
      [
        ['a', 'b'],
        ['c', 'a'],
        ['a', 'a'],
      ],
    )
    expect(nextNeighbour(ring, 'a', null, 1)).toBe('b')
    expect(nextNeighbour(ring, 'a', 'b', 1)).toBe('c')
    expect(nextNeighbour(ring, 'a', 'c', 1)).toBe('b')
    expect(nextNeighbour(ring, 'a', null, -1)).toBe('c')
    expect(describeNode(ring, 'a')).toBe('a, 3 edges shown')
    const counted = { ...ring, nodes: ring.nodes.map((node) => ({ ...node, degree: 12 })) }
    expect(describeNode(counted, 'a')).toBe('a, 3 of 12 edges shown')
  })
})

describe('runForce', () => {
  it('keeps fixed nodes where they are, and pulls a linked one near', () => {
    const result = runForce({
      positions: new Float64Array([0, 0, 50, 0, 900, 900]),
      fixed: new Uint8Array([1, 1, 0]),
      radii: new Float64Array([14, 14, 14]),
      links: new Uint32Array([0, 2]),
      ticks: 200,
      distance: 80,
      lengths: new Float64Array([0]),
    })
    expect([...result.slice(0, 4)]).toEqual([0, 0, 50, 0])
    expect(Math.hypot(result[4]!, result[5]!)).toBeLessThan(200)
  })

  it('keeps the ends of a link as far apart as it asks', () => {
    const gapFor = (length: number) => {
      const result = runForce({
        positions: null,
        fixed: new Uint8Array(2),
        radii: new Float64Array([60, 60]),
        links: new Uint32Array([0, 1]),
        ticks: 200,
        distance: 160,
        lengths: new Float64Array([length]),
      })
      return Math.hypot(result[2]! - result[0]!, result[3]! - result[1]!)
    }
    expect(gapFor(400)).toBeGreaterThan(gapFor(0) + 150)
    expect(gapFor(400)).toBeGreaterThan(350)
  })
})

it('detail goes step by step', () => {
  expect(detailOf({ nodes: 10, edges: 30, cards: false })).toEqual({
    quietEdges: false,
    plainEdges: false,
    picturedOnMove: false,
    quietHover: false,
    plainNodes: false,
    dimsRest: true,
  })
  expect(detailOf({ nodes: 10, edges: 1_501, cards: false })).toEqual({
    quietEdges: true,
    plainEdges: true,
    picturedOnMove: true,
    quietHover: false,
    plainNodes: true,
    dimsRest: false,
  })
  expect(detailOf({ nodes: 1_501, edges: 3_000, cards: false }).quietHover).toBe(true)
})
