import type { FastifyInstance } from 'fastify'

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

/** How long requests in flight may take once the server closes; then their connections are cut. */
const CLOSE_GRACE_MS = 10_000

/**
 * Lets a closing server end: a connection whose request ends after the close began would else stay
 * open for the whole keep-alive time, and a body that never arrives would hold it for ever.
 */
export function endConnectionsOnClose(app: FastifyInstance): void {
  let isClosing = false
  app.addHook('preClose', (done) => {
    isClosing = true
    setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS).unref()
    done()
  })
  app.addHook('onResponse', (_request, _reply, done) => {
    // The connection counts as idle only after this turn.
    if (isClosing) setImmediate(() => app.server.closeIdleConnections())
    done()
  })
}
