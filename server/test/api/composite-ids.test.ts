/** A vertex of a composite key is one, however its parts are written, on all ways to it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
  const schema = `CREATE VERTEX C (a INT, b STRING, c DATETIME, n INT, PRIMARY KEY (a, b, c))
    CREATE DIRECTED EDGE K (FROM C, TO C)
    CREATE GRAPH keys (C, K)
    USE GRAPH keys
    CREATE LOADING JOB load FOR GRAPH keys { DEFINE FILENAME f; LOAD f TO VERTEX C VALUES ($0, $1, $2, $3); }
    CREATE QUERY one(VERTEX<C> c) FOR GRAPH keys { s = {c}; PRINT s; }`
  const { text } = await server.request('POST', '/gsql/v1/statements', schema)
  expect(text).toContain('Successfully created queries: [one]')
})
afterAll(() => server.close())

const stored = '7,x,2024-01-01 00:00:00'
const spellings = ['007,x,2024-01-01', '+7,x,2024/1/1', stored]

async function listed(): Promise<unknown> {
  const { body } = await server.request('GET', '/restpp/graph/keys/vertices/C?select=n')
  return (body as { results: { v_id: string; attributes: { n: number } }[] }).results.map(
    ({ v_id, attributes }) => [v_id, attributes.n],
  )
}

it('is written, read and deleted by any spelling', async () => {
  const add = (id: string, n: number) =>
    server.request('POST', '/restpp/graph/keys', {
      vertices: { C: { [id]: { n: { value: n, op: '+' } } } },
    })
  for (const id of spellings) expect((await add(id, 1)).status).toBe(200)
  const lines = '0007,x,2024-01-01,10\n 7 ,x,2024-01-01 00:00:00,10\n'
  const loaded = await server.request('POST', '/restpp/ddl/keys?tag=load&filename=f', lines)
  expect(loaded.text).toContain('"validObject":2')
  expect(await listed()).toEqual([[stored, 10]])
  const edge = { edges: { C: { [spellings[0]!]: { K: { C: { [spellings[1]!]: {} } } } } } }
  expect((await server.request('POST', '/restpp/graph/keys', edge)).status).toBe(200)
  for (const id of spellings) {
    const path = encodeURIComponent(id)
    const read = await server.request('GET', `/restpp/graph/keys/vertices/C/${path}`)
    expect(read.text, id).toContain(`"v_id":"${stored}"`)
    const edges = await server.request('GET', `/restpp/graph/keys/edges/C/${path}`)
    expect(edges.text, id).toContain(`"to_id":"${stored}"`)
  }
  const gone = await server.request(
    'DELETE',
    `/restpp/graph/keys/vertices/C/${encodeURIComponent(spellings[1]!)}`,
  )
  expect(gone.text).toContain('"deleted_vertices":1')
  expect(await listed()).toEqual([])
})

it('is inserted and found by queries; what is no id is refused', async () => {
  const run = (text: string) =>
    server.request(
      'POST',
      '/gsql/v1/queries/interpret?graph=keys',
      `INTERPRET QUERY () { ${text} }`,
    )
  const date = 'to_datetime("2024-01-01")'
  expect((await run(`INSERT INTO C VALUES (7, "x", ${date}, 3);`)).status).toBe(200)
  expect((await run(`INSERT INTO K VALUES ("07,x,2024-01-01", "7,x,2024-01-01");`)).status).toBe(
    200,
  )
  expect(await listed()).toEqual([[stored, 3]])
  const short = await run('INSERT INTO K VALUES ("7,x", "7,x,2024-01-01");')
  expect(short.text).toContain("'7,x' is not a valid id of C")
  await server.request('POST', '/gsql/v1/statements', 'USE GRAPH keys INSTALL QUERY one')
  const given = { c: { id: { c: '2024-01-01', b: 'x', a: '007' } } }
  const asked = await server.request('POST', '/restpp/query/keys/one', given)
  expect(asked.text).toContain(`"v_id":"${stored}"`)
})
