/**
 * Holds a frame against the catalogue before it is ordered: a frame written under an older schema
 * may name what was dropped since. Such a frame must not reach the log.
 */
import type { Catalog } from '#catalog/types.ts'
import { storedAttributes } from '#catalog/vectors.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { FrameCursor, isOfEdges } from './frame-cursor.ts'
import { fieldOp, runKind } from './frame-format.ts'

export interface FrameCharacter {
  /** A few bytes may mean much work: a delete of a whole type. */
  readonly isLong: boolean
  /** It deletes single vertices, whose edges may be many. */
  readonly hasVertexDeletes: boolean
  /** It adds to values, which may be long. */
  readonly hasAdditions: boolean
  /** The ids of what it deletes may never be inserted again. */
  readonly retiresIds: boolean
  /** It creates or changes something: nothing but deletes passes at the memory limit. */
  readonly hasUpserts: boolean
}

/**
 * @throws DbError SCHEMA_RULE when a type, pair or attribute the frame names is gone
 */
export function checkFrame(frame: Uint8Array, catalog: Catalog): FrameCharacter {
  return readCharacter(frame, (cursor) => checkRun(cursor, catalog))
}

/** Of a frame of the log: it fits the catalogue of its place there. */
export function characterOf(frame: Uint8Array): FrameCharacter {
  return readCharacter(frame, () => {})
}

function readCharacter(frame: Uint8Array, check: (cursor: FrameCursor) => void): FrameCharacter {
  let isLong = false
  let hasVertexDeletes = false
  let hasAdditions = false
  let hasUpserts = false
  let retiresIds = false
  const cursor = new FrameCursor(frame)
  while (cursor.nextRun()) {
    const { kind } = cursor
    isLong ||= kind === runKind.deleteVertexType
    hasVertexDeletes ||= kind === runKind.deleteVertices
    hasAdditions ||= cursor.fieldOps.includes(fieldOp.add)
    retiresIds ||= cursor.isPermanent
    hasUpserts ||= kind === runKind.upsertVertices || kind === runKind.upsertEdges
    check(cursor)
  }
  return { isLong, hasVertexDeletes, hasAdditions, retiresIds, hasUpserts }
}

function checkRun(cursor: FrameCursor, catalog: Catalog): void {
  if (isOfEdges(cursor.kind)) {
    checkEdges(cursor, catalog)
    return
  }
  const type = catalog.vertexTypes.find((candidate) => candidate.id === cursor.typeId)
  if (type === undefined) throw changed()
  checkFields(cursor, storedAttributes(type))
}

function checkEdges(cursor: FrameCursor, catalog: Catalog): void {
  const type = catalog.edgeTypes.find((candidate) => candidate.id === cursor.typeId)
  const hasPair = type?.pairs.some(
    (pair) => pair.fromTypeId === cursor.fromTypeId && pair.toTypeId === cursor.toTypeId,
  )
  if (type === undefined || hasPair !== true) throw changed()
  checkFields(cursor, type.attributes)
}

function checkFields(cursor: FrameCursor, attributes: readonly { readonly id: number }[]): void {
  for (const id of cursor.fieldIds) {
    if (!attributes.some((attribute) => attribute.id === id)) throw changed()
  }
}

/** Nothing of the frame was written; read anew under the schema of now it may fit. */
function changed(): DbError {
  const message = 'The schema changed while the data was being written.'
  return new DbError('SCHEMA_RULE', message, { details: { isStale: true } })
}

/** Whether a commit was refused because its frame was made under another schema. */
export function isStaleFrame(error: unknown): boolean {
  return isDbError(error, 'SCHEMA_RULE') && error.details['isStale'] === true
}
