/**
 * Reads a compressed body as it is unpacked: what comes out is counted while it comes, so that a short
 * body which unpacks to gigabytes ends at the limit of its route like a long one.
 */
import type { IncomingMessage } from 'node:http'
import { DbError } from '#kernel/errors.ts'
import type { BodyReader } from './body-reader.ts'
import type { BodyCoding } from './content-coding.ts'

export interface Unpacking {
  readonly coding: BodyCoding
  readonly limitBytes: number
  readonly isKnown: boolean
}

/**
 * @throws DbError BODY_TOO_LARGE or UNAVAILABLE as of any body; INVALID_PARAMETER where it cannot be
 *   unpacked
 */
export async function readPacked(
  raw: IncomingMessage,
  reader: BodyReader,
  { coding, limitBytes, isKnown }: Unpacking,
): Promise<Buffer> {
  // Beside what comes out, a decoder takes the memory of its window.
  const windowBytes = Math.min(coding.windowBytes, limitBytes)
  if (!isKnown && coding.windowBytes > limitBytes) throw unsupported(coding)
  reader.reserveBeside(windowBytes)
  const unpacker = coding.unpacker()
  let isGone = false
  const onGone = () => {
    isGone = !raw.readableEnded
    if (isGone) unpacker.destroy()
  }
  raw.once('close', onGone).once('error', onGone)
  raw.pipe(unpacker)
  try {
    return await reader.read(unpacker, () => (isGone ? null : notPacked(coding)))
  } finally {
    raw.off('close', onGone).off('error', onGone)
    raw.unpipe(unpacker)
    unpacker.destroy()
    reader.releaseBeside()
  }
}

function notPacked({ name }: BodyCoding): DbError {
  return new DbError('INVALID_PARAMETER', `The request body cannot be unpacked: it is no ${name}.`)
}

/** Callers who are not known have little memory together. */
function unsupported({ name }: BodyCoding): DbError {
  const text = `The Content-Encoding '${name}' is not supported here: a body is as it is, or gzip or deflate.`
  return new DbError('INVALID_PARAMETER', text, { details: { status: 415 } })
}
