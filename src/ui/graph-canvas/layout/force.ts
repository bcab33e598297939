/**
 * A force layout over plain arrays, so that it runs in a worker and in a test alike.
 *
 * Links pull their ends to a length, bodies repel each other and keep clear of one another, and all
 * are drawn towards the middle; each tick turns forces into speeds (Verlet), and they cool down.
 */
import { collisionOf } from './collision.ts'
import { hopLayout } from './hop-layout.ts'
import { type Bodies, repulsionOf } from './repulsion.ts'

export interface ForceRequest {
  /** x0, y0, x1, y1, …; null to start from the hops between the nodes. */
  readonly positions: Float64Array | null
  /** From the middle of each node to its side, in model pixels. */
  readonly radii: Float64Array
  /** 1 for nodes that stay where they are. */
  readonly fixed: Uint8Array
  /** source0, target0, source1, … : places in `positions`, counted in nodes. */
  readonly links: Uint32Array
  readonly ticks: number
  /** Wanted length of an edge, in model pixels. */
  readonly distance: number
  /** Wanted length of each link where it is longer than that: room for wide ends and a label. */
  readonly lengths: Float64Array
}

/** A node with more edges than this keeps its neighbours farther off, so that all find room. */
const HUB_DEGREE = 10
/** Left free between two nodes that are wide. */
const GAP = 10
/** Of a speed so much is left after a tick. */
const DRAG = 0.6
/** Forces end at a thousandth after so many ticks. */
const COOLING = 1 - 0.001 ** (1 / 300)
/** Pictures are wider than high. */
const TO_MIDDLE = { x: 0.02, y: 0.03 }

/** Returns new positions in the order given; fixed nodes keep theirs exactly. */
export function runForce(request: ForceRequest): Float64Array {
  const { fixed, distance } = request
  const count = fixed.length
  if (count === 0) return new Float64Array(0)
  const start = request.positions ?? hopLayout({ ...request, count })
  const bodies: Bodies = {
    x: Float64Array.from(fixed, (_, node) => start[2 * node] ?? 0),
    y: Float64Array.from(fixed, (_, node) => start[2 * node + 1] ?? 0),
    vx: new Float64Array(count),
    vy: new Float64Array(count),
  }
  const springs = springsOf(request)
  const repel = repulsionOf(count, 4 * distance)
  const radii = Float64Array.from(fixed, (_, node) => {
    return Math.max(distance / 3, (request.radii[node] ?? 0) + GAP)
  })
  const part = collisionOf(radii)
  let alpha = 1
  for (let tick = 0; tick < request.ticks; tick++) {
    alpha -= alpha * COOLING
    pull(springs, bodies, alpha)
    repel(bodies, alpha)
    part(bodies)
    move(bodies, fixed, alpha)
  }
  const result = new Float64Array(count * 2)
  for (let node = 0; node < count; node++) {
    result[2 * node] = bodies.x[node]!
    result[2 * node + 1] = bodies.y[node]!
  }
  return result
}

/** Each of them between two places of `ends`. */
interface Springs {
  readonly ends: Uint32Array
  readonly lengths: Float64Array
  readonly strengths: Float64Array
  /** How much of a pull its target follows: the end with fewer links follows more. */
  readonly shares: Float64Array
}

function springsOf({ links, distance, lengths, fixed }: ForceRequest): Springs {
  const degrees = new Uint32Array(fixed.length)
  for (const end of links) degrees[end]! += 1
  const ofEach = (value: (source: number, target: number, link: number) => number) =>
    Float64Array.from({ length: links.length / 2 }, (_, link) =>
      value(degrees[links[2 * link]!]!, degrees[links[2 * link + 1]!]!, link),
    )
  return {
    ends: links,
    lengths: ofEach((source, target, link) => {
      const room = Math.sqrt(Math.max(source, target) / HUB_DEGREE)
      return Math.max(lengths[link] ?? 0, distance * Math.max(1, room))
    }),
    strengths: ofEach((source, target) => 1 / Math.max(1, Math.min(source, target))),
    shares: ofEach((source, target) => source / (source + target)),
  }
}

function pull(springs: Springs, { x, y, vx, vy }: Bodies, alpha: number): void {
  const { ends, lengths, strengths, shares } = springs
  for (let link = 0; link < lengths.length; link++) {
    const source = ends[2 * link]!
    const target = ends[2 * link + 1]!
    // Where they are going to be.
    const dx = x[target]! + vx[target]! - x[source]! - vx[source]!
    const dy = y[target]! + vy[target]! - y[source]! - vy[source]!
    const length = Math.sqrt(dx * dx + dy * dy)
    // Ends in one place are parted by their repulsion.
    if (length === 0) continue
    const force = ((length - lengths[link]!) / length) * alpha * strengths[link]!
    const share = shares[link]!
    vx[target]! -= dx * force * share
    vy[target]! -= dy * force * share
    vx[source]! += dx * force * (1 - share)
    vy[source]! += dy * force * (1 - share)
  }
}

function move({ x, y, vx, vy }: Bodies, fixed: Uint8Array, alpha: number): void {
  for (let node = 0; node < fixed.length; node++) {
    if (fixed[node] === 1) {
      vx[node] = 0
      vy[node] = 0
      continue
    }
    vx[node] = (vx[node]! - x[node]! * TO_MIDDLE.x * alpha) * DRAG
    vy[node] = (vy[node]! - y[node]! * TO_MIDDLE.y * alpha) * DRAG
    x[node]! += vx[node]!
    y[node]! += vy[node]!
  }
}
