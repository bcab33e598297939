/** What the canvas is given for a scene: labels, badges, bundles of parallel edges, remainders. */
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

export function toCanvas(scene: Scene, degrees: ReadonlyMap<string, number>): CanvasScene {
  const { vertices, edges, remainders } = visible(scene)
  return {
    nodes: [
      ...vertices.map((vertex) => vertexNode(vertex, degrees.get(vertex.key))),
      ...remainders.map(remainderNode),
    ],
    edges: [...bundled(edges), ...remainders.map(remainderEdge)],
  }
}

function vertexNode(vertex: SceneVertex, degree: number | undefined): CanvasNode {
  const label = vertexLabel(vertex)
  return {
    id: vertex.key,
    typeName: vertex.type,
    label: label.length > 28 ? `${label.slice(0, 27)}…` : label,
    description: `${vertex.type} ${vertex.id}${label === vertex.id ? '' : `, ${label}`}`,
    ...(degree !== undefined && { badge: degree.toLocaleString('en') }),
  }
}

function remainderNode(remainder: Remainder): CanvasNode {
  const left = (remainder.count - remainder.shown).toLocaleString('en')
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
  return { id: `${key}|line`, source, target, typeName: edgeType, label: '', directed }
}

/** Parallel edges of one type and direction: up to three are drawn each, more as one thick line. */
function bundled(edges: readonly SceneEdge[]): CanvasEdge[] {
  const groups = new Map<string, SceneEdge[]>()
  for (const edge of edges) {
    const key = `${edge.type}|${edge.from}|${edge.to}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [edge])
    else group.push(edge)
  }
  return [...groups.values()].flatMap((group) =>
    group.length > PARALLEL_EDGES_MAX ? [bundleOf(group)] : group.map(singleEdge),
  )
}

function singleEdge(edge: SceneEdge): CanvasEdge {
  return {
    id: edge.key,
    source: edge.from,
    target: edge.to,
    typeName: edge.type,
    label: edge.type,
    directed: edge.directed,
  }
}

function bundleOf(group: readonly SceneEdge[]): CanvasEdge {
  const first = group[0] as SceneEdge
  const label = `${first.type} ×${group.length.toLocaleString('en')}`
  return { ...singleEdge(first), label, width: Math.min(6, 1.5 + Math.log2(group.length) / 2) }
}

/** The edges a canvas edge stands for: itself, or all of its bundle. */
export function edgesBehind(scene: Scene, key: string): readonly SceneEdge[] {
  const edge = scene.edges.get(key)
  if (edge === undefined) return []
  const parallel = [...scene.edges.values()].filter(
    ({ type, from, to }) => type === edge.type && from === edge.from && to === edge.to,
  )
  return parallel.length > PARALLEL_EDGES_MAX ? parallel : [edge]
}
