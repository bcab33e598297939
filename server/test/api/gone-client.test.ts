/** Clients that go away: their queries end with them, unless they were started detached. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClock } from '../fixtures/engine.ts'
import { startServer, type TestClock, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let baseUrl: string

const endless = 'INT i = 0; WHILE i >= 0 DO i = i + 1; i = i - 1; END; PRINT i;'

beforeAll(async () => {
  server = await startServer({ clock: realClock as TestClock })
  await server.request('POST', '/gsql/v1/schema/graphs?graphName=g', {})
  await server.request('POST', '/gsql/v1/queries?graph=g', `CREATE QUERY endless() { ${endless} }`)
  baseUrl = await server.listen()
})

afterAll(() => server.close())

async function running(): Promise<readonly { requestid: string }[]> {
  const { body } = await server.request('GET', '/gsql/v1/queries/running')
  return body.results
}

/** Asks again until as many run. */
async function untilRunning(count: number): Promise<void> {
  while ((await running()).length !== count) {
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a client that closes its connection', () => {
  it.each([
    ['an installed query', '/restpp/query/g/endless', '{}'],
    [
      'an interpreted one',
      '/gsql/v1/queries/interpret',
      `INTERPRET QUERY () FOR GRAPH g { ${endless} }`,
    ],
  ])('takes %s along', async (_what, path, body) => {
    const gone = new AbortController()
    const answer = fetch(baseUrl + path, { method: 'POST', body, signal: gone.signal })
    const refused = expect(answer).rejects.toThrow('abort')
    await untilRunning(1)
    gone.abort()
    await refused
    await untilRunning(0)
  })

  it('leaves a detached run alone', async () => {
    const { body } = await server.request('GET', '/restpp/query/g/endless', undefined, {
      'gsql-async': 'true',
    })
    await untilRunning(1)
    const [run] = await running()
    expect(run!.requestid).toBe(body.request_id)
    await server.request('DELETE', `/gsql/v1/queries/running/${run!.requestid}`)
    await untilRunning(0)
  })
})
