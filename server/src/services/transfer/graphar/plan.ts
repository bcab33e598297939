/**
 * What an export in the layout of Apache GraphAr holds, taken from the catalogue: plain data that a
 * thread can be given (docs/formats/graphar.md).
 */
import { edgeTypesOf, vertexTypesOf } from '#catalog/lookup.ts'
import type { AttributeType, Catalog, EdgeType, IdTypeName, VertexType } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'

export interface GraphArPlan {
  readonly graph: string
  readonly vertices: readonly PlannedVertices[]
  readonly edges: readonly PlannedEdges[]
  readonly chunks: ChunkSizes
}

/** Rows of a file of vertices, and of one of edges. */
export interface ChunkSizes {
  readonly vertexRows: number
  readonly edgeRows: number
}

/** As the specification recommends. */
const CHUNKS: ChunkSizes = { vertexRows: 2 ** 18, edgeRows: 2 ** 22 }

export interface PlannedAttribute {
  readonly id: number
  readonly name: string
  readonly type: AttributeType
  /** Whether it is the primary key by itself. */
  readonly isKey: boolean
}

interface Planned {
  readonly typeId: number
  readonly type: string
  /** The folder of its data and the information file, relative to the export. */
  readonly prefix: string
  readonly informationFile: string
  readonly attributes: readonly PlannedAttribute[]
}

export interface PlannedVertices extends Planned {
  readonly kind: 'vertices'
  /** A column of the ids; null where an attribute is the key. */
  readonly idColumn: { readonly name: string; readonly type: IdTypeName } | null
}

export interface PlannedEdges extends Planned {
  readonly kind: 'edges'
  readonly directed: boolean
  readonly fromTypeId: number
  readonly toTypeId: number
  readonly from: string
  readonly to: string
}

/** Edges whose ends the graph has not both are left out. */
export function graphArPlan(catalog: Catalog, graph: string, chunks = CHUNKS): GraphArPlan {
  const vertexTypes = vertexTypesOf(catalog, graph)
  const byId = new Map(vertexTypes.map((type) => [type.id, type]))
  const isFree = freshNames()
  return {
    graph,
    chunks,
    vertices: vertexTypes.map(plannedVertices),
    edges: edgeTypesOf(catalog, graph).flatMap((type) =>
      type.pairs.flatMap(({ fromTypeId, toTypeId }) => {
        const [from, to] = [byId.get(fromTypeId), byId.get(toTypeId)]
        return from && to ? [plannedEdges(type, from, to, isFree)] : []
      }),
    ),
  }
}

function plannedVertices(type: VertexType): PlannedVertices {
  const { primaryId } = type
  const key = primaryId.syntax === 'PRIMARY_KEY' ? primaryId.names[0] : undefined
  const attributes = [...type.attributes, ...vectorsOf(type)].map((attribute) => ({
    id: attribute.id,
    name: attribute.name,
    type: attribute.type,
    isKey: attribute.name === key,
  }))
  // The parts of a composite key are attributes; only all of them together are unique.
  const idName = primaryId.syntax === 'COMPOSITE' ? 'v_id' : primaryId.names[0]!
  const taken = new Set(attributes.map(({ name }) => name))
  return {
    kind: 'vertices',
    typeId: type.id,
    type: type.name,
    prefix: `vertex/${type.name}/`,
    informationFile: `${type.name}.vertex.yml`,
    attributes,
    idColumn:
      key === undefined
        ? { name: withoutClash(idName, (name) => !taken.has(name)), type: primaryId.type }
        : null,
  }
}

function plannedEdges(
  type: EdgeType,
  from: VertexType,
  to: VertexType,
  isFree: (name: string) => boolean,
): PlannedEdges {
  const name = withoutClash(`${from.name}_${type.name}_${to.name}`, isFree)
  return {
    kind: 'edges',
    typeId: type.id,
    type: type.name,
    prefix: `edge/${name}/`,
    informationFile: `${name}.edge.yml`,
    attributes: type.attributes.map((attribute) => ({
      id: attribute.id,
      name: attribute.name,
      type: attribute.type,
      isKey: false,
    })),
    directed: type.directed,
    fromTypeId: from.id,
    toTypeId: to.id,
    from: from.name,
    to: to.name,
  }
}

/** `A_B` to `C` by `D` and `A` to `C` by `B_D` would share a folder. */
function freshNames(): (name: string) => boolean {
  const taken = new Set<string>()
  return (name) => {
    if (taken.has(name)) return false
    taken.add(name)
    return true
  }
}

function withoutClash(name: string, isFree: (name: string) => boolean): string {
  let candidate = name
  while (!isFree(candidate)) candidate += '_'
  return candidate
}
