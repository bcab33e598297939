/**
 * Codings of contents (RFC 9110, 8.4): which one an answer has, and how bodies are unpacked. All of it
 * is done by threads of the platform, piece by piece.
 */
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import negotiator from '@fastify/accept-negotiator'
import {
  ANSWER_SLICE_SIZE_BYTES,
  ANSWERS_COMPRESSED_MAX,
  COMPRESSED_ANSWER_BYTES_MIN,
  UNPACKING_WINDOW_BYTES_MAX,
} from '#kernel/limits.ts'

export type AnswerCoding = 'br' | 'gzip'

/** The better one first. */
const answerCodings = new negotiator.Negotiator({ supportedValues: ['br', 'gzip'] })
/** Longer than what any client sends, and quick to read. */
const ACCEPT_CHARS_MAX = 1_024

/** @returns null: as it is. Small answers take more time packed than they save. */
export function answerCoding(
  accepted: string | string[] | undefined,
  sizeBytes: number,
): AnswerCoding | null {
  if (!isWorthPacking(sizeBytes) || typeof accepted !== 'string') return null
  if (accepted.length > ACCEPT_CHARS_MAX) return null
  return answerCodings.negotiate(accepted.toLowerCase()) as AnswerCoding | null
}

/** Answers of this size differ by what the client accepts, and say so (`Vary`). */
export function isWorthPacking(sizeBytes: number): boolean {
  return sizeBytes >= COMPRESSED_ANSWER_BYTES_MIN
}

export function codedAs(coding: AnswerCoding): Record<string, string> {
  return { 'content-encoding': coding }
}

/**
 * Threads of the platform also hash passwords and read files: of many answers at once the last are
 * sent as they are.
 */
class Packing {
  #count = 0

  /** @returns the function that ends it; null: enough are under way */
  begin(): (() => void) | null {
    if (this.#count >= ANSWERS_COMPRESSED_MAX) return null
    this.#count++
    let isOver = false
    return () => {
      if (!isOver) this.#count--
      isOver = true
    }
  }
}

export const packing = new Packing()

/** JSON gains little from more effort, and answers are packed anew each time. */
const BROTLI_QUALITY = 4
const GZIP_LEVEL = 4
const { constants } = zlib

const brotli = promisify(zlib.brotliCompress) as (
  bytes: Uint8Array,
  options: zlib.BrotliOptions,
) => Promise<Buffer>
const gzip = promisify(zlib.gzip) as (
  bytes: Uint8Array,
  options: zlib.ZlibOptions,
) => Promise<Buffer>

export function packed(coding: AnswerCoding, bytes: Uint8Array): Promise<Buffer> {
  if (coding === 'gzip') return gzip(bytes, { level: GZIP_LEVEL })
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotli(bytes, { params })
}

export function packer(coding: AnswerCoding): Transform {
  const chunkSize = ANSWER_SLICE_SIZE_BYTES / 4
  if (coding === 'gzip') return zlib.createGzip({ chunkSize, level: GZIP_LEVEL })
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  return zlib.createBrotliCompress({ chunkSize, params })
}

/** What a body may be packed with, and what unpacking takes beside what comes out. */
export interface BodyCoding {
  readonly name: string
  readonly windowBytes: number
  unpacker(): Transform
}

const CHUNK_BYTES = 64 * 1024
const DEFLATE_WINDOW_BYTES = 64 * 1024
/** What RFC 9659 asks of servers. */
const ZSTD_WINDOW_BYTES = 8 * 1024 * 1024

const gzipCoding: BodyCoding = {
  name: 'gzip',
  windowBytes: DEFLATE_WINDOW_BYTES,
  unpacker: () => zlib.createGunzip({ chunkSize: CHUNK_BYTES }),
}

const bodyCodings: ReadonlyMap<string, BodyCoding> = new Map([
  ['gzip', gzipCoding],
  ['x-gzip', gzipCoding],
  [
    'deflate',
    {
      name: 'deflate',
      windowBytes: DEFLATE_WINDOW_BYTES,
      unpacker: () => zlib.createInflate({ chunkSize: CHUNK_BYTES }),
    },
  ],
  [
    'br',
    {
      name: 'br',
      windowBytes: UNPACKING_WINDOW_BYTES_MAX,
      unpacker: () => zlib.createBrotliDecompress({ chunkSize: CHUNK_BYTES }),
    },
  ],
  [
    'zstd',
    {
      name: 'zstd',
      windowBytes: ZSTD_WINDOW_BYTES,
      unpacker: () => {
        const windowLog = Math.log2(ZSTD_WINDOW_BYTES)
        const params = { [constants.ZSTD_d_windowLogMax]: windowLog }
        return zlib.createZstdDecompress({ chunkSize: CHUNK_BYTES, params })
      },
    },
  ],
])

/** For `Accept-Encoding` of an answer that refuses one. */
export const bodyCodingNames = 'gzip, deflate, br, zstd'

/** @returns null: the body is as it is; undefined: its coding is not known here */
export function bodyCodingOf(encoding: string | undefined): BodyCoding | null | undefined {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return null
  return bodyCodings.get(name)
}
