/**
 * Every route under the write guard. What the contract declares: a route that asks for no privilege to
 * change says whether it changes something. What routes do: each good call is sent with the guard
 * first and then without; the guarded one leaves the store as it was.
 */
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import type { MemoryImage } from '#storage/memory/memory-store.ts'
import { requestOf } from '../fixtures/curl.ts'
import { endpointAt } from '../fixtures/endpoint-at.ts'
import { runPage } from '../fixtures/example-run.ts'
import { readPage } from '../fixtures/examples.ts'
import { goodCalls } from '../fixtures/good-calls.ts'
import { directoriesIn, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let directory: string
const guarded = { 'x-write-guard': 'read-only' }

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'quiver-guard-'))
  server = await startServer({ ...directoriesIn(directory) })
  await runPage(readPage(new URL('../../../docs/api/', import.meta.url), 'README.md'), {
    ...{ directory, variables: new Map([['QUIVER', 'http://localhost']]), check: () => undefined },
    send: async (call) => {
      const { url, method, headers, body } = await requestOf(call)
      return await server.request(
        method as 'GET',
        url.replace('http://localhost', ''),
        body,
        headers,
      )
    },
  })
})
afterAll(async () => {
  await server.close()
  await rm(directory, { recursive: true })
})

const isForLooking = (privilege: string) =>
  /^(PUBLIC|AUTHENTICATED|READ_.*|EXECUTE_QUERY|USE_FUNCTION|APP_ACCESS_DATA)$/.test(privilege)

/** Requests that may be sent under the guard though they are no GET, and why. */
const harmless: Readonly<Record<string, string>> = {
  '/quiver/v1/session': 'signing in and out changes who looks, not what there is',
  '/quiver/v1/documents/{kind}/{key}': "drafts and scenes of one's own (docs/decisions/0030)",
  '/gsql/v1/statements': 'each command asks for its own privilege',
  '/gsql/v1/statements/{id}/cancel': "ends a script of one's own",
  '/gsql/v1/queries/running/{request_id}': 'ends a run',
}

const nameOf = ({ methods, paths }: Endpoint) => `${methods.join(' ')} ${paths[0]}`

function digestOf({ log, documents, blobs, manifest }: MemoryImage): string {
  const sum = createHash('sha256').update(
    JSON.stringify([log.length, blobs.size, manifest?.foldedSequence]),
  )
  for (const [collection, entries] of [...documents].sort()) {
    for (const [key, bytes] of [...entries].sort())
      sum.update(`${collection} ${key} `).update(bytes)
  }
  return sum.digest('hex')
}

describe('the write guard', () => {
  it('covers every route: by its privilege, by its word, or for a reason that is written down', () => {
    const reads = (endpoint: Endpoint) => endpoint.methods.every((method) => method === 'GET')
    const open = [...server.app.endpoints].filter(
      (one) => isForLooking(one.privilege) && !reads(one) && one.changes !== true,
    )
    const unexplained = open.filter(({ paths }) => harmless[paths[0] ?? ''] === undefined)
    // They look: what they are asked for takes a body.
    expect(unexplained.map(nameOf)).toMatchInlineSnapshot(`
      [
        "POST /quiver/v1/schema/impact",
        "POST /gsql/v1/tokens/check",
        "GET POST /restpp/searchvertex/{graph}",
        "POST /restpp/builtins/{graph}",
        "POST /restpp/shortestpath/{graph}",
        "POST /restpp/allpaths/{graph}",
        "GET POST /restpp/kstep_expansion/{graph}",
        "POST /quiver/v1/graphs/{graph}/vertices",
        "POST /quiver/v1/graphs/{graph}/edges",
        "GET POST /gsql/v1/queries/signature",
        "POST /gsql/v1/internal/check/query",
        "GET POST /restpp/query/{graph}/{query}",
        "POST /gsql/v1/queries/interpret",
        "POST /quiver/v1/queries/explain",
        "POST /quiver/v1/queries/profile",
        "POST /gsql/v1/queries/{query}",
        "POST /gsql/v1/library/{function}",
        "POST /gsql/v1/sample-data",
        "POST /gsql/v1/schema/check",
        "GET POST /restpp/echo",
        "GET POST /informant/metrics",
        "POST /informant/metrics/get/{category}",
        "POST /informant/current-service-status",
        "POST /restpp/workload-manager/queuestatus",
        "POST /api/auth/saml/acs",
      ]
    `)
  })

  it('lets no call change the store that changes it without the guard', async () => {
    const changed: string[] = []
    for (const [method, url, body] of goodCalls) {
      const at = endpointAt(server.app.endpoints, method, url)
      if (at === null || harmless[at.endpoint.paths[0] ?? ''] !== undefined) continue
      const before = digestOf(server.image)
      const refused = await server.request(method as 'GET', url, body, guarded)
      const after = digestOf(server.image)
      if (after !== before) changed.push(`${method} ${url}: ${refused.text.slice(0, 80)}`)
      await server.request(method as 'GET', url, body)
      if (digestOf(server.image) !== after && refused.status !== 403) {
        changed.push(`not refused: ${method} ${url}: ${refused.text.slice(0, 80)}`)
      }
    }
    expect(changed).toEqual([])
  }, 120_000)

  it.each([
    ['PUT', '/quiver/v1/session/password', { current: 'tigergraph', next: 'another password' }],
    ['PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'another password' }],
    ['POST', '/gsql/v1/secrets?alias=mine', undefined],
    ['DELETE', '/gsql/v1/secrets/mine', undefined],
    ['POST', '/gsql/v1/tokens', undefined],
    ['POST', '/gsqlserver/requestjwttoken', undefined],
    ['DELETE', '/gsql/v1/tokens', { tokens: ['x'] }],
    ['DELETE', '/gsql/v1/tokens?clear=true', undefined],
    ['DELETE', '/quiver/v1/tokens', undefined],
    ['DELETE', '/quiver/v1/tokens/x', undefined],
    ['DELETE', '/restpp/expiredtoken', undefined],
  ] as const)('holds for credentials of the caller: %s %s', async (method, url, body) => {
    const answer = await server.request(method, url, body, guarded)
    expect([answer.status, answer.body.code], answer.text).toEqual([403, 'WRITE_GUARDED'])
  })

  it('holds for credentials in scripts, and for a token by a secret alone', async () => {
    const run = (text: string, headers: Record<string, string> = {}) =>
      server.request('POST', '/gsql/v1/statements', text, headers)
    for (const text of ['CREATE SECRET one', 'ALTER USER tigergraph PASSWORD "another one"']) {
      expect((await run(text, guarded)).text, text).toContain('write guard')
    }
    const secret = (await server.request('POST', '/gsql/v1/secrets')).body.value
    expect((await run('DROP SECRET *', guarded)).text).toContain('write guard')
    const made = await server.request('POST', '/gsql/v1/tokens', { secret }, guarded)
    expect(made.body).toMatchObject({ code: 'WRITE_GUARDED' })
    expect((await server.request('POST', '/gsql/v1/tokens', { secret })).status).toBe(200)
  })
})
