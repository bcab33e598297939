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
