/** Users, roles, grants, secrets and the block list over kill -9: what was answered stands. */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type RunningServer, startServer } from './running-server.ts'

it('users, roles, grants, secrets and blocked tokens stand after kill -9', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-access-'))
  let server = await startServer(directory)
  try {
    const token = await makeAccess(server)
    await server.kill()
    server = await startServer(directory)
    const ada = { authorization: `Basic ${Buffer.from('ada:pass-word').toString('base64')}` }
    expect(await status(server, '/gsql/v1/schema/graphs/g', ada)).toBe(200)
    expect(await status(server, '/restpp/graph/g/vertices/V', ada)).toBe(200)
    expect(await status(server, '/restpp/graph/g/vertices/W', ada)).toBe(403)
    expect(await status(server, '/gsql/v1/users', ada)).toBe(403)
    expect(await status(server, '/restpp/version', { authorization: `Bearer ${token}` })).toBe(401)
    const secret = { authorization: 'GSQL-Secret secret-of-the-first-user' }
    expect(await status(server, '/gsql/v1/users', secret)).toBe(200)
    const audit = (await server.request('GET', '/quiver/v1/audit?limit=1000')).body.results
    const actions = audit.map(({ action }: { action: string }) => action)
    expect(actions).toContain('POST /gsql/v1/users')
    expect(actions).toContain('GRANT ROLE')
    const file = join(directory, 'audit.log')
    expect(statSync(file).mode & 0o077).toBe(0)
    const text = readFileSync(file, 'utf8')
    for (const hidden of ['pass-word', 'secret-of-the-first-user', token]) {
      expect(text).not.toContain(hidden)
    }
  } finally {
    await server.kill()
    rmSync(directory, { recursive: true })
  }
}, 120_000)

/** @returns a token that is blocked */
async function makeAccess(server: RunningServer): Promise<string> {
  const script = async (text: string) => {
    const answer = await fetch(`${server.url}/gsql/v1/statements`, { method: 'POST', body: text })
    const told = await answer.text()
    expect(told).not.toMatch(/fail|error|not /i)
  }
  await script('CREATE VERTEX V(PRIMARY_ID id STRING) CREATE VERTEX W(PRIMARY_ID id STRING)')
  await script('CREATE GRAPH g(V, W)')
  const user = { username: 'ada', password: 'pass-word' }
  expect((await server.request('POST', '/gsql/v1/users', user)).body.error).toBe(false)
  await script(`CREATE ROLE part ON GRAPH g GRANT READ_DATA ON VERTEX V IN GRAPH g TO part
    GRANT ROLE part, observer ON GRAPH g TO ada`)
  await script('GRANT READ_SCHEMA ON GRAPH g TO part REVOKE ROLE observer ON GRAPH g FROM ada')
  const secret = '/gsql/v1/secrets?alias=ci&value=secret-of-the-first-user'
  expect((await server.request('POST', secret)).body.error).toBe(false)
  const { token } = (await server.request('POST', '/gsql/v1/tokens', {})).body
  const dropped = await server.request('DELETE', '/gsql/v1/tokens', { tokens: token })
  expect(dropped.body.error).toBe(false)
  return token
}

async function status(
  { url }: RunningServer,
  path: string,
  headers: Record<string, string>,
): Promise<number> {
  return (await fetch(url + path, { headers })).status
}
