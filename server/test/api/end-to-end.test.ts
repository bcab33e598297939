import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { createAcme, startServer, type TestServer, testClock } from '../fixtures/server.ts'

const directory = mkdtempSync(join(tmpdir(), 'quiver-api-'))
let close = async () => {}
afterEach(async () => {
  await close()
  rmSync(directory, { recursive: true, force: true })
})

async function start(): Promise<{ server: TestServer; url: string }> {
  const store = await openSqliteStore({ directory, clock: testClock() })
  const server = await startServer({ store, dataDirectory: directory })
  close = async () => {
    close = async () => {}
    await server.close()
    await store.close()
  }
  return { server, url: await server.listen() }
}

const person = {
  name: { value: 'Ada' },
  age: { value: 18_446_744_073_709_551_615n },
  joined: { value: '2024-03-01 09:30:00' },
  phones: { value: { keylist: ['home'], valuelist: ['111'] } },
  home: { value: { keylist: ['street', 'no'], valuelist: ['Elm', 5] } },
}
const payload = JSON.stringify({
  vertices: { Person: { '7': { ...person, age: { value: 0 } } } },
  edges: { Person: { '7': { Works_At: { Company: { 'a/b %😀': { pay: { value: 5200.5 } } } } } } },
}).replace('{"value":0}', '{"value":18446744073709551615}')

describe('over real HTTP and a store on disk', () => {
  it('a schema is made, data written, read, queried, and all is found after a restart', {
    timeout: 30_000,
  }, async () => {
    const { server, url } = await start()
    await createAcme(server)
    const post = async (path: string, body: string) =>
      (await fetch(`${url}${path}`, { method: 'POST', body })).json()
    expect(await post('/graph/acme', payload)).toMatchObject({
      error: false,
      results: [{ accepted_vertices: 1, accepted_edges: 1 }],
      code: 'REST-0003',
    })
    await post(
      '/gsql/v1/queries?graph=acme',
      'CREATE QUERY staff() FOR GRAPH acme { C = {Company.*}; PRINT C; }',
    )
    const read = async (base: string, path: string) => (await fetch(`${base}${path}`)).text()
    const paths = [
      '/restpp/graph/acme/vertices/Person/7',
      '/graph/acme/edges/Person/7/Works_At',
      `/restpp/graph/acme/edges/Company/${encodeURIComponent('a/b %😀')}/Employs`,
      '/restpp/query/acme/staff',
      '/gsql/v1/schema/graphs/acme',
    ]
    const before = await Promise.all(paths.map((path) => read(url, path)))
    expect(before[0]).toContain('"age":18446744073709551615')
    expect(before[0]).toContain('"phones":{"home":"111"},"home":{"street":"Elm","no":5}')
    expect(JSON.parse(before[1] ?? '').results[0]).toMatchObject({
      to_id: 'a/b %😀',
      attributes: { pay: 5200.5 },
    })
    expect(JSON.parse(before[2] ?? '').results[0]).toMatchObject({ e_type: 'Employs', to_id: '7' })
    expect(JSON.parse(before[3] ?? '').results[0].C).toHaveLength(1)
    await close()
    const again = await start()
    expect(await Promise.all(paths.map((path) => read(again.url, path)))).toEqual(before)
  })
})
