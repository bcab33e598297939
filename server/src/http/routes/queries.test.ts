import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { buildApp } from '#http/app.ts'
import { mountQueryRoutes } from '#http/routes/queries.ts'
import { mountQueryRunRoutes } from '#http/routes/query-runs.ts'
import { QueryPool } from '#query/exec/pool/pool.ts'
import { QueryService } from '#services/queries/query-service.ts'
import { RunService } from '#services/queries/run-service.ts'
import type { RequestSample } from '#services/statistics/sample.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { realClock, realScheduler } from '../../../test/fixtures/engine.ts'
import { socialEngine } from '../../../test/fixtures/social-data.ts'

let engine: GraphEngine
let pool: QueryPool
let app: FastifyInstance
const documents = new MemoryStore()
const samples: RequestSample[] = []

async function openApp(): Promise<FastifyInstance> {
  const opened = await buildApp({
    edge: {
      access: { admit: () => ({ name: 'tigergraph', graph: null }) },
      schemaVersionOf: () => 3,
      statistics: {
        started: () => undefined,
        ended: () => undefined,
        observe: (sample) => samples.push(sample),
      },
    },
    logger: pino({ level: 'silent' }) as never,
    hosts: new Set(['localhost']),
    nowMs: () => Date.now(),
  })
  const queries = await QueryService.open({ documents, catalogue: engine })
  mountQueryRoutes(opened, queries)
  const runs = new RunService({
    queries,
    pool,
    clock: realClock,
    memoryLimitBytes: 256 * 2 ** 20,
    view: () => engine.view(),
  })
  mountQueryRunRoutes(opened, runs)
  return opened
}

beforeAll(async () => {
  engine = await socialEngine()
  pool = await QueryPool.start({
    workerCount: 1,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: () => engine.pin(),
  })
  app = await openApp()
})

afterAll(async () => {
  await app.close()
  await pool.close()
  await engine.close()
})

type Call = 'GET' | 'POST' | 'DELETE'

/** Answers are checked against literals, whatever their shape. */
// biome-ignore lint/suspicious/noExplicitAny: the shape is what the tests are about
type Answer = Record<string, any>

async function call(
  method: Call,
  url: string,
  body?: string | object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const payload = typeof body === 'object' ? JSON.stringify(body) : body
  const response = await app.inject({
    method,
    url,
    headers: { host: 'localhost', ...headers },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: response.statusCode, ...(response.json() as object) }
}

const create = (text: string, more = '') =>
  call('POST', `/gsql/v1/queries?graph=social${more}`, text)

const olderThan = `CREATE OR REPLACE QUERY older_than(INT age = 25) FOR GRAPH social {
  S = SELECT s FROM Person:s WHERE s.age > age ORDER BY s.age;
  PRINT S[S.name, S.age AS years];
}`

describe('the life of a query', () => {
  it('begins with one call that creates and installs', async () => {
    expect(await create(olderThan)).toEqual({
      status: 200,
      error: false,
      message: 'Successfully created queries: [older_than].\n',
    })
    const names = await call('GET', '/gsql/v1/queries?graph=social')
    expect(names['results']).toEqual(['older_than'])
    const { results } = await call('GET', '/gsql/v1/queries/info?graph=social&query=older_than')
    expect(results[0]).toMatchObject({ status: 'VALID', installed: true, enabled: true })
    expect(await call('GET', '/gsql/v1/queries/older_than?graph=social')).toMatchObject({
      name: 'older_than',
      syntax: 'GSQL v2',
      status: 'VALID',
    })
  })

  it('runs with its default, from a URL and from a body', async () => {
    const rows = (answer: Answer) =>
      (answer['results'][0]['S'] as { attributes: Record<string, unknown> }[]).map(
        ({ attributes }) => attributes['S.name'],
      )
    expect(rows(await call('GET', '/restpp/query/social/older_than'))).toEqual(['Ada', 'Cy', 'Di'])
    expect(rows(await call('GET', '/query/social/older_than?age=30'))).toEqual(['Cy', 'Di'])
    expect(rows(await call('POST', '/query/social/older_than', { age: 40 }))).toEqual(['Di'])
    expect(rows(await call('GET', '/query/older_than?age=45'))).toEqual(['Di'])
    expect(samples.at(-1)).toMatchObject({ key: 'GET /query/social/older_than', graph: 'social' })
  })

  it('refuses arguments of another type with the contract’s text', async () => {
    expect(await call('GET', '/query/social/older_than?age=a')).toMatchObject({
      status: 400,
      code: 'REST-30000',
      message: 'Values of parameter age must be INT64 type, invalid value [a] provided.',
    })
  })

  it('refuses a taken name without OR REPLACE, and keeps the old text after a bad replacement', async () => {
    const taken = await create(olderThan.replace('OR REPLACE ', ''))
    expect(taken).toMatchObject({ status: 400, error: true })
    expect(taken['message']).toContain('already exists')
    const bad = await create(olderThan.replace('s.age > age', 's.agee > age'))
    expect(bad['message']).toContain(
      'Type Check Error in query older_than (TYP-158): line 2, col 38',
    )
    expect(await call('GET', '/query/social/older_than?age=45')).toMatchObject({ error: false })
  })

  it('saves a text with errors as a draft that has no endpoint', async () => {
    const draft = await create('CREATE QUERY broken() { PRINT nothing; }')
    expect(draft['message']).toContain('Saved as draft query with type/semantic error: [broken].')
    expect(await call('GET', '/query/social/broken')).toMatchObject({
      status: 404,
      code: 'REST-1000',
    })
    const { results } = await call('GET', '/gsql/v1/queries/info?graph=social&status=DRAFT')
    expect(results).toMatchObject([{ name: 'broken', installed: false, enabled: false }])
  })

  it('can be saved without installing and installed later', async () => {
    await create('CREATE QUERY later() { PRINT 1 AS one; }', '&install=false')
    expect(await call('GET', '/query/social/later')).toMatchObject({ status: 404 })
    const installed = await call('GET', '/gsql/v1/queries/install?graph=social&queries=later')
    expect(installed).toMatchObject({
      error: false,
      message: 'Query installation finished: SUCCESS',
    })
    expect((await call('GET', '/query/social/later'))['results']).toEqual([{ one: 1 }])
  })

  it('survives a restart', async () => {
    await app.close()
    app = await openApp()
    expect((await call('GET', '/query/social/later'))['results']).toEqual([{ one: 1 }])
  })

  it('tells its signature', async () => {
    expect(
      await call('POST', '/gsql/v1/queries/signature?graph=social&queryName=older_than'),
    ).toMatchObject({
      queryname: 'older_than',
      input: [{ age: 'int' }],
      output: [{ S: [{ v_type: 'Person', attributes: { 'S.name': 'STRING', years: 'INT' } }] }],
    })
  })

  it('is checked without being saved', async () => {
    const code = 'CREATE QUERY x() { PRINT y; }'
    expect(
      await call('POST', '/gsql/v1/internal/check/query?graph=social', { code }),
    ).toMatchObject({
      warnings: [],
      errors: [{ code: 'SEM-9001', line: 1, column: 26, endLine: 1, endColumn: 27 }],
    })
  })

  it('is disabled while the schema lacks what it uses, and comes back with it', async () => {
    const whole = engine.catalog
    await engine.changeCatalog((catalog) => ({
      ...catalog,
      vertexTypes: catalog.vertexTypes.map((type) =>
        type.name === 'Post'
          ? { ...type, attributes: type.attributes.filter(({ name }) => name !== 'length') }
          : type,
      ),
    }))
    const made = await create('CREATE QUERY posts() { S = {Post.*}; PRINT S[S.title]; }')
    expect(made['error']).toBe(false)
    await engine.changeCatalog((catalog) => ({
      ...catalog,
      vertexTypes: catalog.vertexTypes.map((type) =>
        type.name === 'Post' ? { ...type, attributes: [] } : type,
      ),
    }))
    expect(await call('GET', '/query/social/posts')).toMatchObject({ status: 404 })
    const { results } = await call('GET', '/gsql/v1/queries/info?graph=social&query=posts')
    expect(results).toMatchObject([{ installed: true, enabled: false }])
    await engine.changeCatalog(() => whole)
  })

  it('ends with a drop, which names what it could not find', async () => {
    expect(await call('DELETE', '/gsql/v1/queries/later?graph=social')).toMatchObject({
      error: false,
      dropped: ['later'],
      failedToDrop: [],
    })
    expect(await call('DELETE', '/gsql/v1/queries/later?graph=social')).toMatchObject({
      status: 404,
      error: true,
      failedToDrop: ['later'],
    })
  })
})

describe('arguments', () => {
  it('of every kind arrive as the contract encodes them', async () => {
    await create(`CREATE OR REPLACE QUERY echo(INT i, UINT u, DOUBLE d, BOOL b, STRING s, DATETIME t,
      VERTEX<Person> p, VERTEX v, SET<INT> si, BAG<STRING> bs, SET<VERTEX<Person>> sp) {
      PRINT i, u, d, b, s, t, p, v, si, bs; S = {sp}; PRINT S.size() AS n;
    }`)
    const url =
      '/query/social/echo?i=-9223372036854775808&u=18446744073709551615&d=1e-3&b=True&s=a%2Bb&t=2024-06-15%2012:30:45' +
      '&p=ada&v=Rome&v.type=City&si=1&si=2&si=1&bs=x&bs=x&sp=ada&sp=nobody&sp=bo'
    const fromUrl = await app.inject({ url, headers: { host: 'localhost' } })
    expect(fromUrl.body).toContain('"i":-9223372036854775808,"u":18446744073709551615,"d":0.001')
    expect(fromUrl.json()).toMatchObject({
      message: 'Runtime Warning: 1 ids are invalid Person vertex ids.',
      results: [
        {
          b: true,
          s: 'a+b',
          t: '2024-06-15 12:30:45',
          p: 'ada',
          v: 'Rome',
          si: [1, 2],
          bs: ['x', 'x'],
        },
        { n: 2 },
      ],
    })
    const body = `{"i": 9223372036854775807, "s": "100%25", "p": {"id": "bo"}, "v": {"id": "p1", "type": "Post"},
      "si": [3, 4], "sp": [{"id": "cy"}]}`
    const fromBody = await app.inject({
      method: 'POST',
      url: '/query/social/echo',
      headers: { host: 'localhost' },
      payload: body,
    })
    expect(fromBody.body).toContain('"i":9223372036854775807')
    expect(fromBody.json()).toMatchObject({
      results: [{ s: '100%', p: 'bo', v: 'p1', si: [3, 4] }, { n: 1 }],
    })
  })

  it('of a vertex need an id in JSON and a fitting type', async () => {
    await create('CREATE OR REPLACE QUERY one(VERTEX<Person> p) { PRINT p; }')
    expect(await call('POST', '/query/social/one', { p: 'ada' })).toMatchObject({
      code: 'REST-30000',
      message: "'id' is not found in the VERTEX parameter 'p'.",
    })
    expect(
      await call('POST', '/query/social/one', { p: { id: 'ada', type: 'City' } }),
    ).toMatchObject({
      code: 'REST-30000',
      message: expect.stringContaining('City'),
    })
    expect(await call('GET', '/query/social/one')).toMatchObject({
      status: 200,
      error: true,
      code: 'GSQL-1001',
      message: 'Runtime Error: Parameter p is NULL.',
    })
    expect(await call('GET', '/query/social/one?p=nobody')).toMatchObject({
      error: true,
      code: '601',
    })
  })

  it('that name types specialise the query', async () => {
    await create(`CREATE OR REPLACE QUERY dynamic(STRING v, SET<STRING> e) { SumAccum<INT> @@n;
      S = {v}; R = SELECT t FROM S:s -(e)- :t ACCUM @@n += 1; PRINT @@n; }`)
    const count = async (query: string) =>
      (await call('GET', `/query/social/dynamic?${query}`))['results']
    expect(await count('v=Person&e=Lives')).toEqual([{ '@@n': 3 }])
    expect(await count('v=Person&e=Lives&e=Follows')).toEqual([{ '@@n': 7 }])
    expect(await count('v=Person&e=Knows')).toEqual([{ '@@n': 8 }])
    expect(await call('GET', '/query/social/dynamic?v=Ghost&e=Knows')).toMatchObject({
      error: true,
      code: 'GSQL-4500',
    })
  })
})

describe('interpreting', () => {
  it('runs a text without saving it', async () => {
    const text = 'INTERPRET QUERY (INT k) FOR GRAPH social { PRINT k * 2 AS twice; }'
    expect(await call('POST', '/gsql/v1/queries/interpret?k=21', text)).toMatchObject({
      error: false,
      version: { schema: 3 },
      results: [{ twice: 42 }],
    })
  })

  it('answers a text with errors with its diagnostics', async () => {
    const text = 'INTERPRET QUERY () FOR GRAPH social { PRINT k; }'
    expect(await call('POST', '/gsql/v1/queries/interpret', text)).toMatchObject({
      status: 400,
      error: true,
      message: expect.stringContaining('"k" is not declared'),
    })
  })
})

describe('running queries', () => {
  const endless =
    'INTERPRET QUERY () FOR GRAPH social { INT i = 0; WHILE i >= 0 DO i = i + 1; i = i - 1; END; PRINT i; }'
  const start = () => call('POST', '/gsql/v1/queries/interpret?tag=endless', endless)

  /** The first of the running list, once there is one. */
  async function listed(): Promise<Record<string, string>> {
    for (let attempt = 0; attempt < 500; attempt++) {
      const { results } = await call('GET', '/gsql/v1/queries/running')
      if (results.length > 0) return results[0]
      await realScheduler.yieldToOthers()
    }
    throw new Error('nothing runs')
  }

  it('are listed and aborted by their request id', async () => {
    const run = start()
    const { requestid, url, query } = await listed()
    expect(url).toBe('/gsql/v1/queries/interpret?tag=endless')
    expect(query).toBe('')
    expect(await call('DELETE', `/gsql/v1/queries/running/${requestid}`)).toMatchObject({
      results: [{ aborted_queries: [{ requestid }] }],
    })
    expect(await run).toMatchObject({ error: true, code: 'REST-12002' })
    expect(await call('DELETE', `/gsql/v1/queries/running/${requestid}`)).toMatchObject({
      error: true,
    })
  })

  it('are aborted in the RESTPP spelling, by pattern and all', async () => {
    const run = start()
    await listed()
    expect(await call('GET', '/restpp/abortquery/social?url=/query/none.*')).toMatchObject({
      results: [{ aborted_queries: [] }],
    })
    expect((await call('GET', '/restpp/showprocesslist/social'))['results']).toHaveLength(1)
    await call('GET', '/restpp/abortquery/social?requestid=all')
    expect(await run).toMatchObject({ error: true, code: 'REST-12002' })
  })

  it('end at the limit of the GSQL-TIMEOUT header', async () => {
    const url = '/gsql/v1/queries/interpret'
    const answer = await call('POST', url, endless, { 'gsql-timeout': '100' })
    expect(answer).toMatchObject({ status: 408, error: true, code: 'REST-3000' })
  })
})
