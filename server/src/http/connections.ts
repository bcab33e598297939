import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { DbError } from '#kernel/errors.ts'
import { CLOSE_GRACE_MS } from '#kernel/limits.ts'
import type { ConnectionTable } from './connection-table.ts'
import { errorAnswer } from './envelope.ts'

/** @returns a reader of how many TCP connections are open now */
export function countConnections(app: FastifyInstance): () => number {
  let open = 0
  app.server.on('connection', (socket) => {
    open++
    socket.once('close', () => {
      open--
    })
  })
  return () => open
}

/**
 * Lets a closing server end: a connection whose request ends after the close began would else stay
 * open for the whole keep-alive time, and a body that never arrives would hold it for ever.
 */
export function endConnectionsOnClose(app: FastifyInstance, connections: ConnectionTable): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    connections.closeIdle()
    setTimeout(() => connections.closeAll(), CLOSE_GRACE_MS).unref()
    done()
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    // The connection counts as idle only after this turn.
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}

const unreadable: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: [
    '431 Request Header Fields Too Large',
    'The request line and headers are too long.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

/** What is no HTTP meets no route; it is answered in the shape of errors all the same. */
export function answerUnreadable(error: Error & { readonly code?: string }, socket: Socket): void {
  const { code = '' } = error
  if (code === 'ECONNRESET' || socket.destroyed) return
  // An error of TLS, such as a handshake that did not come: nothing can be sent.
  if (!/^(HPE|ERR_HTTP)_/.test(code)) {
    socket.destroy()
    return
  }
  const [status, message] = unreadable[code] ?? [
    '400 Bad Request',
    'The request is not valid HTTP.',
  ]
  const cause = new DbError('INVALID_PARAMETER', message)
  const { body, contentType } = errorAnswer('restpp', cause, { schemaVersion: 0, requestId: '' })
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: ${contentType}\r\nContent-Length: ${body.length}\r\n\r\n`
  if (socket.writable) socket.end(`${head}${body}`)
  else socket.destroy()
}
