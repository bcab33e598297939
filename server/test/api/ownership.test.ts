/** Owners of queries, and tokens that were issued: what belongs to whom. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { type AccessServer, startAccess } from '../fixtures/access.ts'
import { startServer } from '../fixtures/server.ts'

let access: AccessServer
beforeEach(async () => {
  access = await startAccess()
  for (const name of ['ada', 'bo']) await access.makeUser(name)
})
afterEach(() => access.server.close())

const query = 'CREATE OR REPLACE QUERY own() FOR GRAPH acme { PRINT 1 AS one; }'
const create = (user?: string) => access.request('POST', '/gsql/v1/queries?graph=acme', query, user)
const read = (user: string) =>
  access.request('GET', '/gsql/v1/queries/own?graph=acme', undefined, user)
const give = (user: string, by?: string) =>
  access.gsql(`USE GRAPH acme GRANT OWNERSHIP ON QUERY own TO ${user}`, by)

describe('the owner of a query', () => {
  it('reads, runs and drops it without a privilege, and nobody else does', async () => {
    await create()
    expect((await read('ada')).status).toBe(403)
    expect(await give('ada')).toContain(
      'Successfully granted ownership on queries [own] to user ada.',
    )
    expect((await read('ada')).body.queryContent).toBe(query)
    expect((await read('bo')).status).toBe(403)
    const run = (user: string) => access.request('GET', '/restpp/query/acme/own', undefined, user)
    expect((await run('ada')).body.results).toEqual([{ one: 1 }])
    expect((await run('bo')).status).toBe(403)
    expect(await access.gsql('USE GRAPH acme RUN QUERY own()', 'ada')).toContain('"one":1')
    // To bo, who has nothing on the graph, not even that is told.
    const dropped = await access.gsql('USE GRAPH acme DROP QUERY own', 'bo')
    expect(dropped).toBe("Graph 'acme' does not exist.\n")
    expect(await access.gsql('USE GRAPH acme DROP QUERY *', 'ada')).toContain('DROP_QUERY')
    const info = await access.request('GET', '/gsql/v1/queries/info?graph=acme&query=own')
    expect(info.body.results[0].owner).toBe('ada')
    const drop = await access.request('DELETE', '/gsql/v1/queries/own?graph=acme', undefined, 'ada')
    expect(drop.body.dropped).toEqual(['own'])
    expect((await read('ada')).status).toBe(403)
  })

  it('is who made it, and replaces it with CREATE_QUERY alone', async () => {
    await access.gsql(`CREATE ROLE maker ON GRAPH acme
      GRANT PRIVILEGE CREATE_QUERY, INSTALL_QUERY ON GRAPH acme TO maker
      GRANT ROLE maker ON GRAPH acme TO ada GRANT ROLE maker ON GRAPH acme TO bo`)
    expect((await create('ada')).body.error).toBe(false)
    expect((await create('ada')).body.error).toBe(false)
    expect((await create('bo')).body.message).toContain('UPDATE_QUERY')
    expect((await create()).body.error).toBe(false)
    expect((await read('ada')).status).toBe(200)
  })

  it('gives it away, once, to somebody who is there', async () => {
    await create()
    expect(await give('ghost')).toContain('The user ghost does not exist.')
    expect(await give('bo', 'ada')).toContain("Graph 'acme' does not exist.")
    await give('ada')
    expect(await give('bo', 'ada')).toContain('to user bo.')
    expect((await read('ada')).status).toBe(403)
    expect((await read('bo')).status).toBe(200)
    expect(await access.gsql('USE GRAPH acme GRANT OWNERSHIP ON QUERY own, no TO ada')).toContain(
      "Query 'no' does not exist",
    )
    expect((await read('bo')).status).toBe(200)
  })

  it('leaves nothing to the next user of his name', async () => {
    await create()
    await give('ada')
    await access.request('DELETE', '/gsql/v1/users/ada')
    await access.makeUser('ada')
    expect((await read('ada')).status).toBe(403)
  })

  it('drops nothing where the request asked to change nothing', async () => {
    await create()
    await give('ada')
    const authorization = `Basic ${Buffer.from('ada:password of ada').toString('base64')}`
    const headers = { authorization, 'x-write-guard': 'read-only' }
    const url = '/gsql/v1/queries/own?graph=acme'
    expect((await access.server.request('DELETE', url, undefined, headers)).status).toBe(403)
    const script = 'USE GRAPH acme DROP QUERY own'
    const said = await access.server.request('POST', '/gsql/v1/statements', script, headers)
    expect(said.text).toContain('write guard')
    expect((await read('ada')).status).toBe(200)
  })

  it('owns nothing by a token of another graph', async () => {
    await access.request('POST', '/gsql/v1/schema/graphs?graphName=other', {})
    await create()
    await give('ada')
    const bearer = async (graph: string) => {
      const { body } = await access.request('POST', '/gsql/v1/tokens', { graph }, 'ada')
      const headers = { authorization: `Bearer ${body.token}` }
      const { server } = access
      const script = 'USE GRAPH acme DROP QUERY own'
      const url = '/gsql/v1/queries/own?graph=acme'
      return {
        read: (await server.request('GET', url, undefined, headers)).status,
        drop: (await server.request('POST', '/gsql/v1/statements', script, headers)).text,
      }
    }
    const elsewhere = await bearer('other')
    expect(elsewhere.read).toBe(403)
    expect(elsewhere.drop).toContain('limited to graph other')
    const here = await bearer('acme')
    expect(here.read).toBe(200)
    expect(here.drop).toContain('Successfully dropped queries')
  })
})

describe('issued tokens', () => {
  const make = async (user: string, body: object = {}) =>
    (await access.request('POST', '/gsql/v1/tokens', body, user)).body.token as string
  const list = async (user: string, of = '') =>
    await access.request('GET', `/quiver/v1/tokens${of}`, undefined, user)
  const isGood = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (
      (await access.server.request('GET', '/gsql/v1/auth/simple', undefined, headers)).status ===
      200
    )
  }

  it('tell when they were last used, and secrets too, each to its owner alone', async () => {
    const token = await make('ada', { lifetime: 600 })
    const lastUse = async () => (await list('ada')).body.results[0].lastUsedAt
    expect(await lastUse()).toBeNull()
    expect(await isGood(token)).toBe(true)
    expect(await lastUse()).toBe(access.server.clock.nowMs())
    const secret = await access.request('POST', '/gsql/v1/secrets?alias=ci', undefined, 'ada')
    const secrets = async (user: string) =>
      (await access.request('GET', '/quiver/v1/secrets/usage', undefined, user)).body.results
    expect(await secrets('ada')).toEqual([{ alias: 'ci', lastUsedAt: null }])
    const headers = { authorization: `GSQL-Secret ${secret.body.results.value}` }
    await access.server.request('GET', '/gsql/v1/auth/simple', undefined, headers)
    expect(await secrets('ada')).toEqual([{ alias: 'ci', lastUsedAt: access.server.clock.nowMs() }])
    expect(await secrets('bo')).toEqual([])
  })

  it('are listed for their user, newest first, until they expire', async () => {
    await make('ada', { lifetime: 60 })
    await make('ada', { graph: 'acme', lifetime: 600 })
    await make('bo')
    const issuedAt = Date.UTC(2026, 0, 1) / 1000
    const second = {
      graph: 'acme',
      issuedAt,
      expiresAt: issuedAt + 600,
      revoked: false,
      lastUsedAt: null,
    }
    const first = {
      graph: null,
      issuedAt,
      expiresAt: issuedAt + 60,
      revoked: false,
      lastUsedAt: null,
    }
    expect((await list('ada')).body.results).toMatchObject([second, first])
    expect((await list('bo', '?user=ada')).status).toBe(403)
    const asFirst = await access.request('GET', '/quiver/v1/tokens?user=ada')
    expect(asFirst.body.results).toHaveLength(2)
    access.server.clock.advance(61_000)
    expect((await list('ada')).body.results).toMatchObject([second])
    const forgotten = await access.request('DELETE', '/expiredtoken', undefined, 'ada')
    expect(forgotten.body).toMatchObject({
      ...{ error: false, code: 'REST-0000', message: 'Successfully removed 1 expired tokens.' },
    })
    const others = { user: ['bo'] }
    expect((await access.request('DELETE', '/expiredtoken', others, 'ada')).status).toBe(403)
  })

  it('are revoked all at once, by their user or a superuser, and new ones are good', async () => {
    const [token, other] = [await make('ada'), await make('bo')]
    const revoke = (user: string | undefined, of = '') =>
      access.request('DELETE', `/quiver/v1/tokens${of}`, undefined, user)
    expect((await revoke('bo', '?user=ada')).status).toBe(403)
    expect(await isGood(token)).toBe(true)
    const done = await revoke('ada')
    expect(done.body.message).toBe('Successfully revoked all tokens of user ada.')
    expect([await isGood(token), await isGood(other)]).toEqual([false, true])
    const renewed = await make('ada')
    expect(await isGood(renewed)).toBe(true)
    const listed = (await list('ada')).body.results
    expect(listed.map(({ revoked }: { revoked: boolean }) => revoked)).toEqual([false, true])
    await revoke(undefined, '?user=ada')
    expect(await isGood(renewed)).toBe(false)
    const after = await startServer({ image: access.server.image })
    const headers = { authorization: `Bearer ${renewed}` }
    const { status } = await after.request('GET', '/gsql/v1/auth/simple', undefined, headers)
    await after.close()
    expect(status).toBe(401)
  })

  it('outlive a new password, unless they are revoked with it', async () => {
    const change = (body: object) =>
      access.request('PUT', '/gsql/v1/users', { name: 'ada', ...body }, 'ada')
    const token = await make('ada')
    await change({ password: 'password of ada' })
    expect(await isGood(token)).toBe(true)
    await change({ password: 'password of ada', revokeTokens: true })
    expect(await isGood(token)).toBe(false)
    const next = await make('ada')
    const passwords = { current: 'password of ada', next: 'password of ada', revokeTokens: true }
    const changed = await access.request('PUT', '/quiver/v1/session/password', passwords, 'ada')
    expect(changed.status).toBe(200)
    expect(await isGood(next)).toBe(false)
  })

  it('are blocked by their text, however many there are', async () => {
    const tokens = await Promise.all(Array.from({ length: 60 }, () => make('ada')))
    const body = { tokens: tokens.join(',') }
    const blocked = await access.request('DELETE', '/gsql/v1/tokens', body, 'ada')
    expect(blocked.body.error).toBe(false)
    expect(await Promise.all(tokens.map(isGood))).toEqual(Array(60).fill(false))
  })

  it('by a new secret each time stay cheap: what is written does not grow', async () => {
    const written: number[] = []
    const { putDocument } = MemoryStore.prototype
    const spy = vi.spyOn(MemoryStore.prototype, 'putDocument')
    spy.mockImplementation(function (this: MemoryStore, collection, key, bytes) {
      written.push(bytes.length)
      return putDocument.call(this, collection, key, bytes)
    })
    for (let count = 0; count < 1_000; count++) {
      const secret = await access.request('POST', '/gsql/v1/secrets', undefined, 'ada')
      const { value } = secret.body.results
      const made = await access.server.request('POST', '/gsql/v1/tokens', { secret: value })
      expect(made.body.error, made.text).toBe(false)
    }
    spy.mockRestore()
    expect(written).toHaveLength(2_000)
    expect(Math.max(...written)).toBeLessThan(400)
    expect((await list('ada')).body.results).toHaveLength(1_000)
    const secrets = await access.request('GET', '/gsql/v1/secrets', undefined, 'ada')
    expect(secrets.body.results).toHaveLength(1_000)
  })

  it('are refused once they are revoked, also after a restart', async () => {
    const [token, other] = [await make('ada'), await make('ada')]
    expect(await isGood(token)).toBe(true)
    const [, { id }] = (await list('ada')).body.results
    const revoke = (user: string) =>
      access.request('DELETE', `/quiver/v1/tokens/${id}`, undefined, user)
    expect((await revoke('bo')).body.code).toBe('REQUEST_NOT_FOUND')
    expect(await isGood(token)).toBe(true)
    expect((await revoke('ada')).body.message).toBe(`Successfully revoked the token ${id}.`)
    expect([await isGood(token), await isGood(other)]).toEqual([false, true])
    expect((await list('ada')).body.results[1]).toMatchObject({ id, revoked: true })
    await access.server.close()
    access.server = await startServer({ image: access.server.image, queryWorkerCount: 0 })
    expect([await isGood(token), await isGood(other)]).toEqual([false, true])
    expect((await list('ada')).body.results).toHaveLength(2)
  })

  it('are no matter of tokens that are limited to a graph, nor of the next user of a name', async () => {
    const limited = { authorization: `Bearer ${await make('ada', { graph: 'acme' })}` }
    const url = '/quiver/v1/tokens'
    expect((await access.server.request('GET', url, undefined, limited)).status).toBe(403)
    await access.request('DELETE', '/gsql/v1/users/ada')
    await access.makeUser('ada')
    expect((await list('ada')).body.results).toEqual([])
  })
})
