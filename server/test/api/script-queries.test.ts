/** Queries in scripts: what listings say of them, and blocks that have no query around them. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

const gsql = async (script: string, query = '') => {
  const answer = await server.request('POST', `/gsql/v1/statements${query}`, script)
  expect(answer.status, answer.text).toBe(200)
  return answer.text
}

beforeEach(async () => {
  server = await startServer()
  await gsql('CREATE VERTEX V (PRIMARY_ID id INT, n INT) CREATE GRAPH g(V)')
})
afterEach(() => server.close())

describe('scripts with queries', () => {
  it('say why a query cannot run: what it calls is gone, or the schema has changed', async () => {
    const listed = async () =>
      (await gsql('LS', '?graph=g')).split('\n').filter((line) => /^ {2}- \w+\(/.test(line))
    await gsql(`USE GRAPH g CREATE QUERY one() RETURNS (INT) { RETURN 1; } CREATE QUERY two() { PRINT one(); }
      CREATE QUERY three() { S = SELECT v FROM V:v WHERE v.n > 1; PRINT S; } INSTALL QUERY *`)
    await gsql(`USE GRAPH g CREATE GLOBAL SCHEMA_CHANGE JOB j { ALTER VERTEX V DROP ATTRIBUTE (n); }
      RUN GLOBAL SCHEMA_CHANGE JOB j DROP QUERY one`)
    expect(await listed()).toEqual(['  - three() (deprecated)', '  - two() (disabled)'])
    await gsql(`USE GRAPH g CREATE QUERY one() RETURNS (INT) { RETURN 2; }
      CREATE GLOBAL SCHEMA_CHANGE JOB k { ALTER VERTEX V ADD ATTRIBUTE (n INT); } RUN GLOBAL SCHEMA_CHANGE JOB k`)
    expect(await listed()).toEqual([
      '  - one()',
      '  - three() (installed v2)',
      '  - two() (installed v2)',
    ])
  })

  it('run blocks without a query around them', async () => {
    await server.request('POST', '/graph/g', { vertices: { V: { 1: { n: { value: 3 } } } } })
    const text = await gsql(`USE GRAPH g
      SELECT count(*) FROM (v:V) WHERE v.n = 3
      LET SumAccum<INT> @@n; IN SELECT v FROM (v:V) ACCUM @@n += v.n;
      MATCH (v:V) RETURN v.n AS x;
      SELECT w FROM (v:V)
      LS`)
    expect(text).toContain('"results": [{"Result_Table":{"count_lparen_1_rparen_":1}}]')
    expect(text).toContain(
      '{"Result_Vertex_Set":[{"v_id":"1","v_type":"V","attributes":{"n":3}}]},{"@@n":3}',
    )
    expect(text).toContain('{"Result_Table":[{"x":3}]}')
    expect(text).toContain('"w" is not a vertex alias')
    expect(text).not.toContain('----')
  })

  it('write an attribute of the types that take the value, where others have it of another kind', async () => {
    await gsql(`CREATE VERTEX A (PRIMARY_ID id INT, label STRING DEFAULT "x") CREATE VERTEX B (PRIMARY_ID id INT, label INT DEFAULT 5)
      CREATE GRAPH h(A, B)`)
    await server.request('POST', '/graph/h', { vertices: { A: { 1: {} }, B: { 2: {} } } })
    const made = await gsql(`USE GRAPH h
      CREATE QUERY of(STRING t) { S = {t}; S = SELECT s FROM S:s POST-ACCUM s.label = 0; PRINT S.size(); }
      INSTALL QUERY of`)
    expect(made).toContain('Successfully created queries: [of].')
    expect(await gsql('RUN QUERY of("B")', '?graph=h')).toContain('{"S.size()":1}')
    const { body } = await server.request('GET', '/graph/h/vertices/B')
    expect(body.results).toMatchObject([{ attributes: { label: 0 } }])
  })
})
