import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
})
afterEach(() => server.close())

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const first = basic('tigergraph', 'tigergraph')

const status = async (url: string, headers: Record<string, string> = {}) =>
  (await server.request('GET', url, undefined, headers)).status

async function setPassword(password: string): Promise<Record<string, string>> {
  await server.request('PUT', '/gsql/v1/users', { name: 'tigergraph', password })
  return basic('tigergraph', password)
}

it('tells the version of a graph’s schema, and not to whom need not sign in', async () => {
  await createAcme(server)
  const versionAt = async (url: string) => {
    const { headers } = await server.request('GET', url, undefined, { 'x-console': '1' })
    return headers['x-schema-version']
  }
  expect(await versionAt('/gsql/v1/schema/graphs/acme')).toBeDefined()
  expect(await versionAt('/api/ping?graph=acme')).toBeUndefined()
})

describe('while the initial password stands', () => {
  it('counts requests without credentials as the first user, and refuses wrong ones', async () => {
    expect(await status('/gsql/v1/schema/graphs')).toBe(200)
    expect(await status('/gsql/v1/schema/graphs', first)).toBe(200)
    for (const headers of [
      basic('tigergraph', 'wrong'),
      basic('nobody', 'tigergraph'),
      bearer('not.a.token.at.all'),
      bearer(''),
      { authorization: 'GSQL-Secret unknown' },
      { authorization: 'Digest x' },
      { authorization: 'Basic !!!' },
    ]) {
      expect(await status('/restpp/version', headers), headers.authorization).toBe(401)
      expect(await status('/api/ping', headers), headers.authorization).toBe(401)
    }
  })

  it('says so to the console', async () => {
    const { body } = await server.request('GET', '/quiver/v1/session')
    const open = { user: 'tigergraph', passwordIsDefault: true, isSuperUser: true }
    expect(body.results).toMatchObject(open)
  })
})

describe('once the password is changed', () => {
  it('tells the console who may do everything', async () => {
    const mine = await setPassword('a better one')
    await server.request('POST', '/gsql/v1/users', { name: 'ada', password: 'eight words' }, mine)
    const isSuperUser = async (headers: Record<string, string> = {}) =>
      (await server.request('GET', '/quiver/v1/session', undefined, headers)).body.results
        .isSuperUser
    expect(await isSuperUser(mine)).toBe(true)
    expect(await isSuperUser(basic('ada', 'eight words'))).toBe(false)
    expect(await isSuperUser()).toBe(false)
    const granted = { roles: ['superuser'], users: ['ada'] }
    await server.request('POST', '/gsql/v1/roles/grant', granted, mine)
    expect(await isSuperUser(basic('ada', 'eight words'))).toBe(true)
  })

  it('asks for credentials everywhere but where nobody has any', async () => {
    await createAcme(server)
    const mine = await setPassword('a better one')
    for (const { methods, paths, privilege } of server.app.endpoints) {
      const url = (paths[0] ?? '').replace('{graph}', 'acme').replace(/\{\w+\}/g, 'x')
      const answer = await server.request(methods[0] as 'GET', url)
      if (privilege === 'PUBLIC') continue
      expect([400, 401], `${methods[0]} ${url}: ${answer.text}`).toContain(answer.status)
      if (answer.status === 400) expect(answer.body.code, url).toMatch(/REST-(30|2001)/)
    }
    for (const url of [
      '/api/ping',
      '/quiver/v1/ready',
      '/informant/metrics',
      '/quiver/v1/session',
    ]) {
      expect(await status(url), url).toBe(200)
    }
    expect(await status('/gsql/v1/schema/graphs', first)).toBe(401)
    expect(await status('/gsql/v1/schema/graphs', mine)).toBe(200)
    const refused = await server.request('GET', '/restpp/graph/acme/vertices/Person')
    expect(refused).toMatchObject({
      status: 401,
      body: { code: 'REST-10016', message: 'Access Denied because input token is empty' },
    })
  })

  it('stays changed after a restart', async () => {
    const mine = await setPassword('a better one')
    await server.close()
    server = await startServer({ image: server.image, queryWorkerCount: 0 })
    expect(await status('/gsql/v1/schema/graphs')).toBe(401)
    expect(await status('/gsql/v1/schema/graphs', mine)).toBe(200)
  })
})

describe('sessions of the console', () => {
  const logIn = (password: string) =>
    server.request('POST', '/quiver/v1/session', { user: 'tigergraph', password })
  const cookieOf = (headers: Readonly<Record<string, unknown>>) => String(headers['set-cookie'])

  it('log in with a cookie that scripts cannot read, and out', async () => {
    await setPassword('a better one')
    expect((await logIn('wrong')).status).toBe(401)
    const answer = await logIn('a better one')
    const cookie = cookieOf(answer.headers)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    expect(await status('/gsql/v1/schema/graphs', headers)).toBe(200)
    expect(await status('/gsql/v1/schema/graphs', { cookie: 'quiver_session=forged' })).toBe(401)
    const out = await server.request('DELETE', '/quiver/v1/session', undefined, headers)
    expect(cookieOf(out.headers)).toContain('Max-Age=0')
    expect(out.body.results.user).toBeNull()
  })

  it('end when the password changes, but for the one that changed it', async () => {
    const mine = await setPassword('a better one')
    const old = { cookie: cookieOf((await logIn('a better one')).headers).split(';')[0] ?? '' }
    const changed = await server.request(
      'PUT',
      '/quiver/v1/session/password',
      { current: 'a better one', next: 'the best of all' },
      old,
    )
    expect(changed.status).toBe(200)
    const fresh = { cookie: cookieOf(changed.headers).split(';')[0] ?? '' }
    expect(await status('/gsql/v1/schema/graphs', old)).toBe(401)
    expect(await status('/gsql/v1/schema/graphs', mine)).toBe(401)
    expect(await status('/gsql/v1/schema/graphs', fresh)).toBe(200)
    const wrong = await server.request(
      'PUT',
      '/quiver/v1/session/password',
      { current: 'nonsense', next: 'something else' },
      fresh,
    )
    expect(wrong.status).toBe(401)
  })
})

describe('tokens', () => {
  const token = async (body: unknown, headers: Record<string, string> = {}) =>
    (await server.request('POST', '/gsql/v1/tokens', body, headers)).body

  it('are made for a secret without credentials, and work on both halves', async () => {
    const mine = await setPassword('a better one')
    const secret = (await server.request('POST', '/gsql/v1/secrets?alias=ci', undefined, mine)).body
      .results
    expect(secret.value).toMatch(/^[a-z0-9]{32}$/)
    expect((await token({})).error).toBe(true)
    const made = await token({ secret: secret.value, lifetime: '3600' })
    expect(made).toMatchObject({ error: false, message: 'Generate new JWT token successfully.' })
    expect(made.expiration).toBe('Thu Jan 01 01:00:00 UTC 2026')
    const [, payload = ''] = made.token.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
      sub: 'tigergraph',
      iss: 'TigerGraph',
      exp: Date.UTC(2026, 0, 1, 1) / 1000,
    })
    expect(await status('/restpp/version', bearer(made.token))).toBe(200)
    expect(await status('/gsql/v1/schema/graphs', bearer(made.token))).toBe(200)
    expect(await status('/restpp/version', { authorization: `GSQL-Secret ${secret.value}` })).toBe(
      200,
    )
    expect(await status('/restpp/version', basic('__GSQL__secret', secret.value))).toBe(200)
  })

  it('expire, and say so with the code that makes clients fetch a new one', async () => {
    const { token: made } = await token({ lifetime: 60 })
    server.clock.advance(61_000)
    const answer = await server.request('GET', '/restpp/version', undefined, bearer(made))
    expect([answer.status, answer.body.code]).toEqual([401, 'REST-10019'])
  })

  it('can be limited to a graph, checked and refused', async () => {
    await createAcme(server)
    await server.request('POST', '/gsql/v1/schema/graphs?graphName=other', {})
    const { token: made } = await token({ graph: 'acme' })
    expect(await status('/restpp/graph/acme/vertices/Person', bearer(made))).toBe(200)
    expect(await status('/restpp/graph/other/vertices/Person', bearer(made))).toBe(403)
    const check = (value: string) =>
      server.request('POST', '/gsql/v1/tokens/check', { token: value })
    expect((await check(made)).body.message).toBe(`The token ${made} verification succeed.`)
    const dropped = await server.request('DELETE', '/gsql/v1/tokens', { tokens: made })
    expect(dropped.body.message).toBe('Successfully dropped the specified JWT tokens')
    expect((await check(made)).body.error).toBe(true)
    expect(await status('/restpp/version', bearer(made))).toBe(401)
    await server.request('DELETE', '/gsql/v1/tokens?clear=true')
    expect(await status('/restpp/version', bearer(made))).toBe(200)
  })

  it('are refused when forged, or when a session is passed for one', async () => {
    const { token: made } = await token({})
    const [head, payload] = made.split('.')
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    for (const forged of [`${none}.${payload}.`, `${head}.${payload}.AAAA`, 'short']) {
      expect(await status('/restpp/version', bearer(forged)), forged).toBe(401)
    }
    const answer = await server.request('POST', '/quiver/v1/session', {
      user: 'tigergraph',
      password: 'tigergraph',
    })
    const session = String(answer.headers['set-cookie']).split(';')[0]?.split('=')[1] ?? ''
    expect(await status('/restpp/version', bearer(session))).toBe(401)
  })
})

describe('a token of one graph', () => {
  it('runs no query of another, whatever the text or the URL names', async () => {
    // Its own is run: without a worker that would wait for the time limit.
    await server.close()
    server = await startServer()
    const script = `CREATE GRAPH a() CREATE GRAPH b()
      CREATE QUERY qb() FOR GRAPH b { PRINT 1; } USE GRAPH b INSTALL QUERY qb`
    await server.request('POST', '/gsql/v1/statements', script)
    const made = await server.request('POST', '/gsql/v1/tokens', { graph: 'a' })
    const headers = bearer(made.body.token)
    const send = (method: 'GET' | 'POST', url: string, body?: unknown) =>
      server.request(method, url, body, headers)
    expect((await send('GET', '/restpp/query/b/qb')).status).toBe(403)
    expect((await send('GET', '/restpp/query/qb')).status).toBe(403)
    const text = 'INTERPRET QUERY () FOR GRAPH b { PRINT 1; }'
    expect((await send('POST', '/gsql/v1/queries/interpret', text)).status).toBe(403)
    const told = await send('POST', '/gsql/v1/statements?graph=a', `${text} DROP ALL`)
    expect(told.text).toContain('limited to graph a')
    const type = { createVertices: [] }
    expect((await send('POST', '/gsql/v1/schema/vertices', type)).status).toBe(403)
    expect((await send('GET', '/gsql/v1/users')).status).toBe(403)
    expect((await send('GET', '/quiver/v1/audit')).status).toBe(403)
    const created = await send(
      'POST',
      '/gsql/v1/queries?graph=a',
      'CREATE QUERY q() FOR GRAPH b { PRINT 1; }',
    )
    expect(created.status).toBe(403)
    const own = await send(
      'POST',
      '/gsql/v1/queries/interpret?graph=a',
      'INTERPRET QUERY () { PRINT 1; }',
    )
    expect(own.body).toMatchObject({ error: false, results: [{ 1: 1 }] })
  })
})

describe('a token of one graph, without the name of a graph', () => {
  it.each([
    ['GET', '/restpp/showprocesslistall'],
    ['GET', '/restpp/showdelayedlistall'],
    ['GET', '/restpp/abortquery?requestid=all'],
    ['GET', '/restpp/deleted_vertex_check'],
    ['GET', '/restpp/data_consistency_check'],
    ['GET', '/gsql/v1/data-sources'],
  ] as const)('does not reach what runs and lies in all of them: %s %s', async (method, url) => {
    await server.request('POST', '/gsql/v1/statements', 'CREATE GRAPH a()')
    const made = await server.request('POST', '/gsql/v1/tokens', { graph: 'a' })
    const answer = await server.request(method, url, undefined, bearer(made.body.token))
    expect(answer.status).toBe(403)
    expect(answer.body.message).toContain('it may not reach what all graphs share')
    expect((await server.request(method, url)).status).toBe(200)
  })

  it('lists what runs in its own', async () => {
    await server.request('POST', '/gsql/v1/statements', 'CREATE GRAPH a()')
    const made = await server.request('POST', '/gsql/v1/tokens', { graph: 'a' })
    for (const url of ['/gsql/v1/queries/running', '/quiver/v1/queries/slow']) {
      const answer = await server.request('GET', url, undefined, bearer(made.body.token))
      expect(answer.status, url).toBe(200)
    }
  })
})

describe('secrets', () => {
  it('are listed to their owner, unique by alias, and dropped by alias or value', async () => {
    const made = (await server.request('POST', '/gsql/v1/secrets?alias=ci')).body.results
    expect((await server.request('POST', '/gsql/v1/secrets?alias=ci')).body).toMatchObject({
      error: true,
      message: expect.stringContaining('already exists'),
    })
    const auto = (await server.request('POST', '/gsql/v1/secrets')).body.results
    expect(auto.alias).toMatch(/^AUTO_GENERATED_ALIAS_[a-z0-9]{7}$/)
    const listed = (await server.request('GET', '/gsql/v1/secrets')).body.results
    expect(listed).toEqual([made, auto])
    expect((await server.request('GET', '/gsql/v1/secrets/ci')).body.results).toEqual(made)
    // What is listed logs in, as the Python client does it.
    const token = await server.request('POST', '/gsql/v1/tokens', { secret: listed[0].value })
    expect(token.body).toMatchObject({ error: false, token: expect.any(String) })
    const users = await server.request('GET', '/gsql/v1/users')
    expect(users.text).not.toContain(made.value)
    const taken = await server.request('POST', `/gsql/v1/secrets?alias=b&value=${made.value}`)
    expect(taken.body.code).toBe('NAME_TAKEN')
    expect((await server.request('DELETE', '/gsql/v1/secrets/ghost')).body.error).toBe(true)
    expect((await server.request('DELETE', '/gsql/v1/secrets', {})).body.error).toBe(true)
    const dropped = await server.request('DELETE', '/gsql/v1/secrets', {
      secrets: [made.value, auto.alias],
    })
    expect(dropped.body.message).toBe('Successfully removed the secrets for user tigergraph.')
    expect((await server.request('GET', '/gsql/v1/secrets')).body.results).toEqual([])
  })
})

describe('users', () => {
  it('are created, listed and dropped; others than the superuser cannot', async () => {
    const created = await server.request('POST', '/gsql/v1/users', {
      username: 'ada',
      password: 'secret123',
    })
    expect(created.body.message).toBe('Successfully created user ada')
    const ada = basic('ada', 'secret123')
    expect(await status('/gsql/v1/auth/simple', ada)).toBe(200)
    expect(await status('/gsql/v1/schema/graphs', ada)).toBe(403)
    expect(await status('/gsql/v1/users', ada)).toBe(403)
    const hijack = { name: 'tigergraph', password: 'mine now' }
    expect((await server.request('PUT', '/gsql/v1/users', hijack, ada)).status).toBe(403)
    expect(
      (await server.request('GET', '/gsql/v1/secrets?userName=tigergraph', undefined, ada)).status,
    ).toBe(403)
    const own = await server.request(
      'PUT',
      '/gsql/v1/users',
      { name: 'ada', password: 'other456' },
      ada,
    )
    expect(own.body.message).toBe('Successfully updated user ada')
    expect(
      (await server.request('GET', '/gsql/v1/auth/simple', undefined, basic('ada', 'other456')))
        .body.results,
    ).toMatchObject({
      name: 'ada',
      isSuperUser: false,
    })
    expect((await server.request('DELETE', '/gsql/v1/users/ada')).body.message).toBe(
      'Successfully dropped user ada',
    )
    expect(await status('/gsql/v1/auth/simple', basic('ada', 'other456'))).toBe(401)
    expect((await server.request('DELETE', '/gsql/v1/users/tigergraph')).body.error).toBe(true)
    expect(
      (await server.request('POST', '/gsql/v1/users', { username: '__proto__', password: 'x' }))
        .body.code,
    ).toBe('INVALID_NAME')
  })

  it('wait after five failures in a row, longer each time', async () => {
    await setPassword('a better one')
    const wrong = basic('tigergraph', 'wrong')
    for (let count = 0; count < 5; count++) expect(await status('/restpp/version', wrong)).toBe(401)
    const waiting = await server.request(
      'GET',
      '/restpp/version',
      undefined,
      basic('tigergraph', 'a better one'),
    )
    expect([waiting.status, waiting.body.message, waiting.headers['retry-after']]).toEqual([
      429,
      'Too many failed logins; wait 10 seconds.',
      '10',
    ])
    expect(waiting.body.code).toBe('REST-12001')
    const credentials = { user: 'tigergraph', password: 'a better one' }
    const login = await server.request('POST', '/quiver/v1/session', credentials)
    expect([login.status, login.headers['retry-after'], login.body.code]).toEqual([
      429,
      '10',
      'TOO_MANY_REQUESTS',
    ])
    server.clock.advance(10_000)
    expect(await status('/restpp/version', wrong)).toBe(401)
    const longer = await server.request(
      'GET',
      '/restpp/version',
      undefined,
      basic('tigergraph', 'a better one'),
    )
    expect(longer.body.message).toContain('wait 20 seconds')
    server.clock.advance(20_000)
    expect(await status('/restpp/version', basic('tigergraph', 'a better one'))).toBe(200)
  })
})

describe('names of graphs and queries', () => {
  it('are in no metrics of who may not know them', async () => {
    await createAcme(server)
    const text = 'CREATE QUERY leak() FOR GRAPH acme { PRINT 1; }'
    await server.request('POST', '/gsql/v1/queries?graph=acme', text)
    // No thread runs it: it ends when its time is over.
    const atOnce = { 'gsql-timeout': '1' }
    await server.request('GET', '/restpp/query/acme/leak', undefined, atOnce)
    await server.request('POST', '/gsql/v1/users', { username: 'ada', password: 'secret123' })
    server.clock.advance(6_000)
    await setPassword('a better one')
    const root = basic('tigergraph', 'a better one')
    const ada = basic('ada', 'secret123')
    const read = async (url: string, headers: Record<string, string>) =>
      (await server.request('GET', url, undefined, headers)).text
    const metrics = '/informant/metrics'
    expect(await read(metrics, root)).toContain('endpoint="GET /query/acme/leak"')
    for (const headers of [{}, ada]) {
      const text = await read(metrics, headers)
      expect(text).toContain('endpoint="GET /query/{query}"')
      expect(text).not.toMatch(/acme|leak/)
      expect(text).toMatch(/# EOF\n$/)
    }
    const history = '/ts3/api/datapoints?what=qps'
    expect(await read(history, root)).toContain('/query/acme/leak')
    expect(await read(history, ada)).not.toMatch(/acme|leak/)
  })
})
