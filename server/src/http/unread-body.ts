/**
 * Answers a request whose body was not read.
 *
 * Closing a connection with unread bytes resets it, and the client may lose the answer. So the
 * answer is sent first, and the body is then discarded for a while: all of a short one, after
 * which the connection serves the next request, or a limited part of a long one, after which it is
 * closed.
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'
import { DISCARDED_BODY_BYTES_MAX, SMALL_BODY_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { LoopTurns } from '#kernel/loop-turns.ts'
import type { WireAnswer } from './envelope.ts'

/** How long a body is discarded before its connection is closed. */
const LINGER_MS = 5_000
const REQUEST_TIMEOUT = 408

/** Whether bytes of the body are still to come. */
export function hasUnreadBody({ request }: FastifyReply): boolean {
  const { headers } = request
  const length = headers['content-length']
  const mayHaveBody =
    headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0')
  return mayHaveBody && !request.raw.readableEnded
}

export function answerUnread(reply: FastifyReply, wire: WireAnswer & { readonly body: string }) {
  const { headers } = reply.request
  const declaredBytes = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  // A client that waits for `100 Continue` sends no body now, and what follows is no body.
  const isShort = declaredBytes <= SMALL_BODY_SIZE_BYTES_MAX
  if (headers.expect === undefined && isShort && wire.status !== REQUEST_TIMEOUT) {
    closeUnlessRead(reply)
    // The framework asks for a closed connection when a body fails.
    reply.removeHeader('connection')
    void reply.code(wire.status).headers(headersOf(wire)).send(wire.body)
    return
  }
  reply.hijack()
  const { raw: response } = reply
  const body = Buffer.from(wire.body)
  response.writeHead(wire.status, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    ...headersOf(wire),
    'content-length': body.length,
    connection: 'close',
  })
  response.write(body)
  discardBody(reply, () => response.end())
}

/**
 * A body that is discarded has no rate that is checked. An incomplete request that is destroyed takes
 * its connection with it.
 */
function closeUnlessRead({ request: { raw } }: FastifyReply): void {
  const timer = setTimeout(() => raw.destroy(), LINGER_MS).unref()
  raw.once('close', () => clearTimeout(timer))
  raw.once('end', () => clearTimeout(timer))
}

export function headersOf(wire: WireAnswer): Record<string, string> {
  return { 'content-type': wire.contentType, ...wire.headers }
}

/**
 * Of all bodies that are discarded one is read in each turn of the event loop: a socket gives as much as
 * has arrived, megabytes of each, and a hundred together would hold the loop.
 */
const turns = new LoopTurns({ yieldToOthers: () => nextTurn() })

/** @param end called once, when the body has ended or enough of it was discarded */
function discardBody({ request, raw: response }: FastifyReply, end: () => void): void {
  const { raw } = request
  let leftBytes = DISCARDED_BODY_BYTES_MAX
  const finish = () => {
    clearTimeout(timer)
    raw.off('data', discard)
    end()
  }
  const discard = (chunk: Buffer) => {
    leftBytes -= chunk.length
    if (leftBytes < 0) {
      finish()
      return
    }
    raw.pause()
    void turns.next().then(() => raw.resume())
  }
  const timer = setTimeout(finish, LINGER_MS).unref()
  raw.on('error', () => undefined)
  raw.on('data', discard)
  raw.once('end', finish)
  // A body that was unpacked until it was refused has been stopped.
  raw.resume()
  response.once('close', () => clearTimeout(timer))
}
