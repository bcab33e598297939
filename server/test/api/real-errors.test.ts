/**
 * Declared errors as the live server answers them, each caused by a call that really fails: wrong
 * names, wrong input, missing rights, a store that breaks, a memory that is full. Each is answered
 * with its code and status, in the declared shape, and is declared by the endpoint.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Endpoint, errorsOfEveryEndpoint } from '#contract/endpoint.ts'
import { errorStatus } from '#http/error-status.ts'
import { type ErrorCode, errorCodes } from '#kernel/errors.ts'
import { FaultyStore } from '#storage/faulty/faulty-store.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { type BadCall, badCalls, prepare, text } from '../fixtures/bad-calls.ts'
import { asDocumented, endpointAt } from '../fixtures/endpoint-at.ts'
import { goodCalls } from '../fixtures/good-calls.ts'
import { neededBody, neededQuery } from '../fixtures/needed-input.ts'
import { inlined, type Operation } from '../fixtures/openapi-shape.ts'
import {
  type Answer,
  createAcme,
  directoriesIn,
  startServer,
  type TestServer,
} from '../fixtures/server.ts'
import { isOfRestpp } from '../fixtures/wire-shape.ts'

let server: TestServer
let files: string
let documented: Record<string, Record<string, Operation>>
/** Code and endpoint of each failure that really came. */
const met = new Set<string>()

beforeAll(async () => {
  files = mkdtempSync(join(tmpdir(), 'quiver-errors-'))
  server = await startServer({ ...directoriesIn(files) })
  await createAcme(server)
  await prepare(server)
  documented = inlined((await server.request('GET', '/openapi.json')).body).paths
})
afterAll(async () => {
  await server.close()
  rmSync(files, { recursive: true })
})

/** Status, code, shape and declaration. */
function expectFailure(call: BadCall, answer: Answer): void {
  const { code, method, url, wire, status = errorStatus[code].status } = call
  const what = `${method} ${url} ${code}: ${answer.status} ${answer.text.slice(0, 400)}`
  const at = endpointAt(server.app.endpoints, method, url)
  const isRestpp = at === null ? url.startsWith('/restpp/') : isOfRestpp(at.endpoint)
  expect(answer.status, what).toBe(status)
  expect(answer.body, what).toMatchObject({
    ...{ error: true, message: expect.stringMatching(/\w/) },
    code: wire ?? (isRestpp ? errorStatus[code].code : code),
    ...(isRestpp && { version: { edition: 'enterprise', api: 'v2', schema: expect.any(Number) } }),
  })
  if (at === null) {
    expect(code, what).toBe('ENDPOINT_NOT_FOUND')
    met.add(code)
    return
  }
  expect([...at.endpoint.errors, ...errorsOfEveryEndpoint], what).toContain(code)
  // A status of its own is not in the document, nor is an error that comes with 200.
  if (status !== 200 && status === errorStatus[code].status) {
    const operation = documented[at.path]?.[method.toLowerCase()]
    expect(asDocumented(operation, answer), what).toEqual([])
  }
  met.add(`${code} ${at.endpoint.methods[0]} ${at.endpoint.paths[0]}`)
}

interface Filled {
  readonly endpoint: Endpoint
  readonly method: BadCall['method']
  readonly url: string
  readonly body: unknown
}

/** Every endpoint once, with what RESTPP reads before it looks at anything else. */
function everyEndpoint(graph: string): readonly Filled[] {
  return [...server.app.endpoints].map((endpoint) => {
    const [path = ''] = endpoint.paths
    const filled = path
      .replace('{graph}', graph)
      .replace('{vertex_type}', 'Person')
      .replace('{kind}', 'scene')
      .replace('{category}', 'qps')
      .replace(/\{\w+\}/g, 'x')
    const shape = (endpoint.query as { readonly shape?: object } | undefined)?.shape ?? {}
    const keys = ['graph', 'graphName', 'graph_name'].filter((key) => key in shape)
    const query = [neededQuery[path], ...keys.map((key) => `${key}=${graph}`)].filter(Boolean)
    const url = query.length === 0 ? filled : `${filled}?${query.join('&')}`
    const method = endpoint.methods[0] as BadCall['method']
    return { endpoint, method, url, body: neededBody[path] ?? {} }
  })
}

async function expectRefused(code: ErrorCode, call: Filled, headers: Record<string, string>) {
  const { method, url, body } = call
  expectFailure({ code, method, url }, await server.request(method, url, body, headers))
}

describe('a call that fails', () => {
  it.each(badCalls)('$code: $method $url', async (call) => {
    const { method, url, body, headers } = call
    expectFailure(call, await server.request(method, url, body, { ...headers }))
  })

  it('by its credentials is refused everywhere', async () => {
    for (const call of everyEndpoint('acme')) {
      await expectRefused('UNAUTHENTICATED', call, { authorization: 'Bearer no.such.token' })
    }
  })

  it('after too many wrong passwords has to wait everywhere', async () => {
    const text = Buffer.from('mallory:a guess').toString('base64')
    const headers = { authorization: `Basic ${text}` }
    for (let count = 0; count < 5; count++) {
      expect((await server.request('GET', '/restpp/version', undefined, headers)).status).toBe(401)
    }
    for (const call of everyEndpoint('acme')) {
      await expectRefused('TOO_MANY_REQUESTS', call, headers)
    }
  })

  it('by its rights is refused wherever the contract wants some', async () => {
    const nobody = { username: 'nobody', password: 'the password of nobody' }
    await server.request('POST', '/gsql/v1/users', nobody)
    const text = Buffer.from('nobody:the password of nobody').toString('base64')
    for (const call of everyEndpoint('acme')) {
      if (['PUBLIC', 'AUTHENTICATED'].includes(call.endpoint.privilege)) continue
      await expectRefused('FORBIDDEN', call, { authorization: `Basic ${text}` })
    }
  })

  it('by a body that is no JSON is told so wherever there is one to read', async () => {
    for (const { endpoint, method, url } of everyEndpoint('acme')) {
      if (endpoint.body === undefined || endpoint.bodyFormat !== 'json') continue
      const code = 'INVALID_JSON'
      expectFailure({ code, method, url }, await server.request(method, url, '{"a":'))
    }
  })

  it('by a graph that is not there says so', async () => {
    const named = [
      ...goodCalls.filter(([, url]) => /acme/.test(url) && !/roles/.test(url)),
      ['POST', '/gsql/v1/queries/interpret?graph=acme', text('PRINT 1;')],
      ['POST', '/quiver/v1/queries/explain?graph=acme', text('PRINT 1;')],
      ['GET', '/restpp/graph/acme/vertices/Person'],
      ['GET', '/restpp/graph/acme/vertices/Person/7'],
      ['GET', '/restpp/graph/acme/edges/Person/7'],
      ['DELETE', '/restpp/graph/acme/vertices/Person'],
      ['GET', '/restpp/statistics/acme'],
      ['GET', '/restpp/showprocesslist/acme'],
      ['GET', '/restpp/abortquery/acme?requestid=all'],
      ['GET', '/restpp/query/acme/one'],
    ] as const
    let count = 0
    for (const [method, url, body] of named) {
      const at = endpointAt(server.app.endpoints, method, url)
      if (at?.endpoint.errors.includes('GRAPH_NOT_FOUND') !== true) continue
      const ghost = url.replaceAll('acme', 'ghost')
      const call = { code: 'GRAPH_NOT_FOUND', method: method as 'GET', url: ghost } as const
      expectFailure(call, await server.request(call.method, ghost, body))
      count++
    }
    expect(count).toBeGreaterThan(25)
  })

  it('because somebody aborted it says so', async () => {
    const url = '/restpp/query/acme/endless'
    const answer = server.request('GET', url)
    const abort = () => server.request('GET', '/restpp/abortquery/acme?requestid=all')
    while ((await abort()).body.results[0].aborted_queries.length === 0);
    expectFailure({ code: 'QUERY_ABORTED', method: 'GET', url }, await answer)
  })

  it('because others change what it read before each commit says so', async () => {
    const url = '/restpp/query/acme/slow_write'
    const change = { vertices: { Person: { 7: { score: { value: 1, op: '+' } } } } }
    await server.request('POST', '/restpp/graph/acme', change)
    let isAnswered = false
    const answer = server
      .request('GET', url, undefined, { 'gsql-timeout': '50000' })
      .finally(() => {
        isAnswered = true
      })
    for (let count = 1; !isAnswered; count++) {
      await server.request('POST', '/restpp/graph/acme', change)
      // The time of all attempts is over; again, in case the first of them had not begun.
      if (count % 20 === 0) server.clock.advance(60_000)
    }
    expectFailure({ code: 'WRITE_CONFLICT', method: 'GET', url }, await answer)
  })

  it('by an export of a later release says so', async () => {
    mkdirSync(join(files, 'exports/later'), { recursive: true })
    writeFileSync(join(files, 'exports/later/quiver-export.json'), '{"format":99}')
    const url = '/gsql/v1/db-import'
    const answer = await server.request('POST', url, { path: 'later', graphNames: ['*'] })
    expectFailure({ code: 'UNSUPPORTED_FORMAT', method: 'POST', url }, answer)
  })
})

describe('a machine that fails', () => {
  const upsert = { vertices: { Person: { 1: {} } } }

  it.each(['STORE_FAILED', 'DISK_FULL'] as const)(
    'by %s refuses writes from then on',
    async (code) => {
      const store = new FaultyStore(new MemoryStore(createMemoryImage()), null)
      const broken = await startServer({ store, queryWorkerCount: 0 })
      await createAcme(broken)
      store.arm({ operation: 1, moment: 'before', code })
      const call = { code, method: 'POST', url: '/restpp/graph/acme' } as const
      expectFailure(call, await broken.request('POST', call.url, upsert))
      let count = 0
      for (const [method, url, body] of goodCalls) {
        const at = endpointAt(server.app.endpoints, method, url)
        if (at?.endpoint.errors.includes('STORE_READ_ONLY') !== true) continue
        const answer = await broken.request(method as 'GET', url, body)
        // Some need what calls before them would have made.
        if (answer.status !== errorStatus.STORE_READ_ONLY.status) continue
        const refused = { code: 'STORE_READ_ONLY', method: method as 'GET', url } as const
        expectFailure(refused, answer)
        count++
      }
      expect(count).toBeGreaterThan(10)
      const ready = '/quiver/v1/ready?writable=true'
      const told = await broken.request('GET', ready)
      expectFailure({ code: 'STORE_READ_ONLY', method: 'GET', url: ready }, told)
      await broken.close()
    },
  )

  it('by its end refuses what comes late', async () => {
    const ending = await startServer({ queryWorkerCount: 0 })
    await createAcme(ending)
    await ending.engine.close()
    const url = '/restpp/graph/acme'
    const answer = await ending.request('POST', url, upsert)
    expectFailure({ code: 'UNAVAILABLE', method: 'POST', url }, answer)
    await ending.close()
  })

  it('by its memory refuses to grow', async () => {
    const { image } = server
    const full = await startServer({ image, queryWorkerCount: 0, memoryLimitBytes: 1 })
    const url = '/restpp/graph/acme'
    const answer = await full.request('POST', url, upsert)
    expectFailure({ code: 'MEMORY_LIMIT', method: 'POST', url }, answer)
    await full.close()
  })
})

describe('the codes', () => {
  /** A server does not start with them, so that no call of one that runs can cause them. */
  const atStart: readonly ErrorCode[] = ['STORE_LOCKED', 'CORRUPT_LOG', 'CORRUPT_SEGMENT']
  /** Of several servers over one store: `server/test/shared-store/` meets them. */
  const ofSeveral: readonly ErrorCode[] = ['NOT_WRITER', 'NO_WRITER', 'BEHIND', 'OUTCOME_UNKNOWN']

  it('are all met by real calls but those of no single server that runs', () => {
    const codes = new Set([...met].map((one) => one.split(' ')[0]))
    const unmet = errorCodes.filter((code) => !codes.has(code))
    expect(unmet.toSorted()).toEqual([...atStart, ...ofSeveral].toSorted())
    expect(met.size).toBeGreaterThan(500)
  })
})
