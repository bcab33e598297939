/** What the canvas is given for a scene: labels, badges, bundles of parallel edges, remainders. */

import { formatCount } from '#lib/format.ts'
import type {
  SceneEdge as CanvasEdge,
  SceneNode as CanvasNode,
  Scene as CanvasScene,
} from '#ui/graph-canvas/scene.ts'
import { remainderLabel } from './expansion.ts'
import { type Remainder, type Scene, type SceneEdge, type SceneVertex, visible } from './scene.ts'

/** More parallel edges than this between two vertices are drawn as one line with their number. */
export const PARALLEL_EDGES_MAX = 3

const labelAttributes = ['name', 'title', 'label', 'Name', 'Title']

export function vertexLabel({ id, attributes }: SceneVertex): string {
  for (const name of labelAttributes) {
    const value = attributes?.[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return id
}

/**
 * @param degrees  how many edges a vertex has in all, where known
 * @param unfolded bundles whose edges are drawn one by one
 */
export function toCanvas(
  scene: Scene,
  degrees: ReadonlyMap<string, number>,
  unfolded: ReadonlySet<string> = new Set(),
): CanvasScene {
  const { vertices, edges, remainders } = visible(scene)
  return {
    nodes: [
      ...vertices.map((vertex) => vertexNode(vertex, degrees.get(vertex.key))),
      ...remainders.map(remainderNode),
    ],
    edges: [...bundled(edges, unfolded), ...remainders.map(remainderEdge)],
  }
}

function vertexNode(vertex: SceneVertex, degree: number | undefined): CanvasNode {
  const label = vertexLabel(vertex)
  return {
    id: vertex.key,
    typeName: vertex.type,
    label: label.length > 28 ? `${label.slice(0, 27)}…` : label,
    description: `${vertex.type} ${vertex.id}${label === vertex.id ? '' : `, ${label}`}`,
    ...(degree !== undefined && { badge: formatCount(degree) }),
    ...(vertex.gone === true && { variant: 'ghost' as const, badge: 'removed' }),
  }
}

function remainderNode(remainder: Remainder): CanvasNode {
  const left = formatCount(remainder.count - remainder.shown)
  return {
    id: remainder.key,
    typeName: remainder.targetType,
    label: remainderLabel(remainder),
    description: `${left} more ${remainder.targetType} by ${remainder.edgeType}: Enter shows the next`,
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
function bundled(edges: readonly SceneEdge[], unfolded: ReadonlySet<string>): CanvasEdge[] {
  const groups = new Map<string, SceneEdge[]>()
  for (const edge of edges) {
    const key = bundleKey(edge)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [edge])
    else group.push(edge)
  }
  return [...groups].flatMap(([key, group]) => {
    const [only, ...others] = group
    if (only !== undefined && others.length === 0) return [singleEdge(only)]
    if (group.length > PARALLEL_EDGES_MAX && !unfolded.has(key)) return [bundleOf(group)]
    return group.map(parallelEdge)
  })
}

/** One for all edges of a type between the same two vertices, from whichever end they were read. */
export function bundleKey({ type, directed, from, to }: SceneEdge): string {
  const [first, second] = directed || from <= to ? [from, to] : [to, from]
  return `${type}|${first}|${second}`
}

function singleEdge(edge: SceneEdge): CanvasEdge {
  return {
    id: edge.key,
    source: edge.from,
    target: edge.to,
    typeName: edge.type,
    label: edge.type,
    directed: edge.directed,
    tinted: true,
  }
}

/** Beside others of its type an edge is known by its discriminator. */
function parallelEdge(edge: SceneEdge): CanvasEdge {
  const { type, discriminator } = edge
  return { ...singleEdge(edge), label: discriminator === '' ? type : `${type} ${discriminator}` }
}

function bundleOf(group: readonly SceneEdge[]): CanvasEdge {
  const first = group[0] as SceneEdge
  const label = `${first.type} ×${formatCount(group.length)}`
  return { ...singleEdge(first), label, width: Math.min(6, 1.5 + Math.log2(group.length) / 2) }
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
