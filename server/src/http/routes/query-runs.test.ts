import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { realScheduler } from '../../../test/fixtures/engine.ts'
import { type QueryApp, queryApp } from '../../../test/fixtures/query-app.ts'

let app: QueryApp
const call: QueryApp['call'] = (...given) => app.call(...given)
const create: QueryApp['create'] = (...given) => app.create(...given)

beforeAll(async () => {
  app = await queryApp()
})

afterAll(async () => {
  await app.close()
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
    const fromUrl = await app.text('GET', url)
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
    const fromBody = await app.text('POST', '/query/social/echo', body)
    expect(fromBody.body).toContain('"i":9223372036854775807')
    expect(fromBody.json()).toMatchObject({
      results: [{ s: '100%', p: 'bo', v: 'p1', si: [3, 4] }, { n: 1 }],
    })
  })

  it('are no form, whatever Content-Type goes with it', async () => {
    await create('CREATE OR REPLACE QUERY two(INT a, INT b) { PRINT a + b AS sum; }')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await call('POST', '/query/social/two', 'a=1&b=2', form)).toMatchObject({
      status: 400,
      error: true,
      code: 'REST-2001',
      message:
        'The request body is not valid JSON: it is a form (a=1&b=2); parameters stand in the URL, or in the body as a JSON object.',
    })
    const json = await call('POST', '/query/social/two', '{"a":1,"b":2}', form)
    expect(json['results']).toEqual([{ sum: 3 }])
    const url = await call('POST', '/query/social/two?a=1&b=2', '', form)
    expect(url['results']).toEqual([{ sum: 3 }])
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

  it('takes parameters of every type beside the text, as JSON', async () => {
    const text = `CREATE QUERY draft(MAP<STRING, INT> m, SET<VERTEX<Person>> people, UINT big) {
      S = {people};
      PRINT m.size() AS size, S.size() AS count, big;
    }`
    const parameters = `{"m": {"keylist": ["a", "b"], "valuelist": [1, 2]},
      "people": [{"id": "ada"}, {"id": "bo"}], "big": 18446744073709551615}`
    const body = `{"text": ${JSON.stringify(text)}, "parameters": ${parameters}}`
    const answer = await app.text('POST', '/gsql/v1/queries/interpret?graph=social', body)
    expect(answer.body).toContain('"size":2,"count":2,"big":18446744073709551615')
    // Nothing is left of it.
    expect(await call('GET', '/query/social/draft')).toMatchObject({ error: true })
    const wrong = (text: string) => call('POST', '/gsql/v1/queries/interpret?graph=social', text)
    expect(await wrong('{"parameters": {}}')).toMatchObject({
      status: 400,
      message: "The body has no 'text' with the query.",
    })
    expect(await wrong('{"text": "", "parameters": {}}')).toMatchObject({
      status: 400,
      message: 'The text contains no query.',
    })
    expect(await wrong('{"text": "x", "parameters": [1]}')).toMatchObject({ status: 400 })
  })

  it('refuses a text without a query', async () => {
    expect(
      await call('POST', '/gsql/v1/queries/interpret?graph=social', ' # nothing'),
    ).toMatchObject({
      status: 400,
      message: 'The text contains no query.',
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

describe('plans', () => {
  const text = `INTERPRET QUERY (STRING name) FOR GRAPH social {
    SumAccum<INT> @@n;
    S = SELECT s FROM Person:s WHERE s.name == name;
    FOREACH i IN RANGE[1, 3] DO
      R = SELECT c FROM S:s -(Knows)- Person:t -(Lives>)- City:c;
      T = SELECT t FROM Person:s -(Follows>*1..2)- Person:t ACCUM @@n += 1;
    END;
    PRINT R, T, @@n;
  }`

  it('say where a SELECT starts and how its hops are walked, without running it', async () => {
    const answer = await call('POST', '/quiver/v1/queries/explain?name=Ada', text)
    const { steps, run } = answer['results'] as {
      steps: { statement: string; depth: number; line: number; select: unknown }[]
      run: unknown
    }
    expect(run).toBeNull()
    expect(steps.map(({ statement, depth, line }) => [statement, depth, line])).toEqual([
      ['DECLARE', 0, 2],
      ['SELECT', 0, 3],
      ['FOREACH', 0, 4],
      ['SELECT', 1, 5],
      ['SELECT', 1, 5],
      ['SELECT', 1, 6],
      ['PRINT', 0, 8],
    ])
    expect(steps[1]!.select).toMatchObject({
      start: { alias: 's', types: ['Person'], source: 'all', conditions: 1 },
      hops: [],
    })
    expect(steps[3]!.select).toMatchObject({
      start: { source: 'S', estimatedRows: 0 },
      hops: [{ from: 's', to: 't', edges: [{ type: 'Knows' }], method: 'push or pull' }],
    })
    expect(steps[5]!.select).toMatchObject({
      start: { source: 'all', estimatedRows: 4 },
      hops: [{ method: 'search', repeat: { min: 1, max: 2 }, toTypes: ['Person'] }],
      accum: true,
    })
  })

  it('have what each step has cost, once they were run', async () => {
    const answer = await call('POST', '/quiver/v1/queries/profile?name=Ada', text)
    const { run, steps } = answer['results'] as {
      run: { rows: number; edges: number; statements: Record<string, number>[] }
      steps: { select: { start: { estimatedScan: number; estimatedRows: number } } | null }[]
    }
    expect(run.statements.map(({ id, executions }) => [id, executions])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 3],
      [4, 3],
      [5, 3],
      [6, 1],
    ])
    const sum = (name: string) => run.statements.reduce((total, step) => total + step[name]!, 0)
    expect([sum('rows'), sum('edges')]).toEqual([run.rows, run.edges])
    expect(run.statements[5]!['edges']).toBeGreaterThan(3 * 4)
    // Of four people one in ten is expected to have the name; all four are looked at.
    expect(steps[1]!.select!.start).toMatchObject({ estimatedScan: 4, estimatedRows: 0 })
    expect(run.statements[1]!['rows']).toBe(4)
    // Ada knows two, who live in a city each; four follow somebody, and come to two each.
    expect(run.statements.map(({ kept }) => kept)).toEqual([
      [],
      [1],
      [],
      [3, 6],
      [6, 6],
      [12, 24],
      [],
    ])
    expect(run.statements.every(({ timeMs }) => timeMs! >= 0)).toBe(true)
  })

  it('take parameters of every type beside the text', async () => {
    const looped = `INTERPRET QUERY (MAP<STRING, INT> m, SET<VERTEX<Person>> people) FOR GRAPH social {
      S = {people};
      FOREACH (key, value) IN m DO PRINT key, value; END;
    }`
    const parameters = {
      m: { keylist: ['a', 'b'], valuelist: [1, 2] },
      people: [{ id: 'ada' }, { id: 'bo' }],
    }
    const profile = (body: string) => call('POST', '/quiver/v1/queries/profile', body)
    const { results } = await profile(JSON.stringify({ text: looped, parameters }))
    expect(
      results.run.statements.map(({ executions }: { executions: number }) => executions),
    ).toEqual([1, 1, 2])
    expect(await profile('{"parameters": {}}')).toMatchObject({ status: 400, error: true })
    expect(await profile('{"text": ')).toMatchObject({ status: 400, error: true })
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

describe('detached runs', () => {
  it('answer with a request id, then a status, then the result', async () => {
    await create(
      'CREATE OR REPLACE QUERY slow(INT n) { INT i = 0; WHILE i < n DO i += 1; END; PRINT i; }',
    )
    const started = await call('GET', '/query/social/slow?n=1000', undefined, {
      'gsql-async': 'true',
    })
    expect(started).toMatchObject({
      error: false,
      message: expect.stringContaining('successfully submitted'),
    })
    const id = started['request_id']
    const status = async () =>
      (await call('GET', `/query_status?requestid=${id}`))['results'][0]['status']
    while ((await status()) === 'running') await realScheduler.yieldToOthers()
    expect(await status()).toBe('success')
    expect(await call('GET', `/query_result?requestid=${id}`)).toMatchObject({
      results: [{ i: 1000 }],
    })
    expect(await call('GET', '/query_status?requestid=none')).toMatchObject({
      results: [],
      unknown_requestid: ['none'],
    })
    expect(await call('GET', '/query_result?requestid=none')).toMatchObject({
      error: true,
      message: 'Unable to retrieve result for query none',
    })
  })
})

describe('running through GSQL', () => {
  it('nests the whole answer, with vertices as ids or pairs', async () => {
    await create(
      'CREATE OR REPLACE QUERY pair(VERTEX<Person> p, VERTEX v, INT k) { PRINT p, v, k; }',
    )
    const parameters = { p: 'ada', v: ['Rome', 'City'], k: 5 }
    expect(await call('POST', '/gsql/v1/queries/pair?graph=social', { parameters })).toMatchObject({
      error: false,
      results: { version: { schema: 3 }, error: false, results: [{ p: 'ada', v: 'Rome', k: 5 }] },
    })
  })
})

describe('slow runs', () => {
  it('are told with what they were given and the plan they followed', async () => {
    await create(`CREATE OR REPLACE QUERY spin(INT rounds) {
      INT i = 0;
      WHILE i < rounds DO S = {Person.*}; S = SELECT t FROM S:s -(Knows)- :t; i = i + 1; END;
    }`)
    const slow = await app.text(
      'POST',
      '/query/social/spin',
      { rounds: 100_000_000 },
      {
        'GSQL-TIMEOUT': '800',
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
      },
    )
    expect(slow.json()).toMatchObject({ error: true, code: 'REST-3000' })
    const { results } = await call('GET', '/quiver/v1/queries/slow?graph=social')
    expect(results.thresholdMs).toBe(100)
    expect(results.runs[0]).toMatchObject({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      graph: 'social',
      query: 'spin',
      user: 'tigergraph',
      outcome: 'timeout',
      counters: null,
      parameters: '{"rounds":100000000}',
    })
    const [{ requestId, elapsedMs }] = results.runs
    // The clock of the run starts after that of the timeout: on a busy machine a good while.
    expect(elapsedMs).toBeGreaterThan(200)
    const read = async () => (await call('GET', `/quiver/v1/queries/slow/${requestId}`))['results']
    // The plan is made on the thread of the compiler, after the answer.
    await vi.waitUntil(async () => (await read()).steps.length > 0, { timeout: 30_000 })
    const whole = await read()
    expect(whole.text).toContain('QUERY spin')
    expect(whole.steps.map(({ line }: { line: number }) => line)).toContain(3)
  })

  it('are none of an unknown graph or request', async () => {
    expect(await call('GET', '/quiver/v1/queries/slow?graph=nowhere')).toMatchObject({
      error: true,
    })
    expect(await call('GET', '/quiver/v1/queries/slow/none')).toMatchObject({ error: true })
  })
})
