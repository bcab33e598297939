/**
 * Reads mutation batches, docs/formats/mutation-frame.md, without an object per entry.
 *
 * `nextRun` steps from run to run and fills the header fields; then the reader, `count` times,
 * reads the key or keys and the values in field order. Keys are left in place: `keyStart` and
 * `keyEnd` bound the bytes of the last key read in each position. A frame comes out of the
 * checksummed log, so what does not fit its own lengths is damage, never bad input.
 */
import type { AttributeType } from '#catalog/types.ts'
import { DbError, newerFormat } from '#kernel/errors.ts'
import type { LoadPosition } from '../load-positions.ts'
import {
  EXPECTING_FRAME_VERSION,
  FRAME_VERSION,
  frameKind,
  KEY_SIZE_BYTES,
  KEYED_FRAME_VERSION,
  MUTATION_HEADER_SIZE_BYTES,
  POSITION_SIZE_BYTES,
  POSITIONED_FRAME_VERSION,
  RUN_HEADER_SIZE_BYTES,
  runKind,
} from './frame-format.ts'

// A byte order mark is a character of the text like any other.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export class FrameCursor {
  readonly bytes: Uint8Array
  readonly view: DataView
  readonly flags: number
  /** Of the request, as hexadecimal digits; null: it has none. */
  readonly key: string | null = null
  /** How far a loading job is with this batch; null: it is of none. */
  readonly position: LoadPosition | null
  /** Some of its runs may say what must hold for it to be applied. */
  readonly hasExpectations: boolean
  /** Where the next read begins; a reader may move it while it stays inside the run. */
  at: number

  // The run `nextRun` stepped to; see runKind for what each holds.
  /**
   * One of the first five of runKind, or of the first two expectations: the others are these with
   * one of the flags that follow.
   */
  kind = 0
  /** The ids of the deleted vertices may never be inserted again. */
  isPermanent = false
  /** Nothing is made: entries for what does not exist are skipped. */
  isUpdate = false
  /** The request's source of each edge stands in position 1: must-exist flags follow it. */
  isTurned = false
  /** Of an expectation: the elements must not exist. */
  isAbsent = false
  count = 0
  typeId = 0
  fromTypeId = 0
  toTypeId = 0
  fieldIds: number[] = []
  fieldOps: number[] = []
  runEnd: number

  /** Bounds of the last key in position 0 (vertex, from) and 1 (to). Numeric ids are 8 bytes. */
  readonly keyStart = new Uint32Array(2)
  readonly keyEnd = new Uint32Array(2)

  /** @throws DbError CORRUPT_LOG when it is not a mutation batch of a known version. */
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    if (bytes.length < MUTATION_HEADER_SIZE_BYTES || bytes[0] !== frameKind.mutation) {
      throw new DbError('CORRUPT_LOG', 'not a mutation batch')
    }
    let version = bytes[1]!
    this.at = MUTATION_HEADER_SIZE_BYTES
    if (version === KEYED_FRAME_VERSION) {
      this.key = this.#readKey()
      version = bytes[this.at - 1]!
    }
    if (version < FRAME_VERSION || version > POSITIONED_FRAME_VERSION) {
      throw newerFormat('a batch in the commit log has', version, KEYED_FRAME_VERSION)
    }
    this.hasExpectations = version === EXPECTING_FRAME_VERSION
    this.flags = this.view.getUint16(2, true)
    this.position = version === POSITIONED_FRAME_VERSION ? this.#readPosition() : null
    this.runEnd = this.at
  }

  /** And steps over the version that follows it. */
  #readKey(): string {
    const end = this.at + KEY_SIZE_BYTES
    if (end >= this.bytes.length) throw damaged('a key is cut off')
    const { buffer, byteOffset } = this.bytes
    const key = Buffer.from(buffer, byteOffset + this.at, KEY_SIZE_BYTES).toString('hex')
    this.at = end + 1
    return key
  }

  #readPosition(): LoadPosition {
    const { view, at, bytes } = this
    const start = at + POSITION_SIZE_BYTES
    if (start > bytes.length) throw damaged('a position is cut off')
    this.at = start + view.getUint16(at + 16, true)
    if (this.at > bytes.length) throw damaged('a position is cut off')
    return {
      run: decoder.decode(bytes.subarray(start, this.at)),
      statement: view.getUint32(at, true),
      input: view.getUint32(at + 4, true),
      line: view.getFloat64(at + 8, true),
    }
  }

  /** Steps to the next run, past whatever is unread of this one; false at the end. */
  nextRun(): boolean {
    this.at = this.runEnd
    if (this.at === this.bytes.length) return false
    if (this.at + RUN_HEADER_SIZE_BYTES > this.bytes.length)
      throw damaged('a run header is cut off')
    this.kind = this.bytes[this.at]!
    this.runEnd = this.at + RUN_HEADER_SIZE_BYTES + this.view.getUint32(this.at + 1, true)
    this.count = this.view.getUint32(this.at + 5, true)
    if (this.runEnd > this.bytes.length) throw damaged('a run is cut off')
    this.at += RUN_HEADER_SIZE_BYTES
    this.#readKind()
    this.keyStart.fill(0)
    this.keyEnd.fill(0)
    this.#readRunType()
    return true
  }

  /**
   * Reads a key into `keyStart`/`keyEnd` of `position`.
   * @returns false when it is the same key as the entry before had there
   */
  readKey(position: 0 | 1, isNumeric: boolean): boolean {
    const head = this.varint()
    if (head === 0) {
      if (this.keyStart[position] === 0) throw damaged('a first key refers to one before it')
      return false
    }
    const length = isNumeric ? 8 : head - 1
    this.keyStart[position] = this.at
    this.keyEnd[position] = this.at + length
    this.skip(length)
    return true
  }

  /** The last key of a STRING or composite id. */
  keyText(position: 0 | 1): string {
    return decoder.decode(this.bytes.subarray(this.keyStart[position], this.keyEnd[position]))
  }

  /** The last key of a signed id; a UINT id: `BigInt.asUintN(64, …)`. */
  keyBigint(position: 0 | 1): bigint {
    return this.view.getBigInt64(this.keyStart[position]!, true)
  }

  varint(): number {
    let value = this.byte()
    if (value < 0x80) return value
    value &= 0x7f
    let scale = 0x80
    for (let length = 1; length < 8; length++) {
      const byte = this.byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
    throw damaged('a varint is too long')
  }

  byte(): number {
    if (this.at >= this.runEnd) throw damaged('a value is cut off')
    return this.bytes[this.at++]!
  }

  bigint64(): bigint {
    this.skip(8)
    return this.view.getBigInt64(this.at - 8, true)
  }

  float32(): number {
    this.skip(4)
    return this.view.getFloat32(this.at - 4, true)
  }

  float64(): number {
    this.skip(8)
    return this.view.getFloat64(this.at - 8, true)
  }

  skip(sizeBytes: number): void {
    this.at += sizeBytes
    if (this.at > this.runEnd) throw damaged('a value is cut off')
  }

  /** Steps over one field's value. */
  skipValue(type: AttributeType): void {
    switch (type.kind) {
      case 'BOOL':
        this.skip(1)
        return
      case 'FLOAT':
        this.skip(4)
        return
      case 'INT':
      case 'UINT':
      case 'DATETIME':
      case 'DOUBLE':
        this.skip(8)
        return
      default:
        this.skip(this.varint())
    }
  }

  #readKind(): void {
    this.isTurned = this.kind === runKind.upsertEdgesTurned
    this.isPermanent =
      this.kind === runKind.retireVertices || this.kind === runKind.retireVertexType
    this.isUpdate = this.kind === runKind.updateVertices || this.kind === runKind.updateEdges
    if (this.isTurned || this.kind === runKind.updateEdges) this.kind = runKind.upsertEdges
    else if (this.kind === runKind.updateVertices) this.kind = runKind.upsertVertices
    else if (this.kind === runKind.retireVertices) this.kind = runKind.deleteVertices
    else if (this.kind === runKind.retireVertexType) this.kind = runKind.deleteVertexType
    this.isAbsent = this.kind === runKind.expectNoVertices || this.kind === runKind.expectNoEdges
    if (this.kind === runKind.expectNoVertices) this.kind = runKind.expectVertices
    else if (this.kind === runKind.expectNoEdges) this.kind = runKind.expectEdges
  }

  #readRunType(): void {
    this.typeId = this.varint()
    this.fieldIds.length = 0
    this.fieldOps.length = 0
    if (isOfEdges(this.kind)) {
      this.fromTypeId = this.varint()
      this.toTypeId = this.varint()
    }
    if (hasFields(this.kind)) {
      const count = this.varint()
      for (let index = 0; index < count; index++) {
        this.fieldIds.push(this.varint())
        this.fieldOps.push(this.byte())
      }
    }
    const { kind } = this
    const isChange = kind >= runKind.upsertVertices && kind <= runKind.deleteVertexType
    if (!isChange && !(this.hasExpectations && isExpectation(kind))) {
      throw damaged(`run kind ${kind}`)
    }
  }
}

/** Of the kinds that a cursor shows. */
export function isExpectation(kind: number): boolean {
  return kind === runKind.expectVertices || kind === runKind.expectEdges
}

export function isOfEdges(kind: number): boolean {
  return (
    kind === runKind.upsertEdges || kind === runKind.deleteEdges || kind === runKind.expectEdges
  )
}

function hasFields(kind: number): boolean {
  return kind === runKind.upsertVertices || kind === runKind.upsertEdges || isExpectation(kind)
}

function damaged(what: string): DbError {
  return new DbError('CORRUPT_LOG', `mutation batch: ${what}`)
}
