/** Large answers: whole, in slices, and gone with the clients that wanted them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerMemory } from '#kernel/answer-memory.ts'
import { ANSWER_SLICE_SIZE_BYTES } from '#kernel/limits.ts'
import { headOf, openRaw } from '../fixtures/raw-http.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let baseUrl: string
const COUNT = 6_000

beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
  const people = Array.from({ length: COUNT }, (_none, index) => [
    index,
    { name: { value: `é${'x'.repeat(1_000)}` } },
  ])
  const body = { vertices: { Person: Object.fromEntries(people) } }
  expect((await server.request('POST', '/graph/acme', body)).status).toBe(200)
  baseUrl = await server.listen()
})
afterAll(() => server.close())

const path = '/restpp/graph/acme/vertices/Person'

describe('a large answer', () => {
  it('arrives whole, whatever its size is to a slice', async () => {
    const headers = { 'accept-encoding': 'identity' }
    const answer = await fetch(`${baseUrl}${path}`, { headers })
    const text = await answer.text()
    expect(Buffer.byteLength(text)).toBe(Number(answer.headers.get('content-length')))
    expect(JSON.parse(text).results).toHaveLength(COUNT)
    expect(answer.headers.get('x-request-id')).toContain('RESTPP')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const rowBytes = Math.ceil(Buffer.byteLength(text) / COUNT)
    const atSlice = Math.floor(ANSWER_SLICE_SIZE_BYTES / rowBytes)
    for (const limit of [atSlice - 1, atSlice, atSlice + 1, 2 * atSlice + 2]) {
      const some = await fetch(`${baseUrl}${path}?limit=${limit}`)
      const { results } = (await some.json()) as { results: unknown[] }
      expect(results).toHaveLength(limit)
    }
    await expect.poll(() => answerMemory.heldBytes).toBe(0)
  })

  it('follows the ones before on its connection', async () => {
    const connection = openRaw(Number(new URL(baseUrl).port))
    connection.write(headOf(`GET ${path}?limit=1000`, {}), headOf(`GET ${path}?limit=1000`, {}))
    connection.write(headOf('GET /restpp/echo', { Connection: 'close' }))
    const all = await connection.closed
    expect(all.match(/HTTP\/1\.1 200/g)).toHaveLength(3)
    expect(all.match(/"v_id"/g)).toHaveLength(2_000)
    expect(all).toMatch(/Hello GSQL[^}]*\}$/)
  })

  it('that nobody takes is held, others go on, and it is let go with its client', async () => {
    const silent = openRaw(Number(new URL(baseUrl).port))
    silent.socket.pause()
    const requests = Array.from({ length: 4 }, () => headOf(`GET ${path}`, {}))
    silent.write(...requests)
    await expect.poll(() => answerMemory.heldBytes).toBeGreaterThan(10_000_000)
    expect((await fetch(`${baseUrl}${path}/7`)).status).toBe(200)
    silent.socket.destroy()
    await expect.poll(() => answerMemory.heldBytes).toBe(0)
    expect((await fetch(`${baseUrl}${path}?limit=3000`)).status).toBe(200)
  })
})
