/** The keyboard's way over a canvas: which node lies next in the direction of an arrow key. */
import type { Point, Positions, Scene } from '../scene.ts'

export type Direction = 'left' | 'right' | 'up' | 'down'

const unit: Readonly<Record<Direction, Point>> = {
  left: { x: -1, y: 0 },
  right: { x: 1, y: 0 },
  up: { x: 0, y: -1 },
  down: { x: 0, y: 1 },
}

/** How much a step sideways costs against one ahead. */
const SIDE_COST = 2

/** The nearest node within 60° of the direction; undefined: nothing lies there. */
export function nearestInDirection(
  positions: Positions,
  from: string,
  direction: Direction,
): string | undefined {
  const start = positions.get(from)
  if (start === undefined) return undefined
  const ahead = unit[direction]
  let best: { id: string; cost: number } | undefined
  for (const [id, point] of positions) {
    if (id === from) continue
    const x = point.x - start.x
    const y = point.y - start.y
    const along = x * ahead.x + y * ahead.y
    const aside = Math.abs(x * ahead.y - y * ahead.x)
    if (along <= 0 || aside > along * Math.sqrt(3)) continue
    const cost = along + aside * SIDE_COST
    if (best === undefined || cost < best.cost) best = { id, cost }
  }
  return best?.id
}

/** The neighbour after `previous` when going round `center`, by name; wraps at the end. */
export function nextNeighbour(
  scene: Scene,
  center: string,
  previous: string | null,
  step: 1 | -1,
): string | undefined {
  const around = new Set<string>()
  for (const { source, target } of scene.edges) {
    if (source === center && target !== center) around.add(target)
    if (target === center && source !== center) around.add(source)
  }
  const names = [...around].sort()
  if (names.length === 0) return undefined
  const at = previous === null ? -1 : names.indexOf(previous)
  if (at < 0) return step === 1 ? names[0] : names.at(-1)
  return names[(at + step + names.length) % names.length]
}

/** "Person ada, 3 of 214 neighbours": what the live region says about a node. */
export function describeNode(scene: Scene, id: string): string {
  const node = scene.nodes.find((other) => other.id === id)
  if (node === undefined) return ''
  const degree = scene.edges.filter(({ source, target }) => source === id || target === id).length
  const total = node.degree === undefined ? '' : ` of ${node.degree}`
  const edges = degree === 1 && total === '' ? '1 edge' : `${degree}${total} edges`
  const mark = node.mark === undefined || node.mark === 'same' ? '' : `, ${node.mark}`
  return `${node.description ?? node.label}${mark}, ${edges} shown`
}
