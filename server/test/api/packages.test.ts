/** Packages, template queries, accumulator types of the catalogue, and functions as they are listed. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

const g = '/gsql/v1'
const hops = `CREATE TEMPLATE QUERY paths.simple.near(STRING type, INT more = 1) {
  S = {type};
  PRINT S.size() + more AS near;
}`

let server: TestServer
const get = async (url: string) => (await server.request('GET', url)).body
const post = async (url: string, body?: unknown) => (await server.request('POST', url, body)).body
const script = async (text: string) =>
  (await server.request('POST', `${g}/statements`, text)).text.trimEnd()

/** A crash: nothing is closed before. */
async function restart(): Promise<void> {
  const { image } = server
  server = await startServer({ image })
}

beforeEach(async () => {
  server = await startServer()
  await createAcme(server)
  await server.request('POST', '/graph/acme', { vertices: { Person: { 1: {}, 2: {} } } })
})
afterEach(() => server.close())

describe('a package', () => {
  it('is made, found after a restart, and dropped when it is empty', async () => {
    expect(await post(`${g}/package/my.own`)).toMatchObject({
      error: false,
      message: 'Successfully created package: [my.own].',
    })
    await restart()
    expect((await get(`${g}/packages`)).results).toEqual(['gds', 'my'])
    expect((await get(`${g}/package/my`)).results).toEqual({
      ...{ fullPackageName: 'my', functions: [], templateQueries: [], subpackageNames: ['own'] },
    })
    expect((await get(`${g}/packages/gds.vector`)).results.functions).toContain('cosine_distance')
    expect(await post(`${g}/packages/my.own`)).toMatchObject({ code: 'NAME_TAKEN' })
    expect(await post(`${g}/packages/1st`)).toMatchObject({ code: 'INVALID_NAME' })
    const drop = async (name: string) =>
      (await server.request('DELETE', `${g}/packages/${name}`)).body
    expect(await drop('my')).toMatchObject({ code: 'SCHEMA_RULE' })
    expect(await drop('gds.vector')).toMatchObject({ code: 'SCHEMA_RULE' })
    expect(await drop('my.own')).toMatchObject({ error: false })
    expect(await drop('my.own')).toMatchObject({ code: 'REQUEST_NOT_FOUND' })
    await restart()
    expect((await get(`${g}/packages`)).results).toEqual(['gds'])
  })

  it('is made, shown and dropped by a script as well', async () => {
    expect(await script('CREATE PACKAGE my.own CREATE PACKAGE my')).toBe(
      'Successfully created package: [my.own].\nSemantic Check Fails: The package my already exists.',
    )
    expect((await get(`${g}/packages`)).results).toEqual(['gds', 'my'])
    expect(await script('SHOW PACKAGE my')).toBe('Packages "my.own":\n  - Object:')
    await script(hops.replace('paths.simple', 'my.own'))
    expect(await script('SHOW PACKAGE my.own')).toContain('- my.own.near')
    expect(await script('DROP PACKAGE my.own')).toContain('is not empty: [near]')
    expect(await script('DROP PACKAGE gds.vector')).toContain('is not empty')
    expect(await script('CREATE PACKAGE a CREATE PACKAGE b DROP PACKAGE a, b')).toContain(
      'Successfully dropped package: [a, b].',
    )
    expect(await script('DROP PACKAGE none VERSION')).toContain('The package none does not exist.')
    expect(await script('CREATE PACKAGE 1st')).toContain("mismatched input '1'")
    expect(await script('CREATE PACKAGE "a b"')).toContain("'a b' cannot be the name of a package.")
  })

  it('shares its name with no template query and no function', async () => {
    await post(`${g}/package/my.near`)
    const taken = hops.replace('paths.simple', 'my')
    expect(await post(`${g}/packages/template`, taken)).toMatchObject({ code: 'NAME_TAKEN' })
    await post(`${g}/packages/template`, hops)
    expect(await script('CREATE PACKAGE paths.simple.near')).toContain(
      'paths.simple.near is the name of a template query.',
    )
    const norm = 'USE GRAPH acme\nCREATE TEMPLATE QUERY gds.vector.norm() { PRINT 1; }'
    expect(await script(norm)).toContain('gds.vector.norm is a function that the product brings.')
  })

  it('is named by what calls into it when the template is gone', async () => {
    await script('CREATE TEMPLATE QUERY my.own.plus(INT x) RETURNS (INT) { RETURN x + 1; }')
    const caller = 'CREATE QUERY c(MAP<STRING, INT> m) { PRINT my.own.plus(m.size()) AS n; }'
    expect(await script(`USE GRAPH acme\n${caller}\nINSTALL QUERY c`)).toContain('finished.')
    const run = (body: object) => post('/restpp/query/acme/c', body)
    const m = { keylist: ['a'], valuelist: [5] }
    expect((await run({ m })).results).toEqual([{ n: 2 }])
    expect(await run({ m: {} })).toMatchObject({
      code: 'REST-30000',
      message:
        'Values of parameter m must be MAP type, written as {"keylist": […], "valuelist": […]} with lists of one length.',
    })
    expect(await script('DROP QUERY my.own.plus')).toBe(
      'Successfully dropped template queries: [my.own.plus].',
    )
    expect(await script('DROP QUERY my.own.plus')).toContain('does not exist')
    const told = await script(
      'USE GRAPH acme\nRUN QUERY c({"m": {"keylist": [], "valuelist": []}})',
    )
    expect(told).toContain('there is no query my.own.plus')
  })

  it('brings what is here, and names what is not', async () => {
    expect(await post(`${g}/packages/import/gds`)).toMatchObject({ error: false })
    const other = await post(`${g}/packages/import/elsewhere`)
    expect(other).toMatchObject({ code: 'FEATURE_ABSENT' })
    const made = await post(`${g}/packages/function`, 'CREATE FUNCTION a.b() {}')
    expect(made).toMatchObject({ error: true, code: 'FEATURE_ABSENT' })
    expect(made.message).toContain('functions written in GSQL')
  })
})

describe('a template query', () => {
  it('belongs to no graph: each calls it with its own types', async () => {
    expect(await post(`${g}/packages/template`, hops)).toMatchObject({
      message: 'Successfully created template query: [paths.simple.near].',
    })
    await post(`${g}/schema/graphs?graphName=other`, { VertexTypes: ['Company'] })
    await restart()
    const [template] = (await get(`${g}/library/paths.simple.near`)).results
    expect(template).toEqual({
      ...{ name: 'paths.simple.near', query: hops },
      params: { type: { type: 'STRING', min_count: 0 }, more: expect.anything() },
    })
    expect(template.params.more).toEqual({ type: 'INT', min_count: 0, default: '1' })
    const call = `${g}/library/paths.simple.near?graph=acme`
    expect(await post(call, { parameters: { type: 'Person', more: 40 } })).toMatchObject({
      ...{ error: false, generatedQueryName: 'paths_simple_near' },
      results: { error: false, version: { schema: 0 }, results: [{ near: 42 }] },
    })
    const flat = { type: 'Company' }
    const inOther = await post(`${g}/library/paths.simple.near?graph=other`, flat)
    expect(inOther.results.results).toEqual([{ near: 1 }])
    const foreign = await post(`${g}/library/paths.simple.near?graph=other`, { type: 'Person' })
    expect(foreign).toMatchObject({ error: true, message: expect.stringContaining('Person') })
    expect(await post(`${g}/library/paths.simple.near`, flat)).toMatchObject({
      message: 'The parameter graph is required.',
    })
  })

  it('is called by queries, run by scripts, and installed on a graph', async () => {
    const returning = 'CREATE TEMPLATE QUERY paths.plus(INT x) RETURNS (INT) { RETURN x + 100; }'
    expect(await script(returning)).toContain('Successfully created queries: [paths.plus].')
    const asked = 'INTERPRET QUERY () FOR GRAPH acme { PRINT paths.plus(1) AS h; }'
    expect((await post(`${g}/queries/interpret`, asked)).results).toEqual([{ h: 101 }])
    await post(`${g}/packages/template`, hops)
    expect(await script('USE GRAPH acme\nRUN QUERY paths.simple.near("Person", 5)')).toContain(
      '"near":7',
    )
    expect(await get('/restpp/query/acme/paths.simple.near')).toMatchObject({ code: 'REST-1000' })
    const install = `${g}/queries/install?graph=acme&queries=paths.simple.near`
    expect(await get(install)).toMatchObject({ error: false })
    const run = await get('/restpp/query/acme/paths.simple.near?type=Person')
    expect(run.results).toEqual([{ near: 3 }])
    expect(await script('SHOW PACKAGE paths')).toContain('paths.simple.near')
    expect(await script('SHOW PACKAGE')).toContain('gds.vector.norm')
  })

  it('is described and owned on a graph only where that graph has it', async () => {
    await post(`${g}/packages/template`, hops)
    const queries = [{ queryName: 'paths.simple.near', description: 'how many' }]
    const describe = async () =>
      (await server.request('PUT', `${g}/description?graph=acme`, { queries })).body
    expect(await describe()).toMatchObject({
      ...{ error: true, code: 'QUERY_NOT_FOUND' },
      message: expect.stringContaining('is a template of a package: install it'),
    })
    const own = 'USE GRAPH acme\nGRANT OWNERSHIP ON QUERY paths.simple.near TO tigergraph'
    expect(await script(own)).toContain('is a template of a package')
    expect((await get(`${g}/queries?graph=acme`)).results).toEqual([])
    await get(`${g}/queries/install?graph=acme&queries=paths.simple.near`)
    expect(await describe()).toMatchObject({ error: false })
    expect(await script(own)).toContain('Successfully granted ownership')
    const told = await get(`${g}/description?graph=acme&query=paths.simple.near`)
    expect(told.results.queries[0]).toMatchObject({ description: 'how many' })
    expect(await script('USE GRAPH acme\nSHOW QUERY paths.simple.near')).toContain('# installed')
    expect(await script('USE GRAPH acme\nSHOW QUERY paths.*.far')).not.toContain('# installed')
    const drop = 'USE GRAPH acme\nDROP QUERY paths.simple.near'
    expect(await script(drop)).toContain('Successfully dropped queries')
  })

  it('is replaced when that is said, dropped by its name, and refused when it is none', async () => {
    const template = (text: string) => post(`${g}/packages/template`, text)
    await template(hops)
    expect(await template(`// again (\n${hops}`)).toMatchObject({ code: 'NAME_TAKEN' })
    const other = hops.replace('CREATE', 'CREATE OR REPLACE').replace('near;', 'far;')
    expect(await template(other)).toMatchObject({ error: false })
    const call = `${g}/library/paths.simple.near?graph=acme`
    expect((await post(call, { type: 'Person' })).results.results).toEqual([{ far: 3 }])
    for (const text of [
      'CREATE QUERY a.b() { PRINT 1; }',
      'CREATE TEMPLATE QUERY b() { PRINT 1; }',
      'CREATE TEMPLATE QUERY a.b() { PRINT ; }',
      `${hops} ${hops.replace('near', 'far')}`,
      '',
    ]) {
      expect(await template(text), text).toMatchObject({ error: true, code: 'QUERY_INVALID' })
    }
    const brought = 'CREATE TEMPLATE QUERY gds.vector.NORM() { PRINT 1; }'
    expect(await template(brought)).toMatchObject({ error: true, code: 'NAME_TAKEN' })
    const drop = () => server.request('DELETE', `${g}/packages/template/paths.simple.near`)
    expect((await drop()).body).toMatchObject({ error: false })
    expect((await drop()).body).toMatchObject({ code: 'QUERY_NOT_FOUND' })
    expect((await server.request('GET', `${g}/library/paths.simple.near`)).status).toBe(400)
    expect((await get(`${g}/packages`)).results).toEqual(['gds'])
  })

  it('of a graph is in the library, too, for those who may read the graph’s queries', async () => {
    const own = '/* one (1) */ CREATE TEMPLATE QUERY of.acme() { PRINT 1 AS one; }'
    expect(await post(`${g}/queries?graph=acme`, own)).toMatchObject({ error: false })
    const wanted = encodeURIComponent('of[.]a.*')
    const found = await get(`${g}/library/${wanted}?isRegularExpression=true`)
    expect(found.results.map(({ name }: { name: string }) => name)).toEqual(['of.acme'])
    const call = '/gsqlserver/gsql/library?functionName=of.acme&graph=acme'
    expect((await post(call)).results.results).toEqual([{ one: 1 }])
    await post(`${g}/users`, { username: 'ann', password: 'the password of ann' })
    await post(`${g}/schema/graphs?graphName=other`, {})
    await post(`${g}/roles/grant?graph=other`, { roles: ['designer'], users: ['ann'] })
    const basic = Buffer.from('ann:the password of ann').toString('base64')
    const asAnn = { authorization: `Basic ${basic}` }
    const hidden = await server.request('GET', `${g}/library/of.acme`, undefined, asAnn)
    expect(hidden.body).toMatchObject({ error: true, code: 'QUERY_NOT_FOUND' })
    const refused = await server.request('POST', call, {}, asAnn)
    expect(refused.status).toBe(403)
  })

  it('goes with everything when everything is dropped', async () => {
    await post(`${g}/packages/template`, hops)
    await post(`${g}/packages/my`)
    await get(`${g}/drop-all`)
    await restart()
    expect((await get(`${g}/packages`)).results).toEqual(['gds'])
  })
})

describe('an accumulator type of the catalogue', () => {
  const top = 'TYPEDEF HeapAccum<Scored>(2, points DESC) Top'
  const tuple = 'TYPEDEF TUPLE <points INT, name STRING(20)> Scored'

  it('is declared, nested and returned by queries, also after a restart', async () => {
    await post(`${g}/udt/tuples`, { gsql: tuple })
    expect(await post(`${g}/udt/accum`, { AccumString: top })).toEqual({
      ...{ error: false, message: 'Successfully create accumulator.' },
    })
    const best = `CREATE QUERY best() RETURNS (Top) {
      Top @@top;
      @@top += Scored(1, "one"); @@top += Scored(3, "three"); @@top += Scored(2, "two");
      RETURN @@top;
    }`
    expect(await post(`${g}/queries?graph=acme`, best)).toMatchObject({ error: false })
    await restart()
    const text = `INTERPRET QUERY () FOR GRAPH acme {
      MapAccum<STRING, Top> @@by;
      @@by += ("a" -> Scored(7, "seven"));
      PRINT best() AS best, @@by;
    }`
    const answer = await post(`${g}/queries/interpret`, text)
    expect(answer.results, JSON.stringify(answer)).toEqual([
      {
        best: [
          { points: 3, name: 'three' },
          { points: 2, name: 'two' },
        ],
        '@@by': { a: [{ points: 7, name: 'seven' }] },
      },
    ])
    expect((await get(`${g}/udt/accum/Top`)).results).toEqual([{ Top: `${top}\n` }])
  })

  it('may group: rows by their keys, with heaps of the catalogue inside', async () => {
    const grouped = 'TYPEDEF GroupByAccum<INT k, SumAccum<INT> s, Top best> Grouped'
    expect(await script(`${tuple}\n${top}\n${grouped}`)).toContain('[Grouped].')
    const made = `CREATE QUERY grouped() RETURNS (Grouped) {
      Grouped @@g;
      @@g += (1 -> 10, Scored(1, "one")); @@g += (2 -> 5, Scored(4, "four")); @@g += (1 -> 7, Scored(9, "nine"));
      RETURN @@g;
    }`
    expect(await post(`${g}/queries?graph=acme`, made)).toMatchObject({ error: false })
    const text = `INTERPRET QUERY () FOR GRAPH acme {
      Grouped @@g; MapAccum<STRING, Grouped> @@by;
      @@g += grouped(); @@g += grouped(); @@by += ("a" -> (3 -> 1, Scored(0, "z")));
      PRINT grouped().get(1).s AS s, @@g.get(1).best.top().name AS best, @@g.get(2).s AS twice, @@by;
      FOREACH (k, s, best) IN grouped() DO PRINT k, s, best.size() AS n; END;
    }`
    const answer = await post(`${g}/queries/interpret`, text)
    expect(answer.results, JSON.stringify(answer)).toEqual([
      {
        ...{ s: 17, best: 'nine', twice: 10 },
        '@@by': { a: [{ k: 3, s: 1, best: [{ points: 0, name: 'z' }] }] },
      },
      { k: 1, s: 17, n: 2 },
      { k: 2, s: 5, n: 1 },
    ])
    const wrong = 'CREATE QUERY wrong(Grouped x) { Grouped y; PRINT 1; }'
    const { message } = await post(`${g}/queries?graph=acme`, wrong)
    expect(message).toContain('col 20\nGrouped is an accumulator type, not a value type')
    expect(message).toContain('col 33\nGrouped is an accumulator type, not a value type')
  })

  it('keeps its tuple, and takes along what names it', async () => {
    expect(await script(`${tuple}\n${top}`)).toContain('Successfully created accumulators: [Top].')
    const query = 'CREATE QUERY q() { Top @@top; PRINT @@top; }'
    expect(await post(`${g}/queries?graph=acme`, query)).toMatchObject({ error: false })
    const drop = async (path: string) => (await server.request('DELETE', `${g}/udt/${path}`)).body
    expect(await drop('tuples/Scored')).toMatchObject({
      ...{ code: 'SCHEMA_RULE', message: expect.stringContaining('[Top]') },
    })
    expect(await get('/restpp/query/acme/q')).toMatchObject({ results: [{ '@@top': [] }] })
    expect(await drop('accum?accumName=Top')).toMatchObject({
      message: 'Successfully dropped accumulator: [Top].',
    })
    expect(await get('/restpp/query/acme/q')).toMatchObject({ code: 'REST-1000' })
    expect(await drop('accum/Top')).toMatchObject({ code: 'TUPLE_NOT_FOUND' })
    expect(await drop('tuples/Scored')).toMatchObject({ error: false })
    expect((await get(`${g}/udt/accum`)).results).toEqual([])
  })

  it('is refused when it is none, or its name is taken', async () => {
    const create = (AccumString: string) => post(`${g}/udt/accum`, { AccumString })
    await post(`${g}/udt/tuples`, { gsql: tuple })
    for (const [text, code] of [
      ['TYPEDEF TUPLE <a INT> T', 'QUERY_INVALID'],
      ['TYPEDEF SumAccum<INT> A; PRINT 1', 'QUERY_INVALID'],
      ['SumAccum<INT> @@a', 'QUERY_INVALID'],
      ['TYPEDEF HeapAccum<Ghost>(2, a DESC) A', 'QUERY_INVALID'],
      ['TYPEDEF HeapAccum<Scored>(2, ghost DESC) A', 'QUERY_INVALID'],
      ['TYPEDEF SumAccum<INT> Scored', 'NAME_TAKEN'],
      ['TYPEDEF SumAccum<INT> A } CREATE QUERY b() { PRINT 1', 'QUERY_INVALID'],
    ] as const) {
      expect(await create(text), text).toMatchObject({ error: true, code })
    }
    for (const [text, said] of [
      ['TYPEDEF SumAccum<INT Total', 'line 1, col 27: '],
      ['TYPEDEF HeapAccum<Scored>(n, points DESC) A', 'a number'],
      ['TYPEDEF MapAccum<INT,\n HeapAccum<Scored>(n, points)> A', 'a number'],
      ['TYPEDEF GroupByAccum<INT k,\n SumAccum<INT> k> A', 'line 2, col 2\nthe field "k"'],
      ['TYPEDEF GroupByAccum<SumAccum<INT> s, INT k> A', '(SEM-9006): line 1, col 39'],
    ] as const) {
      expect((await create(text)).message, text).toContain(said)
    }
    expect(await create('TYPEDEF SumAccum<INT> Total;')).toMatchObject({ error: false })
    expect(await create('TYPEDEF SumAccum<INT> Total')).toMatchObject({ code: 'NAME_TAKEN' })
    const hidden = await post(`${g}/udt/tuples`, { gsql: 'TYPEDEF TUPLE <a INT> Total' })
    expect(hidden).toMatchObject({ code: 'NAME_TAKEN' })
    expect((await get(`${g}/drop-all`)).error).toBe(false)
    expect((await get(`${g}/udt/accum`)).results).toEqual([])
  })
})

describe('functions', () => {
  it('are listed as they run', async () => {
    const all = (await get(`${g}/udt/token-functions`)).results
    const names = all.map(({ name }: { name: string }) => name)
    expect(names).toContain('gsql_concat')
    const [upper] = (await get(`${g}/udt/token-functions/gsql_upper`)).results
    expect(upper).toMatchObject({ name: 'gsql_upper', returnType: 'string' })
    expect(upper.code).toContain('toUpperCase')
    const ghost = await get(`${g}/udt/token-functions/ghost`)
    expect(ghost).toMatchObject({ error: true, code: 'REQUEST_NOT_FOUND' })
    const { results: files } = await get(`${g}/udt/files`)
    expect(files.tg_ExprFunctions).toContain('// INT tg_rand_int(INT, INT): random integer')
    expect(files.ExprFunctions).not.toContain('list range')
    expect(files.TokenBank).toContain('string gsql_upper(string …)')
  })
})
