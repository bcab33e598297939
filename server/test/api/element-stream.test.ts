/** Data of types as a file, and back. */
import { once } from 'node:events'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fillRichGraph } from '../fixtures/rich-graph.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { dump } from '../model/dump.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await fillRichGraph(server)
  // What is not finite has no form that an upsert takes.
  const finite = '{"vertices":{"Person":{"-9223372036854775808":{"score":{"value":1.5}}}}}'
  await server.request('POST', '/restpp/graph/acme', finite)
})
afterAll(() => server.close())

const content = () => dump(server.engine.view(), server.engine.catalog).sort()
const stream = (types: string) => server.request('GET', `/quiver/v1/graphs/acme/elements?${types}`)
const names = async (kind: 'VertexTypes' | 'EdgeTypes') => {
  const { body } = await server.request('GET', '/gsql/v1/schema/graphs/acme')
  return (body.results[kind] as { Name: string }[]).map(({ Name }) => Name)
}

describe('the elements of types', () => {
  it('come as lines that an upsert takes, and are the same afterwards', async () => {
    const [vertices, edges] = [await names('VertexTypes'), await names('EdgeTypes')]
    const before = content()
    const all = await stream(`vertex_types=${vertices}&edge_types=${edges}`)
    expect(all.status).toBe(200)
    expect(all.headers['content-type']).toContain('application/x-ndjson')
    for (const type of vertices) {
      const url = `/restpp/graph/acme/delete_by_type/vertices/${type}`
      expect((await server.request('DELETE', url)).body.error).toBe(false)
    }
    expect(content().length).toBeLessThan(before.length)
    const lines = all.text.trim().split('\n')
    for (const line of lines) {
      const { body, text } = await server.request('POST', '/restpp/graph/acme', line)
      expect(body.error, text).toBe(false)
    }
    expect(content()).toEqual(before)
    expect((await stream(`vertex_types=${vertices}&edge_types=${edges}`)).text).toBe(all.text)
  })

  it('are those that were named, once, and none without a name', async () => {
    const people = await stream('vertex_types=Person,Person')
    expect(people.text).toMatch(/^\{"vertices":\{"Person":/)
    expect(people.text.trim().split('\n')).toHaveLength(1)
    expect(people.text).not.toContain('"edges"')
    expect((await stream('')).text).toBe('')
  })

  it('are refused by name', async () => {
    const unknown = await stream('vertex_types=Person,Persn')
    expect(unknown.status).toBe(400)
    expect(unknown.body.message).toContain("'Persn'")
    expect((await stream('edge_types=Person')).body.message).toContain("'Person'")
    const nowhere = await server.request('GET', '/quiver/v1/graphs/none/elements')
    expect(nowhere.body.code).toBe('GRAPH_NOT_FOUND')
  })

  it('let go of the graph when the reader goes', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => [String(1_000_000 + at), {}])
    const written = await server.request('POST', '/restpp/graph/acme', {
      vertices: { Person: Object.fromEntries(rows) },
    })
    expect(written.body.error, written.text).toBe(false)
    const url = await server.listen()
    const call = get(`${url}/quiver/v1/graphs/acme/elements?vertex_types=Person`)
    const [answer] = await once(call, 'response')
    await once(answer, 'data')
    answer.destroy()
    await expect.poll(() => server.engine.versions.pinCount).toBe(0)
  })
})
