import { describe, expect, it } from 'vitest'
import { type Bodies, repulsionOf } from './repulsion.ts'

function bodiesAt(points: readonly (readonly [number, number])[]): Bodies {
  return {
    x: Float64Array.from(points, ([x]) => x),
    y: Float64Array.from(points, ([, y]) => y),
    vx: new Float64Array(points.length),
    vy: new Float64Array(points.length),
  }
}

/** A crowd in the middle of a few that are far off. */
const crowd = Array.from({ length: 400 }, (_, at) => {
  const distance = at % 10 === 0 ? 3_000 : 20 * Math.sqrt(at)
  return [distance * Math.cos(at * 2.4), distance * Math.sin(at * 2.4)] as const
})

/** Every pair by itself. */
function summed(points: typeof crowd, body: number) {
  let [x, y] = [0, 0]
  for (const [at, [ox, oy]] of points.entries()) {
    if (at === body) continue
    const [dx, dy] = [points[body]![0] - ox, points[body]![1] - oy]
    x += dx / (dx * dx + dy * dy)
    y += dy / (dx * dx + dy * dy)
  }
  return { x, y }
}

describe('repulsionOf', () => {
  it('comes near to the sum over all pairs', () => {
    const bodies = bodiesAt(crowd)
    repulsionOf(crowd.length, 1)(bodies, 1)
    let [error, all] = [0, 0]
    for (let body = 0; body < crowd.length; body++) {
      const { x, y } = summed(crowd, body)
      error += Math.hypot(bodies.vx[body]! - x, bodies.vy[body]! - y)
      all += Math.hypot(x, y)
    }
    expect(error / all).toBeGreaterThan(0)
    expect(error / all).toBeLessThan(0.05)
  })

  it('adds what it is told to, for each tick anew', () => {
    const bodies = bodiesAt([
      [0, 0],
      [10, 0],
    ])
    const repel = repulsionOf(2, 40)
    repel(bodies, 0.5)
    expect([...bodies.vx]).toEqual([-2, 2])
    bodies.x[1] = 20
    repel(bodies, 0.5)
    expect([...bodies.vx]).toEqual([-3, 3])
    expect([...bodies.vy]).toEqual([0, 0])
  })

  it('parts bodies in one place, and those too near to each other to lie in squares of their own', () => {
    const bodies = bodiesAt([
      [5, 5],
      [5, 5],
      [5, 5],
      [5 + 1e-9, 5],
      [900, 900],
    ])
    repulsionOf(5, 100)(bodies, 1)
    const ways = [...bodies.vx].map((x, at) => `${x.toFixed(3)} ${bodies.vy[at]!.toFixed(3)}`)
    expect(new Set(ways).size).toBe(5)
    expect(bodies.vx.every(Number.isFinite)).toBe(true)
    // Of the three beside it none is lost.
    expect(Math.hypot(bodies.vx[3]!, bodies.vy[3]!)).toBeCloseTo(300, 0)
  })

  it('leaves alone what is alone, and nothing', () => {
    const bodies = bodiesAt([[7, 7]])
    repulsionOf(1, 100)(bodies, 1)
    expect([...bodies.vx, ...bodies.vy]).toEqual([0, 0])
    expect(() => repulsionOf(0, 100)(bodiesAt([]), 1)).not.toThrow()
  })
})
