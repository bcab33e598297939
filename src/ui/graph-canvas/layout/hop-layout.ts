/**
 * Where a force layout starts: nodes a few hops apart land a few edge lengths apart.
 *
 * Pivot MDS (Brandes and Pich, 2007): the hop distances of every node to a few far-flung pivots are
 * double-centred, and the two directions in which they differ most become x and y. It costs one
 * breadth-first walk per pivot, where forces alone would need thousands of ticks to unfold a chain.
 * Components are laid out one by one and set beside each other, the largest first.
 */
const PIVOTS_MAX = 24
const POWER_ROUNDS = 40
/** Nodes with equal distances (the leaves of a star) coincide; a spiral of this share parts them. */
const SPREAD = 0.35
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

interface HopLayoutRequest {
  readonly count: number
  /** source0, target0, source1, …, counted in nodes. */
  readonly links: Uint32Array
  /** Wanted length of an edge, in model pixels. */
  readonly distance: number
}

/** Returns x0, y0, x1, y1, …; the same for the same graph. */
export function hopLayout({ count, links, distance }: HopLayoutRequest): Float64Array {
  const graph = packNeighbours(count, links)
  const positions = new Float64Array(count * 2)
  const shelf = { x: 0, y: 0, height: 0, width: Math.sqrt(count) * distance * 1.6 }
  for (const members of componentsOf(graph, count)) {
    placeComponent(graph, members, { positions, distance })
    shelve(members, positions, { shelf, gap: distance })
  }
  centre(positions)
  return positions
}

interface Neighbours {
  /** Neighbours of `v` are `ends[offsets[v] .. offsets[v + 1])`. */
  readonly offsets: Uint32Array
  readonly ends: Uint32Array
}

function packNeighbours(count: number, links: Uint32Array): Neighbours {
  const offsets = new Uint32Array(count + 1)
  for (const end of links) offsets[end + 1]! += 1
  for (let node = 0; node < count; node++) offsets[node + 1]! += offsets[node]!
  const next = offsets.slice(0, count)
  const ends = new Uint32Array(links.length)
  for (let at = 0; at < links.length; at++) ends[next[links[at]!]!++] = links[at ^ 1]!
  return { offsets, ends }
}

function componentsOf(graph: Neighbours, count: number): number[][] {
  const seen = new Uint8Array(count)
  const components: number[][] = []
  for (let root = 0; root < count; root++) {
    if (seen[root] === 1) continue
    seen[root] = 1
    const members = [root]
    for (const node of members) {
      for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at++) {
        const end = graph.ends[at]!
        if (seen[end] === 1) continue
        seen[end] = 1
        members.push(end)
      }
    }
    components.push(members)
  }
  return components.sort((a, b) => b.length - a.length)
}

/** Hops from a root to every node of its component. */
function hopsFrom(graph: Neighbours, root: number, hops: Int32Array): void {
  hops.fill(-1)
  hops[root] = 0
  const queue = [root]
  for (const node of queue) {
    for (let at = graph.offsets[node]!; at < graph.offsets[node + 1]!; at++) {
      const end = graph.ends[at]!
      if (hops[end] !== -1) continue
      hops[end] = hops[node]! + 1
      queue.push(end)
    }
  }
}

interface Placing {
  readonly positions: Float64Array
  readonly distance: number
}

function placeComponent(graph: Neighbours, members: readonly number[], placing: Placing): void {
  const { positions, distance } = placing
  const columns = centredColumns(graph, members)
  const [xs, ys] = mainDirections(columns, members.length)
  const taken = new Map<string, number>()
  for (const [index, node] of members.entries()) {
    const place = `${xs[index]!.toFixed(1)} ${ys[index]!.toFixed(1)}`
    const rank = taken.get(place) ?? 0
    taken.set(place, rank + 1)
    const angle = rank * GOLDEN_ANGLE
    const radius = SPREAD * distance * Math.sqrt(rank)
    positions[2 * node] = xs[index]! * distance + Math.cos(angle) * radius
    positions[2 * node + 1] = ys[index]! * distance + Math.sin(angle) * radius
  }
}

/** One column of squared hops per pivot, each pivot as far from the others as there is. */
function centredColumns(graph: Neighbours, members: readonly number[]): Float64Array[] {
  const hops = new Int32Array(graph.offsets.length - 1)
  const nearest = new Float64Array(members.length).fill(Number.POSITIVE_INFINITY)
  const columns: Float64Array[] = []
  let pivot = 0
  while (columns.length < Math.min(PIVOTS_MAX, members.length)) {
    hopsFrom(graph, members[pivot]!, hops)
    const column = Float64Array.from(members, (node) => hops[node]! ** 2)
    columns.push(column)
    for (const [index, squared] of column.entries()) {
      nearest[index] = Math.min(nearest[index]!, squared)
    }
    const farthest = nearest.reduce((most, hops) => Math.max(most, hops), 0)
    if (farthest === 0) break
    pivot = nearest.indexOf(farthest)
  }
  doubleCentre(columns, members.length)
  return columns
}

function doubleCentre(columns: readonly Float64Array[], rows: number): void {
  const rowMeans = new Float64Array(rows)
  for (const column of columns) {
    for (let row = 0; row < rows; row++) rowMeans[row]! += column[row]! / columns.length
  }
  for (const column of columns) {
    const mean = column.reduce((sum, value) => sum + value, 0) / rows
    for (let row = 0; row < rows; row++) column[row] = mean - column[row]!
  }
  const total = rowMeans.reduce((sum, value) => sum + value, 0) / rows
  for (const column of columns) {
    for (let row = 0; row < rows; row++) column[row] = (column[row]! + rowMeans[row]! - total) / 2
  }
}

/** The two directions of greatest spread, by power iteration, in hops. */
function mainDirections(
  columns: readonly Float64Array[],
  rows: number,
): readonly [Float64Array, Float64Array] {
  const first = mainDirection(columns, rows)
  const second = mainDirection(
    columns.map((column) => without(column, first)),
    rows,
  )
  return [inHops(columns, first), inHops(columns, second)]
}

/** A vector of length 1, or of zeros where nothing differs. */
function mainDirection(columns: readonly Float64Array[], rows: number): Float64Array {
  let direction = Float64Array.from({ length: rows }, (_, row) => 1 + (row % 7) / 7)
  for (let round = 0; round < POWER_ROUNDS; round++) {
    const next = new Float64Array(rows)
    for (const column of columns) {
      const weight = dot(column, direction)
      for (let row = 0; row < rows; row++) next[row]! += weight * column[row]!
    }
    const length = Math.sqrt(dot(next, next))
    if (length < 1e-9) return new Float64Array(rows)
    direction = next.map((value) => value / length)
  }
  return direction
}

function without(column: Float64Array, direction: Float64Array): Float64Array {
  const share = dot(column, direction)
  return column.map((value, row) => value - share * direction[row]!)
}

/** The singular value of a sample of columns stands for the eigenvalue of them all. */
function inHops(columns: readonly Float64Array[], direction: Float64Array): Float64Array {
  const value = Math.sqrt(columns.reduce((sum, column) => sum + dot(column, direction) ** 2, 0))
  const scale = Math.sqrt(value * Math.sqrt(direction.length / columns.length))
  return direction.map((share) => share * scale)
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0
  for (let row = 0; row < a.length; row++) sum += a[row]! * b[row]!
  return sum
}

interface Shelf {
  x: number
  y: number
  height: number
  readonly width: number
}

/** Sets a component beside the one before it, or under them when the row is full. */
function shelve(
  members: readonly number[],
  positions: Float64Array,
  { shelf, gap }: { readonly shelf: Shelf; readonly gap: number },
): void {
  const box = boxOf(members, positions)
  if (shelf.x > 0 && shelf.x + box.width > shelf.width) {
    shelf.x = 0
    shelf.y += shelf.height + gap
    shelf.height = 0
  }
  for (const node of members) {
    positions[2 * node]! += shelf.x - box.left
    positions[2 * node + 1]! += shelf.y - box.top
  }
  shelf.x += box.width + gap
  shelf.height = Math.max(shelf.height, box.height)
}

function boxOf(members: readonly number[], positions: Float64Array) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const node of members) {
    left = Math.min(left, positions[2 * node]!)
    right = Math.max(right, positions[2 * node]!)
    top = Math.min(top, positions[2 * node + 1]!)
    bottom = Math.max(bottom, positions[2 * node + 1]!)
  }
  return { left, top, width: right - left, height: bottom - top }
}

/** Gravity pulls towards the origin: the middle of the picture belongs there. */
function centre(positions: Float64Array): void {
  const count = positions.length / 2
  for (const axis of [0, 1]) {
    let sum = 0
    for (let node = 0; node < count; node++) sum += positions[2 * node + axis]!
    for (let node = 0; node < count; node++) positions[2 * node + axis]! -= sum / count
  }
}
