/** How elements look: cytoscape's stylesheet from the theme's colours and the level of detail. */
import type { StylesheetJson } from 'cytoscape'
import { LABEL_FONT_SIZE, LABEL_WIDTH_MAX } from './label.ts'
import type { ThemeColors } from './theme-colors.ts'

/** What is left out so that large scenes stay smooth. */
interface Detail {
  /** Edge labels only where something is hovered or selected. */
  readonly quietEdges: boolean
  /** Straight lines without arrows. */
  readonly plainEdges: boolean
  /** A picture instead of the elements while the view moves. */
  readonly picturedOnMove: boolean
  /** Edges under the pointer look as the others: a change of one has all drawn anew. */
  readonly quietHover: boolean
  /** A node under the pointer dims what is not beside it. */
  readonly dimsRest: boolean
}

const QUIET_EDGES_FROM = 30
/** Cards stand far apart, and the names of their edges are what one looks for. */
const QUIET_CARD_EDGES_FROM = 60
const PLAIN_EDGES_FROM = 1_500
/** Nodes and edges together. */
const PICTURED_FROM = 1_500
const QUIET_HOVER_FROM = 4_000
/** To dim 1,500 took 198 ms. */
const DIMS_REST_MAX = 400

/** Two lines with a gap that is seen between them. */
const PIN_WIDTH = 6

interface SceneSize {
  readonly nodes: number
  readonly edges: number
  readonly cards: boolean
}

export function detailOf({ nodes, edges, cards }: SceneSize): Detail {
  return {
    quietEdges: edges > (cards ? QUIET_CARD_EDGES_FROM : QUIET_EDGES_FROM),
    plainEdges: edges > PLAIN_EDGES_FROM,
    picturedOnMove: nodes + edges > PICTURED_FROM,
    quietHover: nodes + edges > QUIET_HOVER_FROM,
    dimsRest: nodes + edges <= DIMS_REST_MAX,
  }
}

export function stylesheet(colors: ThemeColors, detail: Detail): StylesheetJson {
  return [...nodeStyles(colors), ...edgeStyles(colors, detail), ...stateStyles(colors)]
}

function nodeStyles(colors: ThemeColors): StylesheetJson {
  return [
    {
      selector: 'node',
      style: {
        shape: 'data(shape)' as 'ellipse',
        width: 'data(size)',
        height: 'data(size)',
        'background-color': 'data(color)',
        'border-width': 1.5,
        'border-color': colors.surface,
        label: 'data(label)',
        color: colors.text,
        'font-family': colors.font,
        'font-size': LABEL_FONT_SIZE,
        'min-zoomed-font-size': 8,
        'text-valign': 'bottom',
        'text-margin-y': 4,
        'text-max-width': `${LABEL_WIDTH_MAX}px`,
        'text-wrap': 'ellipsis',
        // A halo, not a box: a box would cut a piece out of whatever lies below.
        'text-outline-color': colors.surface,
        'text-outline-width': 2,
        'text-outline-opacity': 0.85,
        'overlay-opacity': 0,
      },
    },
    {
      selector: 'node[variant = "card"]',
      style: {
        shape: 'round-rectangle',
        width: 'data(width)',
        height: 34,
        'background-color': colors.surface,
        'border-color': 'data(color)',
        'border-width': 2,
        'text-valign': 'center',
        'text-margin-y': 0,
        'text-max-width': '220px',
        'text-outline-width': 0,
        'font-size': 13,
        'font-weight': 600,
        'min-zoomed-font-size': 5,
      },
    },
    {
      selector: 'node[variant = "remainder"]',
      style: {
        shape: 'round-rectangle',
        width: 'data(width)',
        height: 22,
        'background-color': colors.sunken,
        'border-color': colors.border,
        'border-style': 'dashed',
        'text-valign': 'center',
        'text-margin-y': 0,
        'text-max-width': '400px',
        'text-outline-width': 0,
        'min-zoomed-font-size': 4,
        color: colors.text,
        // Always on top: it is the only sign that there is more.
        'z-index': 20,
      },
    },
    {
      selector: 'node[variant = "ghost"]',
      style: { 'background-opacity': 0.25, 'border-style': 'dashed', color: colors.muted },
    },
    { selector: 'node[mark = "new"]', style: { 'border-style': 'dashed' } },
    { selector: 'node[mark = "changed"]', style: { 'border-style': 'double', 'border-width': 5 } },
    {
      selector: 'node[variant = "group"]',
      style: { 'border-color': colors.surface, 'border-style': 'double', 'border-width': 9 },
    },
    {
      selector: 'node[?pinned]',
      style: { 'border-color': colors.text, 'border-style': 'double', 'border-width': PIN_WIDTH },
    },
  ]
}

function edgeStyles(colors: ThemeColors, detail: Detail): StylesheetJson {
  return [
    {
      selector: 'edge',
      style: {
        width: 'data(lineWidth)',
        'line-color': 'data(color)',
        'curve-style': detail.plainEdges ? 'haystack' : 'bezier',
        'control-point-step-size': 44,
        'loop-direction': '0deg',
        'loop-sweep': '70deg',
        'target-arrow-shape': 'none',
        'target-arrow-color': 'data(color)',
        'arrow-scale': 0.9,
        label: detail.quietEdges ? '' : 'data(label)',
        color: colors.muted,
        'font-family': colors.font,
        'font-size': 10,
        'min-zoomed-font-size': 7,
        'text-background-color': colors.surface,
        'text-background-opacity': 0.9,
        'text-background-padding': '2px',
        'overlay-opacity': 0,
        ...(detail.plainEdges ? { 'haystack-radius': 0 } : {}),
      },
    },
    ...(detail.plainEdges
      ? []
      : [{ selector: 'edge[?directed]', style: { 'target-arrow-shape': 'triangle' as const } }]),
    // Many coloured lines side by side are a wall; through these one still sees the next.
    { selector: 'edge[?tinted]', style: { 'line-opacity': 0.55 } },
    {
      selector: 'edge[variant = "ghost"]',
      style: { 'line-style': 'dashed', 'line-opacity': 0.5 },
    },
    { selector: 'edge[mark = "new"]', style: { 'line-style': 'dashed' } },
    { selector: 'edge[mark = "changed"]', style: { width: 2.5 } },
  ]
}

function stateStyles(colors: ThemeColors): StylesheetJson {
  return [
    {
      selector: 'node:selected',
      style: {
        'overlay-color': colors.accent,
        'overlay-opacity': 0.14,
        'overlay-padding': 5,
        'border-color': colors.accent,
        'border-width': 3,
        'font-weight': 700,
      },
    },
    { selector: 'node[?pinned]:selected', style: { 'border-width': PIN_WIDTH } },
    // Bold letters are wider: no label loses its end, and with it the badge, by being selected.
    {
      selector: 'node[variant = "dot"]:selected, node[variant = "ghost"]:selected',
      style: { 'text-max-width': `${LABEL_WIDTH_MAX * 1.2}px` },
    },
    {
      selector: 'edge:selected, edge.hovered',
      style: {
        label: 'data(label)',
        'line-opacity': 1,
        'line-color': colors.accent,
        'target-arrow-color': colors.accent,
        color: colors.text,
        width: 2.5,
        'z-index': 10,
      },
    },
    {
      selector: 'node.cursor',
      style: { 'outline-width': 2, 'outline-color': colors.focus, 'outline-offset': 4 },
    },
    { selector: '.dimmed, .faded', style: { opacity: 0.15 } },
    {
      selector: 'node.connect-target',
      style: { 'outline-width': 3, 'outline-color': colors.success, 'outline-offset': 4 },
    },
    {
      selector: 'node.connect-tip',
      style: { width: 1, height: 1, label: '', opacity: 0, events: 'no' },
    },
    {
      selector: 'edge.connect-line',
      style: { 'line-style': 'dashed', 'line-color': colors.accent, events: 'no', label: '' },
    },
  ]
}
