/**
 * The catalogue: graphs, vertex and edge types, attributes, tuples and indexes, as plain data.
 *
 * A catalogue is immutable and JSON-serialisable: a schema change makes a new one, the commit log
 * stores it whole, and the engine reconciles its tables with it by the stable ids below. Names are
 * for people; ids never change and are never reused.
 */

export type ScalarTypeName = 'INT' | 'UINT' | 'FLOAT' | 'DOUBLE' | 'BOOL' | 'STRING' | 'DATETIME'

/** What a LIST, SET or MAP may hold: a scalar or a user tuple. */
export type ElementType = { readonly kind: ScalarTypeName } | TupleReference

export interface TupleReference {
  readonly kind: 'TUPLE'
  readonly name: string
}

export type AttributeType =
  | { readonly kind: ScalarTypeName }
  | { readonly kind: 'FIXED_BINARY'; readonly length: number }
  | { readonly kind: 'LIST' | 'SET'; readonly element: ElementType }
  | { readonly kind: 'MAP'; readonly key: ElementType; readonly value: ElementType }
  | VectorType
  | TupleReference

export type VectorMetric = 'COSINE' | 'L2' | 'IP'

/** So many floats of single precision. Only what stands in `VertexType.vectors` has this type. */
export interface VectorType {
  readonly kind: 'VECTOR'
  readonly dimension: number
  /** How near two of them are. */
  readonly metric: VectorMetric
}

export interface TupleField {
  readonly name: string
  readonly type: ScalarTypeName
  /** INT/UINT: bytes (1, 2, 4, 8). STRING: characters kept. Others: absent. */
  readonly length?: number
}

export interface TupleType {
  readonly name: string
  readonly fields: readonly TupleField[]
}

/**
 * A value as JavaScript sees it at the edges of the engine. INT, UINT and DATETIME (epoch seconds)
 * are numbers while they are safe integers and bigints beyond; LIST and SET are arrays; MAP is an
 * array of pairs; a tuple is an array in field order; FIXED_BINARY is bytes; a vector is an array of
 * its numbers, an empty one where there is none.
 */
export type AttributeValue =
  | number
  | bigint
  | boolean
  | string
  | Uint8Array
  | readonly AttributeValue[]

export interface Attribute {
  /** Stable within its type; never reused after a drop. */
  readonly id: number
  readonly name: string
  readonly type: AttributeType
  /** The declared default as written; absent: the type's zero. */
  readonly defaultText?: string
  /** What people say of it; absent: nothing. So it is of types. */
  readonly description?: string
  /** What it was called before, latest last; absent: nothing else. So it is of types. */
  readonly formerNames?: readonly string[]
  /**
   * The attribute whose values it took over, converted to its type, when it came to be. A table that
   * has a column of that one and none of this makes this one's from it.
   */
  readonly convertedFrom?: number
}

export interface VectorAttribute extends Attribute {
  readonly type: VectorType
}

/** How the primary id was declared; decides whether it shows among the attributes. */
export type PrimaryIdSyntax = 'PRIMARY_ID' | 'PRIMARY_KEY' | 'COMPOSITE'

export type IdTypeName = 'STRING' | 'INT' | 'UINT' | 'DATETIME'

export interface PrimaryId {
  readonly syntax: PrimaryIdSyntax
  /** One name, or the key members in key order when COMPOSITE. */
  readonly names: readonly string[]
  /** What a PRIMARY_ID was called before, the latest last. */
  readonly formerNames?: readonly string[]
  /** Of a PRIMARY_ID alone: what the other kinds name are attributes, with descriptions of their own. */
  readonly description?: string
  /** The type of the external id. A COMPOSITE id is a STRING: its parts joined by commas. */
  readonly type: IdTypeName
  /**
   * True when the id reads as an attribute: PRIMARY_KEY, COMPOSITE, or PRIMARY_ID with
   * `primary_id_as_attribute`. The attribute then exists in `attributes` under the same name for
   * PRIMARY_KEY and COMPOSITE; for PRIMARY_ID it is computed from the id.
   */
  readonly asAttribute: boolean
}

export interface IndexDefinition {
  readonly name: string
  readonly attributeId: number
  /** Epoch milliseconds; absent in indexes of before it was kept. */
  readonly createdAtMs?: number
}

export interface VertexType {
  /** Unique over vertex and edge types; never reused. */
  readonly id: number
  readonly name: string
  readonly description?: string
  readonly formerNames?: readonly string[]
  /** The graph this type is local to; null: a global type. */
  readonly graph: string | null
  readonly primaryId: PrimaryId
  readonly attributes: readonly Attribute[]
  /**
   * Vectors: stored like attributes and sharing their ids, but apart from them in every read. Absent
   * where there are none, as in every catalogue of before.
   */
  readonly vectors?: readonly VectorAttribute[]
  readonly indexes: readonly IndexDefinition[]
  readonly nextAttributeId: number
  /** `Config` entries as given (STATS, PRIMARY_ID_AS_ATTRIBUTE). */
  readonly config: Readonly<Record<string, string | boolean>>
}

export interface EdgePair {
  readonly fromTypeId: number
  readonly toTypeId: number
}

export interface EdgeType {
  readonly id: number
  readonly name: string
  readonly description?: string
  readonly formerNames?: readonly string[]
  readonly formerReverseNames?: readonly string[]
  readonly graph: string | null
  readonly directed: boolean
  readonly pairs: readonly EdgePair[]
  /** A second name for the same edges walked backwards; null when there is none. */
  readonly reverseName: string | null
  /** The first `discriminatorCount` attributes tell parallel edges apart and never change. */
  readonly discriminatorCount: number
  readonly attributes: readonly Attribute[]
  readonly nextAttributeId: number
  readonly config: Readonly<Record<string, string | boolean>>
}

export interface GraphDefinition {
  readonly name: string
  readonly vertexTypeIds: readonly number[]
  readonly edgeTypeIds: readonly number[]
  /** 0 after creation, +1 for each schema change that touches the graph. */
  readonly schemaVersion: number
}

/** A type that got another name: what is kept by names beside the catalogue has to follow. */
export interface TypeRename {
  /** The graph the type is local to; null: a global type. */
  readonly graph: string | null
  readonly from: string
  readonly to: string
}

/** All renames of types of one change. */
export interface TypeRenames {
  /** `Catalog.version` after that change. */
  readonly version: number
  readonly types: readonly TypeRename[]
}

/** `TYPEDEF HeapAccum<T>(3, f DESC) Top`: the text as written. */
export interface AccumDefinition {
  readonly name: string
  readonly text: string
}

export interface Catalog {
  /** Counts every change of the catalogue, whatever it touched. */
  readonly version: number
  readonly nextTypeId: number
  readonly graphs: readonly GraphDefinition[]
  readonly vertexTypes: readonly VertexType[]
  readonly edgeTypes: readonly EdgeType[]
  readonly tuples: readonly TupleType[]
  /** Absent in catalogues of older releases, and while there are none. */
  readonly accums?: readonly AccumDefinition[]
  /** Of the last change that renamed types; absent: none has. */
  readonly renames?: TypeRenames
  /** Of the last import that brought a schema; absent: none has. */
  readonly imported?: ImportedSchema
}

/** The schema that an import has made, to be told apart from one that somebody made otherwise. */
export interface ImportedSchema {
  readonly id: string
  /** Versions of the schemas of its graphs, by name. */
  readonly graphs: Readonly<Record<string, number>>
  readonly typeIds: readonly number[]
}

export const emptyCatalog: Catalog = {
  version: 0,
  nextTypeId: 1,
  graphs: [],
  vertexTypes: [],
  edgeTypes: [],
  tuples: [],
}
