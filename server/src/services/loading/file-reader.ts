/** Reads what a source of a loading job holds, on the thread that loads it. */
import { constants, createReadStream, openSync, type ReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { createGunzip } from 'node:zlib'
import { DbError } from '#kernel/errors.ts'
import type { LoadFile } from './load-protocol.ts'

const CHUNK_SIZE_BYTES = 256 * 1024
/** Data that came with a request is read in pieces, as a file is. */
const GIVEN_CHUNK_CHARS = CHUNK_SIZE_BYTES

export interface TextReader {
  readonly chunks: AsyncIterable<string> | Iterable<string>
  /** How many were read by now; of a text its characters. */
  readBytes(): number
}

export function readerOf({ from }: Pick<LoadFile, 'from'>): TextReader {
  if (from.kind === 'text') return textReader(from.text)
  if (from.kind === 'bytes') return bytesReader(from.bytes)
  return fileReader(from.path, { isPacked: from.isPacked, shownName: from.wanted })
}

function bytesReader(bytes: Uint8Array): TextReader {
  let readBytes = 0
  const chunks = (function* () {
    const decoder = new StringDecoder('utf8')
    while (readBytes < bytes.length) {
      // A copy: decoders do not take shared memory.
      const piece = Buffer.from(bytes.subarray(readBytes, readBytes + CHUNK_SIZE_BYTES))
      readBytes += piece.length
      yield decoder.write(piece)
    }
    yield decoder.end()
  })()
  return { chunks, readBytes: () => readBytes }
}

function textReader(text: string): TextReader {
  let readChars = 0
  const chunks = (function* () {
    while (readChars < text.length) {
      const chunk = text.slice(readChars, readChars + GIVEN_CHUNK_CHARS)
      readChars += chunk.length
      yield chunk
    }
  })()
  return { chunks, readBytes: () => readChars }
}

/** @param path a real one: a link that takes its name afterwards is not followed */
export function fileReader(
  path: string,
  { isPacked, shownName }: { readonly isPacked: boolean; readonly shownName: string },
): TextReader {
  const descriptor = () => {
    try {
      return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
    } catch (cause) {
      const { code = 'unknown' } = cause as NodeJS.ErrnoException
      const text = `The file '${shownName}' cannot be opened (${code}).`
      throw new DbError('INVALID_PARAMETER', text, { cause })
    }
  }
  const stream = () => createReadStream('', { highWaterMark: CHUNK_SIZE_BYTES, fd: descriptor() })
  let opened: ReadStream | null = null
  return {
    readBytes: () => opened?.bytesRead ?? 0,
    // Opened by its first reader: a run that ends before leaves no file open.
    chunks: {
      [Symbol.asyncIterator]: () => {
        opened = stream()
        return isPacked ? unpacked(opened, shownName) : opened.setEncoding('utf8').iterator()
      },
    },
  }
}

/** The text of a file that gzip has packed. @throws DbError INVALID_PAYLOAD where it is none, or not whole */
async function* unpacked(packed: ReadStream, name: string): AsyncGenerator<string> {
  const text = pipeline(packed, createGunzip({ chunkSize: CHUNK_SIZE_BYTES }), () => undefined)
  try {
    yield* text.setEncoding('utf8')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new DbError('INVALID_PAYLOAD', `The file '${name}' cannot be unpacked: ${why}.`)
  }
}
