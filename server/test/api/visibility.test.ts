/** What the users of one graph learn of another: nothing, by lists, scripts and error messages alike. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Answer, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

/** Each with its role on graph `seen`; `nobody` has none. */
const users = {
  nobody: null,
  observer: 'observer',
  queryreader: 'queryreader',
  designer: 'designer',
  admin: 'admin',
} as const
type User = keyof typeof users | 'hider'

const credentials = (user: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${user} password`).toString('base64')}`,
})
const send = (
  user: User | null,
  method: 'GET' | 'POST',
  url: string,
  body?: unknown,
  headers = {},
) => server.request(method, url, body, { ...(user !== null && credentials(user)), ...headers })
const script = (user: User | null, text: string) => send(user, 'POST', '/gsql/v1/statements', text)

beforeAll(async () => {
  server = await startServer()
  const { text } = await script(
    null,
    `CREATE GRAPH hidden ()
     CREATE GRAPH seen ()
     USE GRAPH hidden
     CREATE SCHEMA_CHANGE JOB j FOR GRAPH hidden { ADD VERTEX Veiled (PRIMARY_ID id STRING, word STRING); }
     RUN SCHEMA_CHANGE JOB j
     CREATE QUERY veil(STRING p) FOR GRAPH hidden { S = {Veiled.*}; PRINT S, p; }
     CREATE LOADING JOB veiljob FOR GRAPH hidden { DEFINE FILENAME f; LOAD f TO VERTEX Veiled VALUES ($0, $1) USING SEPARATOR=","; }
     CREATE DATA_SOURCE veilsource = "{\\"type\\": \\"s3\\"}" FOR GRAPH hidden
     USE GRAPH seen
     CREATE QUERY plain() FOR GRAPH seen { PRINT 1; }
     INSTALL QUERY ALL
     USE GRAPH hidden
     INSTALL QUERY ALL
     CREATE ROLE veilrole ON GRAPH hidden
     CREATE ROLE mixed ON GLOBAL
     GRANT PRIVILEGE READ_DATA ON GRAPH hidden TO mixed
     CREATE USER hider WITH PASSWORD "hider password"
     GRANT ROLE admin ON GRAPH hidden TO hider
     GRANT ROLE admin ON GRAPH seen TO hider
     ${Object.entries(users)
       .map(
         ([user, role]) => `CREATE USER ${user} WITH PASSWORD "${user} password"
          ${role === null ? '' : `GRANT ROLE ${role} ON GRAPH seen TO ${user}`}`,
       )
       .join('\n')}`,
  )
  expect(text).not.toMatch(/fail|error|does not/i)
  const vertices = { Veiled: { v: { word: { value: 'covert' } } } }
  await send(null, 'POST', '/restpp/graph/hidden', { vertices })
})
afterAll(() => server.close())

/** Names and values of the other graph, none of which the request itself says. */
const secret = /hidden|[Vv]eil|covert/

const reads: readonly string[] = [
  '/gsql/v1/schema/graphs',
  '/gsql/v1/users?graph=seen',
  '/gsql/v1/users/hider?graph=seen',
  '/gsql/v1/roles?graph=seen',
  '/gsql/v1/roles/mixed',
  '/gsql/v1/auth/simple',
  '/gsql/v1/queries/info?graph=seen',
  '/gsql/v1/queries/running',
  '/gsql/v1/data-sources?graph=seen',
  '/gsql/v1/loading-jobs?graph=seen',
  '/gsql/v1/packages',
  '/gsql/v1/udt/tuples',
  '/restpp/endpoints',
  '/restpp/endpoints/seen',
  '/restpp/endpoints/hidden',
  '/restpp/statistics/seen?seconds=60',
  '/restpp/query_status?requestid=all',
  '/restpp/showprocesslist/seen',
  '/restpp/showprocesslistall',
  '/restpp/showdelayedlistall',
  '/restpp/deleted_vertex_check/seen?verbose=4',
  '/restpp/vector/status',
  '/quiver/v1/queries/slow',
  '/quiver/v1/queries/slow?graph=seen',
  '/quiver/v1/maintenance/runs',
  '/quiver/v1/audit',
  '/quiver/v1/log',
]

const scripts: readonly string[] = [
  'LS',
  'USE GLOBAL LS',
  'USE GRAPH seen LS',
  'SHOW GRAPH',
  'USE GRAPH seen SHOW USER',
  'USE GRAPH seen SHOW ROLE',
  'USE GRAPH seen SHOW PRIVILEGE ON USER hider',
  'USE GRAPH seen SHOW PRIVILEGE ON ROLE mixed',
  'USE GRAPH seen SHOW QUERY',
  'USE GRAPH seen SHOW JOB',
  'USE GRAPH seen SHOW DATA_SOURCE',
  'SHOW PACKAGE',
  'INTERPRET QUERY () { PRINT 1; }',
  'USE GRAPH seen INTERPRET QUERY () FOR GRAPH seen { S = {ANY}; PRINT S; }',
  'USE GRAPH seen INTERPRET QUERY () FOR GRAPH seen { PRINT to_vertex("v", "Veiled"); }',
]

/** Without what it repeats of the request, which is no news to who sent it. */
const news = ({ text }: Answer, request: string) => {
  const own = new Set(request.match(/\w+/g) ?? [])
  return text.replaceAll(/\w+/g, (word) => (own.has(word) ? '' : word))
}

describe.each(Object.keys(users) as (keyof typeof users)[])('%s', (user) => {
  it.each(reads)('learns nothing of another graph by GET %s', async (url) => {
    const answer = await send(user, 'GET', url)
    expect(news(answer, url)).not.toMatch(secret)
  })

  it.each(scripts)('learns nothing of another graph by %s', async (text) => {
    expect(news(await script(user, text), text)).not.toMatch(secret)
  })

  it('cannot tell a graph that it has no rights on from one that does not exist', async () => {
    const told = async (graph: string, rest: string) =>
      (await script(user, `USE GRAPH ${graph}${rest}`)).text.replaceAll(graph, 'G')
    for (const rest of [
      '',
      ' LS',
      ' SHOW QUERY',
      ' RUN QUERY veil("x")',
      ' RUN LOADING JOB veiljob',
    ]) {
      expect(await told('hidden', rest)).toBe(await told('absent', rest))
    }
    const at = async (url: string) => {
      const { status, text } = await send(user, 'GET', url)
      return [status, text.replaceAll(/absent|hidden/g, 'G').replace(/"schema":\d/, '')]
    }
    for (const url of [
      '/restpp/graph/G/vertices/Veiled',
      '/restpp/query/G/veil?p=1',
      '/gsql/v1/schema/graphs/G',
      '/gsql/v1/queries/info?graph=G',
      '/restpp/statistics/G?seconds=60',
    ]) {
      const [there, absent] = [url.replace('G', 'hidden'), url.replace('G', 'absent')]
      expect(await at(there), url).toEqual(await at(absent))
    }
  })

  it('cannot tell a query, a role or a data source of it from one that does not exist', async () => {
    const byName = await send(user, 'GET', '/restpp/query/veil?p=1')
    expect(byName.text).not.toContain('hidden')
    const drop = async (role: string) =>
      (await script(user, `DROP ROLE ${role}`)).text.replaceAll(role, 'R')
    expect(await drop('veilrole')).toBe(await drop('absent'))
    const read = async (role: string) =>
      (await send(user, 'GET', `/gsql/v1/roles/${role}`)).text.replaceAll(role, 'R')
    expect(await read('veilrole')).toBe(await read('absent'))
    if (user === 'designer' || user === 'admin') return
    const grant = async (source: string) =>
      (await script(user, `GRANT DATA_SOURCE ${source} TO GRAPH seen`)).text.replaceAll(source, 'S')
    expect(await grant('veilsource')).toBe(await grant('absent'))
  })
})

describe('the answer of a detached run', () => {
  it('is for its user, and for who may read data and files of its graph', async () => {
    const started = await send('admin', 'GET', '/restpp/query/seen/plain', undefined, {
      'gsql-async': 'true',
    })
    const url = `/restpp/query_result?requestid=${started.body.request_id}`
    await expect.poll(async () => (await send('admin', 'GET', url)).status).toBe(200)
    expect((await send('designer', 'GET', url)).status).toBe(200)
    expect((await send('queryreader', 'GET', url)).status).toBe(403)
    expect((await send('nobody', 'GET', url)).status).toBe(403)
  })
})
