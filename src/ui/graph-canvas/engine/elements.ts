/** Scene elements as cytoscape element data, and what has changed between two scenes. */
import type { ElementDefinition } from 'cytoscape'
import type { TypeMark } from '../../theme/type-color.tsx'
import { iconSvg } from '../../theme/type-icons.ts'
import type { Point, SceneEdge, SceneNode } from '../scene.ts'
import { labelWith, type WidthOf } from './label.ts'
import { mixed, type ThemeColors } from './theme-colors.ts'

export interface Dress {
  readonly markOf: (typeName: string) => TypeMark
  readonly colors: ThemeColors
  /** Of a text as it stands under a node. */
  readonly widthOf: WidthOf
}

export type ElementData = Readonly<Record<string, unknown>>

const NODE_SIZE = 28
const CARD_PADDING = 28
const CARD_LETTER_WIDTH = 8
/** A longer name ends in an ellipsis: `text-max-width` of the stylesheet and the padding. */
const CARD_WIDTH_MAX = 248

/** Few edges: the label steps back. */
const LEAF_DEGREE_MAX = 4

export function nodeData(node: SceneNode, { markOf, colors, widthOf }: Dress): ElementData {
  const mark = markOf(node.typeName)
  const variant = node.variant ?? 'dot'
  const ring = ownColor(node.color, colors)
  return {
    id: node.id,
    label: labelWith(node.badge, node.label, widthOf),
    color: colors.types[mark.slot] ?? colors.accent,
    icon: variant === 'dot' || variant === 'group' ? iconUri(mark, colors.onType) : 'none',
    ring: ring ?? '',
    ringStyle: node.dashed === true ? 'dashed' : 'solid',
    size: node.size ?? NODE_SIZE,
    width: cardWidth(node),
    variant,
    leaf: node.degree !== undefined && node.degree <= LEAF_DEGREE_MAX,
    mark: node.mark ?? 'same',
    pinned: node.pinned === true,
  }
}

const uris = new Map<string, string>()

/** One text per icon and colour: the drawing library loads a picture once per text. */
function iconUri(mark: TypeMark, color: string): string {
  const svg = iconSvg(mark, color)
  let uri = uris.get(svg)
  if (uri === undefined) {
    uri = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`
    uris.set(svg, uri)
  }
  return uri
}

const ownColor = (name: string | undefined, colors: ThemeColors): string | undefined =>
  name === undefined ? undefined : colors.token(name)

const cardWidth = ({ label }: SceneNode): number =>
  Math.min(CARD_WIDTH_MAX, Math.max(64, label.length * CARD_LETTER_WIDTH + CARD_PADDING))

/** Lines are lighter than what they connect. */
const LINE_SHARE = 0.62
const ARROW_SHARE = 0.8

export function edgeData(edge: SceneEdge, { markOf, colors }: Dress): ElementData {
  const typeColor = edge.tinted === true ? colors.types[markOf(edge.typeName).slot] : undefined
  const own = ownColor(edge.color, colors)
  const full = own ?? typeColor ?? colors.edge
  const isLight = own === undefined && typeColor !== undefined
  return {
    id: edge.id,
    source: edge.source,
    target: edge.target,
    label: edge.label,
    directed: edge.directed,
    color: isLight ? mixed(full, colors.canvas, LINE_SHARE) : full,
    arrow: isLight ? mixed(full, colors.canvas, ARROW_SHARE) : full,
    full,
    lineWidth: edge.width ?? (edge.directed ? 1.5 : 1.25),
    dashes: edge.dashed === true ? 'dashed' : 'solid',
    variant: edge.variant ?? 'line',
    mark: edge.mark ?? 'same',
  }
}

export function nodeElement(data: ElementData, position: Point): ElementDefinition {
  return { group: 'nodes', data: { ...data }, position: { ...position } }
}

export function edgeElement(data: ElementData): ElementDefinition {
  return { group: 'edges', data: { ...data } } as ElementDefinition
}

/** Edges whose ends are both on the canvas; the others would make cytoscape throw. */
export function drawableEdges(
  edges: readonly SceneEdge[],
  nodeIds: ReadonlySet<string>,
): readonly SceneEdge[] {
  return edges.filter(({ source, target }) => nodeIds.has(source) && nodeIds.has(target))
}

export function sameData(before: ElementData | undefined, after: ElementData): boolean {
  if (before === undefined) return false
  return Object.keys(after).every((key) => before[key] === after[key])
}
