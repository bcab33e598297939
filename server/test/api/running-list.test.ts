/** Who sees which runs: the console asks every second, whatever the roles of who sits there. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { realClock } from '../fixtures/engine.ts'
import { startServer, type TestClock, type TestServer } from '../fixtures/server.ts'

let server: TestServer
const endless = 'INT i = 0; WHILE i >= 0 DO i = i + 1; i = i - 1; END; PRINT i;'
const ada = { authorization: `Basic ${Buffer.from('ada:password of ada').toString('base64')}` }

beforeAll(async () => {
  server = await startServer({ clock: realClock as TestClock, queryWorkerCount: 2 })
  for (const graph of ['g', 'h']) {
    await server.request('POST', `/gsql/v1/schema/graphs?graphName=${graph}`, {})
    const text = `CREATE QUERY endless_${graph}() { ${endless} }`
    await server.request('POST', `/gsql/v1/queries?graph=${graph}`, text)
  }
  const user = { username: 'ada', password: 'password of ada' }
  await server.request('POST', '/gsql/v1/users', user)
})

afterAll(() => server.close())

async function graphsOfRuns(headers: Readonly<Record<string, string>> = {}) {
  const { body } = await server.request('GET', '/gsql/v1/queries/running', undefined, headers)
  return (body.results as { graph: string }[]).map(({ graph }) => graph).sort()
}

it('lists the runs of the graphs that the caller may read, and no others', async () => {
  const refused = await server.request('GET', '/gsql/v1/queries/running', undefined, ada)
  expect(refused.status).toBe(403)
  const grant = { roles: ['queryreader'], users: ['ada'] }
  await server.request('POST', '/gsql/v1/roles/grant?graph=g', grant)
  const ids: string[] = []
  try {
    for (const graph of ['g', 'h']) {
      const path = `/restpp/query/${graph}/endless_${graph}`
      const { body } = await server.request('GET', path, undefined, { 'gsql-async': 'true' })
      ids.push(body.request_id)
      while (!(await graphsOfRuns()).includes(graph)) {
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
    expect(await graphsOfRuns()).toEqual(['g', 'h'])
    expect(await graphsOfRuns(ada)).toEqual(['g'])
  } finally {
    for (const id of ids) await server.request('DELETE', `/gsql/v1/queries/running/${id}`)
  }
})
