/**
 * What a deletion takes out of the database: the chosen elements, and the edges that hang on chosen
 * vertices. All of it is kept, so that it can be written back.
 */
import { cellJson } from '#lib/graph-schema/cell-value.ts'
import {
  type EdgeModel,
  findEdge,
  findVertex,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { fieldText, keyNames } from './attribute-write.ts'
import { selectedEdges } from './canvas-scene.ts'
import { discounted } from './remainders.ts'
import {
  type Elements,
  parseVertexKey,
  removeVertices,
  type Scene,
  type SceneEdge,
  type SceneVertex,
} from './scene.ts'

/** More at once is refused: one request each. */
export const DELETED_MAX = 1_000
/** More hanging edges than this are not read to be written back. */
export const KEPT_EDGES_MAX = 5_000

export interface Deletion {
  readonly vertices: readonly SceneVertex[]
  /** Chosen themselves; no end of theirs goes. */
  readonly edges: readonly SceneEdge[]
  /** Edges that go with the vertices; empty where it cannot be taken back. */
  readonly hanging: readonly SceneEdge[]
  /** Where it cannot be taken back, edges between two of the vertices count twice. */
  readonly hangingCount: number
  /** Why it cannot be taken back; null: it can. */
  readonly lasting: string | null
}

/** What the selection stands for: a bundle is all of its edges, and ghosts are there no more. */
export function chosenElements(
  scene: Scene,
  selection: readonly string[],
  unfolded: ReadonlySet<string>,
): Elements {
  const vertices = selection.flatMap((key) => scene.vertices.get(key) ?? [])
  return {
    vertices: vertices.filter(({ gone }) => gone !== true),
    edges: selectedEdges(scene, selection, unfolded).filter(({ gone }) => gone !== true),
  }
}

/** The part of a deletion that was done when it stopped. */
export function partOf(deletion: Deletion, done: ReadonlySet<string>): Deletion {
  const vertices = deletion.vertices.filter(({ key }) => done.has(key))
  const gone = new Set(vertices.map(({ key }) => key))
  const hanging = deletion.hanging.filter(({ from, to }) => gone.has(from) || gone.has(to))
  return {
    ...deletion,
    vertices,
    edges: deletion.edges.filter(({ key }) => done.has(key)),
    hanging,
    hangingCount: hanging.length,
  }
}

export function withoutDeleted(scene: Scene, { vertices, edges, hanging }: Deletion): Scene {
  const gone = new Set(edges.map(({ key }) => key))
  const left = removeVertices(
    discounted(scene, [...edges, ...hanging]),
    vertices.map(({ key }) => key),
  )
  return { ...left, edges: new Map([...left.edges].filter(([key]) => !gone.has(key))) }
}

/** Upserts that write it all back: vertices first, for edges need both ends. */
export interface Restoring {
  readonly vertices: string
  readonly edges: string
}

/** @throws Error where a value has no form that an upsert takes */
export function restoring(schema: SchemaModel, deletion: Deletion): Restoring {
  const vertices = deletion.vertices.map((vertex): Leaf => {
    const type = known(findVertex(schema, vertex.type), vertex.type)
    if (type.vectors !== undefined && type.vectors.length > 0) {
      throw new Error(`vectors of ${type.name} are not read`)
    }
    return {
      path: [vertex.type, vertex.id],
      json: attributesJson(type, vertex.attributes, keyNames(type)),
    }
  })
  const edges = [...deletion.hanging, ...deletion.edges]
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map((edge) => edgeLeaf(known(findEdge(schema, edge.type), edge.type), edge))
  return {
    vertices: `{"vertices":${nested(vertices)}}`,
    edges: `{"edges":${nested(edges)}}`,
  }
}

interface Leaf {
  readonly path: readonly string[]
  readonly json: string
}

function edgeLeaf(type: EdgeModel, edge: SceneEdge): Leaf {
  const [from, to] = [parseVertexKey(edge.from), parseVertexKey(edge.to)]
  // An undirected edge is read from either end, and written as its type has them.
  const isTurned =
    !type.directed && !type.pairs.some((pair) => pair.from === from.type && pair.to === to.type)
  const [first, second] = isTurned ? [to, from] : [from, to]
  return {
    path: [first.type, first.id, edge.type, second.type, second.id],
    json: attributesJson(type, edge.attributes, new Set()),
  }
}

/** Objects within objects by path; parallel edges stand in an array. */
function nested(leaves: readonly Leaf[], depth = 0): string {
  if (leaves[0]?.path.length === depth) {
    const texts = leaves.map(({ json }) => json)
    return texts.length === 1 ? (texts[0] as string) : `[${texts.join(',')}]`
  }
  const groups = Map.groupBy(leaves, ({ path }) => path[depth] as string)
  const members = [...groups].map(
    ([name, group]) => `${JSON.stringify(name)}:${nested(group, depth + 1)}`,
  )
  return `{${members.join(',')}}`
}

function attributesJson(
  type: TypeModel,
  attributes: SceneVertex['attributes'],
  leftOut: ReadonlySet<string>,
): string {
  const members = type.attributes.flatMap(({ name, type: valueType }) => {
    const value = attributes?.[name]
    if (value === undefined || value === null || leftOut.has(name)) return []
    const json = cellJson(valueType, fieldText(value))
    if (!json.ok) throw new Error(`${name} of ${type.name}: ${json.problem}`)
    return `${JSON.stringify(name)}:{"value":${json.json}}`
  })
  return `{${members.join(',')}}`
}

function known<T>(type: T | undefined, name: string): T {
  if (type === undefined) throw new Error(`the schema has no type ${name} any more`)
  return type
}
