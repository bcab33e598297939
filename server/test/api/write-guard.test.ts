import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
  await createAcme(server)
})
afterAll(() => server.close())

const guarded = { 'x-write-guard': 'read-only' }
const seven = { vertices: { Person: { 7: {} } } }
const count = async () => {
  const { body } = await server.request('GET', '/restpp/graph/acme/vertices/Person?count_only=true')
  return JSON.stringify(body.results)
}

it('lets a guarded request look', async () => {
  const reads = ['/gsql/v1/schema/graphs', '/restpp/graph/acme/vertices/Person', '/gsql/v1/users']
  for (const url of reads) {
    expect((await server.request('GET', url, undefined, guarded)).status, url).toBe(200)
  }
})

it.each([
  ['POST', '/restpp/graph/acme', seven],
  ['DELETE', '/restpp/graph/acme/vertices/Person', undefined],
  ['POST', '/gsql/v1/schema/graphs?graphName=other', { VertexTypes: [], EdgeTypes: [] }],
  ['POST', '/gsql/v1/schema/change?graph=acme', { dropVertexTypes: ['Person'] }],
  ['POST', '/gsql/v1/users', { name: 'eve', password: 'long enough' }],
  ['POST', '/quiver/v1/sample', undefined],
] as const)('refuses %s %s of the first user and changes nothing', async (method, url, body) => {
  const before = await count()
  const answer = await server.request(method, url, body, guarded)
  expect(answer.status).toBe(403)
  expect(answer.body).toMatchObject({ error: true, code: 'WRITE_GUARDED' })
  expect(await count()).toBe(before)
})

it('does not speak for rights that the user lacks', async () => {
  const linus = { name: 'linus', password: 'eight letters' }
  await server.request('POST', '/gsql/v1/users', linus)
  const authorization = `Basic ${btoa(`${linus.name}:${linus.password}`)}`
  const codeOf = async (method: 'GET' | 'POST', url: string, body?: object) => {
    const answer = await server.request(method, url, body, { ...guarded, authorization })
    return answer.body.code
  }
  expect(await codeOf('GET', '/gsql/v1/schema/graphs/acme')).toBe('FORBIDDEN')
  expect(await codeOf('GET', '/restpp/graph/acme/vertices/Person')).toBe('REST-10016')
  expect(await codeOf('POST', '/restpp/graph/acme', seven)).toBe('REST-10016')
  const roles = { roles: ['designer'], users: ['linus'] }
  await server.request('POST', '/gsql/v1/roles/grant?graph=acme', roles)
  expect(await codeOf('POST', '/restpp/graph/acme', seven)).toBe('WRITE_GUARDED')
})

it('refuses a query that would insert, and runs one that looks', async () => {
  const run = (text: string, headers: Record<string, string>) =>
    server.request('POST', '/gsql/v1/queries/interpret', text, headers)
  const insert = 'INTERPRET QUERY () FOR GRAPH acme { INSERT INTO Person VALUES ("eve"); }'
  const look = 'INTERPRET QUERY () FOR GRAPH acme { PRINT 1; }'
  expect((await run(insert, guarded)).body).toMatchObject({ code: 'WRITE_GUARDED' })
  expect((await run(look, guarded)).body).toMatchObject({ error: false })
})

it('stops a script before the first command that would change something', async () => {
  const script = 'USE GRAPH acme\nCREATE VERTEX Spy (PRIMARY_ID id STRING)'
  const { text } = await server.request('POST', '/gsql/v1/statements', script, guarded)
  expect(text).toContain('write guard')
  const { body: types } = await server.request('GET', '/gsql/v1/schema/vertices')
  expect(JSON.stringify(types)).not.toContain('Spy')
})

describe('the guard that the settings of the server lock', () => {
  const lockedTo = async (writeGuard: 'confirm' | 'read-only') => {
    const locked = await startServer({
      consoleSettings: { preset: {}, locked: { writeGuard }, reason: '' },
    })
    const write = async (headers: Record<string, string>) => {
      const answer = await locked.request('POST', '/restpp/graph/acme', seven, headers)
      return answer.body.error ? answer.body.code : 'written'
    }
    await createAcme(locked)
    return { locked, write }
  }
  const fromConsole = { 'x-console': '1' }

  it('binds requests of consoles, whatever these ask for, and no other client', async () => {
    const { locked, write } = await lockedTo('read-only')
    expect(await write({})).toBe('written')
    expect(await write(fromConsole)).toBe('WRITE_GUARDED')
    expect(await write({ ...fromConsole, 'x-write-guard': 'off' })).toBe('WRITE_GUARDED')
    expect(await write({ ...fromConsole, 'x-write-guard': 'confirmed' })).toBe('WRITE_GUARDED')
    expect(await write({ cookie: 'quiver_session=anything' })).toBe('WRITE_GUARDED')
    expect(await write({ cookie: 'other=1' })).toBe('written')
    const read = await locked.request('GET', '/gsql/v1/schema/graphs', undefined, fromConsole)
    expect(read.status).toBe(200)
    await locked.close()
  })

  it('lets through what was asked about', async () => {
    const { locked, write } = await lockedTo('confirm')
    const confirmed = { ...fromConsole, 'x-write-guard': 'confirmed' }
    expect(await write(fromConsole)).toBe('WRITE_GUARDED')
    expect(await write({ ...fromConsole, 'x-write-guard': 'read-only' })).toBe('WRITE_GUARDED')
    expect(await write(confirmed)).toBe('written')
    await locked.close()
  })
})

it('the sample sends all that it sends as confirmed as it was', async () => {
  const locked = await startServer({
    consoleSettings: { preset: {}, locked: { writeGuard: 'confirm' }, reason: '' },
  })
  const load = (headers: Record<string, string>) =>
    locked.request('POST', '/quiver/v1/sample', undefined, {
      ...{ cookie: 'quiver_session=anything', 'x-console': '1' },
      ...headers,
    })
  expect((await load({})).body).toMatchObject({ code: 'WRITE_GUARDED' })
  const { body } = await load({ 'x-write-guard': 'confirmed' })
  expect(body).toMatchObject({ error: false, results: { created: true } })
  await locked.close()
})

it('asks nothing of a request that does not ask for it', async () => {
  const answer = await server.request('POST', '/restpp/graph/acme', seven)
  expect(answer.body).toMatchObject({ error: false })
})
