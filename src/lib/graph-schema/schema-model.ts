/**
 * One graph's schema as the designer holds it: immutable plain data, independent of the wire form.
 *
 * Attribute types are canonical GSQL text (`INT`, `LIST<STRING>`, `MAP<STRING,INT>`, a tuple name),
 * so that two types are equal exactly when their texts are. `isNew` marks what the server does not
 * know yet; such parts may still change freely, while a change of a live part has a price.
 */

export const idTypes = ['STRING', 'INT', 'UINT', 'DATETIME'] as const
export type IdType = (typeof idTypes)[number]

export const idSyntaxes = ['PRIMARY_ID', 'PRIMARY_KEY', 'COMPOSITE'] as const
export type IdSyntax = (typeof idSyntaxes)[number]

/** What the server counts beside each vertex: its edges by type, or nothing. */
const statsKinds = ['OUTDEGREE_BY_EDGETYPE', 'NONE'] as const
export type StatsKind = (typeof statsKinds)[number]

/** What people say of a type, an id, an attribute or a vector; absent: nothing. */
export interface Described {
  readonly description?: string
}

/** Something that a draft may rename and keep. */
export interface Renamable {
  readonly name: string
  readonly isNew: boolean
  /** What the server calls it, where the draft renames it. */
  readonly publishedAs?: string
}

export interface AttributeModel extends Described, Renamable {
  /** Canonical text: see attribute-type.ts. */
  readonly type: string
  /** The type of the values that are there, where the draft widens it. */
  readonly publishedType?: string
  /** The published attribute whose place it takes, with another type. */
  readonly replaces?: AttributeModel
  /** The declared default as written; null means the zero value of the type. */
  readonly defaultText: string | null
}

export interface PrimaryIdModel extends Described {
  /** How the id was declared. COMPOSITE joins several key attributes with commas. */
  readonly syntax: IdSyntax
  /** One name, or the key members in key order when COMPOSITE. */
  readonly names: readonly string[]
  /** What the server calls the one name, where the draft renames it. */
  readonly publishedAs?: string
  readonly type: IdType
  /** True when queries and reads see the id among the attributes. */
  readonly asAttribute: boolean
}

export interface IndexModel {
  readonly name: string
  readonly attribute: string
}

/** Numbers of a vector attribute; how near two of them are is what searches go by. */
export interface VectorModel extends Described, Renamable {
  readonly dimension: number
  /** COSINE, L2 or IP. */
  readonly metric: string
}

export interface VertexModel extends Described, Renamable {
  readonly kind: 'vertex'
  /** A global type that the draft puts into the graph: until that is published it stays as it is. */
  readonly isEntering?: boolean
  /** True: belongs to this graph only. False: a global type that other graphs may share. */
  readonly isLocal: boolean
  readonly primaryId: PrimaryIdModel
  readonly stats: StatsKind
  readonly attributes: readonly AttributeModel[]
  readonly indexes: readonly IndexModel[]
  /** Absent: none. */
  readonly vectors?: readonly VectorModel[]
}

export interface EdgePairModel {
  readonly from: string
  readonly to: string
}

export interface EdgeModel extends Described, Renamable {
  readonly kind: 'edge'
  readonly isEntering?: boolean
  readonly isLocal: boolean
  readonly directed: boolean
  /** At least one; each pair names two vertex types of the same schema. */
  readonly pairs: readonly EdgePairModel[]
  readonly reverseName: string | null
  /** Those of them that the server knows, where the draft adds some. */
  readonly publishedPairs?: readonly EdgePairModel[]
  /** What the server calls the reverse edge, where the draft renames it. */
  readonly publishedReverse?: string
  /** The first so many attributes tell parallel edges apart. */
  readonly discriminatorCount: number
  readonly attributes: readonly AttributeModel[]
}

export type TypeModel = VertexModel | EdgeModel

export interface SchemaModel {
  readonly vertices: readonly VertexModel[]
  readonly edges: readonly EdgeModel[]
}

export function findVertex(schema: SchemaModel, name: string): VertexModel | undefined {
  return schema.vertices.find((vertex) => vertex.name === name)
}

export function findEdge(schema: SchemaModel, name: string): EdgeModel | undefined {
  return schema.edges.find((edge) => edge.name === name)
}

export function findType(schema: SchemaModel, name: string): TypeModel | undefined {
  return findVertex(schema, name) ?? findEdge(schema, name)
}

/** Puts `type` in the place of the type called `name`; the order of types never changes. */
export function replaceType(schema: SchemaModel, name: string, type: TypeModel): SchemaModel {
  if (type.kind === 'vertex') {
    const vertices = schema.vertices.map((other) => (other.name === name ? type : other))
    return { ...schema, vertices }
  }
  return { ...schema, edges: schema.edges.map((other) => (other.name === name ? type : other)) }
}

/** Edges that have this vertex type at one end at least. */
export function edgesTouching(schema: SchemaModel, vertexName: string): readonly EdgeModel[] {
  return schema.edges.filter((edge) =>
    edge.pairs.some((pair) => pair.from === vertexName || pair.to === vertexName),
  )
}
