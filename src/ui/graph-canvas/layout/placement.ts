/** Where new nodes go so that the old ones need not move: a fan beside the node they hang on. */
import type { Point, Positions, Scene } from '../scene.ts'

const RING_DISTANCE = 110
const SPACING = 52
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

/**
 * Places every node of the scene that has no position yet. Nodes that hang on a placed neighbour
 * fan out from it into the direction with most room; the rest fill a spiral around the middle.
 */
export function placeNewNodes(scene: Scene, placed: Positions): Map<string, Point> {
  let waiting = scene.nodes.map(({ id }) => id).filter((id) => !placed.has(id))
  if (placed.size === 0) return spiral(waiting, { x: 0, y: 0 })

  const neighbours = neighboursOf(scene)
  const known = new Map(placed)
  const result = new Map<string, Point>()
  while (waiting.length > 0) {
    const children = childrenByParent(waiting, neighbours, known)
    const round =
      children.size === 0
        ? spiral(waiting, below([...known.values()]))
        : fansOf(children, neighbours, known)
    for (const [id, point] of round) {
      known.set(id, point)
      result.set(id, point)
    }
    waiting = waiting.filter((id) => !round.has(id))
  }
  return result
}

/** The waiting nodes that hang on a placed one, under that one. */
function childrenByParent(
  waiting: readonly string[],
  neighbours: ReadonlyMap<string, readonly string[]>,
  known: Positions,
): ReadonlyMap<string, readonly string[]> {
  const children = new Map<string, string[]>()
  for (const id of waiting) {
    const parent = neighbours.get(id)?.find((other) => known.has(other))
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [id])
    else siblings.push(id)
  }
  return children
}

function fansOf(
  children: ReadonlyMap<string, readonly string[]>,
  neighbours: ReadonlyMap<string, readonly string[]>,
  known: Positions,
): ReadonlyMap<string, Point> {
  const placed = new Map<string, Point>()
  for (const [parent, ids] of children) {
    const origin = known.get(parent) ?? { x: 0, y: 0 }
    const around = (neighbours.get(parent) ?? []).flatMap((id) => known.get(id) ?? [])
    for (const [id, point] of fan(ids, origin, freeAngle(origin, around))) placed.set(id, point)
  }
  return placed
}

/** Arcs of growing radius around `origin`, centred on `angle` and at most two thirds of a circle. */
export function fan(ids: readonly string[], origin: Point, angle: number): Map<string, Point> {
  const result = new Map<string, Point>()
  let ring = 0
  let next = 0
  while (next < ids.length) {
    const radius = RING_DISTANCE + ring * SPACING
    const span = Math.min((4 / 3) * Math.PI, ((ids.length - next) * SPACING) / radius)
    const room = Math.max(1, Math.floor(((4 / 3) * Math.PI * radius) / SPACING))
    const count = Math.min(room, ids.length - next)
    for (let place = 0; place < count; place++) {
      const turn = count === 1 ? 0 : (place / (count - 1) - 0.5) * span
      const x = origin.x + radius * Math.cos(angle + turn)
      const y = origin.y + radius * Math.sin(angle + turn)
      result.set(ids[next + place] ?? '', { x, y })
    }
    next += count
    ring++
  }
  return result
}

/** The middle of the widest gap between the directions of the neighbours; upwards when free. */
export function freeAngle(origin: Point, neighbours: readonly Point[]): number {
  const angles = neighbours
    .map(({ x, y }) => Math.atan2(y - origin.y, x - origin.x))
    .sort((a, b) => a - b)
  const first = angles[0]
  if (first === undefined) return -Math.PI / 2
  let best = { gap: -1, middle: 0 }
  for (const [position, angle] of angles.entries()) {
    const next = angles[position + 1] ?? first + 2 * Math.PI
    const gap = next - angle
    if (gap > best.gap) best = { gap, middle: angle + gap / 2 }
  }
  return best.middle
}

function spiral(ids: readonly string[], middle: Point): Map<string, Point> {
  const placeOf = (position: number): Point => {
    const radius = SPACING * 1.4 * Math.sqrt(position)
    const angle = position * GOLDEN_ANGLE
    return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) }
  }
  return new Map(ids.map((id, position) => [id, placeOf(position)]))
}

function below(points: readonly Point[]): Point {
  let x = 0
  let lowest = Number.NEGATIVE_INFINITY
  for (const point of points) {
    x += point.x / points.length
    lowest = Math.max(lowest, point.y)
  }
  return { x, y: lowest + RING_DISTANCE }
}

function neighboursOf(scene: Scene): ReadonlyMap<string, readonly string[]> {
  const neighbours = new Map<string, string[]>()
  const add = (from: string, to: string) => {
    const list = neighbours.get(from)
    if (list === undefined) neighbours.set(from, [to])
    else list.push(to)
  }
  for (const { source, target } of scene.edges) {
    add(source, target)
    add(target, source)
  }
  return neighbours
}

/**
 * Positions of the nodes of a scene that need no search: those on the canvas stay, and `known`
 * gives places to others. One node gone and one come is a new name for the same.
 */
export function placedNodes(
  scene: Scene,
  kept: Positions,
  known: Positions,
): ReadonlyMap<string, Point> {
  const ids = new Set(scene.nodes.map(({ id }) => id))
  const placed = new Map([...known, ...kept].filter(([id]) => ids.has(id)))
  const gone = [...kept].filter(([id]) => !ids.has(id))
  const come = [...ids].filter((id) => !kept.has(id) && !known.has(id))
  const [from, to] = [gone[0], come[0]]
  if (gone.length === 1 && come.length === 1 && from !== undefined && to !== undefined) {
    placed.set(to, from[1])
  }
  return placed
}
