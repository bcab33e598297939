/**
 * What readers see of the graph: plain data over SharedArrayBuffers.
 *
 * A view holds fixed-length typed arrays only, so it can be posted to a worker thread as it is
 * (structured clone shares the buffers). Rows at or beyond the counts do not exist for its reader.
 * A pinned view stays as it was: the writer copies a page of 1,024 rows before it changes one in
 * place (`pages` then tells where each logical page lies). All functions that read a view live
 * beside the structures they read (`columns/`, `ids/`, `adjacency/`) and run on any thread.
 */
import type { AttributeType, IdTypeName, TupleType } from '#catalog/types.ts'

/**
 * How a column lies in memory.
 * - `bool`: Uint8Array; `int32`/`uint32`, `float32`, `int64`/`uint64`: as named
 * - `float64`: DOUBLE, and INT/UINT/DATETIME beyond 32 bits while all are safe integers
 * - `code`: Uint32Array of dictionary codes into `heap` (low-cardinality STRING)
 * - `offset`: Uint32Array of positions into `heap` (STRING of high cardinality; collections,
 *   tuples, FIXED_BINARY in their encoded form); 0 is the empty value
 * - `vector`: Float32Array of `dimension` elements per row; `columns/vectors.ts` reads it
 */
export type ColumnStorage =
  | 'bool'
  | 'int32'
  | 'uint32'
  | 'float32'
  | 'float64'
  | 'int64'
  | 'uint64'
  | 'code'
  | 'offset'
  | 'vector'

export type ColumnArray =
  | Uint8Array<SharedArrayBuffer>
  | Int32Array<SharedArrayBuffer>
  | Uint32Array<SharedArrayBuffer>
  | Float32Array<SharedArrayBuffer>
  | Float64Array<SharedArrayBuffer>
  | BigInt64Array<SharedArrayBuffer>
  | BigUint64Array<SharedArrayBuffer>

export interface HeapView {
  readonly bytes: Uint8Array<SharedArrayBuffer>
  /**
   * Where value `code` begins, for dictionary heaps; null for offset heaps. Every value is stored
   * as an unsigned LEB128 byte length and then its bytes, in both kinds.
   */
  readonly offsets: Uint32Array<SharedArrayBuffer> | null
}

export interface ColumnView {
  readonly attributeId: number
  readonly name: string
  readonly type: AttributeType
  /** The tuples that `type` mentions: what decoding an encoded value needs. */
  readonly tuples: readonly TupleType[]
  readonly storage: ColumnStorage
  readonly data: ColumnArray
  /**
   * Physical page of each logical page; null: home order, `data[row]` is the value. A page is
   * PAGE_ROWS rows, of a vector column fewer (`pageShiftOf`).
   */
  readonly pages: Uint32Array | null
  readonly heap: HeapView | null
}

/** External ids of one vertex type; `ids/` reads it. */
export interface IdsView {
  readonly type: IdTypeName
  /** Open-addressing slots of the id index, as `ids/` lays them out. */
  readonly slots: Uint32Array<SharedArrayBuffer>
  readonly slotCount: number
  /** STRING ids: row's UTF-8 lies in `bytes` from offsets[row] to offsets[row + 1]; else null. */
  readonly offsets: Uint32Array<SharedArrayBuffer> | null
  readonly bytes: Uint8Array<SharedArrayBuffer> | null
  /** Numeric ids by row (UINT: the same 64 bits, read with BigInt.asUintN); STRING ids: null. */
  readonly values: BigInt64Array<SharedArrayBuffer> | null
}

export interface BitsView {
  /** One bit per row, 32 rows per word; null: no bit is set. */
  readonly words: Uint32Array<SharedArrayBuffer> | null
  /** As for columns: one page is PAGE_ROWS bits. */
  readonly pages: Uint32Array | null
}

export interface VertexTableView {
  readonly typeId: number
  readonly typeName: string
  /** Rows 0 .. rowCount-1 exist, in the order they were made; deleted ones have their bit set. */
  readonly rowCount: number
  /**
   * By row, ascending: how many vertices of the type had been made before. Null while no rebuild has
   * left rows out: then it is the row.
   */
  readonly ordinals: Float64Array<SharedArrayBuffer> | null
  readonly liveCount: number
  readonly deleted: BitsView
  readonly ids: IdsView
  /** Of the parts of composite ids, in key order; null: ids have no parts. */
  readonly keyKinds: readonly AttributeType['kind'][] | null
  readonly columns: readonly ColumnView[]
}

/**
 * The edges of one edge type between one pair of vertex types.
 *
 * Edge rows: 0 .. baseCount-1 are positions of the base CSR (`targets`), baseCount ..
 * baseCount+deltaCount-1 are delta rows in order of insertion. Attribute columns and `deleted`
 * are indexed by edge row. An undirected edge between two vertices of one type is stored once,
 * from the smaller row to the larger; a traversal looks at both directions and meets a loop once.
 */
export interface AdjacencyView {
  readonly fromTypeId: number
  readonly toTypeId: number
  readonly liveCount: number
  /** The first so many columns tell parallel edges apart. */
  readonly discriminatorCount: number
  /** Of two views of this process with the same, all arrays of the base are the same as well. */
  readonly baseId: number
  readonly baseCount: number
  /** Source rows covered by `outOffsets`; later rows have delta edges only. */
  readonly baseFromCount: number
  readonly baseToCount: number
  /** Length baseFromCount + 1. Out-edges of v: rows outOffsets[v] .. outOffsets[v+1]. */
  readonly outOffsets: Uint32Array<SharedArrayBuffer>
  /** Length baseCount, ascending within a source; parallel edges in discriminator order. */
  readonly outTargets: Uint32Array<SharedArrayBuffer>
  /** Length baseToCount + 1: in-edges of v are positions inOffsets[v] .. inOffsets[v+1]. */
  readonly inOffsets: Uint32Array<SharedArrayBuffer>
  readonly inSources: Uint32Array<SharedArrayBuffer>
  /** Edge row of each in-position. */
  readonly inRows: Uint32Array<SharedArrayBuffer>
  readonly deltaCount: number
  readonly delta: DeltaView | null
  readonly deleted: BitsView
  readonly columns: readonly ColumnView[]
}

/**
 * Edges since the last rebuild. Chains run from newest to oldest: `outHeads[v]` is the newest delta
 * index + 1 (0: none), `outNext[d]` the next older one + 1; `adjacency/order.ts` gives the order in
 * which readers show them. A head may point past `deltaCount` of
 * this view: follow the chain until the index is below it. `outHeads` and `inHeads` may be shorter
 * than the vertex count: vertices beyond have no delta edge.
 */
export interface DeltaView {
  readonly sources: Uint32Array<SharedArrayBuffer>
  readonly targets: Uint32Array<SharedArrayBuffer>
  readonly outNext: Uint32Array<SharedArrayBuffer>
  readonly inNext: Uint32Array<SharedArrayBuffer>
  readonly outHeads: Uint32Array<SharedArrayBuffer>
  readonly inHeads: Uint32Array<SharedArrayBuffer>
}

export interface EdgeTableView {
  readonly typeId: number
  readonly typeName: string
  readonly directed: boolean
  readonly reverseName: string | null
  readonly adjacencies: readonly AdjacencyView[]
}

export interface GraphView {
  /** Sequence of the last commit this view contains. */
  readonly version: number
  readonly vertexTables: readonly VertexTableView[]
  readonly edgeTables: readonly EdgeTableView[]
}

/** A view that the writer leaves alone until `release`; release exactly once. */
export interface PinnedView {
  readonly view: GraphView
  release(): void
}
