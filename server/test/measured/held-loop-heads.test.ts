/**
 * No request head holds the event loop, however long its URL, how many its parameters and what its headers
 * hold: what is up to the limit is read, and what is beyond it refused, within the bound of `held-loop.test.ts`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { HEAD_SIZE_BYTES_MAX, QUERY_NAMES_MAX } from '#kernel/limits.ts'
import { HeldLoop, type Received, type Sent, startMeasured } from '../fixtures/held-loop.ts'
import { createAcme, type TestServer } from '../fixtures/server.ts'

const HELD_MS_MAX = 50
/** Beside the long part. */
const REST_BYTES = 2_000
const LONG_BYTES = HEAD_SIZE_BYTES_MAX - REST_BYTES

const authorization = `Basic ${Buffer.from('tigergraph:a password').toString('base64')}`

let server: TestServer
let loop: HeldLoop

beforeAll(async () => {
  server = await startMeasured()
  await createAcme(server)
  await server.request('PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'a password' })
  loop = new HeldLoop(await server.listen())
})
afterAll(async () => {
  await loop.close()
  await server.close()
})

/** @returns what came back */
async function expectFree(sent: Sent, label: string): Promise<Received> {
  const { bestMs, received: all } = await loop.best([sent], { enoughMs: HELD_MS_MAX })
  const [received = { status: 0, text: '' }] = all
  expect(bestMs, `${label}: ${received.text.slice(0, 200)}`).toBeLessThanOrEqual(HELD_MS_MAX)
  expect(received.status, `${label}: ${received.text.slice(0, 200)}`).not.toBe(500)
  return received
}

const repeated = (unit: string, sizeBytes = LONG_BYTES) =>
  unit.repeat(Math.floor(sizeBytes / unit.length))

/** Parameters that all have names of their own. */
function distinct(sizeBytes = LONG_BYTES): string {
  const unit = (at: number) => `${at.toString(36)}=&`
  const parts: string[] = []
  for (let at = 0, size = 0; size + 8 < sizeBytes; at++) {
    parts.push(unit(at))
    size += parts[at]!.length
  }
  return parts.join('')
}

const queries: Readonly<Record<string, string>> = {
  'one long value': `graph=acme&filter=${repeated('x')}`,
  'one long name': `graph=acme&${repeated('x')}=1`,
  'one name many times': `graph=acme&${repeated('filter=1&')}`,
  'many names': `graph=acme&${distinct()}`,
  'nothing many times': `graph=acme${repeated('&')}`,
  escapes: `graph=acme&filter=${repeated('%41')}`,
  'stray escapes': `graph=acme&filter=${repeated('%')}`,
  'bytes that are no characters': `graph=acme&filter=${repeated('%ff', 3 * QUERY_NAMES_MAX)}`,
  'more of them than are read': `graph=acme&filter=${repeated('%ff')}`,
  'escapes and one stray percent': `graph=acme&a=%&filter=${repeated('%41')}`,
  brackets: `graph=acme&filter=${repeated('[(,')}`,
  'a list': `graph=acme&filter=${repeated('a,')}`,
  'blanks as plus': `graph=acme&filter=${repeated('+')}`,
}

const names: Readonly<Record<string, string>> = {
  graph: 'acme',
  vertex_type: 'Person',
  kind: 'scene',
}

function pathOf({ paths: [path = ''] }: Endpoint): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? 'x')
}

/** One of each way to read parameters. */
const chosen = [
  '/restpp/graph/{graph}/vertices/{type}',
  '/gsql/v1/schema/vertices',
  '/gsql/v1/queries',
]

function endpoints(): Endpoint[] {
  return [...server.app.endpoints].filter(({ paths }) => paths.some((one) => chosen.includes(one)))
}

describe('a head near its limit does not hold the loop', () => {
  it('with long query strings, on each kind of route', async () => {
    for (const endpoint of endpoints()) {
      for (const [kind, query] of Object.entries(queries)) {
        const path = pathOf(endpoint)
        const [method = 'GET'] = endpoint.methods
        const url = `${path}?${query}`
        const sent: Sent = { method, url, headers: { authorization }, parts: [] }
        await expectFree(sent, `${method} ${path} ${kind}`)
      }
    }
  }, 1_200_000)

  it('with long paths', async () => {
    const paths = ['/', '/ui/', '/restpp/graph/acme/vertices/']
    const units = ['x', '%41', '%', '/a', '/../']
    for (const path of paths) {
      for (const unit of units) {
        const sent: Sent = {
          method: 'GET',
          url: `${path}${repeated(unit)}`,
          headers: { authorization },
          parts: [],
        }
        await expectFree(sent, `${path}${unit}…`)
      }
    }
  }, 600_000)

  it('with long headers', async () => {
    const fields = [
      ...['cookie', 'authorization', 'accept', 'accept-encoding', 'content-encoding', 'origin'],
      ...['host', 'x-forwarded-for', 'traceparent', 'sec-purpose', 'idempotency-key'],
      ...['gsql-timeout', 'if-none-match', 'range', 'x-quiver-forwarded'],
    ]
    const units = ['x', ' ', 'a=b; ']
    const url = '/restpp/graph/acme/vertices/Person'
    for (const field of fields) {
      for (const unit of units) {
        const value = `a${repeated(unit, LONG_BYTES - 100)}a`
        const headers = { authorization, [field]: value }
        await expectFree({ method: 'GET', url, headers, parts: [] }, `${field} ${unit}…`)
      }
    }
    for (const scheme of ['Basic', 'Bearer', 'GSQL-Secret']) {
      const headers = { authorization: `${scheme} ${repeated('x', LONG_BYTES - 100)}` }
      await expectFree({ method: 'GET', url, headers, parts: [] }, scheme)
    }
  }, 600_000)

  it('with many headers, and with one many times', async () => {
    const host = ['host', '127.0.0.1', 'authorization', authorization]
    for (const unit of [
      ['a', '1'],
      ['cookie', 'a=b'],
      ['accept', 'a'],
      ['host', 'a'],
      ['x-forwarded-for', '::1'],
    ]) {
      const times = Math.floor(LONG_BYTES / (unit.join('').length + 4))
      const same = Array.from({ length: times }, () => unit).flat()
      await expectFree(
        { method: 'GET', url: '/api/ping', headers: [...host, ...same], parts: [] },
        `${unit} ${times} times`,
      )
    }
    const own = Array.from({ length: Math.floor(LONG_BYTES / 9) }, (_, at) => [
      `h${at.toString(36)}`,
      '1',
    ]).flat()
    await expectFree(
      { method: 'GET', url: '/api/ping', headers: [...host, ...own], parts: [] },
      'many names',
    )
  }, 600_000)
})

describe('a head beyond a limit', () => {
  it('of names of parameters is refused with a clear text, and one at the limit is not', async () => {
    const named = (count: number) =>
      Array.from({ length: count }, (_, at) => `ids[${at}]=1`).join('&')
    const answer = (count: number) => {
      const url = `/restpp/graph/acme/vertices/Person?${named(count)}`
      return loop.send({ method: 'GET', url, headers: { authorization }, parts: [] })
    }
    const { status, text } = await answer(QUERY_NAMES_MAX + 1)
    expect(status).toBe(400)
    expect(text).toContain(`more than ${QUERY_NAMES_MAX} names of parameters`)
    expect((await answer(QUERY_NAMES_MAX)).text).not.toContain('names of parameters')
  })

  it('is refused with a clear text', async () => {
    for (const [url, headers] of [
      [`/api/ping?${repeated('x', HEAD_SIZE_BYTES_MAX)}`, {}],
      ['/api/ping', { 'x-long': repeated('x', HEAD_SIZE_BYTES_MAX) }],
    ] as const) {
      const received = await expectFree({ method: 'GET', url, headers, parts: [] }, 'too long')
      expect(received.status).toBe(431)
      expect(received.text).toContain('The request line and headers are too long')
    }
  })
})
