/** Scene elements as cytoscape element data, and what has changed between two scenes. */
import type { ElementDefinition } from 'cytoscape'
import type { TypeMark } from '../../theme/type-color.tsx'
import type { Point, SceneEdge, SceneNode } from '../scene.ts'
import { labelWith, type WidthOf } from './label.ts'
import type { ThemeColors } from './theme-colors.ts'

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

export function nodeData(node: SceneNode, { markOf, colors, widthOf }: Dress): ElementData {
  const look = markOf(node.typeName)
  return {
    id: node.id,
    label: labelWith(node.badge, node.label, widthOf),
    shape: look.shape,
    color: ownColor(node.color, colors) ?? colors.types[look.slot] ?? colors.accent,
    size: node.size ?? NODE_SIZE,
    width: cardWidth(node),
    variant: node.variant ?? 'dot',
    mark: node.mark ?? 'same',
    pinned: node.pinned === true,
  }
}

const ownColor = (name: string | undefined, colors: ThemeColors): string | undefined =>
  name === undefined ? undefined : colors.token(name)

const cardWidth = ({ label }: SceneNode): number =>
  Math.min(CARD_WIDTH_MAX, Math.max(64, label.length * CARD_LETTER_WIDTH + CARD_PADDING))

export function edgeData(edge: SceneEdge, { markOf, colors }: Dress): ElementData {
  const typeColor = edge.tinted === true ? colors.types[markOf(edge.typeName).slot] : undefined
  return {
    id: edge.id,
    source: edge.source,
    target: edge.target,
    label: edge.label,
    directed: edge.directed,
    color: ownColor(edge.color, colors) ?? typeColor ?? colors.edge,
    lineWidth: edge.width ?? 1.4,
    tinted: edge.tinted === true,
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
