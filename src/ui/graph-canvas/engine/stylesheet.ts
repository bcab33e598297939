/** How elements look: cytoscape's stylesheet from the theme's colours and the level of detail. */
import type { Css, StylesheetJson } from 'cytoscape'
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
  /** Without icons and without the shadow below. */
  readonly plainNodes: boolean
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
const PLAIN_NODES_FROM = 1_500
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
    plainNodes: nodes + edges > PLAIN_NODES_FROM,
    dimsRest: nodes + edges <= DIMS_REST_MAX,
  }
}

export function stylesheet(colors: ThemeColors, detail: Detail): StylesheetJson {
  return [...nodeStyles(colors, detail), ...edgeStyles(colors, detail), ...stateStyles(colors)]
}

function nodeStyles(colors: ThemeColors, detail: Detail): StylesheetJson {
  return [
    {
      selector: 'node',
      style: {
        shape: 'ellipse',
        width: 'data(size)',
        height: 'data(size)',
        'background-color': 'data(color)',
        'border-width': 3,
        'border-color': colors.surface,
        'border-position': 'outside',
        label: 'data(label)',
        color: colors.text,
        'font-family': colors.font,
        'font-size': LABEL_FONT_SIZE,
        'font-weight': 500,
        'min-zoomed-font-size': 8,
        'text-valign': 'bottom',
        'text-margin-y': 7,
        'text-max-width': `${LABEL_WIDTH_MAX}px`,
        'text-wrap': 'ellipsis',
        // A halo, not a box: a box would cut a piece out of whatever lies below.
        'text-outline-color': colors.canvas,
        'text-outline-width': 3,
        'text-outline-opacity': 0.92,
        'overlay-opacity': 0,
        'outline-width': 0,
        'outline-offset': 4,
      },
    },
    ...(detail.plainNodes ? [] : [{ selector: 'node', style: iconStyle(colors) }]),
    {
      selector: 'node[?leaf]',
      style: { 'font-size': LABEL_FONT_SIZE - 1, 'font-weight': 400, color: colors.muted },
    },
    // The ring has the colour of a value, whatever the type.
    {
      selector: 'node[ring != ""]',
      style: {
        'border-width': 5,
        'border-color': 'data(ring)',
        'border-style': 'data(ringStyle)' as 'solid',
        'border-position': 'center',
      },
    },
    ...variantStyles(colors),
  ]
}

const iconStyle = (colors: ThemeColors): Css.Node => ({
  'background-image': 'data(icon)',
  'background-width': '56%',
  'background-height': '56%',
  'background-clip': 'none',
  'underlay-color': colors.text,
  'underlay-opacity': 0.07,
  'underlay-padding': 5,
  'underlay-shape': 'ellipse',
})

function variantStyles(colors: ThemeColors): StylesheetJson {
  return [
    {
      selector: 'node[variant = "card"]',
      style: {
        shape: 'round-rectangle',
        width: 'data(width)',
        height: 34,
        'background-color': colors.raised,
        'border-color': 'data(color)',
        'border-width': 2,
        'border-position': 'center',
        'underlay-opacity': 0,
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
        'background-color': colors.raised,
        'border-color': colors.field,
        'border-style': 'dashed',
        'border-width': 1.25,
        'border-position': 'center',
        'underlay-opacity': 0,
        'font-size': 11,
        'font-weight': 400,
        'text-valign': 'center',
        'text-margin-y': 0,
        'text-max-width': '400px',
        'text-outline-width': 0,
        'min-zoomed-font-size': 4,
        color: colors.muted,
        // Always on top: it is the only sign that there is more.
        'z-index': 20,
      },
    },
    {
      selector: 'node[variant = "ghost"]',
      style: {
        'background-opacity': 0.25,
        'border-style': 'dashed',
        'border-color': colors.field,
        'border-width': 1.5,
        'underlay-opacity': 0,
        color: colors.muted,
      },
    },
    { selector: 'node[mark = "new"]', style: { 'border-style': 'dashed' } },
    { selector: 'node[mark = "changed"]', style: { 'border-style': 'double', 'border-width': 5 } },
    {
      selector: 'node[variant = "group"]',
      style: {
        'border-color': colors.surface,
        'border-style': 'double',
        'border-width': 9,
        'border-position': 'center',
      },
    },
    {
      selector: 'node[?pinned]',
      style: {
        'border-color': colors.text,
        'border-style': 'double',
        'border-width': PIN_WIDTH,
        'border-position': 'center',
      },
    },
  ]
}

function edgeStyles(colors: ThemeColors, detail: Detail): StylesheetJson {
  const arrows: StylesheetJson = detail.plainEdges
    ? []
    : [{ selector: 'edge[?directed]', style: { 'target-arrow-shape': 'triangle-backcurve' } }]
  return [
    {
      selector: 'edge',
      style: {
        width: 'data(lineWidth)',
        'line-color': 'data(color)',
        'line-style': 'data(dashes)' as 'solid',
        'curve-style': detail.plainEdges ? 'haystack' : 'bezier',
        'control-point-step-size': 26,
        'loop-direction': '0deg',
        'loop-sweep': '70deg',
        'target-arrow-shape': 'none',
        'target-arrow-color': 'data(arrow)',
        'arrow-scale': 0.95,
        'target-distance-from-node': 5,
        'source-distance-from-node': 3,
        label: detail.quietEdges ? '' : 'data(label)',
        color: colors.muted,
        'font-family': colors.font,
        'font-size': 11,
        'font-weight': 500,
        'min-zoomed-font-size': 9,
        'text-background-color': colors.canvas,
        'text-background-opacity': 1,
        'text-background-padding': '3px',
        'text-background-shape': 'roundrectangle',
        'overlay-opacity': 0,
        ...(detail.plainEdges ? { 'haystack-radius': 0 } : {}),
      },
    },
    ...arrows,
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
        'outline-width': 2.5,
        'outline-color': colors.accent,
        'outline-offset': 5,
        'underlay-color': colors.accent,
        'underlay-opacity': 0.13,
        'underlay-padding': 15,
        'font-weight': 600,
        color: colors.text,
        'z-index': 10,
      },
    },
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
        'line-color': 'data(full)',
        'target-arrow-color': 'data(full)',
        color: colors.text,
        width: 2.25,
        'z-index': 10,
      },
    },
    {
      selector: 'edge:selected',
      style: { 'line-color': colors.accent, 'target-arrow-color': colors.accent, width: 3.5 },
    },
    {
      selector: 'node.cursor',
      style: { 'outline-width': 2, 'outline-color': colors.focus, 'outline-offset': 4 },
    },
    { selector: '.dimmed', style: { opacity: 0.35 } },
    { selector: '.faded', style: { opacity: 0.18 } },
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
