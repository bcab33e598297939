/**
 * How a part of a segment blob is stored: as it is, compressed, or packed. The store does not know
 * what a blob means, so a piece from the middle of the part is tried every way, and the smallest
 * wins; decoding gives back the very bytes.
 *
 * Packed parts, little-endian, where `blocks` is the number of values over 128, rounded up:
 *
 *     | sizeBytes 4 | exponent 4 | bases | widths, one byte per block, padded to 4 | words | 0 4 |
 *
 * WORDS packs u32 values, DIFFERENCES those between neighbours (ascending ids are close together),
 * DECIMALS f64 values that are whole numbers over 10^exponent, as prices and scores are.
 *
 * @see docs/formats/segment.md
 */
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import {
  blockCountOf,
  pack,
  SIGN_BIT,
  subtractBases,
  unpackDecimals,
  unpackDifferences,
  unpackWords,
  widthsOf,
} from './packing.ts'

export const PART_CODEC = { raw: 0, zstd: 1, words: 2, differences: 3, decimals: 4 } as const

export type PartCodec = (typeof PART_CODEC)[keyof typeof PART_CODEC]

export interface EncodedPart {
  readonly codec: PartCodec
  readonly bytes: Uint8Array
}

/** What a damaged part throws: the store says of which blob it is. */
export class PartDamagedError extends Error {}

const HEADER_SIZE_BYTES = 8
const SAMPLE_SIZE_BYTES = 64 * 1024
/** Smaller parts gain nothing worth the work. */
const ENCODED_SIZE_BYTES_MIN = 1024
/** Packed parts are several times faster to read, so zstd must be this much smaller. */
const ZSTD_HANDICAP = 1.15
const EXPONENT_MAX = 4
/** A part comes out in one piece: pieces of 16 KB, as is usual, are copied together at the end. */
const CHUNK_SIZE_BYTES_MAX = 1024 * 1024
const CHUNK_SIZE_BYTES_MIN = 64

type Encode = (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | null

const encoders: readonly (readonly [PartCodec, Encode])[] = [
  [PART_CODEC.words, (bytes) => packWords(bytes, asWords)],
  [PART_CODEC.differences, (bytes) => packWords(bytes, differencesOf)],
  [PART_CODEC.decimals, packDecimals],
  [PART_CODEC.zstd, compress],
]

export function encodePart(bytes: Uint8Array): EncodedPart {
  const raw = { codec: PART_CODEC.raw, bytes }
  if (bytes.length < ENCODED_SIZE_BYTES_MIN) return raw
  // A copy is aligned, and not in shared memory.
  const copy = new Uint8Array(bytes)
  for (const [codec, encode] of byPromise(copy)) {
    const encoded = encode(copy)
    if (encoded !== null && encoded.length < bytes.length) return { codec, bytes: encoded }
  }
  return raw
}

/**
 * Writes the part at the start of `target`, which may be longer and is aligned to 8 bytes.
 * @returns the size of the part
 * @throws PartDamagedError for bytes that are no such part, or one that does not fit
 */
export function decodePart(codec: number, stored: Uint8Array, target: Uint8Array): number {
  switch (codec) {
    case PART_CODEC.raw:
      return copyInto(target, stored)
    case PART_CODEC.zstd:
      return copyInto(target, decompress(stored, target.length))
    case PART_CODEC.words:
    case PART_CODEC.differences:
    case PART_CODEC.decimals:
      return unpackInto(target, codec, stored)
    default:
      throw new PartDamagedError(`there is no codec ${codec}`)
  }
}

/** The encoders by the size that a piece from the middle of the part takes. */
function byPromise(bytes: Uint8Array<ArrayBuffer>): (readonly [PartCodec, Encode])[] {
  const start = Math.max(0, (bytes.length - SAMPLE_SIZE_BYTES) >> 1) & ~7
  const sample = bytes.slice(start, start + SAMPLE_SIZE_BYTES)
  return encoders
    .map((encoder) => {
      const handicap = encoder[0] === PART_CODEC.zstd ? ZSTD_HANDICAP : 1
      const size = (encoder[1](sample)?.length ?? Number.POSITIVE_INFINITY) * handicap
      return { encoder, size }
    })
    .filter(({ size }) => size < sample.length)
    .sort((a, b) => a.size - b.size)
    .map(({ encoder }) => encoder)
}

function compress(bytes: Uint8Array): Uint8Array {
  const params = { [constants.ZSTD_c_compressionLevel]: 1 }
  return zstdCompressSync(bytes, { params })
}

function decompress(stored: Uint8Array, sizeBytesMax: number): Uint8Array {
  try {
    const chunkSize = Math.max(CHUNK_SIZE_BYTES_MIN, Math.min(sizeBytesMax, CHUNK_SIZE_BYTES_MAX))
    return zstdDecompressSync(stored, { maxOutputLength: sizeBytesMax, chunkSize })
  } catch (cause) {
    throw new PartDamagedError('it does not decompress', { cause })
  }
}

function asWords(bytes: Uint8Array<ArrayBuffer>): Uint32Array {
  return new Uint32Array(bytes.slice().buffer)
}

function differencesOf(bytes: Uint8Array<ArrayBuffer>): Uint32Array {
  const values = asWords(bytes)
  let previous = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    values[i] = (value - previous) ^ SIGN_BIT
    previous = value
  }
  return values
}

function packWords(
  bytes: Uint8Array<ArrayBuffer>,
  valuesOf: (bytes: Uint8Array<ArrayBuffer>) => Uint32Array,
): Uint8Array | null {
  if (bytes.length % 4 !== 0) return null
  const values = valuesOf(bytes)
  const bases = subtractBases(values)
  return layOut({ sizeBytes: bytes.length, exponent: 0 }, bases, values)
}

function packDecimals(bytes: Uint8Array<ArrayBuffer>): Uint8Array | null {
  if (bytes.length % 8 !== 0) return null
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
  for (let exponent = 0; exponent <= EXPONENT_MAX; exponent++) {
    const scaled = scale(numbers, 10 ** exponent)
    if (scaled === null) continue
    const { bases, offsets } = scaled
    return layOut({ sizeBytes: bytes.length, exponent }, bases, offsets)
  }
  return null
}

/** Whole numbers over `power` as offsets from each block's smallest; null unless all are exact. */
function scale(
  numbers: Float64Array,
  power: number,
): { readonly bases: Float64Array; readonly offsets: Uint32Array } | null {
  const bases = new Float64Array(blockCountOf(numbers.length)).fill(Number.POSITIVE_INFINITY)
  for (let i = 0; i < numbers.length; i++) {
    const whole = Math.round(numbers[i]! * power)
    // Not so for NaN, infinities, what is no decimal, and minus zero, whose sign a sum would lose.
    if (whole / power !== numbers[i]! || Object.is(numbers[i]!, -0)) return null
    if (whole < bases[i >>> 7]!) bases[i >>> 7] = whole
  }
  const offsets = new Uint32Array(numbers.length)
  for (let i = 0; i < numbers.length; i++) {
    const base = bases[i >>> 7]!
    const offset = Math.round(numbers[i]! * power) - base
    if (offset > 0xffffffff || (base + offset) / power !== numbers[i]!) return null
    offsets[i] = offset
  }
  return { bases, offsets }
}

function layOut(
  { sizeBytes, exponent }: { readonly sizeBytes: number; readonly exponent: number },
  bases: Uint32Array | Float64Array,
  offsets: Uint32Array,
): Uint8Array {
  const packed = widthsOf(offsets)
  const words = pack(offsets, packed)
  const widthsStart = HEADER_SIZE_BYTES + bases.byteLength
  const wordsStart = (widthsStart + packed.widths.length + 3) & ~3
  const bytes = new Uint8Array(wordsStart + words.byteLength)
  new Uint32Array(bytes.buffer, 0, 2).set([sizeBytes, exponent])
  bytes.set(new Uint8Array(bases.buffer, bases.byteOffset, bases.byteLength), HEADER_SIZE_BYTES)
  bytes.set(packed.widths, widthsStart)
  new Uint32Array(bytes.buffer, wordsStart).set(words)
  return bytes
}

function unpackInto(target: Uint8Array, codec: number, stored: Uint8Array): number {
  // SQLite's blobs are aligned; anything else is copied.
  const bytes = stored.byteOffset % 8 === 0 ? stored : new Uint8Array(stored)
  const { buffer, byteOffset: start } = bytes
  if (bytes.length < HEADER_SIZE_BYTES) throw new PartDamagedError('it has no header')
  const [sizeBytes = 0, exponent = 0] = new Uint32Array(buffer, start, 2)
  const valueSize = codec === PART_CODEC.decimals ? 8 : 4
  if (sizeBytes > target.length || sizeBytes % valueSize !== 0 || exponent > EXPONENT_MAX) {
    throw new PartDamagedError('its header is wrong')
  }
  const count = sizeBytes / valueSize
  const blocks = blockCountOf(count)
  const widthsStart = HEADER_SIZE_BYTES + blocks * valueSize
  const wordsStart = (widthsStart + blocks + 3) & ~3
  const widths = bytes.subarray(widthsStart, widthsStart + blocks)
  checkWidths(widths, blocks, bytes.length - wordsStart)
  const packed = {
    words: new Int32Array(buffer, start + wordsStart, (bytes.length - wordsStart) / 4),
    widths,
  }
  const basesStart = start + HEADER_SIZE_BYTES
  if (codec === PART_CODEC.decimals) {
    const bases = new Float64Array(buffer, basesStart, blocks)
    const values = new Float64Array(target.buffer, target.byteOffset, count)
    unpackDecimals(packed, { bases, power: 10 ** exponent }, values)
  } else {
    const unpack = codec === PART_CODEC.words ? unpackWords : unpackDifferences
    const bases = new Int32Array(buffer, basesStart, blocks)
    unpack(packed, bases, new Int32Array(target.buffer, target.byteOffset, count))
  }
  return sizeBytes
}

/** @throws PartDamagedError unless the words are as many as the widths need, and one */
function checkWidths(widths: Uint8Array, blocks: number, wordsSizeBytes: number): void {
  let bits = 0
  for (const width of widths) {
    if (width > 32) throw new PartDamagedError(`a block is ${width} bits wide`)
    bits += width
  }
  if (widths.length !== blocks || bits * 16 + 4 !== wordsSizeBytes) {
    throw new PartDamagedError('its words do not fit its widths')
  }
}

function copyInto(target: Uint8Array, bytes: Uint8Array): number {
  if (bytes.length > target.length) throw new PartDamagedError('it is too long')
  target.set(bytes)
  return bytes.length
}
