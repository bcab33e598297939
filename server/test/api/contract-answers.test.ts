/**
 * Every endpoint of the contract answers in the shape that it declares: each success from the live
 * server (the calls of docs/api and those of good-calls.ts), and each declared error, here thrown by
 * handlers under the same contract: all codes at all endpoints. That real calls cause them is
 * real-errors.test.ts. The OpenAPI document tells of all of them.
 */
import { readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type Endpoint, errorsOfEveryEndpoint } from '#contract/endpoint.ts'
import { buildApp } from '#http/app.ts'
import { errorStatus } from '#http/error-status.ts'
import { serve } from '#http/serve.ts'
import { DbError, type ErrorCode } from '#kernel/errors.ts'
import { type CurlCall, type HttpRequest, requestOf } from '../fixtures/curl.ts'
import { asDocumented, endpointAt } from '../fixtures/endpoint-at.ts'
import { ExampleRecorder } from '../fixtures/example-recorder.ts'
import { runPage } from '../fixtures/example-run.ts'
import { readPage } from '../fixtures/examples.ts'
import { goodCalls } from '../fixtures/good-calls.ts'
import {
  inlined,
  type Operation,
  openApiMistakes,
  repeatedSchemas,
} from '../fixtures/openapi-shape.ts'
import { directoriesIn, startServer, type TestServer } from '../fixtures/server.ts'
import { errorMistakes, isOfRestpp, issuesOf, successMistakes } from '../fixtures/wire-shape.ts'

const folder = new URL('../../../docs/api/', import.meta.url)
const start = 'README.md'
type Paths = Record<string, Record<string, Operation>>

let server: TestServer
let directory: string
let documented: Paths
const recorder = new ExampleRecorder()
/** By endpoint: what was wrong with its successes. An absent one had none. */
const seen = new Map<Endpoint, string[]>()

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quiver-contract-'))
  server = await startServer({ ...directoriesIn(directory) })
  documented = inlined((await server.request('GET', '/openapi.json')).body).paths
})
afterAll(async () => {
  await server?.close()
  await rm(directory, { recursive: true })
})

function note(
  method: string,
  url: string,
  answer: { status: number; text: string },
  body?: unknown,
): void {
  const isFailure = answer.status !== 200 || answer.text.includes('"error":true')
  if (isFailure) return
  const at = endpointAt(server.app.endpoints, method, url)
  if (at === null) throw new Error(`no endpoint is ${method} ${url}`)
  const { endpoint, path } = at
  const operation = documented[path]?.[method.toLowerCase()]
  if (operation !== undefined) recorder.note(operation, answer, body)
  const mistakes = [...successMistakes(endpoint, answer.text), ...asDocumented(operation, answer)]
  const named = mistakes.map((mistake) => `${method} ${url}: ${mistake}`)
  seen.set(endpoint, [...(seen.get(endpoint) ?? []), ...named])
}

/** Each page on a server of its own, as it is read. */
async function runPages(): Promise<void> {
  const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== start)
  for (const name of pages) {
    const one = await startServer({ ...directoriesIn(directory) })
    const variables = new Map([['QUIVER', 'http://localhost']])
    for (const page of [start, name]) {
      await runPage(readPage(folder, page), {
        ...{ directory, variables, check: () => undefined },
        send: async (call) => await noted(one, await requestOf(call)),
      })
    }
    await one.close()
  }
}

async function noted(one: TestServer, { url, method, headers, body }: HttpRequest) {
  const target = url.replace('http://localhost', '')
  const answer = await one.request(method as 'GET', target, body, headers)
  note(method, target, answer, body)
  return answer
}

async function runGoodCalls(): Promise<void> {
  const variables = new Map([['QUIVER', 'http://localhost']])
  const send = async (call: CurlCall) => await noted(server, await requestOf(call))
  await runPage(readPage(folder, start), { directory, variables, send, check: () => undefined })
  for (const [method, url, body] of goodCalls) {
    const answer = await server.request(method as 'GET', url, body)
    const text = `${method} ${url}: ${answer.text.slice(0, 300)}`
    expect(answer.status, text).toBe(200)
    expect(answer.body?.error ?? false, text).toBe(false)
    note(method, url, answer, body)
  }
  await runSlowCalls()
}

/** Calls that need something to be under way. */
async function runSlowCalls(): Promise<void> {
  const asynchronous = { 'gsql-async': 'true' }
  const text = 'CREATE QUERY endless() { WHILE true DO INT i = 0; END; }'
  await server.request('POST', '/gsql/v1/queries?graph=acme', text)
  const run = await server.request('GET', '/restpp/query/acme/endless', undefined, asynchronous)
  await noted(server, request('DELETE', `/gsql/v1/queries/running/${run.body.request_id}`))
  const long = 'USE GRAPH acme RUN QUERY endless()'
  const script = await server.request('POST', '/gsql/v1/statements?async=true', long)
  await noted(server, request('PUT', `/gsql/v1/statements/${script.body.requestId}/cancel`))
  const installed = await server.request(
    'GET',
    '/gsql/v1/queries/install?graph=acme&queries=endless&async=true',
  )
  await noted(server, request('GET', `/gsql/v1/queries/install/${installed.body.requestId}`))
  await server.request('POST', '/gsql/v1/tokens')
  const [token] = (await server.request('GET', '/quiver/v1/tokens')).body.results
  await noted(server, request('DELETE', `/quiver/v1/tokens/${token.id}`))
  await server.request('GET', '/gsql/v1/drop-all')
  await noted(server, request('POST', '/gsql/v1/db-import', { path: 'whole' }))
  const change = { current: 'tigergraph', next: 'another password' }
  const other = await startServer({ queryWorkerCount: 0 })
  await noted(other, request('PUT', '/quiver/v1/session/password', change))
  await other.close()
}

function request(method: string, url: string, body?: unknown): HttpRequest {
  return { method, url, headers: {}, ...(body !== undefined && { body: JSON.stringify(body) }) }
}

/** What takes more than a call: a sample, a slow query, a paused run have tests of their own. */
const elsewhere: ReadonlySet<string> = new Set([
  '/quiver/v1/sample',
  '/quiver/v1/queries/slow/{request_id}',
  '/gsql/v1/loading-jobs/abort',
  '/gsql/v1/loading-jobs/resume/{id}',
  '/restpp/showlicenseinfo',
  // A server that shares its store with no other refuses it.
  '/quiver/v1/instances/hand-over',
  // They always refuse.
  '/gsql/v1/workload-manager/configs',
  '/gsql/v1/workload-manager/permission',
])

/** Declared to be refused by its name: rare-rows.test.ts. */
const isAbsent = ({ errors }: Endpoint) => errors.length === 1 && errors[0] === 'FEATURE_ABSENT'

describe('every endpoint of the contract', () => {
  it('answers successes in the shape that it declares and the document shows', async () => {
    await runPages()
    await runGoodCalls()
    const missing = [...server.app.endpoints].filter((one) => !seen.has(one) && !isAbsent(one))
    const unmet = missing.map(({ methods, paths }) => `${methods[0]} ${paths[0]}`)
    expect(unmet.filter((name) => !elsewhere.has(name.split(' ')[1] ?? ''))).toEqual([])
    expect([...seen.values()].flat()).toEqual([])
    recorder.hide(directory)
    // Recorded anew, they are to be read as a diff.
    if (recorder.isWriting) expect(recorder.write()).toBe('written: run the test again without it')
    expect(recorder.withoutExample(), 'run this test with QUIVER_EXAMPLES=write').toEqual([])
  }, 600_000)
})

describe('every declared error', () => {
  let failing: FastifyInstance
  let wanted: ErrorCode

  beforeAll(async () => {
    failing = await buildApp({
      dependencies: server.app.dependencies,
      logger: pino({ level: 'silent' }) as never,
      hosts: new Set(['localhost']),
      nowMs: () => 0,
    })
    for (const endpoint of server.app.endpoints) {
      // What a request must hold is not the question here.
      const open = { ...endpoint, params: undefined, query: undefined, body: undefined } as Endpoint
      serve(failing, open, () => {
        throw new DbError(wanted, 'what went wrong')
      })
    }
  })
  afterAll(() => failing?.close())

  it('is answered with its code and status, and stands in the document', async () => {
    let count = 0
    for (const endpoint of server.app.endpoints) {
      for (const code of new Set([...endpoint.errors, ...errorsOfEveryEndpoint])) {
        wanted = code
        const [path = ''] = endpoint.paths
        const [method = 'GET'] = endpoint.methods
        const url = path.replace(/\{\w+\}/g, 'x').replace('{kind}', 'scene')
        const { statusCode: status, body: text } = await failing.inject({ method, url })
        const { code: contractCode, status: expected } = errorStatus[code]
        const expectedCode = isOfRestpp(endpoint) ? contractCode : code
        const mistakes = [
          ...(status === expected ? [] : [`the status is ${status}, not ${expected}`]),
          ...errorMistakes(endpoint, text, { message: 'what went wrong', code: expectedCode }),
          // An error with the status 200 is one of the shapes of a success.
          ...(status === 200
            ? []
            : asDocumented(documented[path]?.[method.toLowerCase()], { status, text })),
        ]
        expect(mistakes, `${method} ${url} ${code}: ${text}`).toEqual([])
        count++
      }
    }
    expect(count).toBeGreaterThan(1_000)
  }, 600_000)
})

describe('the OpenAPI document', () => {
  it('is one', async () => {
    const { body } = await server.request('GET', '/openapi.json')
    expect(openApiMistakes(inlined(body))).toEqual([])
  })

  it('has each larger schema once', async () => {
    const { body } = await server.request('GET', '/openapi.json')
    expect(repeatedSchemas(body, 160)).toEqual([])
    expect(Object.keys(body.components.schemas).length).toBeGreaterThan(200)
  })

  it('has examples of most operations, which fit their schemas', async () => {
    const { paths } = inlined((await server.request('GET', '/openapi.json')).body) as {
      paths: Paths
    }
    let count = 0
    for (const one of Object.values(paths).flatMap((item) => Object.values(item))) {
      const contents = [one.requestBody?.content, one.responses['200']?.content]
      for (const { schema, example } of contents.flatMap((all) => Object.values(all ?? {}))) {
        if (example === undefined) continue
        const read = z.fromJSONSchema(schema as never).safeParse(example)
        expect(issuesOf(read), `${one.operationId}: ${JSON.stringify(example)}`).toEqual([])
        count++
      }
    }
    expect(count).toBeGreaterThan(200)
  })

  it('is checked for real', () => {
    const operation = {
      ...{ operationId: 'a', summary: 's', tags: ['t'], description: '', parameters: [] },
      responses: { '200': { description: 'd' } },
    }
    const wrap = (paths: object) => ({
      ...{ openapi: '3.1.0', info: { title: 't', version: '1', description: '' } },
      ...{ servers: [{ url: '/', description: 'd' }] },
      ...{ components: { schemas: {}, securitySchemes: {} }, security: [], paths },
    })
    expect(openApiMistakes(wrap({ '/a': { get: operation } }))).toEqual([])
    expect(openApiMistakes(wrap({ '/{a}': { get: operation }, '/{b}': {} }))).toEqual([
      '/{b} and /{a} are one path',
      'get /{a}: the parameter a of the path is not described',
    ])
    expect(openApiMistakes(wrap({ '/a': { get: { ...operation, responses: {} } } }))).toEqual([
      'get /a: no success is described',
    ])
    expect(openApiMistakes(wrap({ '/a': { get: { summary: 's' } } }))).not.toEqual([])
  })
})
