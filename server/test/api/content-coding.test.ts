/** Compressed answers and bodies, answers to HEAD, and GETs that change something. */
import { request as send } from 'node:http'
import * as zlib from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_SIZE_BYTES_DEFAULT, SMALL_BODY_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly bytes: Buffer
}

interface Asked {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: Uint8Array
}

let server: TestServer
let origin: string

beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 1, http: { bodyBudgetBytes: 60_000_000 } })
  await createAcme(server)
  origin = await server.listen()
  const ids = Array.from({ length: 20_000 }, (_none, at) => [`company ${at}`, {}])
  const vertices = { Company: Object.fromEntries(ids) }
  await server.request('POST', '/restpp/graph/acme', { vertices })
  const text = 'CREATE QUERY two(SET<INT> x) FOR GRAPH acme { PRINT x.size() AS n; }'
  await server.request('POST', '/gsql/v1/queries?graph=acme', text)
})
afterAll(() => server.close())

function ask(url: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const call = send(origin + url, { method, headers, agent: false }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      const { statusCode: status = 0, headers: received } = answer
      answer.on('end', () => resolve({ status, headers: received, bytes: Buffer.concat(chunks) }))
      answer.on('error', reject)
    })
    call.on('error', reject)
    call.end(body)
  })
}

const unpack = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync }
const small = '/restpp/graph/acme/vertices/Company/company%201'
const medium = '/restpp/graph/acme/vertices/Company?limit=200'
const large = '/restpp/graph/acme/vertices/Company'
const lines = '/quiver/v1/graphs/acme/elements?vertex_types=Company'

describe('an answer', () => {
  it.each([medium, large, lines, '/openapi.json', '/quiver/v1/docs/page.js'])(
    'of some size is packed as its client accepts it: %s',
    async (url) => {
      const plain = await ask(url)
      expect(plain.headers['content-encoding']).toBeUndefined()
      expect(plain.headers['vary']).toBe('accept-encoding')
      for (const [accepted, coding] of [
        ['gzip, deflate, br', 'br'],
        ['gzip', 'gzip'],
        ['GZIP;q=1.0, br;q=0.5', 'gzip'],
        ['br;q=0, gzip;q=0.1', 'gzip'],
        ['*', 'br'],
      ] as const) {
        const found = await ask(url, { headers: { 'accept-encoding': accepted } })
        expect(found.headers['content-encoding'], accepted).toBe(coding)
        expect(found.headers['vary']).toBe('accept-encoding')
        expect(found.bytes.length).toBeLessThan(plain.bytes.length / 2)
        expect(unpack[coding](found.bytes).equals(plain.bytes), accepted).toBe(true)
      }
      for (const accepted of ['identity', 'br;q=0', 'zip', '', ', '.repeat(2_000)]) {
        const found = await ask(url, { headers: { 'accept-encoding': accepted } })
        expect(found.headers['content-encoding'], accepted).toBeUndefined()
        expect(found.bytes.equals(plain.bytes)).toBe(true)
      }
    },
  )

  it('that is small is left as it is', async () => {
    const { headers } = await ask(small, { headers: { 'accept-encoding': 'br, gzip' } })
    expect([headers['content-encoding'], headers['vary']]).toEqual([undefined, undefined])
  })

  it('of events is left as it is, since each is sent when it comes', async () => {
    const found = await new Promise<{ coding: unknown; text: string }>((resolve, reject) => {
      const headers = { 'accept-encoding': 'br, gzip' }
      const call = send(`${origin}/quiver/v1/statistics/acme/stream`, { headers }, (answer) => {
        answer.once('data', (chunk) => {
          call.destroy()
          resolve({ coding: answer.headers['content-encoding'], text: String(chunk) })
        })
      })
      call.on('error', reject)
      call.end()
    })
    expect(found.coding).toBeUndefined()
    expect(found.text).toContain('retry:')
  })

  it('of many clients at once is whole for each', async () => {
    const plain = await ask(large)
    const headers = { 'accept-encoding': 'gzip' }
    const all = await Promise.all(Array.from({ length: 12 }, () => ask(large, { headers })))
    for (const { headers: found, bytes } of all) {
      const isPacked = found['content-encoding'] === 'gzip'
      expect((isPacked ? zlib.gunzipSync(bytes) : bytes).equals(plain.bytes)).toBe(true)
    }
  })
})

describe('HEAD', () => {
  const names: Readonly<Record<string, string>> = { graph: 'acme', query: 'two', kind: 'scene' }

  it('has the status and the headers of GET on every route, and no body', async () => {
    let count = 0
    for (const endpoint of server.app.endpoints) {
      if (!endpoint.methods.includes('GET') || endpoint.getChanges !== undefined) continue
      const isEvents = endpoint.contentType?.startsWith('text/event-stream') === true
      for (const path of endpoint.paths) {
        const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) => names[name] ?? 'x')
        const url = filled.startsWith('/restpp/') ? filled : `${filled}?graph=acme`
        const head = await ask(url, { method: 'HEAD' })
        expect(head.bytes, url).toHaveLength(0)
        count++
        if (isEvents) {
          expect([head.status, head.headers['content-type']]).toEqual([200, endpoint.contentType])
          continue
        }
        const get = await ask(url)
        expect(head.status, url).toBe(get.status)
        expect(head.headers['content-type'], url).toBe(get.headers['content-type'])
      }
    }
    expect(count).toBeGreaterThan(80)
  }, 120_000)

  it('tells the length of what GET answers, packed or not', async () => {
    for (const url of [small, medium, large]) {
      const get = await ask(url)
      const head = await ask(url, { method: 'HEAD' })
      expect(Number(head.headers['content-length']), url).toBe(get.bytes.length)
      expect(head.headers['vary']).toBe(get.headers['vary'])
      const headers = { 'accept-encoding': 'gzip' }
      const packed = await ask(url, { method: 'HEAD', headers })
      expect(packed.headers['content-encoding']).toBe(url === small ? undefined : 'gzip')
    }
    expect((await ask('/nowhere', { method: 'HEAD' })).status).toBe(404)
  })

  it('changes nothing where GET would', async () => {
    for (const url of ['/gsql/v1/drop-all', '/gsql/v1/clear-store']) {
      expect((await ask(url, { method: 'HEAD' })).status).toBe(200)
    }
    const { body } = await server.request('GET', `${large}?count_only=true`)
    expect(body.results[0].count).toBe(20_000)
  })
})

describe('a GET that changes something', () => {
  it('is refused as the visit of a browser, ahead of one, from elsewhere and under the guard', async () => {
    const changing = [...server.app.endpoints].filter(({ getChanges }) => getChanges !== undefined)
    expect(changing.length).toBeGreaterThanOrEqual(7)
    for (const { paths } of changing) {
      for (const path of paths) {
        const url = path.replace('{graph}', 'acme').replace(/\{\w+\}/g, 'x')
        for (const headers of [
          { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' },
          { 'sec-fetch-mode': 'nested-navigate', 'sec-fetch-site': 'none' },
          { 'sec-fetch-mode': 'no-cors', 'sec-fetch-site': 'same-origin' },
          { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' },
          { 'sec-purpose': 'prefetch;prerender' },
          { purpose: 'prefetch' },
          { 'x-moz': 'prefetch' },
          { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
          { 'x-write-guard': 'read-only' },
        ] as readonly Record<string, string>[]) {
          const { status } = await ask(`${url}?graph=acme`, { headers })
          expect(status, `${url} ${JSON.stringify(headers)}`).toBe(403)
        }
      }
    }
    const { body } = await server.request('GET', `${large}?count_only=true`)
    expect(body.results[0].count).toBe(20_000)
    const visit = { 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' }
    expect((await ask(small, { headers: visit })).status).toBe(200)
  })
})

describe('a packed body', () => {
  const text = JSON.stringify({ x: Array.from({ length: 30_000 }, (_none, at) => at) })
  const packings = {
    gzip: zlib.gzipSync,
    'x-gzip': zlib.gzipSync,
    deflate: zlib.deflateSync,
    br: zlib.brotliCompressSync,
    zstd: zlib.zstdCompressSync,
    identity: (bytes: string) => Buffer.from(bytes),
  }
  const query = '/restpp/query/acme/two'

  it.each(Object.entries(packings))('is read: %s', async (name, pack) => {
    const headers = { 'content-encoding': name }
    const found = await ask(query, { method: 'POST', headers, body: pack(text) })
    expect(JSON.parse(String(found.bytes)).results).toEqual([{ n: 30_000 }])
    const vertices = JSON.stringify({ vertices: { Company: { [`of ${name}`]: {} } } })
    const upsert = { method: 'POST', headers, body: pack(vertices) }
    const upserted = await ask('/restpp/graph/acme', upsert)
    expect(JSON.parse(String(upserted.bytes)).results[0].accepted_vertices).toBe(1)
  })

  it('that is damaged, cut or packed in another way is refused', async () => {
    const whole = zlib.gzipSync(text)
    for (const body of [Buffer.from(text), whole.subarray(0, 1_000)]) {
      const headers = { 'content-encoding': 'gzip' }
      const { status, bytes } = await ask(query, { method: 'POST', headers, body })
      expect([status, String(bytes)]).toEqual([400, expect.stringContaining('it is no gzip')])
    }
    for (const coding of ['compress', 'gzip, br', 'aes128gcm', 'null']) {
      const headers = { 'content-encoding': coding }
      const found = await ask(query, { method: 'POST', headers, body: whole })
      expect(found.status, coding).toBe(415)
      expect(found.headers['accept-encoding']).toBe('gzip, deflate, br, zstd')
    }
  })

  it('ends at the limit of its route, however short it is', async () => {
    const bomb = (bytes: number, pack: (bytes: Buffer) => Buffer) => pack(Buffer.alloc(bytes, ' '))
    const search = '/restpp/searchvertex/acme'
    for (const [name, pack] of Object.entries(packings).slice(0, 5)) {
      const headers = { 'content-encoding': name }
      const post = (url: string, bytes: number) =>
        ask(url, { method: 'POST', headers, body: bomb(bytes, pack as (bytes: Buffer) => Buffer) })
      expect((await post(search, BODY_SIZE_BYTES_DEFAULT)).status, name).toBe(400)
      expect((await post(search, BODY_SIZE_BYTES_DEFAULT + 1)).status, name).toBe(413)
      expect((await post(query, 100_000_000)).status, name).toBe(413)
    }
    const values = Buffer.from(`{"x":[${'{},'.repeat(2_000_000)}{}]}`)
    const headers = { 'content-encoding': 'gzip' }
    const weighed = await ask(query, { method: 'POST', headers, body: zlib.gzipSync(values) })
    expect(String(weighed.bytes)).toContain('more values than there is room for')
    // The room is given back.
    expect((await ask(query, { method: 'POST', body: Buffer.from(text) })).status).toBe(200)
  }, 300_000)

  it('of somebody who is not known has no large window', async () => {
    await server.request('PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'a password' })
    const login = '{"user":"nobody","password":"x"}'
    for (const [name, status] of [
      ['gzip', 401],
      ['deflate', 401],
      ['br', 415],
      ['zstd', 415],
    ] as const) {
      const body = packings[name](login)
      const headers = { 'content-encoding': name }
      const found = await ask('/quiver/v1/session', { method: 'POST', headers, body })
      expect(found.status, name).toBe(status)
    }
    const body = zlib.gzipSync(Buffer.alloc(SMALL_BODY_SIZE_BYTES_MAX + 1, ' '))
    const headers = { 'content-encoding': 'gzip' }
    expect((await ask('/quiver/v1/session', { method: 'POST', headers, body })).status).toBe(413)
  })
})
