/**
 * The commit-log frame: one commit as bytes that can prove they are whole and in their place.
 *
 * Little-endian; sizes in bytes:
 *
 *     | magic 4 | sequence 8 | previous crc32 4 | crc32 4 | length 4 | payload `length` |
 *
 * The checksum covers everything but itself. `previous` is the checksum of the frame before, so a
 * lost, doubled or reordered frame breaks the chain even where each frame alone is sound.
 *
 * Writing has two halves, because frames are laid out on the main thread but only the storage
 * thread knows the end of the chain: `layOutFrame` there, `sealFrames` here.
 *
 * @see docs/formats/log-frame.md
 */
import { crc32 } from 'node:zlib'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { FRAME_SIZE_BYTES_MAX } from '#kernel/limits.ts'

/**
 * The last byte of a magic number is the version: "QVF1" a commit; in a store that several servers
 * share also "QVD1" a document, "QVE1" an epoch, "QVR1" a resignation, "QVC1" a checkpoint.
 */
const magicOf = {
  commit: 0x31465651,
  document: 0x31445651,
  epoch: 0x31455651,
  resignation: 0x31525651,
  checkpoint: 0x31435651,
} as const

export type FrameKind = keyof typeof magicOf

const kindOf: ReadonlyMap<number, FrameKind> = new Map(
  Object.entries(magicOf).map(([kind, magic]) => [magic, kind as FrameKind]),
)
const SEQUENCE_OFFSET = 4
const PREVIOUS_OFFSET = 12
const CRC_OFFSET = 16
const LENGTH_OFFSET = 20
const TWO_POW_32 = 2 ** 32

export const FRAME_HEADER_SIZE_BYTES = 24
export const FRAME_PAYLOAD_SIZE_BYTES_MAX = FRAME_SIZE_BYTES_MAX - FRAME_HEADER_SIZE_BYTES

/** The end of a chain: what the next frame must follow. */
export interface LogPosition {
  readonly sequence: number
  readonly crc: number
}

/** Before the first frame of a store. */
export const LOG_START: LogPosition = { sequence: 0, crc: 0 }

export interface LogFrame extends LogPosition {
  readonly kind: FrameKind
  /** A view into the bytes that were decoded. */
  readonly payload: Uint8Array
  /** Header and payload. */
  readonly sizeBytes: number
}

export interface FramePlace {
  readonly offset: number
  readonly sequence: number
  readonly kind?: FrameKind
}

/** Writes everything but chain and checksum, and returns the offset behind the frame. */
export function layOutFrame(target: Uint8Array, place: FramePlace, payload: Uint8Array): number {
  const start = layOutHeader(target, place, payload)
  target.set(payload, start)
  return start + payload.length
}

/** As `layOutFrame`, but for the payload. @returns where that begins */
export function layOutHeader(
  target: Uint8Array,
  { offset, sequence, kind = 'commit' }: FramePlace,
  payload: Uint8Array,
): number {
  assert(Number.isSafeInteger(sequence) && sequence > 0, 'a frame has a sequence from 1')
  assert(payload.length > 0, 'a frame carries a payload')
  assert(payload.length <= FRAME_PAYLOAD_SIZE_BYTES_MAX, 'a frame has at most its largest size')
  const view = viewOf(target)
  view.setUint32(offset, magicOf[kind], true)
  view.setUint32(offset + SEQUENCE_OFFSET, sequence % TWO_POW_32, true)
  view.setUint32(offset + SEQUENCE_OFFSET + 4, Math.floor(sequence / TWO_POW_32), true)
  view.setUint32(offset + LENGTH_OFFSET, payload.length, true)
  return offset + FRAME_HEADER_SIZE_BYTES
}

/**
 * Chains and checksums frames that stand one behind the other and fill `bytes` exactly.
 * @returns the new end of the chain
 */
export function sealFrames(bytes: Uint8Array, previous: LogPosition): LogPosition {
  const view = viewOf(bytes)
  let { sequence, crc } = previous
  let offset = 0
  while (offset < bytes.length) {
    const end = offset + FRAME_HEADER_SIZE_BYTES + view.getUint32(offset + LENGTH_OFFSET, true)
    assert(end <= bytes.length, 'the laid out frames fill their group')
    assert(readSequence(view, offset) === sequence + 1, 'the frames of a group are consecutive')
    view.setUint32(offset + PREVIOUS_OFFSET, crc, true)
    crc = checksum(bytes, offset, end)
    view.setUint32(offset + CRC_OFFSET, crc, true)
    sequence++
    offset = end
  }
  return { sequence, crc }
}

/**
 * Decodes the frame at `offset`: first the length is held against the bytes at hand, then magic
 * and checksum, then the chain against `previous`; no field is believed before all hold.
 *
 * @param previous the frame before it, or LOG_START
 * @returns the frame; its payload is a view into `bytes`
 * @throws DbError `CORRUPT_LOG` naming the sequence expected here and what failed. Never a partial
 *   frame and never a skipped one: the caller refuses to start.
 */
export function decodeFrame(bytes: Uint8Array, offset: number, previous: LogPosition): LogFrame {
  const sequence = previous.sequence + 1
  const available = bytes.length - offset
  if (available < FRAME_HEADER_SIZE_BYTES) {
    throw damaged(sequence, `${available} bytes are too few for a frame header`)
  }
  const view = viewOf(bytes)
  const length = view.getUint32(offset + LENGTH_OFFSET, true)
  if (length === 0 || length > available - FRAME_HEADER_SIZE_BYTES) {
    const rest = available - FRAME_HEADER_SIZE_BYTES
    throw damaged(sequence, `its length of ${length} bytes does not fit the ${rest} bytes there`)
  }
  const kind = kindOf.get(view.getUint32(offset, true))
  if (kind === undefined) throw damaged(sequence, 'its magic number is wrong')
  const end = offset + FRAME_HEADER_SIZE_BYTES + length
  const crc = view.getUint32(offset + CRC_OFFSET, true)
  const actual = checksum(bytes, offset, end)
  if (crc !== actual) {
    throw damaged(sequence, `its checksum is ${hex(crc)}, its bytes have ${hex(actual)}`)
  }
  checkChain(view, offset, previous)
  return {
    kind,
    sequence,
    crc,
    payload: bytes.subarray(offset + FRAME_HEADER_SIZE_BYTES, end),
    sizeBytes: end - offset,
  }
}

/**
 * What the first frame of `bytes` says it follows.
 * @returns null unless the frame itself is whole
 */
export function previousOf(bytes: Uint8Array): LogPosition | null {
  if (bytes.length < FRAME_HEADER_SIZE_BYTES) return null
  const view = viewOf(bytes)
  const previous = {
    sequence: readSequence(view, 0) - 1,
    crc: view.getUint32(PREVIOUS_OFFSET, true),
  }
  try {
    decodeFrame(bytes, 0, previous)
    return previous
  } catch {
    return null
  }
}

function checkChain(view: DataView, offset: number, previous: LogPosition): void {
  const expected = previous.sequence + 1
  const sequence = readSequence(view, offset)
  if (sequence !== expected) throw damaged(expected, `frame ${sequence} stands in its place`)
  const chained = view.getUint32(offset + PREVIOUS_OFFSET, true)
  if (chained !== previous.crc) {
    throw damaged(
      expected,
      `it follows a frame with checksum ${hex(chained)}, but the one before has ${hex(previous.crc)}`,
    )
  }
}

/** Covers magic, sequence and previous, then length and payload. */
function checksum(bytes: Uint8Array, offset: number, end: number): number {
  const head = crc32(bytes.subarray(offset, offset + CRC_OFFSET))
  return crc32(bytes.subarray(offset + LENGTH_OFFSET, end), head)
}

function readSequence(view: DataView, offset: number): number {
  const low = view.getUint32(offset + SEQUENCE_OFFSET, true)
  return low + view.getUint32(offset + SEQUENCE_OFFSET + 4, true) * TWO_POW_32
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function damaged(sequence: number, what: string): DbError {
  return new DbError('CORRUPT_LOG', `commit log: frame ${sequence} is damaged: ${what}`, {
    details: { sequence, what },
  })
}

function hex(value: number): string {
  return value.toString(16).padStart(8, '0')
}
