/** The numbers of docs/formats/mutation-frame.md, shared by the writer and the cursor. */

export const frameKind = { mutation: 1, catalog: 2 } as const
export const FRAME_VERSION = 1
/** Of a batch with expectations: a program that knows version 1 only would apply it unconditionally. */
export const EXPECTING_FRAME_VERSION = 2
/** Of a batch that says how far a loading job is. */
export const POSITIONED_FRAME_VERSION = 3
/** Of a batch with the key of its request, in front of what one of the versions before holds. */
export const KEYED_FRAME_VERSION = 4

/** Bits of a mutation batch's flags. */
export const frameFlag = {
  newVertexOnly: 1,
  updateVertexOnly: 2,
  sourceMustExist: 4,
  targetMustExist: 8,
  atomic: 16,
  /** Expectations of an empty collection or a tuple of zeros are met by one that nobody has written. */
  unwrittenIsEmpty: 32,
} as const

export const runKind = {
  upsertVertices: 1,
  upsertEdges: 2,
  deleteVertices: 3,
  deleteEdges: 4,
  deleteVertexType: 5,
  /** As upsertEdges, for edges whose request named their TO vertex as the source. */
  upsertEdgesTurned: 6,
  /** As deleteVertices and deleteVertexType; the ids may never be inserted again. */
  retireVertices: 7,
  retireVertexType: 8,
  /** As upsertVertices and upsertEdges for what is there; entries for anything else are skipped. */
  updateVertices: 9,
  updateEdges: 10,
  /** What a query read of the elements that it changes; unmet, the whole batch is refused. */
  expectVertices: 11,
  expectEdges: 12,
  /** As the two before, of elements that the query did not find. */
  expectNoVertices: 13,
  expectNoEdges: 14,
} as const

export type RunKind = (typeof runKind)[keyof typeof runKind]

/** How an upserted value meets the one that is there; on a new object all of them set. */
export const fieldOp = { set: 0, ignoreIfExists: 1, add: 2, and: 3, or: 4, max: 5, min: 6 } as const

export type FieldOp = (typeof fieldOp)[keyof typeof fieldOp]

/** kind, version, flags. */
export const MUTATION_HEADER_SIZE_BYTES = 4
/** statement, input, line, length of the run's id; the id follows. */
export const POSITION_SIZE_BYTES = 18
/** The key, as bytes. */
export const KEY_SIZE_BYTES = 16
/** runKind, bodyLength, count. */
export const RUN_HEADER_SIZE_BYTES = 9
