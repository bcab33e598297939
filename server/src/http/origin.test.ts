import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { originOf } from './origin.ts'

describe('originOf', () => {
  it('names the port that is listened on, and a host that can be called', async () => {
    for (const [host, shown] of [
      ['127.0.0.1', '127.0.0.1'],
      ['0.0.0.0', '127.0.0.1'],
      ['127.0.0.2', '127.0.0.2'],
    ] as const) {
      const app = fastify()
      await app.listen({ host, port: 0 })
      const { port } = app.server.address() as AddressInfo
      expect(originOf(app)).toBe(`http://${shown}:${port}`)
      await app.close()
    }
  })

  it('names the usual port where nothing listens', () => {
    expect(originOf(fastify())).toBe('http://127.0.0.1:14240')
  })

  it('knows TLS, and addresses of the sixth version', () => {
    const server = createServer()
    server.address = () => ({ address: '::1', family: 'IPv6', port: 8443 })
    expect(originOf({ server } as never)).toBe('https://[::1]:8443')
  })
})
