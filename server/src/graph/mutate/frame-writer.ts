/**
 * Writes mutation batches, docs/formats/mutation-frame.md, into one growing buffer.
 *
 * The upsert parser appends to it per edge, so there is no object per entry: a caller begins a
 * run, then for each entry writes keys and values and calls `endEntry`. The writer checks nothing
 * about the schema; its callers have.
 */
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { FRAME_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import {
  EXPECTING_FRAME_VERSION,
  FRAME_VERSION,
  fieldOp,
  frameFlag,
  frameKind,
  MUTATION_HEADER_SIZE_BYTES,
  RUN_HEADER_SIZE_BYTES,
  type RunKind,
  runKind,
} from './frame-format.ts'

export interface FrameField {
  readonly attributeId: number
  readonly op: number
}

export interface EdgeRunType {
  readonly edgeTypeId: number
  readonly fromTypeId: number
  readonly toTypeId: number
}

const encoder = new TextEncoder()

export class FrameWriter {
  /** Everything written so far lies in `bytes[0 .. used)`; both change as it grows. */
  bytes: Uint8Array<ArrayBuffer>
  used: number
  #view: DataView<ArrayBuffer>
  /** Where the open run begins; -1 when none is open. */
  #runStart = -1
  #entryCount = 0
  /** The open run says everything without entries. */
  #isWholeRun = false
  #entryCountTotal = 0

  constructor(flags: number, initialSizeBytes = 1_024) {
    this.bytes = new Uint8Array(Math.max(initialSizeBytes, 64))
    this.#view = new DataView(this.bytes.buffer)
    this.bytes[0] = frameKind.mutation
    this.bytes[1] = FRAME_VERSION
    this.#view.setUint16(2, flags, true)
    this.used = MUTATION_HEADER_SIZE_BYTES
  }

  /** Entries of all runs so far. */
  get entryCount(): number {
    return this.#entryCountTotal + this.#entryCount
  }

  beginVertices(typeId: number, fields: readonly FrameField[]): void {
    this.#beginRun(runKind.upsertVertices)
    this.varint(typeId)
    this.#fields(fields)
  }

  /** As `beginVertices`, for vertices that exist when the batch is applied; others stay unmade. */
  beginVertexUpdates(typeId: number, fields: readonly FrameField[]): void {
    this.#beginRun(runKind.updateVertices)
    this.varint(typeId)
    this.#fields(fields)
  }

  /** As `beginEdges`, for edges that exist when the batch is applied. */
  beginEdgeUpdates(type: EdgeRunType, fields: readonly FrameField[]): void {
    this.#beginRun(runKind.updateEdges)
    this.#edgeRunType(type)
    this.#fields(fields)
  }

  /** @param isTurned the request named each edge's TO vertex as its source */
  beginEdges(type: EdgeRunType, fields: readonly FrameField[], isTurned = false): void {
    this.#beginRun(isTurned ? runKind.upsertEdgesTurned : runKind.upsertEdges)
    this.#edgeRunType(type)
    this.#fields(fields)
  }

  /** Entries are keys and the values that the attributes must have when the batch is applied. */
  beginVertexExpectations(typeId: number, attributeIds: readonly number[]): void {
    this.#beginExpectations(runKind.expectVertices)
    this.varint(typeId)
    this.#fields(attributeIds.map((attributeId) => ({ attributeId, op: fieldOp.set })))
  }

  /** Entries are keys of vertices that must not exist when the batch is applied. */
  beginAbsentVertices(typeId: number): void {
    this.#beginExpectations(runKind.expectNoVertices)
    this.varint(typeId)
    this.#fields([])
  }

  /** As `beginVertexExpectations`; discriminators come first. */
  beginEdgeExpectations(type: EdgeRunType, attributeIds: readonly number[]): void {
    this.#beginExpectations(runKind.expectEdges)
    this.#edgeRunType(type)
    this.#fields(attributeIds.map((attributeId) => ({ attributeId, op: fieldOp.set })))
  }

  /** As `beginAbsentVertices`; @param discriminatorIds the attributes that tell parallel edges apart */
  beginAbsentEdges(type: EdgeRunType, discriminatorIds: readonly number[]): void {
    this.#beginExpectations(runKind.expectNoEdges)
    this.#edgeRunType(type)
    this.#fields(discriminatorIds.map((attributeId) => ({ attributeId, op: fieldOp.set })))
  }

  /** The runs of another batch, in front of what this one gets from now on. */
  appendRuns(other: FrameWriter): void {
    this.endRun()
    other.endRun()
    this.bytes[1] = Math.max(this.bytes[1]!, other.bytes[1]!)
    this.raw(other.bytes, MUTATION_HEADER_SIZE_BYTES, other.used)
    this.#entryCountTotal += other.entryCount
  }

  /** @param isPermanent their ids may never be inserted again */
  beginVertexDeletes(typeId: number, isPermanent = false): void {
    this.#beginRun(isPermanent ? runKind.retireVertices : runKind.deleteVertices)
    this.varint(typeId)
  }

  beginEdgeDeletes(type: EdgeRunType): void {
    this.#beginRun(runKind.deleteEdges)
    this.#edgeRunType(type)
  }

  /** A whole run: every vertex of the type goes. */
  deleteVertexType(typeId: number, isPermanent = false): void {
    this.#beginRun(isPermanent ? runKind.retireVertexType : runKind.deleteVertexType)
    this.varint(typeId)
    this.#isWholeRun = true
  }

  /** Counts the entry whose keys and values were just written. */
  endEntry(): void {
    this.#entryCount++
  }

  /** The key of the entry before, in the same position of this run. */
  sameKey(): void {
    this.reserve(1)
    this.bytes[this.used++] = 0
  }

  /** A STRING or composite id, as a piece of some other buffer. */
  stringKey(source: Uint8Array, start: number, end: number): void {
    this.varint(end - start + 1)
    this.raw(source, start, end)
  }

  textKey(text: string): void {
    const bytes = encoder.encode(text)
    this.stringKey(bytes, 0, bytes.length)
  }

  /** An INT, UINT or DATETIME id, as its 64 bits in two halves. */
  numericKey(low: number, high: number): void {
    this.reserve(9)
    this.bytes[this.used++] = 1
    this.int64(low, high)
  }

  bigintKey(id: bigint): void {
    this.reserve(9)
    this.bytes[this.used++] = 1
    this.bigint64(id)
  }

  /** Unsigned LEB128 of an integer in 0 .. 2^53. */
  varint(value: number): void {
    this.reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.bytes[this.used++] = (rest % 0x80) | 0x80
      rest = rest > 0x7fff_ffff ? Math.floor(rest / 0x80) : rest >>> 7
    }
    this.bytes[this.used++] = rest
  }

  /** INT, UINT, DATETIME as two's complement halves. */
  int64(low: number, high: number): void {
    this.reserve(8)
    this.#view.setInt32(this.used, low, true)
    this.#view.setInt32(this.used + 4, high, true)
    this.used += 8
  }

  /** Any 64-bit value, signed or not. */
  bigint64(value: bigint): void {
    this.reserve(8)
    this.#view.setBigInt64(this.used, value, true)
    this.used += 8
  }

  float32(value: number): void {
    this.reserve(4)
    this.#view.setFloat32(this.used, value, true)
    this.used += 4
  }

  float64(value: number): void {
    this.reserve(8)
    this.#view.setFloat64(this.used, value, true)
    this.used += 8
  }

  byte(value: number): void {
    this.reserve(1)
    this.bytes[this.used++] = value
  }

  /** Length and UTF-8 bytes: a STRING value, or the encoded form of a collection. */
  lengthAndBytes(source: Uint8Array, start: number, end: number): void {
    this.varint(end - start)
    this.raw(source, start, end)
  }

  text(value: string): void {
    const bytes = encoder.encode(value)
    this.lengthAndBytes(bytes, 0, bytes.length)
  }

  raw(source: Uint8Array, start: number, end: number): void {
    const length = end - start
    this.reserve(length)
    if (length < 24) {
      let at = this.used
      for (let from = start; from < end; from++) this.bytes[at++] = source[from]!
    } else {
      this.bytes.set(source.subarray(start, end), this.used)
    }
    this.used += length
  }

  /** Makes room for `sizeBytes` more. @throws DbError BODY_TOO_LARGE past FRAME_SIZE_BYTES_MAX */
  reserve(sizeBytes: number): void {
    if (this.used + sizeBytes > this.bytes.length) this.#grow(sizeBytes)
  }

  /** Closes the open run; a run that got no entry leaves no bytes. */
  endRun(): void {
    if (this.#runStart < 0) return
    if (this.#entryCount === 0 && !this.#isWholeRun) {
      this.used = this.#runStart
    } else {
      const bodyStart = this.#runStart + RUN_HEADER_SIZE_BYTES
      this.#view.setUint32(this.#runStart + 1, this.used - bodyStart, true)
      this.#view.setUint32(this.#runStart + 5, this.#entryCount, true)
    }
    this.#entryCountTotal += this.#entryCount
    this.#entryCount = 0
    this.#isWholeRun = false
    this.#runStart = -1
  }

  /** The whole frame: a view of the writer's own buffer, which is not to be written to again. */
  finish(): Uint8Array<ArrayBuffer> {
    this.endRun()
    return this.bytes.subarray(0, this.used)
  }

  #beginRun(kind: RunKind): void {
    this.endRun()
    this.reserve(RUN_HEADER_SIZE_BYTES)
    this.#runStart = this.used
    this.bytes[this.used] = kind
    this.used += RUN_HEADER_SIZE_BYTES
  }

  #beginExpectations(kind: RunKind): void {
    this.bytes[1] = EXPECTING_FRAME_VERSION
    this.#view.setUint16(2, this.#view.getUint16(2, true) | frameFlag.unwrittenIsEmpty, true)
    this.#beginRun(kind)
  }

  #edgeRunType(type: EdgeRunType): void {
    this.varint(type.edgeTypeId)
    this.varint(type.fromTypeId)
    this.varint(type.toTypeId)
  }

  #fields(fields: readonly FrameField[]): void {
    this.varint(fields.length)
    for (const field of fields) {
      this.varint(field.attributeId)
      this.byte(field.op)
    }
  }

  #grow(sizeBytes: number): void {
    const needed = this.used + sizeBytes
    if (needed > FRAME_SIZE_BYTES_MAX) {
      throw new DbError('BODY_TOO_LARGE', 'The payload does not fit into one commit.', {
        details: { limitBytes: FRAME_SIZE_BYTES_MAX },
      })
    }
    // The header of a run fits behind one long value without doubling the buffer.
    const withRoom = needed + Math.floor(needed / 16)
    const size = Math.min(Math.max(withRoom, this.bytes.length * 2), FRAME_SIZE_BYTES_MAX)
    const grown = new Uint8Array(size)
    grown.set(this.bytes.subarray(0, this.used))
    this.bytes = grown
    this.#view = new DataView(grown.buffer)
    assert(this.used + sizeBytes <= this.bytes.length, 'the frame did not grow enough')
  }
}
