import pino from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bytesBody, endpoint } from '#contract/endpoint.ts'
import { queryBoolean, queryInteger, queryList } from '#contract/parameters.ts'
import { DbError } from '#kernel/errors.ts'
import { BODY_SIZE_BYTES_MAX, JSON_DEPTH_MAX } from '#kernel/limits.ts'
import { Rights } from '#services/auth/rights.ts'
import type { RequestSample } from '#services/statistics/sample.ts'
import { buildApp } from './app.ts'
import { message, reply, replyJson } from './reply.ts'
import { serve } from './serve.ts'

const readThing = endpoint({
  method: 'GET',
  path: '/restpp/graph/{graph}/things/{id}',
  at: 'any',
  summary: 'a thing',
  params: z.object({ graph: z.string(), id: z.string() }),
  query: z.object({
    flag: queryBoolean.optional(),
    count: queryInteger(1, 60).default(10),
    names: queryList.optional(),
  }),
  response: z.array(z.unknown()),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND'],
})

const writeThing = endpoint({
  method: ['POST', 'PUT'],
  path: '/gsql/v1/things',
  at: 'writer',
  summary: 'write',
  body: z.object({ value: z.unknown() }),
  response: z.unknown(),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  errors: ['NAME_TAKEN'],
})

const sendBytes = endpoint({
  method: 'POST',
  path: '/restpp/bytes/{graph}',
  at: 'any',
  summary: 'bytes',
  params: z.object({ graph: z.string() }),
  body: bytesBody,
  bodyFormat: 'bytes',
  response: z.unknown(),
  envelope: 'restpp',
  privilege: 'CREATE_DATA',
  errors: [],
})

const samples: RequestSample[] = []

async function testApp() {
  samples.length = 0
  const app = await buildApp({
    dependencies: {
      access: { admit: () => ({ name: 'tigergraph', graph: null, rights: new Rights(true) }) },
      schemaVersionOf: (graph) => (graph === 'acme' ? 7 : 0),
      ownsQuery: () => false,
      audit: { record: () => undefined },
      lockedWriteGuard: 'off',
      responseSizeBytesMax: 2 ** 30,
      statistics: {
        started: () => undefined,
        ended: () => undefined,
        observe: (sample) => samples.push(sample),
      },
    },
    logger: pino({ level: 'silent' }) as never,
    hosts: new Set(['localhost']),
    nowMs: () => 1_660_165_648_638,
  })
  serve(app, readThing, ({ params, query, url }) => {
    if (params.graph === 'ghost') throw new DbError('GRAPH_NOT_FOUND', 'no such graph')
    if (params.id === 'boom') throw new Error('secret reason')
    if (params.id === 'bytes') return replyJson(Buffer.from('[{"raw":1}]'), { code: 'REST-0000' })
    if (params.id === 'long') return reply(['x'.repeat(2_000_000)])
    return [params.id, query, url]
  })
  serve(app, writeThing, ({ body }) =>
    body.value === null ? message('Successfully wrote nothing') : body.value,
  )
  serve(app, sendBytes, ({ body }) => body.length)
  return app
}

let app: Awaited<ReturnType<typeof testApp>>
afterEach(() => app.close())

describe('serve', () => {
  it('wraps results with the schema version of the graph', async () => {
    app = await testApp()
    const response = await app.inject('/restpp/graph/acme/things/7')
    expect(response.json()).toMatchObject({
      version: { edition: 'enterprise', api: 'v2', schema: 7 },
      error: false,
      message: '',
    })
    expect(response.json().results[0]).toBe('7')
    expect(response.headers['x-request-id']).toMatch(/^\d+\.RESTPP_1_1\.1660165648638\.N$/)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  it('answers RESTPP paths bare, under /restpp and /api/restpp, with a trailing slash', async () => {
    app = await testApp()
    for (const prefix of ['', '/restpp', '/api/restpp']) {
      for (const tail of ['', '/']) {
        const { statusCode, body } = await app.inject(
          `${prefix}/graph/acme/things/7${tail}?count=3`,
        )
        expect(statusCode).toBe(200)
        expect(JSON.parse(body).results[2]).toBe(`/graph/acme/things/7${tail}?count=3`)
      }
    }
    expect((await app.inject('/restpp/gsql/v1/things')).statusCode).toBe(404)
  })

  it('decodes path segments after splitting', async () => {
    app = await testApp()
    for (const id of ['a/b', '100%', '%2F', 'a b+c', '😀:é', '?&#;=', 'é'.repeat(2_000)]) {
      const { body } = await app.inject(`/graph/acme/things/${encodeURIComponent(id)}`)
      expect(JSON.parse(body).results[0]).toBe(id)
    }
  })

  it('answers a malformed escape and an unknown path with JSON', async () => {
    app = await testApp()
    const malformed = await app.inject('/graph/acme/things/%E0%A4%A')
    expect(malformed.statusCode).toBe(400)
    expect(malformed.json()).toMatchObject({ error: true, code: 'REST-30000' })
    const unknown = await app.inject('/restpp/nowhere/?x=1')
    expect(unknown.statusCode).toBe(404)
    expect(unknown.json()).toMatchObject({
      error: true,
      code: 'REST-1000',
      message:
        'Endpoint is not found from url = /nowhere/, please use GET /endpoints to list all valid endpoints.',
    })
    expect((await app.inject({ method: 'DELETE', url: '/graph/acme/things/7' })).statusCode).toBe(
      404,
    )
  })

  it('reads booleans in any case, repeated keys, and refuses numbers out of range', async () => {
    app = await testApp()
    const ok = await app.inject('/graph/acme/things/7?flag=True&count=60&names=a,b&names=c')
    expect(ok.json().results[1]).toEqual({ flag: true, count: 60, names: ['a', 'b', 'c'] })
    expect((await app.inject('/graph/acme/things/7?flag=0')).json().results[1].flag).toBe(false)
    for (const query of ['count=61', 'count=0', 'count=x', 'flag=maybe']) {
      const refused = await app.inject(`/graph/acme/things/7?${query}`)
      expect(refused.statusCode).toBe(400)
      expect(refused.json()).toMatchObject({ error: true, code: 'REST-30000' })
      expect(refused.json().results).toBeUndefined()
    }
  })

  it('passes results through that are serialised already', async () => {
    app = await testApp()
    const { body } = await app.inject('/graph/acme/things/bytes')
    expect(JSON.parse(body)).toMatchObject({ results: [{ raw: 1 }], code: 'REST-0000' })
  })

  it('maps errors to code and status and never leaks a reason it does not know', async () => {
    app = await testApp()
    const known = await app.inject('/graph/ghost/things/7')
    expect(known.statusCode).toBe(400)
    expect(known.json()).toMatchObject({ code: 'REST-1004', message: 'no such graph', error: true })
    const unknown = await app.inject('/graph/acme/things/boom')
    expect(unknown.statusCode).toBe(500)
    expect(unknown.body).not.toContain('secret')
  })

  it('keeps integers beyond 2^53 and __proto__ keys, whatever the Content-Type', async () => {
    app = await testApp()
    const value =
      '{"__proto__":{"polluted":1},"big":[18446744073709551615,-9223372036854775808,1.5]}'
    for (const type of [undefined, 'application/x-www-form-urlencoded', 'nonsense', 'text/plain']) {
      const response = await app.inject({
        method: 'POST',
        url: '/gsql/v1/things',
        payload: `{"value":${value}}`,
        headers: type === undefined ? {} : { 'content-type': type },
      })
      expect(response.body).toBe(`{"error":false,"message":"","results":${value}}`)
    }
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('answers with the message alone where there are no results', async () => {
    app = await testApp()
    const response = await app.inject({
      method: 'PUT',
      url: '/gsql/v1/things',
      payload: { value: null },
    })
    expect(response.json()).toEqual({ error: false, message: 'Successfully wrote nothing' })
  })

  it('refuses broken JSON and too deep JSON, and takes the deepest allowed', async () => {
    app = await testApp()
    const send = (payload: string) =>
      app.inject({ method: 'POST', url: '/gsql/v1/things', payload, headers: {} })
    expect((await send('{"value":')).json()).toMatchObject({ error: true, code: 'INVALID_JSON' })
    const nested = (depth: number) =>
      `{"value":${'['.repeat(depth - 1)}"[{"${']'.repeat(depth - 1)}}`
    expect((await send(nested(JSON_DEPTH_MAX))).statusCode).toBe(200)
    expect((await send(nested(JSON_DEPTH_MAX + 1))).json()).toMatchObject({ code: 'INVALID_JSON' })
    expect((await send('[]')).json()).toMatchObject({ error: true, code: 'INVALID_PARAMETER' })
  })

  it('hands raw bytes over and refuses bodies beyond the limit', async () => {
    app = await testApp()
    const small = await app.inject({ method: 'POST', url: '/bytes/acme', payload: '{"a' })
    expect(small.json().results).toBe(3)
    const large = await app.inject({
      method: 'POST',
      url: '/bytes/acme',
      payload: 'x',
      headers: { 'content-length': String(BODY_SIZE_BYTES_MAX + 1) },
    })
    expect(large.statusCode).toBe(413)
    expect(large.json()).toMatchObject({ error: true })
  })

  it('answers REST-4000 beyond the response limit, which may be written as a float', async () => {
    app = await testApp()
    const limited = (limit: string) =>
      app.inject({ url: '/graph/acme/things/long', headers: { 'response-limit': limit } })
    expect((await limited('3000000.0')).statusCode).toBe(200)
    expect((await limited('1000000.0')).json()).toMatchObject({
      error: true,
      code: 'REST-4000',
      message: 'The query response size is 2MB, which exceeds limit 0.954MB.',
      results: [],
    })
  })

  it('counts each request under its endpoint', async () => {
    app = await testApp()
    await app.inject({ url: '/graph/acme/things/7', headers: { 'x-console': '1' } })
    await app.inject('/graph/ghost/things/7')
    await app.inject('/nowhere')
    expect(samples).toMatchObject([
      { key: 'GET /graph/things/{id}', graph: 'acme', outcome: 'ok', fromConsole: true },
      { key: 'GET /graph/things/{id}', graph: 'ghost', outcome: 'error', fromConsole: false },
    ])
  })

  it('refuses foreign origins, cross-site fetches and foreign hosts', async () => {
    app = await testApp()
    const status = async (headers: Record<string, string>) =>
      (
        await app.inject({
          url: '/graph/acme/things/7',
          headers: { host: 'localhost:1', ...headers },
        })
      ).statusCode
    expect(await status({})).toBe(200)
    expect(await status({ origin: 'http://localhost:1' })).toBe(200)
    expect(await status({ origin: 'http://evil.example' })).toBe(403)
    expect(await status({ origin: 'null' })).toBe(403)
    expect(await status({ 'sec-fetch-site': 'cross-site' })).toBe(403)
    // Another port of this machine, such as any program may open.
    expect(await status({ 'sec-fetch-site': 'same-site' })).toBe(403)
    const visit = { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate' }
    expect(await status(visit)).toBe(403)
    const page = { url: '/ui/', headers: { host: 'localhost:1', ...visit } }
    expect((await app.inject(page)).statusCode).toBe(404)
    expect(await status({ 'sec-fetch-site': 'none' })).toBe(200)
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await status({ host: 'evil.example' })).toBe(403)
    expect(await status({ host: '10.0.0.5.evil.example:14240' })).toBe(403)
    expect(await status({ host: '10.0.0.5:14240' })).toBe(200)
    expect(await status({ host: '[::1]:14240' })).toBe(200)
  })
})
