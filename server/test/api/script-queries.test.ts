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
    await gsql(`USE GRAPH g CREATE QUERY one() RETURNS (INT) { RETURN 1; } CREATE QUERY two(INT i) { PRINT one() + i; }
      CREATE QUERY three() { S = SELECT v FROM V:v WHERE v.n > 1; PRINT S; } INSTALL QUERY *`)
    await gsql(`USE GRAPH g CREATE GLOBAL SCHEMA_CHANGE JOB j { ALTER VERTEX V DROP ATTRIBUTE (n); }
      RUN GLOBAL SCHEMA_CHANGE JOB j DROP QUERY one`)
    expect(await listed()).toEqual(['  - three() (deprecated)', '  - two() (disabled)'])
    expect(await gsql('USE GRAPH g RUN QUERY two(1)')).toContain(
      'undefined function or tuple type "one"',
    )
    await gsql(`USE GRAPH g CREATE QUERY one() RETURNS (INT) { RETURN 2; }
      CREATE GLOBAL SCHEMA_CHANGE JOB k { ALTER VERTEX V ADD ATTRIBUTE (n INT); } RUN GLOBAL SCHEMA_CHANGE JOB k`)
    expect(await listed()).toEqual([
      '  - one()',
      '  - three() (installed v2)',
      '  - two(int i) (installed v2)',
    ])
  })

  it('keep running when an unrelated type changes', async () => {
    await gsql(`USE GRAPH g CREATE QUERY three() { S = SELECT v FROM V:v WHERE v.n > 1; PRINT S; } INSTALL QUERY three
      CREATE GLOBAL SCHEMA_CHANGE JOB j { ADD VERTEX W (PRIMARY_ID id INT, m INT); } RUN GLOBAL SCHEMA_CHANGE JOB j
      CREATE GLOBAL SCHEMA_CHANGE JOB k { ALTER VERTEX V ADD ATTRIBUTE (o INT); ALTER VERTEX W DROP ATTRIBUTE (m); }
      RUN GLOBAL SCHEMA_CHANGE JOB k`)
    expect(await gsql('LS', '?graph=g')).toContain('  - three() (installed v2)')
    const ran = await server.request('GET', '/restpp/query/g/three')
    expect(ran.body).toMatchObject({ error: false, results: [{ S: [] }] })
  })

  it('give back what a call held that has raised', async () => {
    await gsql(`USE GRAPH g
      CREATE QUERY hold(INT n) RETURNS (INT) { EXCEPTION full (40001); ListAccum<INT> @@l; SumAccum<INT> @x; LIST<INT> m;
        FOREACH i IN RANGE[1, n] DO @@l += i; END; m = @@l; IF n > 1 THEN RAISE full; END; RETURN n; }
      CREATE QUERY again(INT times) { EXCEPTION full (40001); SumAccum<INT> @@caught, @@sum;
        FOREACH i IN RANGE[1, times] DO
          TRY @@sum += hold(1); @@sum += hold(100000); EXCEPTION WHEN full THEN @@caught += 1; END; END; PRINT @@caught, @@sum; }
      INSTALL QUERY *`)
    const run = (times: number) =>
      server.request('GET', `/restpp/query/g/again?times=${times}`, undefined, {
        'gsql-querylocalmemlimitmb': '16',
      })
    expect((await run(60)).body.results).toEqual([{ '@@caught': 60, '@@sum': 60 }])
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

  it('start queries that nobody waits for: each has a request id by which it is asked for', async () => {
    const said =
      await gsql(`USE GRAPH g CREATE QUERY one(INT k) { PRINT k; } CREATE QUERY bad() { PRINT 1 / 0; }
      RUN QUERY -async one(5) RUN QUERY -async one({"k": 6}) RUN QUERY -async bad()`)
    const answers = [...said.matchAll(/^\{$.*?^\}$/gms)].map(([text]) => JSON.parse(text))
    expect(answers).toHaveLength(3)
    const [message] = new Set(answers.map((answer) => answer.message))
    expect(message).toMatch(/^The query is successfully submitted\. .* using the request id\.$/)
    const ids = answers.map((answer) => answer.request_id)
    expect(new Set(ids).size).toBe(3)
    const status = async () => {
      const asked = ids.map((id) => `requestid=${id}`).join('&')
      const { body } = await server.request('GET', `/query_status?graph_name=g&${asked}`)
      return body.results.map((run: { status: string }) => run.status)
    }
    await expect.poll(status, { timeout: 10_000 }).toEqual(['success', 'success', 'success'])
    const result = async (id: string) =>
      (await server.request('GET', `/query_result?requestid=${id}`)).body
    expect(await result(ids[0])).toMatchObject({ error: false, results: [{ k: 5 }] })
    expect(await result(ids[1])).toMatchObject({ error: false, results: [{ k: 6 }] })
    expect(await result(ids[2])).toMatchObject({ error: true, code: 'GSQL-2500' })
    expect(await gsql('RUN QUERY -async none()', '?graph=g')).toContain('none')
  })

  it('run for as long as SET query_timeout says', async () => {
    const endless = 'INTERPRET QUERY () { WHILE TRUE DO INT x = 1; END; }'
    const said = await gsql(`USE GRAPH g SET query_timeout = 50 ${endless}`)
    expect(said).toMatch(/0\.05 seconds/)
    // What no timer can wait for is as long as one can.
    const counting = 'INTERPRET QUERY () { INT x; WHILE x < 300000 DO x = x + 1; END; PRINT x; }'
    const counted = '[{"x":300000}]'
    const waited = await gsql(`USE GRAPH g SET query_timeout = 999999999999 ${counting}`)
    expect(waited).toContain(counted)
    const headers = { 'gsql-timeout': '1e12' }
    const url = '/gsql/v1/queries/interpret?graph=g'
    expect((await server.request('POST', url, counting, headers)).text).toContain(counted)
    expect(await gsql('SET query_timeout="soon" LS', '?graph=g')).toBe(
      "Semantic Check Fails: query_timeout is a number of milliseconds, not 'soon'.\n",
    )
  })

  it('know the roles of who runs them, on their graph and everywhere', async () => {
    await gsql(`USE GRAPH g CREATE USER ann WITH PASSWORD "password of ann" CREATE ROLE reader ON GRAPH g
      CREATE GRAPH h(V) GRANT ROLE queryreader ON GRAPH g TO ann GRANT ROLE reader ON GRAPH g TO ann GRANT ROLE admin ON GRAPH h TO ann
      USE GRAPH g CREATE QUERY who() { PRINT current_roles() AS r, is_granted_to_current_roles("reader") AS g; } INSTALL QUERY who`)
    const asked = async (headers?: Record<string, string>) => {
      const { body } = await server.request('GET', '/restpp/query/g/who', undefined, headers)
      return [new Set(body.results[0].r), body.results[0].g]
    }
    const authorization = `Basic ${Buffer.from('ann:password of ann').toString('base64')}`
    expect(await asked({ authorization })).toEqual([new Set(['queryreader', 'reader']), true])
    expect(await asked({ authorization, 'x-write-guard': 'read-only' })).toEqual([
      new Set(['queryreader', 'reader']),
      true,
    ])
    expect(await asked()).toEqual([new Set(['superuser']), false])
  })

  it('list the functions that come with the product', async () => {
    expect(await gsql('SHOW FUNCTION *_current_roles')).toBe(
      '  - is_granted_to_current_roles(string) RETURNS (bool)\n',
    )
    expect((await gsql('SHOW FUNCTION')).split('\n')).toContain(
      '  - tg_similarity_accum(list<double>, list<double>, string) RETURNS (double)',
    )
  })

  it('set properties back to their declared defaults by null, each type to its own', async () => {
    await gsql(`CREATE VERTEX A (PRIMARY_ID id INT, i INT DEFAULT -7, u UINT DEFAULT 8, f FLOAT DEFAULT 1.5, d DOUBLE DEFAULT -2e3,
      b BOOL DEFAULT true, s STRING DEFAULT "x", t DATETIME DEFAULT "2020-01-02", l LIST<INT>)
      CREATE VERTEX B (PRIMARY_ID id INT, i INT DEFAULT 5) CREATE GRAPH d(A, B)`)
    await server.request('POST', '/graph/d', {
      vertices: { A: { 1: { i: { value: 1 }, l: { value: [4] } } }, B: { 2: { i: { value: 1 } } } },
    })
    const all = 'a.i = null, a.u = null, a.f = null, a.d = null, a.b = null, a.s = null, a.t = null'
    const said = await gsql(`USE GRAPH d
      MATCH (a:A) SET a.u = 1, a.f = 1, a.d = 1, a.b = false, a.s = "q", a.t = to_datetime("2021-01-01");
      MATCH (a:A) SET ${all}, a.l = null;
      MATCH (v) SET v.i = null;
      CREATE (a:A {id: 3, i: null, s: head(["y", "z"]), d: toFloat("no")});
      MATCH (v:A|B) RETURN v.i ORDER BY v.i; MATCH (a:A) RETURN a.u, a.f, a.d, a.b, a.s, a.t, a.l ORDER BY a.s`)
    expect(said).toContain('[{"i":-7},{"i":-7},{"i":5}]')
    const rest = '"b":true,"s":"x","t":"2020-01-02 00:00:00","l":[]'
    expect(said).toContain(`"u":8,"f":1.5,"d":-2000,${rest}`)
    expect(said).toContain('"d":-2000,"b":true,"s":"y"')
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
