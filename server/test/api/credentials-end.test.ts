/** Tokens and sessions that were ended open nothing any more, however they are written. */

import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SESSIONS_PER_USER_MAX } from '#kernel/limits.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

const basic = (user: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
})
const root = basic('tigergraph', 'right')
const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const withCookie = (cookie: string) => ({ cookie })

beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
  await server.request('POST', '/gsql/v1/users', { username: 'ada', password: 'ada ada ada' })
  await server.request('PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'right' })
})
afterEach(() => server.close())

async function restart(): Promise<void> {
  await server.close()
  server = await startServer({ queryWorkerCount: 0, image: server.image })
}

const newToken = async (headers = root, body: object = {}): Promise<string> =>
  (await server.request('POST', '/gsql/v1/tokens', body, headers)).body.token

const statusOf = async (headers: Record<string, string>) =>
  (await server.request('GET', '/restpp/version', undefined, headers)).status

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Other texts that a decoder of base64 takes for the same bytes, and some that it does not. */
function spellingsOf(token: string): string[] {
  const [head = '', claims = '', signature = ''] = token.split('.')
  const last = alphabet.indexOf(signature.at(-1) ?? '')
  // 32 bytes take 43 letters: the last has two spare bits.
  const spare = [1, 2, 3].map((bits) => signature.slice(0, -1) + alphabet[last ^ bits])
  const plain = (text: string) => text.replaceAll('-', '+').replaceAll('_', '/')
  const join = (...parts: string[]) => parts.join('.')
  return [
    ...spare.map((text) => join(head, claims, text)),
    ...['=', '==', '\n', ' ', '\t', '%3D', '.', '\u00a0'].map((end) => `${token}${end}`),
    join(head, claims, `${signature.slice(0, 9)} ${signature.slice(9)}`),
    join(`${head}=`, claims, signature),
    join(head, `${claims}=`, signature),
    join(head, claims, plain(signature)),
    join(head, claims, signature, ''),
    `.${token}`,
    `"${token}"`,
  ].filter((text) => text.trim() !== token)
}

describe('a token', () => {
  it('is refused in every spelling, revoked or not, before a restart and after it', async () => {
    const token = await newToken()
    for (const text of spellingsOf(token)) {
      expect(await statusOf(bearer(text)), JSON.stringify(text)).toBe(401)
    }
    expect(await statusOf(bearer(`  ${token}  `))).toBe(200)
    const dropped = await server.request(
      'DELETE',
      '/gsql/v1/tokens',
      { tokens: [` ${token}\n`] },
      root,
    )
    expect(dropped.status).toBe(200)
    const check = async () => {
      for (const text of [token, ...spellingsOf(token)]) {
        expect(await statusOf(bearer(text)), JSON.stringify(text)).toBe(401)
      }
    }
    await check()
    await restart()
    await check()
    expect(
      (await server.request('DELETE', '/gsql/v1/tokens?clear=true', undefined, root)).status,
    ).toBe(200)
    expect(await statusOf(bearer(token))).toBe(200)
  })

  it('that an earlier server blocked by the hash of its text stays blocked', async () => {
    const [token, other] = [await newToken(), await newToken()]
    const entryOf = (text: string) => {
      const hash = createHash('sha256').update(text).digest('base64')
      return { hash, expiresAtSeconds: server.clock.nowMs() / 1000 + 1_000 }
    }
    await server.close()
    const documents = server.image.documents
    const entry = entryOf(token)
    const key = Buffer.from(entry.hash, 'base64').toString('base64url')
    documents.set('blocked-tokens', new Map([[key, Buffer.from(JSON.stringify(entry))]]))
    const list = Buffer.from(JSON.stringify([entryOf(other)]))
    documents.get('auth')!.set('blocked-tokens', list)
    server = await startServer({ queryWorkerCount: 0, image: server.image })
    for (const text of [token, other, ...spellingsOf(token)])
      expect(await statusOf(bearer(text))).toBe(401)
    expect(await statusOf(bearer(await newToken()))).toBe(200)
  })

  it('that is blocked is forgotten when it has expired, or when all are revoked', async () => {
    const blocked = () => server.image.documents.get('blocked-tokens')?.size ?? 0
    const block = async (lifetime: number) => {
      const token = await newToken(root, { lifetime })
      await server.request('DELETE', '/gsql/v1/tokens', { tokens: [token] }, root)
    }
    for (let count = 0; count < 3; count++) await block(60)
    expect(blocked()).toBe(3)
    server.clock.advance(61_000)
    await block(1_000)
    expect(blocked()).toBe(1)
    await server.request('DELETE', '/quiver/v1/tokens', undefined, root)
    expect(blocked()).toBe(0)
  })
})

describe('a session', () => {
  /** @returns the cookie */
  async function logIn(password = 'right', user = 'tigergraph'): Promise<string> {
    const { headers } = await server.request('POST', '/quiver/v1/session', { user, password })
    return String(headers['set-cookie']).split(';')[0]!
  }
  const logOut = (cookie: string) =>
    server.request('DELETE', '/quiver/v1/session', undefined, { cookie })

  it('ends when its user signs out, in every spelling, also after a restart; others go on', async () => {
    const [one, other] = [await logIn(), await logIn()]
    const copies = [one, ...spellingsOf(one.split('=')[1]!).map((text) => `quiver_session=${text}`)]
    expect(await statusOf(withCookie(one))).toBe(200)
    expect((await logOut(one)).headers['set-cookie']).toContain('Max-Age=0')
    for (const cookie of copies) expect(await statusOf(withCookie(cookie)), cookie).toBe(401)
    expect(await statusOf(withCookie(other))).toBe(200)
    await restart()
    expect(await statusOf(withCookie(one))).toBe(401)
    expect(await statusOf(withCookie(other))).toBe(200)
    // What is no session ends none.
    for (const cookie of ['quiver_session=', 'quiver_session=x', one, 'a=b']) {
      expect((await logOut(cookie)).status).toBe(200)
    }
    expect(await statusOf(withCookie(other))).toBe(200)
  })

  it('ends with its password, but for the one that changed it', async () => {
    const [own, other] = [await logIn(), await logIn()]
    const change = { current: 'right', next: 'another one' }
    const answer = await server.request('PUT', '/quiver/v1/session/password', change, {
      cookie: own,
    })
    const fresh = String(answer.headers['set-cookie']).split(';')[0]!
    expect(await statusOf(withCookie(own))).toBe(401)
    expect(await statusOf(withCookie(other))).toBe(401)
    expect(await statusOf(withCookie(fresh))).toBe(200)
    expect(server.image.documents.get('sessions')?.size).toBe(1)
  })

  it('of one user are so many; the oldest ends', async () => {
    const first = await logIn()
    const of = await logIn('ada ada ada', 'ada')
    for (let count = 0; count < SESSIONS_PER_USER_MAX; count++) await logIn()
    expect(await statusOf(withCookie(first))).toBe(401)
    expect(await statusOf(withCookie(of))).toBe(200)
    expect(server.image.documents.get('sessions')?.size).toBe(SESSIONS_PER_USER_MAX + 1)
  })

  it('is no token, and a token is no session', async () => {
    const cookie = await logIn()
    expect(await statusOf(bearer(cookie.split('=')[1]!))).toBe(401)
    expect(await statusOf(withCookie(`quiver_session=${await newToken()}`))).toBe(401)
  })
})

it('a token that is limited to a graph changes no credentials and reaches no other graph', async () => {
  const limited = bearer(await newToken(root, { graph: 'acme' }))
  const script = await server.request('POST', '/gsql/v1/statements?async=true', 'LS', root)
  const calls = [
    ['PUT', '/quiver/v1/session/password', { current: 'right', next: 'taken over' }],
    ['PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'taken over' }],
    ['POST', '/gsql/v1/secrets', undefined],
    ['GET', '/gsql/v1/secrets', undefined],
    ['DELETE', '/gsql/v1/secrets', { secrets: ['a'] }],
    ['GET', '/quiver/v1/secrets/usage', undefined],
    ['GET', '/quiver/v1/tokens', undefined],
    ['DELETE', '/quiver/v1/tokens', undefined],
    ['DELETE', '/gsql/v1/tokens?clear=true', undefined],
    ['DELETE', '/restpp/expiredtoken', { user: ['ada'] }],
    ['PUT', '/quiver/v1/documents/scene/one', {}],
    ['GET', '/quiver/v1/documents/scene', undefined],
    ['GET', '/quiver/v1/documents/scene/one', undefined],
    ['DELETE', '/quiver/v1/documents/scene/one', undefined],
    ['GET', `/gsql/v1/statements/${script.body.requestId}`, undefined],
    ['PUT', `/gsql/v1/statements/${script.body.requestId}/cancel`, undefined],
  ] as const
  for (const [method, url, body] of calls) {
    const answer = await server.request(method, url, body, limited)
    expect(answer.body.error, `${method} ${url}: ${answer.text}`).toBe(true)
  }
  expect(await statusOf(root)).toBe(200)
  // What a limited token starts it may see.
  const own = await server.request(
    'POST',
    '/gsql/v1/statements?async=true&graph=acme',
    'LS',
    limited,
  )
  const seen = await server.request(
    'GET',
    `/gsql/v1/statements/${own.body.requestId}`,
    undefined,
    limited,
  )
  expect(seen.body).toMatchObject({ error: false })
})
