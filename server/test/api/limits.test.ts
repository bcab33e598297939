import { afterEach, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
afterEach(() => server.close())

describe('at the memory limit', () => {
  it('refuses writes with a clear error that clients retry, and goes on reading', async () => {
    server = await startServer({ queryWorkerCount: 0 })
    await createAcme(server)
    await server.request('POST', '/graph/acme', { vertices: { Company: { a: {} } } })
    await server.close()
    server = await startServer({ queryWorkerCount: 0, image: server.image, memoryLimitBytes: 1 })
    const refused = await server.request('POST', '/graph/acme', {
      vertices: { Company: { b: {} } },
    })
    expect([refused.status, refused.body.code]).toEqual([503, 'SYS-0002'])
    expect(refused.body.message).toContain('memory limit')
    const { body } = await server.request('GET', '/graph/acme/vertices/Company')
    expect(body.results.map((row: { v_id: string }) => row.v_id)).toEqual(['a'])
  })
})
