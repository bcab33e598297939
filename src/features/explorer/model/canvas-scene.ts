/** What the canvas is given for a scene: labels, badges, bundles of parallel edges, remainders. */

import { formatCount } from '#lib/format.ts'
import type {
  SceneEdge as CanvasEdge,
  SceneNode as CanvasNode,
  Scene as CanvasScene,
} from '#ui/graph-canvas/scene.ts'
import { remainderLabel } from './expansion.ts'
import { type Group, type GroupEdge, type Grouped, ungrouped } from './groups.ts'
import {
  type Remainder,
  type Scene,
  type SceneEdge,
  type SceneVertex,
  type VertexKey,
  visible,
} from './scene.ts'
import { type Look, type Looks, noLooks } from './scene-style.ts'

/** More parallel edges than this between two vertices are drawn as one line with their number. */
export const PARALLEL_EDGES_MAX = 3

const labelAttributes = ['name', 'title', 'label', 'Name', 'Title']

/**
 * A name in one line, which turns nothing round that follows it: control characters become spaces,
 * marks that set a direction are left out.
 */
export const shownName = (name: string): string =>
  name.replace(/\r\n|[\p{Cc}\u2028\u2029]/gu, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/g, '')

/** As it is shown; files have the name as it is. */
export const vertexLabel = (vertex: SceneVertex): string => shownName(vertexName(vertex))

export function vertexName({ id, attributes }: SceneVertex): string {
  for (const name of labelAttributes) {
    const value = attributes?.[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return id
}

interface Drawing {
  /** Bundles whose edges are drawn one by one. */
  readonly unfolded?: ReadonlySet<string>
  /** What the styles of types make of their elements. */
  readonly looks?: Looks
  /** What is drawn as one. */
  readonly grouped?: Grouped
}

/** @param degrees how many edges a vertex has in all, where known */
export function toCanvas(
  scene: Scene,
  degrees: ReadonlyMap<string, number>,
  { unfolded = new Set(), looks = noLooks, grouped = ungrouped }: Drawing = {},
): CanvasScene {
  const all = visible(scene)
  const { groups, groupOf } = grouped
  const isAlone = (key: VertexKey) => !groupOf.has(key)
  const vertices = all.vertices.filter(({ key }) => isAlone(key))
  const edges = all.edges.filter(({ from, to }) => isAlone(from) && isAlone(to))
  const remainders = all.remainders.filter(({ vertex }) => isAlone(vertex))
  const labelOf = (key: VertexKey) => {
    const vertex = scene.vertices.get(key)
    return vertex === undefined ? shownName(key) : vertexLabel(vertex)
  }
  return {
    nodes: [
      ...vertices.map((vertex) => {
        const node = vertexNode(vertex, degrees.get(vertex.key), looks.of.get(vertex.key))
        return scene.pinned.has(vertex.key) ? pinned(node) : node
      }),
      ...[...groups.values()].map((group) => groupNode(group, labelOf)),
      ...remainders.map(remainderNode),
    ],
    edges: [
      ...bundled(edges, unfolded, looks),
      ...[...grouped.edges.values()].map(groupEdge),
      ...remainders.map(remainderEdge),
    ],
  }
}

const pinned = (node: CanvasNode): CanvasNode => ({
  ...node,
  pinned: true,
  description: `${node.description}, pinned`,
})

const GROUP_SIZE_MIN = 40
const GROUP_SIZE_MAX = 96

function groupNode(
  { key, type, parent, members }: Group,
  labelOf: (key: VertexKey) => string,
): CanvasNode {
  const count = formatCount(members.length)
  const at = parent === null ? '' : ` at ${labelOf(parent)}`
  return {
    id: key,
    typeName: type,
    label: type,
    badge: `×${count}`,
    description: `${count} ${type}${at}, drawn as one: Enter shows them`,
    variant: 'group',
    size: Math.min(GROUP_SIZE_MAX, GROUP_SIZE_MIN + 8 * Math.log10(members.length) ** 2),
  }
}

function groupEdge({ key, type, directed, from, to, count }: GroupEdge): CanvasEdge {
  return {
    id: key,
    source: from,
    target: to,
    typeName: type,
    label: `${type} ×${formatCount(count)}`,
    directed,
    tinted: true,
    width: bundleWidth(count),
  }
}

const bundleWidth = (count: number): number => 2 + 0.9 * Math.log2(count)

/** Diameters between which a size by attribute moves; their areas tell the values. */
const SIZE_MIN = 18
const SIZE_MAX = 64

/** Of a vertex that no rule gives a size: by its edges in the database, not by those drawn. */
const sizeOf = (degree: number): number =>
  Math.min(72, Math.max(28, Math.round(20 + 5 * Math.log2(1 + degree))))

function vertexNode(
  vertex: SceneVertex,
  degree: number | undefined,
  look: Look | undefined,
): CanvasNode {
  const id = shownName(vertex.id)
  const label = shownName(look?.label ?? vertexName(vertex))
  const share = look?.share
  return {
    id: vertex.key,
    typeName: vertex.type,
    label: label.length > 28 ? `${label.slice(0, 27)}…` : label,
    description: `${vertex.type} ${id}${label === id ? '' : `, ${label}`}`,
    ...(degree !== undefined && { badge: formatCount(degree), degree }),
    ...(look?.color !== undefined && { color: look.color, dashed: look.dashed === true }),
    ...(degree !== undefined && { size: sizeOf(degree) }),
    ...(share !== undefined && { size: SIZE_MIN + (SIZE_MAX - SIZE_MIN) * Math.sqrt(share) }),
    ...(vertex.gone === true && { variant: 'ghost' as const, badge: 'removed' }),
  }
}

function remainderNode(remainder: Remainder): CanvasNode {
  const left = formatCount(remainder.count - remainder.shown)
  return {
    id: remainder.key,
    typeName: remainder.targetType,
    label: remainderLabel(remainder),
    description: `${left} more ${remainder.targetType} by ${remainder.edgeType}: Enter shows the next, S any of them`,
    variant: 'remainder',
    size: 20,
  }
}

function remainderEdge({ key, vertex, edgeType, direction }: Remainder): CanvasEdge {
  const [source, target] = direction === 'in' ? [key, vertex] : [vertex, key]
  const directed = direction !== 'undirected'
  return {
    id: `${key}|line`,
    source,
    target,
    typeName: edgeType,
    label: '',
    directed,
    tinted: true,
  }
}

/** Parallel edges of one type and direction: up to three are drawn each, more as one thick line. */
function bundled(
  edges: readonly SceneEdge[],
  unfolded: ReadonlySet<string>,
  looks: Looks,
): CanvasEdge[] {
  const groups = new Map<string, SceneEdge[]>()
  for (const edge of edges) {
    const key = bundleKey(edge)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [edge])
    else group.push(edge)
  }
  return [...groups].flatMap(([key, group]) => {
    const [only, ...others] = group
    if (only !== undefined && others.length === 0) return [styled(singleEdge(only), looks)]
    if (group.length > PARALLEL_EDGES_MAX && !unfolded.has(key)) return [bundleOf(group)]
    return group.map((edge) => styled(parallelEdge(edge), looks))
  })
}

/** One for all edges of a type between the same two vertices, from whichever end they were read. */
export function bundleKey({ type, directed, from, to }: SceneEdge): string {
  const [first, second] = directed || from <= to ? [from, to] : [to, from]
  return `${type}|${first}|${second}`
}

const EDGE_WIDTH_MIN = 1
const EDGE_WIDTH_MAX = 7

function styled(edge: CanvasEdge, looks: Looks): CanvasEdge {
  const look = looks.of.get(edge.id)
  if (look === undefined) return edge
  const { label, color, share, dashed } = look
  return {
    ...edge,
    ...(label !== undefined && { label: shownName(label) }),
    ...(color !== undefined && { color, dashed: dashed === true }),
    ...(share !== undefined && {
      width: EDGE_WIDTH_MIN + (EDGE_WIDTH_MAX - EDGE_WIDTH_MIN) * share,
    }),
  }
}

function singleEdge(edge: SceneEdge): CanvasEdge {
  const isGone = edge.gone === true
  return {
    id: edge.key,
    source: edge.from,
    target: edge.to,
    typeName: edge.type,
    label: isGone ? `${edge.type}, removed` : edge.type,
    directed: edge.directed,
    ...(isGone ? { variant: 'ghost' } : { tinted: true }),
  }
}

/** Beside others of its type an edge is known by its discriminator. */
function parallelEdge(edge: SceneEdge): CanvasEdge {
  const { discriminator } = edge
  const single = singleEdge(edge)
  return {
    ...single,
    label: discriminator === '' ? single.label : `${single.label} ${shownName(discriminator)}`,
  }
}

function bundleOf(group: readonly SceneEdge[]): CanvasEdge {
  const { gone: _, ...first } = group[0] as SceneEdge
  const isGone = group.every(({ gone }) => gone === true)
  const one = singleEdge({ ...first, ...(isGone && { gone: true }) })
  const label = `${one.label} ×${formatCount(group.length)}`
  return { ...one, label, width: bundleWidth(group.length) }
}

/** The edges that a selection stands for, each once, in the order of the scene; see `edgesBehind`. */
export function selectedEdges(
  scene: Scene,
  selection: readonly string[],
  unfolded: ReadonlySet<string>,
): readonly SceneEdge[] {
  const chosen = selection.flatMap((key) => scene.edges.get(key) ?? [])
  if (chosen.length === 0) return []
  const sizes = new Map<string, number>()
  for (const edge of scene.edges.values())
    sizes.set(bundleKey(edge), (sizes.get(bundleKey(edge)) ?? 0) + 1)
  const isBundled = (bundle: string) =>
    (sizes.get(bundle) ?? 0) > PARALLEL_EDGES_MAX && !unfolded.has(bundle)
  const bundles = new Set(chosen.map(bundleKey).filter(isBundled))
  const keys = new Set(chosen.map(({ key }) => key))
  return [...scene.edges.values()].filter(
    (edge) => keys.has(edge.key) || bundles.has(bundleKey(edge)),
  )
}

/** The edges a canvas edge stands for: itself, or all of its bundle unless that is unfolded. */
export function edgesBehind(
  scene: Scene,
  key: string,
  unfolded: ReadonlySet<string> = new Set(),
): readonly SceneEdge[] {
  const edge = scene.edges.get(key)
  if (edge === undefined) return []
  const bundle = bundleKey(edge)
  if (unfolded.has(bundle)) return [edge]
  const parallel = [...scene.edges.values()].filter((other) => bundleKey(other) === bundle)
  return parallel.length > PARALLEL_EDGES_MAX ? parallel : [edge]
}
