/** What one user may ask of the server, and what it does to the others. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SHORT_RUN_MS } from '#query/workers/pool.ts'
import { realClock } from '../fixtures/engine.ts'
import { startServer, type TestClock, type TestServer } from '../fixtures/server.ts'

let server: TestServer
const endless = 'INT i = 0; WHILE i >= 0 DO i = i + 1; i = i - 1; END; PRINT i;'
const asAda = { authorization: `Basic ${Buffer.from('ada:password of ada').toString('base64')}` }
type Headers = Record<string, string>

beforeAll(async () => {
  server = await startServer({
    clock: realClock as TestClock,
    queryWorkerCount: 1,
    queryLimits: { timeoutMs: 30_000, timeoutMsMax: 200_000, responseSizeBytesMax: 50_000 },
  })
  await server.request(
    'POST',
    '/gsql/v1/statements',
    'CREATE VERTEX V (PRIMARY_ID id STRING, name STRING) CREATE GRAPH g (V)',
  )
  for (const [name, body] of [
    ['endless', endless],
    ['long', 'STRING x = "0123456789"; PRINT x, repeat(x, 6000) AS y;'],
  ]) {
    const text = `CREATE QUERY ${name}() { ${body} }`
    await server.request('POST', '/gsql/v1/queries?graph=g', text)
  }
  const user = { username: 'ada', password: 'password of ada' }
  await server.request('POST', '/gsql/v1/users', user)
  const grant = { roles: ['queryreader'], users: ['ada'] }
  await server.request('POST', '/gsql/v1/roles/grant?graph=g', grant)
})

afterAll(() => server.close())

async function detach(headers: Headers = {}): Promise<string> {
  const { body } = await server.request('GET', '/restpp/query/g/endless', undefined, {
    'gsql-async': 'true',
    ...headers,
  })
  return body.request_id
}

async function listed(): Promise<readonly (readonly [string, boolean])[]> {
  const { body } = await server.request('GET', '/restpp/showprocesslist/g')
  return body.results.map((run: { requestid: string; waiting: boolean }) => [
    run.requestid,
    run.waiting,
  ])
}

const long = { 'gsql-timeout': '200000' }

/** The second one was moved behind the third, and none begins anew. */
async function settled(): Promise<void> {
  const waiting = async () => (await listed()).map(([, isWaiting]) => isWaiting)
  await expect.poll(waiting).toEqual([false, true, false])
}

const interpret = (body: string, headers: Headers = {}) =>
  server.request(
    'POST',
    '/gsql/v1/queries/interpret',
    `INTERPRET QUERY () FOR GRAPH g { ${body} }`,
    headers,
  )

describe('endless queries', () => {
  it('leave room for a short one of another user, and of the same', async () => {
    // One worker, and the one for short runs.
    const ids = [await detach(long), await detach(long), await detach(long)]
    await settled()
    for (const headers of [asAda, {}]) {
      // On a busy machine: the endless ones take the cores, too.
      const { body } = await interpret('PRINT 1;', { 'gsql-timeout': '90000', ...headers })
      expect(body.results).toEqual([{ '1': 1 }])
    }
    expect(SHORT_RUN_MS).toBeLessThan(1_000)
    const { body } = await server.request('GET', '/restpp/abortquery/g?requestid=all')
    const aborted = body.results[0].aborted_queries.map(
      (run: { requestid: string }) => run.requestid,
    )
    expect(aborted.toSorted()).toEqual(ids.toSorted())
    await expect.poll(listed).toEqual([])
  }, 240_000)

  it('that wait are listed, and aborted one by one', async () => {
    const ids = [await detach(long), await detach(long), await detach(long)]
    await settled()
    const runs = await listed()
    expect(runs.map(([id]) => id)).toEqual(ids)
    expect(runs.filter(([, waiting]) => waiting)).toHaveLength(1)
    const delayed = await server.request('GET', '/restpp/showdelayedlistall')
    expect(delayed.body.results).toHaveLength(1)
    const [waiting] = runs.filter(([, isWaiting]) => isWaiting).map(([id]) => id)
    const { body } = await server.request('GET', `/restpp/abortquery/g?requestid=${waiting}`)
    expect(body.results[0].aborted_queries).toHaveLength(1)
    for (const id of ids.filter((one) => one !== waiting)) {
      await server.request('DELETE', `/gsql/v1/queries/running/${id}`)
    }
    await expect.poll(listed).toEqual([])
  })

  it('end at the ceiling, whatever time they ask for', async () => {
    const id = await detach({ 'gsql-timeout': '2147483647' })
    const { body } = await server.request(
      'GET',
      `/restpp/query_status?graph_name=g&requestid=${id}`,
    )
    const [{ startTime, expirationTime }] = body.results
    expect(Date.parse(expirationTime) - Date.parse(startTime)).toBe(200_000)
    await server.request('DELETE', `/gsql/v1/queries/running/${id}`)
    const asked = await interpret(endless, { 'gsql-timeout': '50' })
    expect(asked.body.code).toBe('REST-3000')
    expect(asked.text).toContain('(0.05 seconds)')
  })

  it('get the time of the option when they ask for none', async () => {
    const id = await detach()
    const { body } = await server.request(
      'GET',
      `/restpp/query_status?graph_name=g&requestid=${id}`,
    )
    const [{ startTime, expirationTime }] = body.results
    expect(Date.parse(expirationTime) - Date.parse(startTime)).toBe(30_000)
    await server.request('DELETE', `/gsql/v1/queries/running/${id}`)
  })
})

describe('the ceiling of the size of an answer', () => {
  const headers = { 'response-limit': '4000000000' }

  it('holds for queries', async () => {
    const { body } = await server.request('GET', '/restpp/query/g/long', undefined, headers)
    expect(body).toMatchObject({ error: true, code: 'REST-4000', results: [] })
    const interpreted = await interpret('PRINT repeat("x", 60000);', headers)
    expect(interpreted.body).toMatchObject({ error: true })
    expect(interpreted.text).toContain('exceeds limit')
  })

  it('holds for lists of vertices', async () => {
    const ids = Array.from({ length: 2_000 }, (_, i) => [`v${i}`, {}])
    await server.request('POST', '/restpp/graph/g', { vertices: { V: Object.fromEntries(ids) } })
    const { body } = await server.request('GET', '/restpp/graph/g/vertices/V', undefined, headers)
    expect(body).toMatchObject({ error: true, code: 'REST-4000' })
  })
})
