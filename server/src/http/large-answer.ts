/**
 * Sends large answers slice by slice: the next one when the client has taken the last, and other
 * requests in between. What is not sent counts as held memory, so a client that takes nothing is
 * cut off.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { answerMemory } from '#kernel/answer-memory.ts'
import { ANSWER_SLICE_SIZE_BYTES, BODY_PROGRESS_MS, BODY_RATE_BYTES_MIN } from '#kernel/limits.ts'
import type { WireAnswer } from './envelope.ts'

type Body = WireAnswer['body']
type Pieces = readonly Uint8Array[]

export const isPieces = (body: Body): body is Pieces => Array.isArray(body)

export function bodySize(body: string | Uint8Array | Pieces): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body instanceof Uint8Array) return body.length
  return body.reduce((sum, piece) => sum + piece.length, 0)
}

export function isLarge(body: Body): body is string | Uint8Array | Pieces {
  if (typeof body === 'string') return body.length > ANSWER_SLICE_SIZE_BYTES
  return (body instanceof Uint8Array || isPieces(body)) && bodySize(body) > ANSWER_SLICE_SIZE_BYTES
}

interface LargeAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array | Pieces
}

export function sendInSlices(reply: FastifyReply, answer: LargeAnswer): void {
  if (reply.raw.destroyed) return
  const pieces = piecesOf(answer.body)
  const size = bodySize(pieces)
  reply.hijack()
  const { raw: response } = reply
  response.writeHead(answer.status, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': answer.contentType,
    'content-length': size,
  })
  const release = answerMemory.hold(size)
  const stopWatch = cutWhenStalled(response)
  response.once('close', () => {
    stopWatch()
    release()
  })
  writeNext(response, slicesOf(pieces))
}

function piecesOf(body: LargeAnswer['body']): Pieces {
  if (typeof body === 'string') return [Buffer.from(body)]
  return body instanceof Uint8Array ? [body] : body
}

function* slicesOf(pieces: Pieces): Generator<Uint8Array, undefined> {
  for (const piece of pieces) {
    for (let from = 0; from < piece.length; from += ANSWER_SLICE_SIZE_BYTES) {
      yield piece.subarray(from, from + ANSWER_SLICE_SIZE_BYTES)
    }
  }
}

function writeNext(response: ServerResponse, slices: Iterator<Uint8Array>): void {
  if (response.destroyed) return
  const { value: slice } = slices.next()
  if (slice === undefined) {
    response.end()
    return
  }
  response.write(slice, () => setImmediate(() => writeNext(response, slices)))
}

/** @returns the function that ends the watch */
function cutWhenStalled(response: ServerResponse): () => void {
  const stepBytes = (BODY_RATE_BYTES_MIN * BODY_PROGRESS_MS) / 1000
  let before = sentBytes(response)
  const timer = setInterval(() => {
    const now = sentBytes(response)
    // Without a socket it waits for the answer to an earlier request of its connection.
    if (now !== null && now - (before ?? 0) < stepBytes) response.destroy()
    before = now
  }, BODY_PROGRESS_MS).unref()
  return () => clearInterval(timer)
}

function sentBytes({ socket }: ServerResponse): number | null {
  return socket === null ? null : socket.bytesWritten - socket.writableLength
}
