/**
 * The whole scene in a corner, with a frame around what is in view; a press or a drag goes there.
 * It shows only while something lies outside the view. Nodes are drawn once per change of theirs;
 * a pan or a zoom moves the frame over that picture.
 */
import type { Core } from 'cytoscape'
import type { Point } from '../scene.ts'

const WIDTH = 168
const HEIGHT = 112
const PADDING = 8
const DOT = 2.5

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** From model coordinates to those of the map. */
interface Mapping {
  /** Around the middles of all nodes. */
  readonly nodes: Box
  /** What the map shows. */
  readonly box: Box
  readonly scale: number
}

/** Returns how to end it. */
export function attachMinimap(cy: Core, canvas: HTMLCanvasElement): () => void {
  const density = window.devicePixelRatio
  const dots = document.createElement('canvas')
  for (const one of [canvas, dots]) {
    one.width = WIDTH * density
    one.height = HEIGHT * density
  }
  let mapping: Mapping | null = null
  const forget = () => {
    mapping = null
  }
  const draw = () => {
    mapping ??= drawDots(cy, dots, density)
    drawFrame(cy, { canvas, dots, mapping, density })
  }
  const go = (event: PointerEvent) => {
    if (mapping === null || event.buttons !== 1) return
    const bounds = canvas.getBoundingClientRect()
    const at = fromMap(mapping, { x: event.clientX - bounds.left, y: event.clientY - bounds.top })
    const zoom = cy.zoom()
    cy.pan({ x: cy.width() / 2 - at.x * zoom, y: cy.height() / 2 - at.y * zoom })
  }
  const grasp = (event: PointerEvent) => {
    canvas.setPointerCapture(event.pointerId)
    go(event)
  }
  cy.on('add remove position data', 'node', forget)
  cy.on('render', draw)
  canvas.addEventListener('pointerdown', grasp)
  canvas.addEventListener('pointermove', go)
  return () => {
    cy.off('add remove position data', 'node', forget)
    cy.off('render', draw)
    canvas.removeEventListener('pointerdown', grasp)
    canvas.removeEventListener('pointermove', go)
  }
}

export function boxOf(points: readonly Point[]): Box | null {
  const [first] = points
  if (first === undefined) return null
  let { x: left, y: top } = first
  let [right, bottom] = [left, top]
  for (const { x, y } of points) {
    left = Math.min(left, x)
    top = Math.min(top, y)
    right = Math.max(right, x)
    bottom = Math.max(bottom, y)
  }
  return { left, top, right, bottom }
}

/** The box in the middle of the map, as large as fits. */
export function mappingOf(nodes: Box): Mapping {
  const { left, top, right, bottom } = nodes
  const scale = Math.min(
    (WIDTH - 2 * PADDING) / Math.max(1, right - left),
    (HEIGHT - 2 * PADDING) / Math.max(1, bottom - top),
  )
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const [halfWidth, halfHeight] = [WIDTH / 2 / scale, HEIGHT / 2 / scale]
  const box = {
    left: x - halfWidth,
    top: y - halfHeight,
    right: x + halfWidth,
    bottom: y + halfHeight,
  }
  return { nodes, box, scale }
}

export const toMap = ({ box, scale }: Mapping, { x, y }: Point): Point => ({
  x: (x - box.left) * scale,
  y: (y - box.top) * scale,
})

export const fromMap = ({ box, scale }: Mapping, { x, y }: Point): Point => ({
  x: x / scale + box.left,
  y: y / scale + box.top,
})

function drawDots(cy: Core, dots: HTMLCanvasElement, density: number): Mapping | null {
  const nodes = cy.nodes().toArray()
  const box = boxOf(nodes.map((node) => node.position()))
  const pen = dots.getContext('2d')
  if (box === null || pen === null) return null
  const mapping = mappingOf(box)
  pen.setTransform(density, 0, 0, density, 0, 0)
  pen.clearRect(0, 0, WIDTH, HEIGHT)
  for (const node of nodes) {
    const { x, y } = toMap(mapping, node.position())
    pen.fillStyle = node.data('color')
    pen.fillRect(x - DOT / 2, y - DOT / 2, DOT, DOT)
  }
  return mapping
}

interface Picture {
  readonly canvas: HTMLCanvasElement
  readonly dots: HTMLCanvasElement
  readonly mapping: Mapping | null
  readonly density: number
}

function drawFrame(cy: Core, { canvas, dots, mapping, density }: Picture): void {
  const { x1, y1, x2, y2 } = cy.extent()
  const pen = canvas.getContext('2d')
  canvas.hidden =
    mapping === null || isWithin(mapping.nodes, { left: x1, top: y1, right: x2, bottom: y2 })
  if (mapping === null || canvas.hidden || pen === null) return
  const from = toMap(mapping, { x: x1, y: y1 })
  const to = toMap(mapping, { x: x2, y: y2 })
  pen.setTransform(density, 0, 0, density, 0, 0)
  pen.clearRect(0, 0, WIDTH, HEIGHT)
  pen.drawImage(dots, 0, 0, WIDTH, HEIGHT)
  pen.strokeStyle = getComputedStyle(canvas).color
  pen.lineWidth = 1.5
  pen.strokeRect(from.x, from.y, to.x - from.x, to.y - from.y)
}

const isWithin = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left &&
  inner.right <= outer.right &&
  inner.top >= outer.top &&
  inner.bottom <= outer.bottom
