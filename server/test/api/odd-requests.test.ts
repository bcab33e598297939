/** Requests that no well-behaved client sends, and what the contract makes of them. */
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let port: number

beforeAll(async () => {
  server = await startServer()
  await createAcme(server)
  port = Number(new URL(await server.listen()).port)
  await server.request('POST', '/graph/acme', { vertices: { Person: { 7: {} } } })
  const text = `CREATE QUERY echo(STRING t, INT n, VERTEX<Person> p) FOR GRAPH acme { PRINT t, n; }
    CREATE QUERY endless() FOR GRAPH acme { WHILE TRUE DO INT x = 1; END; }`
  await server.request('POST', '/gsql/v1/queries?graph=acme', text)
})

afterAll(() => server.close())

/** Sends bytes as they are and reads until the server closes. */
function raw(...parts: (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    socket.on('data', (bytes: Buffer) => received.push(bytes))
    socket.on('close', () => resolve(Buffer.concat(received).toString()))
    socket.on('error', reject)
    for (const part of parts) socket.write(part)
  })
}

const head = (...lines: string[]) =>
  [...lines, `Host: 127.0.0.1:${port}`, 'Connection: close', '', ''].join('\r\n')

const get = (url: string, headers: Record<string, string> = {}) =>
  server.request('GET', url, undefined, headers)

describe('the request line', () => {
  it('may name the whole URL, whose host must be ours', async () => {
    const whole = `http://127.0.0.1:${port}`
    expect(await raw(head(`GET ${whole}/restpp/echo HTTP/1.1`))).toContain('Hello GSQL')
    expect(await raw(head(`GET ${whole}/echo?sleep=0 HTTP/1.1`))).toContain('Hello GSQL')
    expect(await raw(head(`GET ${whole} HTTP/1.1`))).toContain('url = /,')
    expect(await raw(head(`GET ${whole}?x HTTP/1.1`))).toContain('url = /,')
    expect(await raw(head(`GET ${whole}/nope HTTP/1.1`))).toContain('url = /nope,')
    expect(await raw(head('GET http://evil.example/echo HTTP/1.1'))).toContain('403 Forbidden')
  })

  it('is answered in the shape of errors when it is no HTTP', async () => {
    for (const text of ['nonsense\r\n\r\n', head('BREW /echo HTTP/1.1')]) {
      const answer = await raw(text)
      expect(answer).toMatch(/^HTTP\/1.1 400 /)
      expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
        error: true,
        code: 'REST-30000',
      })
    }
    const fits = await raw(head(`GET /echo?x=${'y'.repeat(2 ** 20 - 200)} HTTP/1.1`))
    expect(fits).toContain('Hello GSQL')
    const long = await raw(head(`GET /echo?x=${'y'.repeat(2 ** 20)} HTTP/1.1`))
    expect(long).toMatch(/^HTTP\/1.1 431 .*"error":true/s)
  })

  it('may name the type of a body that never comes', async () => {
    const typed = ['Content-Type: application/json']
    expect(await raw(head('GET /echo HTTP/1.1', ...typed))).toContain('Hello GSQL')
    expect(await raw(head('POST /graph/acme HTTP/1.1', ...typed))).toContain('"error":true')
    const zero = [...typed, 'Content-Length: 0']
    expect(await raw(head('POST /graph/acme HTTP/1.1', ...zero))).toContain('"error":true')
  })

  it('names the path as the client wrote it when its escapes are no UTF-8', async () => {
    for (const path of ['/graph/acme/vertices/Person/%zz', '/echo/%E0%A4%A', '/gsql/v1/%']) {
      const { status, body } = await get(path)
      expect(status).toBe(400)
      expect(body.message).toBe(`The URL is malformed: the escapes of '${path}' cannot be decoded.`)
    }
  })

  it('is not found for methods that an endpoint does not have', async () => {
    for (const method of ['OPTIONS', 'PATCH', 'PUT'] as const) {
      const answer = await server.app.inject({ method, url: '/restpp/echo' })
      expect(answer.statusCode, method).toBe(404)
    }
  })
})

describe('bodies', () => {
  it('arrive in chunks, and several requests on one connection at once', async () => {
    const chunked = head('POST /restpp/graph/acme HTTP/1.1', 'Transfer-Encoding: chunked')
    const answer = await raw(chunked, '5\r\n{"ver\r\n9\r\ntices":{}\r\n1\r\n}\r\n0\r\n\r\n')
    expect(answer).toContain('"code":"REST-0004"')
    const open = `GET /echo HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`
    const pipelined = await raw(open + open + head('GET /echo HTTP/1.1'))
    expect(pipelined.split('Hello GSQL')).toHaveLength(4)
  })

  it('are read when compressed, and refused by name in another coding', async () => {
    const bytes = gzipSync('{"vertices":{}}')
    const length = `Content-Length: ${bytes.length}`
    const lines = (coding: string) => {
      return ['POST /graph/acme HTTP/1.1', `Content-Encoding: ${coding}`, length]
    }
    expect(await raw(head(...lines('gzip')), bytes)).toMatch(/^HTTP\/1.1 200 /)
    const answer = await raw(head(...lines('exi')), bytes)
    expect(answer).toMatch(/^HTTP\/1.1 415 .*'exi' is not supported/s)
  })
})

describe('limits in headers', () => {
  it('are refused before anything is written', async () => {
    const body = { vertices: { Person: { 99: {} } } }
    for (const name of ['gsql-timeout', 'response-limit']) {
      const answer = await server.request('POST', '/graph/acme', body, { [name]: 'abc' })
      expect(answer.body).toMatchObject({ error: true, code: 'REST-30001' })
    }
    expect((await get('/graph/acme/vertices/Person/99')).body.code).toBe('601')
  })

  it('that ask for a workload queue are told that none is granted', async () => {
    const text = 'INTERPRET QUERY () FOR GRAPH acme { PRINT 1; }'
    const queue = { 'workload-queue': 'AdHoc' }
    const url = '/gsql/v1/queries/interpret?graph=acme'
    const { status, body } = await server.request('POST', url, text, queue)
    expect([status, body.code, body.error]).toEqual([422, 'REST-14000', true])
  })

  it('of runs are checked: one replica, whole numbers, true or false', async () => {
    const run = (headers: Record<string, string>) => get('/query/acme/echo?n=1', headers)
    for (const [name, bad] of [
      ['gsql-replica', '2'],
      ['gsql-replica', '0'],
      ['gsql-thread-limit', '0'],
      ['gsql-thread-limit', 'x'],
      ['gsql-querylocalmemlimitmb', 'x'],
      ['gsql-async', 'maybe'],
    ] as const) {
      const { status, body } = await run({ [name]: bad })
      expect([status, body.code], `${name}: ${bad}`).toEqual([400, 'REST-30001'])
      expect(body.message).toContain(name)
    }
    const fine = { 'gsql-replica': '1', 'gsql-thread-limit': '4.0', 'gsql-async': 'False' }
    expect((await run(fine)).body.results).toEqual([{ t: '', n: 1 }])
    expect((await run({ 'gsql-async': 'TRUE' })).body.request_id).toContain('RESTPP_1_1')
  })

  it('name sizes below a megabyte, too', async () => {
    const { body } = await get('/query/acme/echo?n=1', { 'response-limit': '64' })
    expect(body).toMatchObject({ code: 'REST-4000', results: [] })
    expect(body.message).toMatch(/size is 0\.000\d+MB, which exceeds limit 0\.000061MB\.$/)
  })
})

describe('parameters', () => {
  it('keep each % that begins no escape, and decode the others once', async () => {
    const t = 'a+b 100%25 %zz % %41 %E2%82'
    const posted = await server.request('POST', '/query/acme/echo', { t })
    expect(posted.body.results[0].t).toBe('a+b 100% %zz % A %E2%82')
    const got = await get('/query/acme/echo?t=%41%zz%20100%')
    expect(got.body.results[0].t).toBe('A%zz 100%')
  })

  it('that are vertices have their ids decoded once, alone, in sets and in maps', async () => {
    const ids = ['50%', '50%25', 'é a']
    const vertices = { Company: Object.fromEntries(ids.map((id) => [id, {}])) }
    await server.request('POST', '/graph/acme', { vertices })
    const text = `CREATE QUERY who(VERTEX<Company> p, VERTEX v, SET<VERTEX<Company>> ps, BAG<VERTEX> vs) FOR GRAPH acme {
      PRINT p, v, ps, vs; }`
    await server.request('POST', '/gsql/v1/queries?graph=acme', text)
    const p = { id: '50%25' }
    const v = { id: '50%2525', type: 'Company' }
    const body = { p, v, ps: [p, { id: '%C3%A9 a' }, { id: '%zz' }], vs: [v, { ...v, id: '50%' }] }
    const expected = { p: '50%', v: '50%25', ps: ['50%', 'é a'], vs: ['50%25', '50%'] }
    const posted = await server.request('POST', '/query/acme/who', body)
    expect(posted.body.results).toEqual([expected])
    expect(posted.body.message).toContain('1 ids are invalid Company vertex ids')
    const byName = { parameters: body }
    const named = await server.request('POST', '/gsql/v1/queries/who?graph=acme', byName)
    expect(named.body.results.results).toEqual([expected])
    const parameters = new URLSearchParams([
      ...[
        ['p', '50%'],
        ['v', '50%25'],
        ['v.type', 'Company'],
        ['ps', '50%'],
        ['ps', 'é a'],
      ],
      ...[
        ['vs[0]', '50%25'],
        ['vs[0].type', 'Company'],
        ['vs[1]', '50%'],
        ['vs[1].type', 'Company'],
      ],
    ])
    const got = await get(`/query/acme/who?${parameters}`)
    expect(got.body.results).toEqual([expected])
  })

  it('take the largest UINT64 for no limit', async () => {
    const { body } = await get('/graph/acme/vertices/Person?limit=18446744073709551615')
    expect(body.results).toHaveLength(1)
  })

  it('say what is missing', async () => {
    const bodyless = await server.request('POST', '/restpp/builtins/acme')
    expect(bodyless.body).toMatchObject({
      ...{ code: 'REST-30000', message: 'The request needs a JSON body.' },
    })
    expect((await get('/gsql/v1/queries')).body.message).toBe('Invalid request: graph: is required')
    const dropped = await server.request('DELETE', '/gsql/v1/queries?graph=acme')
    expect(dropped.body.message).toBe('The parameter query is required.')
    const null_ = await server.request('POST', '/query/acme/echo', { p: { id: null } })
    expect(null_.body.message).toBe("'id' is not found in the VERTEX parameter 'p'.")
    expect((await get('/restpp/query_status?graph_name=nope')).body.code).toBe('REST-1004')
    const token = await server.request('POST', '/gsql/v1/tokens', { graph: 'nope' })
    expect(token.body.code).toBe('GRAPH_NOT_FOUND')
    const users = await server.request('POST', '/gsql/v1/users?action=rename', { username: 'x' })
    expect(users.status).toBe(400)
  })
})

describe('calls with and without a body', () => {
  it('run a query by name', async () => {
    const url = '/gsql/v1/queries/echo?graph=acme'
    const empty = await server.request('POST', url)
    expect(empty.body.results.results).toEqual([{ t: '', n: 0 }])
    const ghost = await server.request('POST', '/gsql/v1/queries/ghost?graph=acme', {})
    expect({ status: ghost.status, ...ghost.body }).toEqual({
      status: 400,
      error: true,
      message: "Query 'ghost' does not exist on the graph 'acme', or is not installed.",
      code: 'QUERY_NOT_FOUND',
    })
    const detached = await server.request('POST', url, { asyncRun: true, parameters: { n: 5 } })
    const id = encodeURIComponent(detached.body.results.request_id)
    await expect
      .poll(async () => (await get(`/restpp/query_result?requestid=${id}`)).body.results)
      .toEqual([{ t: '', n: 5 }])
    expect((await server.request('DELETE', '/gsql/v1/description?graph=acme')).status).toBe(200)
  })

  it('install by flags that exist', async () => {
    const url = '/gsql/v1/queries/install?graph=acme&queries=echo&flag='
    expect((await get(`${url}-force,-debug`)).body.error).toBe(false)
    expect((await get(`${url}-single,-legacy`)).body.error).toBe(true)
    expect((await get(`${url}-quick`)).body.message).toContain("'-quick'")
  })
})

describe('dropped tokens', () => {
  const token = async () => (await server.request('POST', '/gsql/v1/tokens')).body.token as string
  const drop = (tokens: unknown, headers = {}) =>
    server.request('DELETE', '/gsql/v1/tokens', { tokens }, headers)

  it('stay dropped whatever else is dropped', async () => {
    const stolen = await token()
    await drop(stolen)
    await drop(Array.from({ length: 60 }, (_, index) => `rubbish-that-is-no-token-${index}`))
    const use = { authorization: `Bearer ${stolen}` }
    expect((await get('/restpp/echo', use)).status).toBe(401)
    const more = await Promise.all(Array.from({ length: 50 }, token))
    expect((await drop(more.join(','))).body.message).toContain('Successfully dropped')
    expect((await get('/restpp/echo', use)).status).toBe(401)
    await server.request('POST', '/gsql/v1/users', { username: 'eve', password: 'evesecret' })
    const eve = { authorization: `Basic ${Buffer.from('eve:evesecret').toString('base64')}` }
    expect((await drop(await token(), eve)).status).toBe(403)
    const cleared = await server.request('DELETE', '/gsql/v1/tokens?clear=true', undefined, eve)
    expect(cleared.status).toBe(403)
    await server.request('DELETE', '/gsql/v1/tokens?clear=true')
    expect((await get('/restpp/echo', use)).status).toBe(200)
  })
})
