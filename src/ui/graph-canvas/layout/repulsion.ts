/**
 * Repulsion of many bodies at a cost of n log n, after Barnes and Hut (1986): they lie in a tree of
 * squares, and a square that looks small from a body acts on it as one body in the middle of its own.
 *
 * The tree lies in arrays that are made once and filled anew at every tick: objects for its squares
 * took most of a layout's time.
 */

/** Places and speeds, in model pixels; what acts on a body changes its speed. */
export interface Bodies {
  readonly x: Float64Array
  readonly y: Float64Array
  readonly vx: Float64Array
  readonly vy: Float64Array
}

/** Squares within squares; bodies that still share one of the smallest hang on a chain. */
const DEPTH_MAX = 20
/** A square stands for its bodies when it is farther away than it is wide. */
const WIDTH_PER_DISTANCE_MAX = 1
/** Nearer than this, in pixels, the force grows no more. */
const DISTANCE_MIN = 1
const NUDGE = 1e-6
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

interface Tree {
  /** Four quarters of each square: 0 for none, a square, or -1 less the number of a body. */
  readonly quarters: Int32Array
  /** Bodies in each square, and the middle of all of them. */
  readonly weight: Float64Array
  readonly middleX: Float64Array
  readonly middleY: Float64Array
  readonly widthSquared: Float64Array
  /** The next body of a chain, plus one; 0 at its end. */
  readonly next: Int32Array
  /** Squares in use. */
  size: number
  /** Squares still to be looked at. */
  readonly waiting: Int32Array
}

/** Answers with what pushes the bodies apart, by a force of `strength` at a distance of one pixel. */
export function repulsionOf(count: number, strength: number) {
  const squares = count * DEPTH_MAX + 1
  const tree: Tree = {
    quarters: new Int32Array(4 * squares),
    weight: new Float64Array(squares),
    middleX: new Float64Array(squares),
    middleY: new Float64Array(squares),
    widthSquared: new Float64Array(squares),
    next: new Int32Array(count),
    size: 0,
    waiting: new Int32Array(3 * DEPTH_MAX + 4),
  }
  return (bodies: Bodies, alpha: number): void => {
    fill(tree, bodies)
    for (let body = 0; body < count; body++) push(tree, bodies, body, strength * alpha)
  }
}

function fill(tree: Tree, places: Places): void {
  const { weight, middleX, middleY } = tree
  const { x, y } = places
  const [left, right, top, bottom] = [least(x), most(x), least(y), most(y)]
  // Never 0, where all bodies lie on one another.
  const width = Math.max(right - left, bottom - top, DISTANCE_MIN)
  const root: Frame = { x: (left + right) / 2, y: (top + bottom) / 2, width }
  tree.size = 0
  addSquare(tree, width)
  for (let body = 0; body < x.length; body++) insert(tree, places, body, { ...root })
  // Until here they are sums.
  for (let square = 0; square < tree.size; square++) {
    middleX[square]! /= weight[square]!
    middleY[square]! /= weight[square]!
  }
}

type Places = Pick<Bodies, 'x' | 'y'>

/** Where a square lies: its middle. */
interface Frame {
  x: number
  y: number
  width: number
}

function addSquare(tree: Tree, width: number): number {
  const square = tree.size++
  tree.quarters.fill(0, 4 * square, 4 * square + 4)
  tree.weight[square] = 0
  tree.middleX[square] = 0
  tree.middleY[square] = 0
  tree.widthSquared[square] = width * width
  return square
}

/** @param frame of the root; it narrows to where the body finds its place */
function insert(tree: Tree, places: Places, body: number, frame: Frame): void {
  const { quarters, next } = tree
  const { x, y } = places
  let square = 0
  for (let depth = 1; ; depth++) {
    weigh(tree, places, square, body)
    const quarter = quarterOf(frame, places, body)
    const slot = 4 * square + quarter
    narrow(frame, quarter)
    const there = quarters[slot]!
    if (there > 0) {
      square = there
      continue
    }
    const other = -1 - there
    const isShared = depth === DEPTH_MAX || (x[other] === x[body] && y[other] === y[body])
    if (there === 0 || isShared) {
      next[body] = -there
      quarters[slot] = -1 - body
      return
    }
    square = addSquare(tree, frame.width)
    quarters[slot] = square
    // What has been there, one body or several in the very same place, moves down.
    quarters[4 * square + quarterOf(frame, places, other)] = there
    for (let one = other; one >= 0; one = next[one]! - 1) weigh(tree, places, square, one)
  }
}

function weigh(tree: Tree, { x, y }: Places, square: number, body: number): void {
  tree.weight[square]! += 1
  tree.middleX[square]! += x[body]!
  tree.middleY[square]! += y[body]!
}

const quarterOf = (frame: Frame, { x, y }: Places, body: number): number =>
  (x[body]! >= frame.x ? 1 : 0) + (y[body]! >= frame.y ? 2 : 0)

function narrow(frame: Frame, quarter: number): void {
  frame.width /= 2
  frame.x += (quarter & 1) === 1 ? frame.width / 2 : -frame.width / 2
  frame.y += (quarter & 2) === 2 ? frame.width / 2 : -frame.width / 2
}

function push(tree: Tree, bodies: Bodies, body: number, strength: number): void {
  const { quarters, weight, middleX, middleY, widthSquared, waiting } = tree
  const x = bodies.x[body]!
  const y = bodies.y[body]!
  let pushX = 0
  let pushY = 0
  let left = 1
  waiting[0] = 0
  while (left > 0) {
    const square = waiting[--left]!
    const dx = x - middleX[square]!
    const dy = y - middleY[square]!
    const squared = dx * dx + dy * dy
    if (widthSquared[square]! < squared * WIDTH_PER_DISTANCE_MAX ** 2) {
      const force = (weight[square]! * strength) / softened(squared)
      pushX += dx * force
      pushY += dy * force
      continue
    }
    for (let slot = 4 * square; slot < 4 * square + 4; slot++) {
      const there = quarters[slot]!
      if (there > 0) waiting[left++] = there
      else if (there < 0) pushFrom(tree.next, bodies, body, { first: -1 - there, strength })
    }
  }
  bodies.vx[body]! += pushX
  bodies.vy[body]! += pushY
}

interface Chain {
  readonly first: number
  readonly strength: number
}

function pushFrom(next: Int32Array, bodies: Bodies, body: number, chain: Chain): void {
  const { x, y, vx, vy } = bodies
  for (let other = chain.first; other >= 0; other = next[other]! - 1) {
    if (other === body) continue
    let dx = x[body]! - x[other]!
    let dy = y[body]! - y[other]!
    if (dx === 0 && dy === 0) [dx, dy] = nudge(body, other)
    const force = chain.strength / softened(dx * dx + dy * dy)
    vx[body]! += dx * force
    vy[body]! += dy * force
  }
}

const softened = (squared: number): number =>
  squared < DISTANCE_MIN ** 2 ? DISTANCE_MIN * Math.sqrt(squared) : squared

/** A way for a body to leave another that lies in the very same place: the same one at each run. */
export function nudge(body: number, other: number): [number, number] {
  const [angle, length] = [GOLDEN_ANGLE * (body + other), NUDGE * Math.sign(body - other)]
  return [length * Math.cos(angle), length * Math.sin(angle)]
}

function least(values: Float64Array): number {
  let found = Infinity
  for (const value of values) if (value < found) found = value
  return found
}

function most(values: Float64Array): number {
  let found = -Infinity
  for (const value of values) if (value > found) found = value
  return found
}
