/** Under which address this server can be called from its own machine. */
import type { AddressInfo } from 'node:net'
import { Server } from 'node:tls'
import type { FastifyInstance } from 'fastify'

const everywhere = new Set(['0.0.0.0', '::'])

/** `http://127.0.0.1:14240`, with the port in use; the usual one where nothing listens. */
export function originOf({ server }: Pick<FastifyInstance, 'server'>): string {
  const scheme = (server as object) instanceof Server ? 'https' : 'http'
  const at = server.address() as AddressInfo | null
  if (at === null) return `${scheme}://127.0.0.1:14240`
  const host = at.family === 'IPv6' ? `[${at.address}]` : at.address
  return `${scheme}://${everywhere.has(at.address) ? '127.0.0.1' : host}:${at.port}`
}
