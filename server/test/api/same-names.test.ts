/** Two graphs with a vertex type of the same name: each query means its own graph's. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startServer()
  const script = `
CREATE GRAPH first()
CREATE GRAPH second()
USE GRAPH first
CREATE SCHEMA_CHANGE JOB make FOR GRAPH first { ADD VERTEX P(PRIMARY_ID id STRING); ADD VERTEX Only(PRIMARY_ID id STRING); }
RUN SCHEMA_CHANGE JOB make
USE GRAPH second
CREATE SCHEMA_CHANGE JOB make FOR GRAPH second {
  ADD VERTEX P(PRIMARY_ID id STRING); ADD VERTEX Q(PRIMARY_ID id STRING); ADD DIRECTED EDGE e(FROM P|Q, TO P|Q); }
RUN SCHEMA_CHANGE JOB make
CREATE QUERY given(VERTEX v, SET<VERTEX> s) FOR GRAPH second { S = {s}; PRINT v, S; }
CREATE QUERY made(STRING t, STRING id) FOR GRAPH second { ListAccum<VERTEX> @@l; @@l += to_vertex(id, t); PRINT @@l; }
CREATE QUERY madeSet(STRING t, STRING id) FOR GRAPH second { W = to_vertex_set([id], t); PRINT W; }
CREATE QUERY written(STRING t, STRING id) FOR GRAPH second { INSERT INTO e VALUES (id t, id t); }
INSTALL QUERY ALL
`
  const told = await server.request('POST', '/gsql/v1/statements', script)
  expect(told.text).toContain('Query installation finished.')
  await write('first', { P: { theirs: {} }, Only: { alone: {} } })
  await write('second', { P: { ours: {} } })
})
afterAll(() => server.close())

async function write(graph: string, vertices: object): Promise<void> {
  const { body } = await server.request('POST', `/restpp/graph/${graph}`, { vertices })
  expect(body.error).toBe(false)
}

async function run(name: string, parameters: string) {
  const { body } = await server.request('GET', `/restpp/query/second/${name}?${parameters}`)
  return body
}

const ours = { v_id: 'ours', v_type: 'P', attributes: {} }

describe('a vertex type of the same name in another graph', () => {
  it('is not meant by parameters', async () => {
    const { results } = await run('given', 'v=ours&v.type=P&s[0]=ours&s[0].type=P')
    expect(results).toEqual([{ v: 'ours', S: [ours] }])
    const theirs = await run('given', 'v=theirs&v.type=P')
    expect(theirs.code).toBe('601')
  })

  it('is not meant by names that a run makes', async () => {
    expect((await run('made', 't=P&id=ours')).results).toEqual([{ '@@l': ['ours'] }])
    expect((await run('made', 't=P&id=theirs')).error).toBe(true)
    expect((await run('madeSet', 't=P&id=ours')).results).toEqual([{ W: [ours] }])
    expect((await run('written', 't=P&id=ours')).error).toBe(false)
    const { body } = await server.request('GET', '/restpp/graph/second/edges/P/ours')
    expect(body.results).toMatchObject([{ e_type: 'e', from_id: 'ours', to_id: 'ours' }])
  })

  it('is checked with it where no graph is named', async () => {
    const check = async (path: string) =>
      (await server.request('GET', `/restpp/${path}verbose=1`)).body.results[0].VertexCounts
    const counted = (Count: number) => [{ VertexType: 'P', Count, Deleted: 0 }]
    expect(await check('deleted_vertex_check?vertextype=P&')).toEqual(counted(2))
    expect(await check('deleted_vertex_check/first?vertextype=P&')).toEqual(counted(1))
    const none = await server.request('GET', '/restpp/deleted_vertex_check?vertextype=None')
    expect(none.body).toMatchObject({ error: true })
    expect(none.body.message).toContain("vertextype = 'None'")
  })
})

it('a type of another graph is no type of a query', async () => {
  const given = await run('given', 'v=alone&v.type=Only')
  expect(given).toMatchObject({
    code: 'REST-30000',
    message: "'Only' given for parameter 'v' is not a valid vertex type.",
  })
  for (const name of ['made', 'madeSet']) {
    const { message } = await run(name, 't=Only&id=alone')
    expect(message).toBe('Runtime Error: "Only" is not a valid vertex type.')
  }
})
