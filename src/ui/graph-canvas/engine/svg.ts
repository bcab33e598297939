/** The whole scene as SVG, written from where things are and how they look; it scales without loss. */
import type { Core, EdgeSingular, NodeSingular } from 'cytoscape'
import type { Point } from '../scene.ts'

const MARGIN = 24
const ARROW_LENGTH = 9
const ARROW_HALF_WIDTH = 4

/** Letters are about so wide, in parts of their height: only the size of the picture is by it. */
const LETTER_WIDTH = 0.6

export interface SvgLook {
  readonly surface: string
  readonly font: string
}

export function svgOf(cy: Core, { surface, font }: SvgLook): string {
  const box = cy.elements().boundingBox({ includeLabels: true, includeOverlays: false })
  const [x, y] = [box.x1 - MARGIN, box.y1 - MARGIN].map(rounded)
  const [width, height] = [box.w + 2 * MARGIN, box.h + 2 * MARGIN].map(rounded)
  const [nodes, lines] = [cy.nodes().toArray(), cy.edges().toArray()]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${x} ${y} ${width} ${height}" ` +
      `width="${width}" height="${height}" font-family="${escaped(font)}">`,
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${escaped(surface)}"/>`,
    ...lines.map((edge) => edgeSvg(edge, surface)),
    ...nodes.map((node) => nodeSvg(node, surface)),
    '</svg>',
    '',
  ].join('\n')
}

function edgeSvg(edge: EdgeSingular, surface: string): string {
  const ends = { from: edge.sourceEndpoint(), to: edge.targetEndpoint() }
  const bends = edge.controlPoints() ?? []
  const color = colorOf(edge, 'line-color')
  const width = edge.numericStyle('width')
  const opacity = rounded(edge.numericStyle('opacity') * edge.numericStyle('line-opacity'))
  const dash = edge.style('line-style') === 'dashed' ? ' stroke-dasharray="6 3"' : ''
  const hasArrow = edge.style('target-arrow-shape') !== 'none'
  const label = String(edge.style('label') ?? '')
  return [
    `<path d="${pathOf(ends, bends)}" fill="none" stroke="${color}" ` +
      `stroke-width="${rounded(width)}" stroke-opacity="${opacity}"${dash}/>`,
    hasArrow ? arrowSvg(bends.at(-1) ?? ends.from, ends.to, { color, opacity }) : '',
    label === '' ? '' : textSvg(edge, label, edge.midpoint(), haloSvg(surface)),
  ].join('')
}

interface Ends {
  readonly from: Point
  readonly to: Point
}

/** Quadratic from control point to control point, as the canvas bends it. */
export function pathOf({ from, to }: Ends, bends: readonly Point[]): string {
  const [first, ...others] = bends
  if (first === undefined) return `M${pair(from)}L${pair(to)}`
  const joints = others.map((bend, place) => {
    const before = bends[place] as Point
    const middle = { x: (before.x + bend.x) / 2, y: (before.y + bend.y) / 2 }
    return `${pair(middle)}Q${pair(bend)} `
  })
  return `M${pair(from)}Q${pair(first)} ${joints.join('')}${pair(to)}`
}

interface Stroke {
  readonly color: string
  readonly opacity: number
}

/** A triangle with its tip at the end of the line. */
export function arrowSvg(before: Point, tip: Point, { color, opacity }: Stroke): string {
  const [dx, dy] = [tip.x - before.x, tip.y - before.y]
  const length = Math.hypot(dx, dy) || 1
  const [ux, uy] = [dx / length, dy / length]
  const base = { x: tip.x - ARROW_LENGTH * ux, y: tip.y - ARROW_LENGTH * uy }
  const corner = (side: 1 | -1): Point => ({
    x: base.x - side * ARROW_HALF_WIDTH * uy,
    y: base.y + side * ARROW_HALF_WIDTH * ux,
  })
  const points = [tip, corner(1), corner(-1)].map(pair).join(' ')
  return `<polygon points="${points}" fill="${color}" fill-opacity="${opacity}"/>`
}

function nodeSvg(node: NodeSingular, surface: string): string {
  const { x, y } = node.position()
  const [width, height] = [node.width(), node.height()]
  const look =
    `fill="${colorOf(node, 'background-color')}" ` +
    `fill-opacity="${rounded(node.numericStyle('background-opacity'))}" ` +
    `stroke="${colorOf(node, 'border-color')}" ` +
    `stroke-width="${rounded(node.numericStyle('border-width'))}"` +
    (node.style('border-style') === 'dashed' ? ' stroke-dasharray="4 2"' : '')
  const ring = ringOffset(node)
  const area = { x, y, width: width + 2 * ring, height: height + 2 * ring }
  const shape = shapeSvg(String(node.style('shape')), area, look) + iconOf(node)
  const label = String(node.style('label') ?? '')
  if (label === '') return shape
  const isInside = node.style('text-valign') === 'center'
  const size = node.numericStyle('font-size')
  const at = isInside ? { x, y: y + size / 3 } : { x, y: y + height / 2 + size + 4 }
  const halo = isInside ? '' : haloSvg(surface)
  return `${shape}${textSvg(node, label, at, halo)}`
}

/** A border lies in the middle of its line here, and outside of the node on the canvas. */
const ringOffset = (node: NodeSingular): number =>
  node.style('border-position') === 'outside' ? node.numericStyle('border-width') / 2 : 0

const ICON_SHARE = 0.56

/** The icon of the type: its text is a whole SVG. */
function iconOf(node: NodeSingular): string {
  const uri = String(node.data('icon') ?? 'none')
  if (uri === 'none' || node.style('background-image') === 'none') return ''
  const { x, y } = node.position()
  const size = node.width() * ICON_SHARE
  const svg = decodeURIComponent(uri.slice(uri.indexOf(',') + 1))
  const place = `x="${rounded(x - size / 2)}" y="${rounded(y - size / 2)}" width="${rounded(size)}" height="${rounded(size)}"`
  return svg.replace('width="24" height="24"', place)
}

/** Behind letters, so that lines below do not run through them. */
const haloSvg = (surface: string): string =>
  ` paint-order="stroke" stroke="${escaped(surface)}" stroke-width="4" stroke-opacity="0.85"`

interface Area extends Point {
  readonly width: number
  readonly height: number
}

/** Corners as parts of the half width and the half height, from the top round to the right. */
const polygons: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  diamond: polygon(4, 0),
  triangle: [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
  pentagon: polygon(5, 0),
  hexagon: polygon(6, Math.PI / 6),
  heptagon: polygon(7, 0),
  octagon: polygon(8, Math.PI / 8),
}

function polygon(corners: number, turn: number): readonly (readonly [number, number])[] {
  return Array.from({ length: corners }, (_, corner) => {
    const angle = (2 * Math.PI * corner) / corners + turn
    return [Math.sin(angle), -Math.cos(angle)] as const
  })
}

export function shapeSvg(name: string, { x, y, width, height }: Area, look: string): string {
  const corners = polygons[name.replace('round-', '')]
  if (corners !== undefined) {
    const points = corners.map(([dx, dy]) =>
      pair({ x: x + (dx * width) / 2, y: y + (dy * height) / 2 }),
    )
    return `<polygon points="${points.join(' ')}" ${look}/>`
  }
  if (name.endsWith('rectangle')) {
    const [left, top] = [rounded(x - width / 2), rounded(y - height / 2)]
    const corner = name === 'rectangle' ? '' : ' rx="5"'
    return `<rect x="${left}" y="${top}" width="${rounded(width)}" height="${rounded(height)}"${corner} ${look}/>`
  }
  const [rx, ry] = [rounded(width / 2), rounded(height / 2)]
  return `<ellipse cx="${rounded(x)}" cy="${rounded(y)}" rx="${rx}" ry="${ry}" ${look}/>`
}

function textSvg(
  element: NodeSingular | EdgeSingular,
  label: string,
  { x, y }: Point,
  more = '',
): string {
  const size = element.numericStyle('font-size')
  const weight = String(element.style('font-weight'))
  const isBold = weight === 'bold' || Number(weight) >= 600 ? ' font-weight="600"' : ''
  const room = element.numericStyle('text-max-width')
  const isCut = element.style('text-wrap') === 'ellipsis'
  const shown = isCut ? cutTo(label, Math.floor(room / (size * LETTER_WIDTH))) : label
  return (
    `<text x="${rounded(x)}" y="${rounded(y)}" text-anchor="middle" font-size="${rounded(size)}"` +
    `${isBold} fill="${colorOf(element, 'color')}"${more}>${escaped(shown)}</text>`
  )
}

/** In a picture that scales there is no need to cut as early as on screen. */
const cutTo = (label: string, letters: number): string => {
  const all = [...label]
  return all.length <= letters * 1.5 ? label : `${all.slice(0, letters).join('')}…`
}

const colorOf = (element: NodeSingular | EdgeSingular, name: string): string =>
  escaped(String(element.style(name)))

const rounded = (value: number): number => Math.round(value * 100) / 100
const pair = ({ x, y }: Point): string => `${rounded(x)},${rounded(y)}`

/** Control characters have no place in XML, not even escaped. */
export const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
