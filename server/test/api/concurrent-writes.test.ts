/**
 * Queries that write what they read, run by many clients at the same time: each acknowledged change
 * counts (docs/decisions/0122-writes-of-queries.md).
 */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { realClock } from '../fixtures/engine.ts'
import { startServer, type TestClock, type TestServer } from '../fixtures/server.ts'

const CLIENTS = 16
const RUNS_EACH = 8
const schema = `
  CREATE VERTEX C (PRIMARY_ID id STRING, v INT DEFAULT 0, d DOUBLE, owner STRING, tags LIST<STRING>) WITH primary_id_as_attribute="true"
  CREATE VERTEX Made (PRIMARY_ID id STRING, n INT) WITH primary_id_as_attribute="true"
  CREATE DIRECTED EDGE to_c (FROM C, TO C, w INT DEFAULT 0)
  CREATE UNDIRECTED EDGE pair (FROM C, TO C, DISCRIMINATOR (k INT), w INT DEFAULT 0)
  CREATE GRAPH g (*)
`
const queries: Readonly<Record<string, string>> = {
  in_post_accum: `S = {C.*}; R = SELECT s FROM S:s WHERE s.id == "a" POST-ACCUM s.v = s.v + 1;`,
  by_accumulator: `SumAccum<INT> @n; S = {C.*};
    R = SELECT s FROM S:s WHERE s.id == "a" ACCUM s.@n += s.v POST-ACCUM s.v = s.@n + 1;`,
  by_update: 'UPDATE s FROM C:s SET s.v = s.v + 1 WHERE s.id == "a";',
  by_adding: 'UPDATE s FROM C:s SET s.v += 1 WHERE s.id == "a";',
  of_edge: 'UPDATE e FROM C:s -(to_c:e)-> C:t SET e.w = e.w + 1;',
  of_parallel_edge:
    'UPDATE e FROM C:s -(pair:e)- C:t SET e.w = e.w + 1 WHERE e.k == 2 AND s.id == "a";',
  transfer: `S = {C.*};
    R = SELECT s FROM S:s WHERE s.id == "a" POST-ACCUM s.v = s.v - 1;
    R = SELECT s FROM S:s WHERE s.id == "b" POST-ACCUM s.v = s.v + 1;`,
  claim: `UPDATE s FROM C:s SET s.owner = "x", s.v += 1 WHERE s.id == "a" AND s.owner == "";`,
  append: `UPDATE s FROM C:s SET s.tags = s.tags + ["x"] WHERE s.id == "a";`,
  make_or_count: `SetAccum<VERTEX> @@found; S = {Made.*};
    R = SELECT s FROM S:s WHERE s.id == "m" ACCUM @@found += s POST-ACCUM s.n = s.n + 1;
    IF @@found.size() == 0 THEN INSERT INTO Made VALUES ("m", 1); END;`,
  insert_edge_or_count: `SumAccum<INT> @@n;
    R = SELECT s FROM C:s -(to_c:e)-> C:t WHERE s.id == "b" ACCUM @@n += e.w;
    INSERT INTO to_c VALUES ("b", "a", @@n + 1);`,
}
const cypher = {
  by_cypher: 'MATCH (n:C) WHERE n.id = "a" SET n.v = n.v + 1',
  nan: 'MATCH (n:C) WHERE n.id = "nan" SET n.v = n.v + 1, n.d = sqrt(-1)',
}

let server: TestServer

beforeAll(async () => {
  server = await startServer({ clock: realClock as TestClock, queryWorkerCount: 3 })
  await server.request('POST', '/gsql/v1/statements', schema)
  for (const [name, body] of Object.entries(queries)) {
    await create(`CREATE QUERY ${name}() FOR GRAPH g { ${body} }`)
  }
  for (const [name, body] of Object.entries(cypher)) {
    await create(`CREATE OPENCYPHER QUERY ${name}() FOR GRAPH g { ${body} }`)
  }
  await server.request('POST', '/gsql/v1/statements', 'USE GRAPH g\nINSTALL QUERY ALL')
}, 60_000)

afterAll(() => server.close())

beforeEach(async () => {
  await server.request('DELETE', '/restpp/graph/g/vertices/C')
  await server.request('DELETE', '/restpp/graph/g/vertices/Made')
  const c = (v: number) => ({ v: { value: v } })
  await server.request('POST', '/restpp/graph/g', {
    vertices: { C: { a: c(0), b: c(1000), nan: c(0) } },
    edges: {
      C: { a: { to_c: { C: { b: {} } }, pair: { C: { b: { k: { value: 2 } } } } } },
    },
  })
})

async function create(text: string) {
  const { body } = await server.request('POST', '/gsql/v1/queries?graph=g', text)
  if (body.error) throw new Error(JSON.stringify(body))
}

/** @returns how many of the runs were acknowledged */
async function runByAll(name: string): Promise<number> {
  let acknowledged = 0
  const client = async () => {
    for (let i = 0; i < RUNS_EACH; i++) {
      const { body } = await server.request('GET', `/restpp/query/g/${name}`)
      if (!body.error) acknowledged++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return acknowledged
}

async function vertex(id: string, type = 'C') {
  const { body } = await server.request('GET', `/restpp/graph/g/vertices/${type}/${id}`)
  return body.results[0].attributes
}

async function edgeWeight(path: string): Promise<number> {
  const { body } = await server.request('GET', `/restpp/graph/g/edges/C/${path}`)
  return body.results[0].attributes.w
}

it.each(['in_post_accum', 'by_accumulator', 'by_update', 'by_adding', 'by_cypher'])(
  'every acknowledged increment of a vertex counts: %s',
  async (name) => {
    const acknowledged = await runByAll(name)
    expect(acknowledged).toBe(CLIENTS * RUNS_EACH)
    expect(await vertex('a')).toMatchObject({ v: acknowledged })
  },
)

it('every acknowledged increment of an edge counts', async () => {
  expect(await edgeWeight('a/to_c/C/b')).toBe(0)
  expect(await runByAll('of_edge')).toBe(CLIENTS * RUNS_EACH)
  expect(await edgeWeight('a/to_c/C/b')).toBe(CLIENTS * RUNS_EACH)
})

it('every acknowledged increment of a parallel edge counts', async () => {
  expect(await runByAll('of_parallel_edge')).toBe(CLIENTS * RUNS_EACH)
  expect(await edgeWeight('a/pair/C/b')).toBe(CLIENTS * RUNS_EACH)
})

it('a sum over several vertices stays what it is', async () => {
  const acknowledged = await runByAll('transfer')
  expect(acknowledged).toBe(CLIENTS * RUNS_EACH)
  expect((await vertex('a')).v).toBe(-acknowledged)
  expect((await vertex('b')).v).toBe(1000 + acknowledged)
})

it('one run alone takes what its condition found free', async () => {
  await runByAll('claim')
  expect(await vertex('a')).toMatchObject({ owner: 'x', v: 1 })
})

it('a value that is not a number is as it was read', async () => {
  const acknowledged = await runByAll('nan')
  expect(acknowledged).toBe(CLIENTS * RUNS_EACH)
  expect(await vertex('nan')).toMatchObject({ v: acknowledged })
})

it('every element that was appended is in the list', async () => {
  const acknowledged = await runByAll('append')
  expect(acknowledged).toBe(CLIENTS * RUNS_EACH)
  expect((await vertex('a')).tags).toHaveLength(acknowledged)
})

it('what is inserted when there is none is inserted once', async () => {
  const acknowledged = await runByAll('make_or_count')
  expect(await vertex('m', 'Made')).toMatchObject({ n: acknowledged })
  const edges = await runByAll('insert_edge_or_count')
  expect(await edgeWeight('b/to_c/C/a')).toBe(edges)
})

it('upserts beside the runs count as well', async () => {
  const add = async () => {
    for (let i = 0; i < 50; i++) {
      const payload = { vertices: { C: { a: { v: { value: 1, op: '+' } } } } }
      await server.request('POST', '/restpp/graph/g', payload)
    }
  }
  const [acknowledged] = await Promise.all([runByAll('in_post_accum'), add()])
  expect((await vertex('a')).v).toBe(acknowledged + 50)
})
