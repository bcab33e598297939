/**
 * Sends large answers slice by slice: the next one when the client has taken the last, and other
 * requests in between. What is not sent counts as held memory, so a client that takes nothing is
 * cut off.
 */
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Readable, Transform, Writable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { answerMemory } from '#kernel/answer-memory.ts'
import { ANSWER_SLICE_SIZE_BYTES, BODY_PROGRESS_MS, BODY_RATE_BYTES_MIN } from '#kernel/limits.ts'
import { type AnswerCoding, codedAs, packer, packing } from './content-coding.ts'
import type { WireAnswer } from './envelope.ts'

type Body = WireAnswer['body']
type Pieces = readonly Uint8Array[]

export const isPieces = (body: Body): body is Pieces => Array.isArray(body)

export function bodySize(body: string | Uint8Array | Pieces): number {
  if (typeof body === 'string') return Buffer.byteLength(body)
  if (body instanceof Uint8Array) return body.length
  return body.reduce((sum, piece) => sum + piece.length, 0)
}

export function isStream(body: Body): body is Readable {
  return typeof body === 'object' && 'pipe' in body
}

interface LargeAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array | Pieces
  /** As it is, not packed. */
  readonly size: number
  readonly coding: AnswerCoding | null
}

export function sendInSlices(reply: FastifyReply, answer: LargeAnswer): void {
  if (reply.raw.destroyed) return
  const { size } = answer
  const endPacking = answer.coding === null ? null : packing.begin()
  const coding = endPacking === null ? null : answer.coding
  reply.hijack()
  const { raw: response } = reply
  response.writeHead(answer.status, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': answer.contentType,
    ...(coding === null ? { 'content-length': size } : codedAs(coding)),
  })
  const release = answerMemory.hold(size)
  const writing = new Writing(response, coding)
  const stopWatch = cutWhenStalled(response, writing)
  response.once('close', () => {
    stopWatch()
    release()
    endPacking?.()
    writing.end()
  })
  writing.writeNext(slicesOf(piecesOf(answer.body)))
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

class Writing {
  readonly #response: ServerResponse
  readonly #target: Writable
  #takenBytes = 0

  constructor(response: ServerResponse, coding: AnswerCoding | null) {
    this.#response = response
    this.#target = coding === null ? response : packer(coding)
    if (this.#target === response) return
    ;(this.#target as Transform).pipe(response)
    this.#target.on('error', () => response.destroy())
  }

  writeNext(slices: Iterator<Uint8Array>): void {
    if (this.#response.destroyed) return
    const { value: slice } = slices.next()
    if (slice === undefined) {
      this.#target.end()
      return
    }
    this.#target.write(slice, () => {
      this.#takenBytes += slice.length
      setImmediate(() => this.writeNext(slices))
    })
  }

  /** Packed bytes may be few while the client takes all there are. */
  get movedBytes(): number | null {
    const sent = sentBytes(this.#response)
    return sent === null ? null : sent + this.#takenBytes
  }

  end(): void {
    if (this.#target !== this.#response) this.#target.destroy()
  }
}

/** @returns the function that ends the watch */
function cutWhenStalled(response: ServerResponse, writing: Writing): () => void {
  const stepBytes = (BODY_RATE_BYTES_MIN * BODY_PROGRESS_MS) / 1000
  let before = writing.movedBytes
  const timer = setInterval(() => {
    const now = writing.movedBytes
    // Without a socket it waits for the answer to an earlier request of its connection.
    if (now !== null && now - (before ?? 0) < stepBytes) response.destroy()
    before = now
  }, BODY_PROGRESS_MS).unref()
  return () => clearInterval(timer)
}

function sentBytes({ socket }: ServerResponse): number | null {
  return socket === null ? null : socket.bytesWritten - socket.writableLength
}
