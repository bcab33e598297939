/** Bodies that would lie upon one another part; which they are is looked up in a grid of their places. */
import { type Bodies, nudge } from './repulsion.ts'

/** Of more cells the empty ones cost time. */
const CELLS_PER_BODY_MAX = 4

interface Grid {
  /** Bodies of cell `c` are `order[starts[c] .. starts[c + 1])`. */
  readonly starts: Uint32Array
  readonly order: Uint32Array
  readonly cellOf: Uint32Array
  columns: number
  rows: number
}

/** Where bodies are going to be. */
type Places = Pick<Bodies, 'x' | 'y'>

/** Answers with what keeps bodies as far apart as the sum of their radii. */
export function collisionOf(radii: Float64Array): (bodies: Bodies) => void {
  const count = radii.length
  const reach = 2 * radii.reduce((most, radius) => Math.max(most, radius), 1)
  const grid: Grid = {
    starts: new Uint32Array(CELLS_PER_BODY_MAX * count + 2),
    order: new Uint32Array(count),
    cellOf: new Uint32Array(count),
    columns: 1,
    rows: 1,
  }
  const places = { x: new Float64Array(count), y: new Float64Array(count) }
  return ({ x, y, vx, vy }) => {
    for (let body = 0; body < count; body++) {
      places.x[body] = x[body]! + vx[body]!
      places.y[body] = y[body]! + vy[body]!
    }
    fill(grid, places, reach)
    for (let body = 0; body < count; body++) partAll(grid, places, radii, body)
    for (let body = 0; body < count; body++) {
      vx[body] = places.x[body]! - x[body]!
      vy[body] = places.y[body]! - y[body]!
    }
  }
}

/** Sorts bodies by cells that are at least `reach` wide, so that neighbours lie in the nine around. */
function fill(grid: Grid, { x, y }: Places, reach: number): void {
  const { starts, order, cellOf } = grid
  const count = order.length
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let body = 0; body < count; body++) {
    left = Math.min(left, x[body]!)
    right = Math.max(right, x[body]!)
    top = Math.min(top, y[body]!)
    bottom = Math.max(bottom, y[body]!)
  }
  let side = reach / 2
  do {
    side *= 2
    grid.columns = Math.floor((right - left) / side) + 1
    grid.rows = Math.floor((bottom - top) / side) + 1
  } while (grid.columns * grid.rows > CELLS_PER_BODY_MAX * count + 1)
  starts.fill(0)
  for (let body = 0; body < count; body++) {
    const row = Math.floor((y[body]! - top) / side)
    cellOf[body] = row * grid.columns + Math.floor((x[body]! - left) / side)
    starts[cellOf[body]!]! += 1
  }
  for (let cell = 1; cell < starts.length; cell++) starts[cell]! += starts[cell - 1]!
  // What is the end of a cell is its start when all of its bodies have been put before it.
  for (let body = count - 1; body >= 0; body--) order[--starts[cellOf[body]!]!] = body
}

/** Parts a body from all of a higher number. */
function partAll(grid: Grid, places: Places, radii: Float64Array, body: number): void {
  const { starts, order, cellOf, columns, rows } = grid
  const [column, row] = [cellOf[body]! % columns, Math.floor(cellOf[body]! / columns)]
  const [first, last] = [Math.max(0, column - 1), Math.min(columns - 1, column + 1)]
  for (let at = Math.max(0, row - 1); at <= Math.min(rows - 1, row + 1); at++) {
    const end = starts[at * columns + last + 1]!
    for (let place = starts[at * columns + first]!; place < end; place++) {
      const other = order[place]!
      if (other > body) part(places, radii, body, other)
    }
  }
}

/** The smaller one moves farther. */
function part({ x, y }: Places, radii: Float64Array, body: number, other: number): void {
  const room = radii[body]! + radii[other]!
  let dx = x[body]! - x[other]!
  let dy = y[body]! - y[other]!
  if (dx * dx + dy * dy >= room * room) return
  if (dx === 0 && dy === 0) [dx, dy] = nudge(body, other)
  const distance = Math.sqrt(dx * dx + dy * dy)
  const shift = (room - distance) / distance
  const share = radii[other]! ** 2 / (radii[body]! ** 2 + radii[other]! ** 2)
  x[body]! += dx * shift * share
  y[body]! += dy * shift * share
  x[other]! -= dx * shift * (1 - share)
  y[other]! -= dy * shift * (1 - share)
}
