import { describe, expect, it } from 'vitest'
import { collisionOf } from './collision.ts'

function bodiesAt(points: readonly (readonly [number, number])[]) {
  return {
    x: Float64Array.from(points, ([x]) => x),
    y: Float64Array.from(points, ([, y]) => y),
    vx: new Float64Array(points.length),
    vy: new Float64Array(points.length),
  }
}

describe('collisionOf', () => {
  it('parts two by what they overlap, the smaller one more', () => {
    const bodies = bodiesAt([
      [0, 0],
      [30, 0],
    ])
    collisionOf(Float64Array.of(10, 30))(bodies)
    expect(bodies.vx[1]! - bodies.vx[0]!).toBeCloseTo(10)
    expect(bodies.vx[0]! / bodies.vx[1]!).toBeCloseTo(-9)
  })

  it('looks at where they are going to be', () => {
    const bodies = bodiesAt([
      [0, 0],
      [100, 0],
    ])
    bodies.vx.set([40, -40])
    collisionOf(Float64Array.of(15, 15))(bodies)
    expect(100 + bodies.vx[1]! - bodies.vx[0]!).toBeCloseTo(30)
  })

  it('leaves alone those that are far enough apart', () => {
    const bodies = bodiesAt([
      [0, 0],
      [20, 0],
      [0, 1e7],
    ])
    collisionOf(Float64Array.of(10, 10, 10))(bodies)
    expect([...bodies.vx, ...bodies.vy]).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('finds every pair, however wide the picture: none is left after some rounds', () => {
    const points = Array.from({ length: 300 }, (_, at) => {
      const middle = at % 3 === 0 ? 50_000 : 0
      return [middle + (at % 7) * 9, (at % 11) * 9] as const
    })
    const bodies = bodiesAt(points)
    const radii = Float64Array.from(points, (_, at) => 10 + (at % 5) * 8)
    const part = collisionOf(radii)
    for (let round = 0; round < 400; round++) {
      part(bodies)
      for (let body = 0; body < points.length; body++) {
        bodies.x[body]! += bodies.vx[body]!
        bodies.y[body]! += bodies.vy[body]!
      }
      bodies.vx.fill(0)
      bodies.vy.fill(0)
    }
    let closest = Infinity
    for (let body = 0; body < points.length; body++) {
      for (let other = 0; other < body; other++) {
        const [dx, dy] = [bodies.x[body]! - bodies.x[other]!, bodies.y[body]! - bodies.y[other]!]
        closest = Math.min(closest, Math.hypot(dx, dy) / (radii[body]! + radii[other]!))
      }
    }
    expect(closest).toBeGreaterThan(0.9)
  })

  it('parts those in one place, each its own way', () => {
    const bodies = bodiesAt([
      [3, 3],
      [3, 3],
      [3, 3],
    ])
    collisionOf(Float64Array.of(10, 10, 10))(bodies)
    expect(new Set([...bodies.vx].map((x) => x.toFixed(3))).size).toBe(3)
    expect(() => collisionOf(new Float64Array(0))(bodiesAt([]))).not.toThrow()
  })
})
