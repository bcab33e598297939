/** Where nodes go when a layout is asked for; force layouts run in a worker and can be cancelled. */
import type { Core, EdgeSingular, LayoutOptions, NodeSingular } from 'cytoscape'
import type { LayoutName, Point } from '../scene.ts'
import type { ForceRequest } from './force.ts'
import { layerLayout } from './layer-layout.ts'

const FORCE_DISTANCE = 110
/** Cards need room for their own width and the labels of the edges between them. */
const CARD_DISTANCE = 160
/** About the width of a letter of an edge's label, and what is left free around the label. */
const EDGE_LETTER_WIDTH = 5.6
const EDGE_LABEL_ROOM = 36
const FORCE_TICKS = 160
/** Room for labels under nodes, and for those of edges between layers. */
const NODE_GAP = 36
const LAYER_GAP = 130

const NOT_LOADED = 'The layout could not be loaded from the server.'

export const isNotLoaded = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NetworkError'

/** Positions for every node, computed without moving any; pinned ones keep theirs. */
export async function computeLayout(
  cy: Core,
  name: LayoutName,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Point>> {
  const places = positionsOf(cy)
  const pinned = new Set(cy.nodes('[?pinned]').map((node) => node.id()))
  if (name === 'force') {
    // What finds its place around pinned nodes begins where it is beside them.
    return refine(cy, { start: pinned.size === 0 ? 'hops' : places, fixed: pinned, signal })
  }
  const found = name === 'hierarchy' ? hierarchy(cy) : ranLayout(cy, layoutOptions(cy, name))
  return new Map([...found].map(([id, at]) => [id, (pinned.has(id) && places.get(id)) || at]))
}

function hierarchy(cy: Core): ReadonlyMap<string, Point> {
  const ids = cy.nodes().map((node) => node.id())
  const sizes = cy.nodes().map((node) => [node.outerWidth(), node.outerHeight()])
  const positions = layerLayout({
    sizes: Float64Array.from(sizes.flat()),
    links: linksOf(cy, ids),
    nodeGap: NODE_GAP,
    layerGap: LAYER_GAP,
  })
  return new Map(ids.map((id, at) => [id, pointAt(positions, at)]))
}

/** Loops are left out: they pull nothing. */
function linkingEdges(cy: Core): readonly EdgeSingular[] {
  return cy
    .edges()
    .toArray()
    .filter((edge) => edge.data('source') !== edge.data('target'))
}

/** Places of sources and targets among the ids. */
function linksOf(cy: Core, ids: readonly string[]): Uint32Array {
  const place = new Map(ids.map((id, at) => [id, at]))
  const ends = linkingEdges(cy).flatMap((edge) => [edge.data('source'), edge.data('target')])
  return Uint32Array.from(ends, (id) => place.get(id) ?? 0)
}

interface RefineOptions {
  /** Where nodes are now, or `hops`: where their distances in the graph would put them. */
  readonly start: ReadonlyMap<string, Point> | 'hops'
  readonly fixed: ReadonlySet<string>
  readonly signal: AbortSignal
}

/** Lets forces settle the nodes that are not fixed, in a worker. */
export function refine(cy: Core, options: RefineOptions): Promise<ReadonlyMap<string, Point>> {
  const { start, fixed, signal } = options
  const ids = cy.nodes().map((node) => node.id())
  const request = forceRequest(cy, ids, { start, fixed })
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./force.worker.ts', import.meta.url), { type: 'module' })
    const stop = () => {
      worker.terminate()
      reject(new DOMException('Layout cancelled', 'AbortError'))
    }
    signal.addEventListener('abort', stop, { once: true })
    worker.onmessage = (event: MessageEvent<Float64Array>) => {
      signal.removeEventListener('abort', stop)
      worker.terminate()
      resolve(new Map(ids.map((id, at) => [id, pointAt(event.data, at)])))
    }
    worker.onerror = (event) => {
      worker.terminate()
      // Without a message it is not the layout that failed: its script did not come.
      const { message = '' } = event
      reject(message === '' ? new DOMException(NOT_LOADED, 'NetworkError') : new Error(message))
    }
    worker.postMessage(request)
  })
}

function forceRequest(
  cy: Core,
  ids: readonly string[],
  { start, fixed }: Omit<RefineOptions, 'signal'>,
): ForceRequest {
  const positions = new Float64Array(ids.length * 2)
  for (const [at, id] of ids.entries()) {
    const point = (start === 'hops' ? undefined : start.get(id)) ?? { x: 0, y: 0 }
    positions[2 * at] = point.x
    positions[2 * at + 1] = point.y
  }
  return {
    positions: start === 'hops' ? null : positions,
    radii: Float64Array.from(ids, (id) => reachOf(cy.getElementById(id))),
    fixed: Uint8Array.from(ids, (id) => (fixed.has(id) ? 1 : 0)),
    links: linksOf(cy, ids),
    ticks: FORCE_TICKS,
    distance: cy.nodes('[variant = "card"]').empty() ? FORCE_DISTANCE : CARD_DISTANCE,
    lengths: Float64Array.from(linkingEdges(cy), cardLength),
  }
}

/** So long that the label finds room between two cards side by side; 0 between others. */
function cardLength(edge: EdgeSingular): number {
  const ends = [edge.source(), edge.target()]
  if (ends.some((node) => node.data('variant') !== 'card')) return 0
  const label = String(edge.data('label')).length * EDGE_LETTER_WIDTH
  return ends.reduce((sum, node) => sum + reachOf(node), label + EDGE_LABEL_ROOM)
}

/** From the middle of a node to its side. */
function reachOf(node: NodeSingular): number {
  const isWide = ['card', 'remainder'].includes(node.data('variant'))
  return Number(node.data(isWide ? 'width' : 'size')) / 2
}

function pointAt(positions: Float64Array, at: number): Point {
  return { x: positions[2 * at] ?? 0, y: positions[2 * at + 1] ?? 0 }
}

/** Runs a synchronous layout of cytoscape, reads the positions, and puts the old ones back. */
function ranLayout(cy: Core, options: LayoutOptions): ReadonlyMap<string, Point> {
  const before = positionsOf(cy)
  let after = before
  cy.batch(() => {
    cy.layout(options).run()
    after = positionsOf(cy)
    for (const [id, point] of before) cy.getElementById(id).position({ ...point })
  })
  return after
}

export function positionsOf(cy: Core): ReadonlyMap<string, Point> {
  return new Map(cy.nodes().map((node) => [node.id(), { ...node.position() }]))
}

function layoutOptions(cy: Core, name: Exclude<LayoutName, 'force' | 'hierarchy'>): LayoutOptions {
  const still = { animate: false, fit: false }
  switch (name) {
    case 'concentric':
      return {
        name: 'concentric',
        concentric: (node) => node.degree(false),
        levelWidth: (nodes) => Math.max(1, nodes.maxDegree(false) / 4),
        minNodeSpacing: 36,
        ...still,
      }
    case 'radial':
      return {
        name: 'breadthfirst',
        circle: true,
        roots: rootsOf(cy),
        spacingFactor: 1.3,
        ...still,
      }
    case 'grid':
      return {
        name: 'grid',
        sort: (a, b) => String(a.data('color')).localeCompare(String(b.data('color'))),
        avoidOverlapPadding: 30,
        condense: true,
        ...still,
      }
    default:
      return name satisfies never
  }
}

/** What is selected, or else the node with most edges. */
function rootsOf(cy: Core): string[] {
  const selected = cy.nodes(':selected')
  if (selected.nonempty()) return selected.map((node) => node.id())
  return [
    cy
      .nodes()
      .max((node) => node.degree(false))
      .ele.id(),
  ]
}
