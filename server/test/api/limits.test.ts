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

  it('has room again after vertices were deleted and the graph rebuilt', async () => {
    server = await startServer({ queryWorkerCount: 0, memoryLimitBytes: 24 * 2 ** 20 })
    await createAcme(server)
    const text = 'x'.repeat(2_000)
    const personOf = (id: number) => [id, { name: { value: `${id}${text}` } }]
    const upsert = async (from: number) => {
      const people = Array.from({ length: 500 }, (_none, index) => personOf(from + index))
      const payload = { vertices: { Person: Object.fromEntries(people) } }
      return (await server.request('POST', '/graph/acme', payload)).status
    }
    let count = 0
    while (count < 50_000 && (await upsert(count)) === 200) count += 500
    expect(await upsert(count)).toBe(503)
    await server.request('DELETE', '/graph/acme/vertices/Person')
    await server.request('POST', '/rebuildnow/acme')
    expect(await upsert(0)).toBe(200)
    const { body } = await server.request('GET', '/graph/acme/vertices/Person/7?select=name')
    expect(body.results[0].attributes).toEqual({ name: `7${text}` })
  }, 30_000)
})
