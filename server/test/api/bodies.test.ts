/** Which bodies are read, from whom, and how much of them. */
import { afterEach, describe, expect, it } from 'vitest'
import { DOCUMENT_BYTES_MAX } from '#contract/documents.ts'
import {
  BODY_SIZE_BYTES_DEFAULT,
  BODY_SIZE_BYTES_MAX,
  PARAMETERS_SIZE_BYTES_MAX,
  SCRIPT_SIZE_BYTES_MAX,
  SMALL_BODY_SIZE_BYTES_MAX,
  UNKNOWN_BODIES_SIZE_BYTES_MAX,
} from '#kernel/limits.ts'
import type { HttpLimits } from '../../src/http/app.ts'
import { headOf, openRaw, type RawConnection } from '../fixtures/raw-http.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let port: number
const connections: RawConnection[] = []

afterEach(async () => {
  for (const { socket } of connections.splice(0)) socket.destroy()
  await server.close()
})

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
const root = basic('tigergraph', 'a password')

/** With a password, and a user without roles. */
async function start(http: HttpLimits = {}): Promise<void> {
  server = await startServer({ http, queryWorkerCount: 0 })
  await createAcme(server)
  await server.request('POST', '/gsql/v1/users', { username: 'ada', password: 'b' })
  await server.request('PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'a password' })
  port = Number(new URL(await server.listen()).port)
}

function open(): RawConnection {
  const connection = openRaw(port)
  connections.push(connection)
  return connection
}

/** Sends a head and waits for the answer without sending any of the body. */
function answerToHead(line: string, headers: Record<string, string | number>): Promise<string> {
  const connection = open()
  connection.write(headOf(line, headers))
  return connection.until(/\r\n\r\n.*\}$/s)
}

const upsert = 'POST /restpp/graph/acme'
const large = { 'Content-Length': 100_000_000 }

describe('a body that nobody may send', () => {
  it('is refused before it is read: by credentials, rights, path and write guard', async () => {
    await start()
    const ada = basic('ada', 'b')
    for (const [line, headers, status] of [
      [upsert, {}, '401'],
      [upsert, { Authorization: basic('tigergraph', 'wrong') }, '401'],
      [upsert, { Authorization: ada }, '403'],
      [upsert, { Authorization: root, 'X-Write-Guard': 'read-only' }, '403'],
      [upsert, { Authorization: root, Host: 'elsewhere.example' }, '403'],
      [upsert, { Authorization: root, 'Content-Encoding': 'compress' }, '415'],
      [`${upsert}?vertex_must_exist=perhaps`, {}, '400'],
      ['POST /nope', {}, '404'],
      ['POST /gsql/v1/nope', { Authorization: root }, '404'],
      [upsert, { Authorization: root, host: '127.0.0.1' }, '400'],
      ['PUT /restpp/graph/acme', {}, '404'],
      ['GET /restpp/echo', { Authorization: root }, '413'],
    ] as const) {
      const answer = await answerToHead(line, { ...large, ...headers })
      expect(answer, line).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
      expect(answer.toLowerCase(), line).toContain('connection: close')
    }
  })

  it('is not invited by 100 Continue, as one that is welcome is', async () => {
    await start()
    const expecting = { ...large, Expect: '100-continue' }
    expect(await answerToHead(upsert, expecting)).toMatch(/^HTTP\/1.1 401 /)
    const body = '{"vertices":{"Person":{"1":{}}}}'
    const welcome = open()
    const headers = { Authorization: root, Expect: '100-continue', 'Content-Length': body.length }
    welcome.write(headOf(upsert, headers))
    await welcome.until(/^HTTP\/1.1 100 Continue\r\n\r\n$/)
    welcome.write(body)
    expect(await welcome.until(/REST-0001/)).toContain('"accepted_vertices":1')
  })

  it('leaves its connection to the next request when it is short', async () => {
    await start()
    const connection = open()
    connection.write(headOf(upsert, { 'Content-Length': 20 }), 'GET /hidden HTTP/1.1')
    connection.write(headOf('GET /restpp/echo', { Authorization: root }))
    const both = await connection.until(/Hello GSQL/)
    expect(both.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200'])
  })

  it('is answered although the client goes on sending, and then the connection ends', async () => {
    await start()
    const connection = open()
    connection.write(headOf(upsert, { 'Content-Length': 2_000_000 }), 'x'.repeat(2_000_000))
    expect(await connection.closed).toMatch(/^HTTP\/1.1 401 .*\}$/s)
  })
})

describe('the size of a body', () => {
  it('is limited by its route, and refused by its length alone', async () => {
    await start()
    const megabyte = 2 ** 20
    for (const [line, limit, name] of [
      ['POST /quiver/v1/session', SMALL_BODY_SIZE_BYTES_MAX, '64KB'],
      ['POST /gsql/v1/tokens', SMALL_BODY_SIZE_BYTES_MAX, '64KB'],
      ['POST /gsql/v1/statements', SCRIPT_SIZE_BYTES_MAX, '4MB'],
      ['POST /gsql/v1/queries?graph=acme', SCRIPT_SIZE_BYTES_MAX, '4MB'],
      ['PUT /quiver/v1/documents/scene/1', DOCUMENT_BYTES_MAX, '1MB'],
      ['POST /restpp/searchvertex/acme', BODY_SIZE_BYTES_DEFAULT, '4MB'],
      ['POST /restpp/query/acme/q', PARAMETERS_SIZE_BYTES_MAX, '32MB'],
      [upsert, BODY_SIZE_BYTES_MAX, `${BODY_SIZE_BYTES_MAX / megabyte}MB`],
    ] as const) {
      const over = { Authorization: root, 'Content-Length': limit + 1 }
      const refused = await answerToHead(line, over)
      expect(refused, line).toMatch(/^HTTP\/1.1 413 /)
      expect(refused).toContain(`exceeds the limit of ${name}.`)
      const atLimit = open()
      const headers = { Authorization: root, 'Content-Length': limit, Expect: '100-continue' }
      atLimit.write(headOf(line, headers))
      await atLimit.until(/^HTTP\/1.1 100 /)
      atLimit.socket.destroy()
    }
  })

  it('counts as it arrives where no length is declared', async () => {
    await start()
    const connection = open()
    connection.write(headOf('POST /quiver/v1/session', { 'Transfer-Encoding': 'chunked' }))
    const chunk = `${(16 * 1024).toString(16)}\r\n${' '.repeat(16 * 1024)}\r\n`
    connection.write(chunk, chunk, chunk, chunk)
    connection.write('1\r\nx\r\n')
    expect(await connection.until(/\}$/)).toMatch(/^HTTP\/1.1 413 /)
    const whole = open()
    whole.write(headOf('POST /quiver/v1/session', { 'Transfer-Encoding': 'chunked' }))
    whole.write(chunk, chunk, chunk, chunk, '0\r\n\r\n')
    expect(await whole.until(/\}$/)).toMatch(/^HTTP\/1.1 400 .*not valid JSON/s)
  })
})

describe('bodies in flight', () => {
  const hold = (bytes: number, authorization = root) => {
    const connection = open()
    const headers = { Authorization: authorization, 'Content-Length': bytes }
    connection.write(headOf(upsert, { ...headers, Expect: '100-continue' }))
    return connection
  }

  it('share a budget, beyond which clients are asked to come again', async () => {
    await start({ bodyBudgetBytes: 1_000_000 })
    const first = hold(900_000)
    await first.until(/100 Continue/)
    const second = await hold(200_000).until(/\}$/)
    expect(second).toMatch(/^HTTP\/1.1 503 .*retry-after: 1\r\n.*too many request bodies/is)
    first.write(' '.repeat(900_000))
    await first.until(/HTTP\/1.1 400 /)
    await hold(200_000).until(/100 Continue/)
  })

  it('of one user leave room for others', async () => {
    await start({ bodyBudgetBytes: 1_000_000 })
    const role = { roles: ['globaldesigner'], users: ['ada'] }
    await server.request('POST', '/gsql/v1/roles/grant', role, { authorization: root })
    const ada = basic('ada', 'b')
    await hold(300_000, ada).until(/100 Continue/)
    expect(await hold(300_000, ada).until(/\}$/)).toMatch(/^HTTP\/1.1 503 /)
    await hold(300_000).until(/100 Continue/)
  })

  it('give their room back when the client goes away', async () => {
    await start({ bodyBudgetBytes: 1_000_000 })
    const gone = hold(900_000)
    await gone.until(/100 Continue/)
    gone.socket.destroy()
    await gone.closed
    const again = async (): Promise<string> => {
      const answer = await hold(900_000).until(/100 Continue|\}$/)
      return answer.includes('503') ? again() : answer
    }
    expect(await again()).toContain('100 Continue')
  })

  it('of callers who are not known have a small budget of their own', async () => {
    await start()
    const holdLogin = () => {
      const connection = open()
      const headers = { 'Content-Length': SMALL_BODY_SIZE_BYTES_MAX, Expect: '100-continue' }
      connection.write(headOf('POST /quiver/v1/session', headers))
      return connection.until(/100 Continue|\}$/)
    }
    // One address has half of it.
    const count = UNKNOWN_BODIES_SIZE_BYTES_MAX / SMALL_BODY_SIZE_BYTES_MAX / 2
    const held = await Promise.all(Array.from({ length: count }, holdLogin))
    expect(held.filter((answer) => answer.includes('100 Continue'))).toHaveLength(count)
    expect(await holdLogin()).toMatch(/^HTTP\/1.1 503 /)
    await hold(200_000).until(/100 Continue/)
  })

  it('that are large keep out no small one', async () => {
    await start({ bodyBudgetBytes: 1_000_000 })
    await hold(1_000_000).until(/100 Continue/)
    expect(await hold(SMALL_BODY_SIZE_BYTES_MAX + 1).until(/\}$/)).toMatch(/^HTTP\/1.1 503 /)
    await hold(SMALL_BODY_SIZE_BYTES_MAX).until(/100 Continue/)
  })

  const fronts = [0, 255, 256, 2 ** 20].flatMap((count) => {
    const blanks = ' \n\t\r'.repeat(count / 4 + 1).slice(0, count)
    return [blanks, `\ufeff${blanks}`]
  })
  const weighed = [
    ['DELETE', '/restpp/expiredtoken', (x: string) => `{"user":[],"x":${x}}`],
    ['POST', '/restpp/query/acme/q', (x: string) => `{"x":${x}}`],
    ['POST', '/restpp/query/acme/q', (x: string) => x],
    [
      'POST',
      '/gsql/v1/queries/interpret?graph=acme',
      (x: string) => `{"text":"","parameters":${x}}`,
    ],
    [
      'POST',
      '/quiver/v1/queries/explain?graph=acme',
      (x: string) => `{"text":"","parameters":${x}}`,
    ],
    ['POST', '/gsql/v1/loading-jobs/run?graph=acme', (x: string) => `{"name":${x}}`],
    ['POST', '/restpp/searchvertex/acme', (x: string) => `{"type":${x}}`],
  ] as const

  it('count with what their values take in memory, whatever stands in front', async () => {
    await start({ bodyBudgetBytes: 3_200_000 })
    for (const [method, url, bodyOf] of weighed) {
      for (const front of fronts) {
        const send = async (count: number) => {
          const body = front + bodyOf(`[${'{},'.repeat(count)}{}]`)
          return await server.request(method, url, body, { authorization: root })
        }
        const label = `${url} after ${JSON.stringify(front.slice(0, 5))} of ${front.length}`
        expect((await send(20_000)).status, label).not.toBe(413)
        const refused = await send(45_000)
        expect([refused.status, refused.body.message], label).toEqual([
          413,
          'The request body holds more values than there is room for.',
        ])
        // The room is given back.
        expect((await send(20_000)).status, label).not.toBe(503)
      }
    }
  })

  it('count with the length of their strings, which are copied', async () => {
    await start({ bodyBudgetBytes: 5_000_000 })
    const send = (text: string) =>
      server.request('POST', '/restpp/query/acme/q', `{"x":"${text}"}`, { authorization: root })
    expect((await send('x'.repeat(2_400_000))).status).toBe(404)
    expect((await send('x'.repeat(2_600_000))).status).toBe(413)
    expect((await send(`€${'x'.repeat(1_600_000)}`)).status).toBe(404)
    expect((await send(`€${'x'.repeat(1_700_000)}`)).status).toBe(413)
  })

  it('stay in it while a script goes on behind its answer', async () => {
    await start({ bodyBudgetBytes: 1_000_000 })
    const text = 'INTERPRET QUERY () FOR GRAPH acme { WHILE true DO INT i = 0; END; }'
    const script = `${text}\n// ${'x'.repeat(600_000)}`
    const authorization = { authorization: root }
    const url = '/gsql/v1/statements'
    const { body } = await server.request('POST', `${url}?async=true`, script, authorization)
    expect(await hold(500_000).until(/\}$/)).toMatch(/^HTTP\/1.1 503 /)
    const one = `${url}/${encodeURIComponent(body.requestId)}`
    await server.request('PUT', `${one}/cancel`, undefined, authorization)
    const again = async (): Promise<string> => {
      const answer = await hold(500_000).until(/100 Continue|\}$/)
      return answer.includes('503') ? again() : answer
    }
    expect(await again()).toContain('100 Continue')
  })

  it('end when they hardly move', async () => {
    await start({ bodyProgressMs: 40 })
    const connection = open()
    connection.write(headOf(upsert, { Authorization: root, 'Content-Length': 100 }), '{')
    const answer = await connection.until(/\}$/)
    expect(answer).toMatch(/^HTTP\/1.1 408 .*did not arrive in time/s)
    expect(answer.toLowerCase()).toContain('connection: close')
  })
})

describe('the rights of a caller', () => {
  it('are looked at again once the body is whole', async () => {
    await start()
    const role = { roles: ['globaldesigner'], users: ['ada'] }
    await server.request('POST', '/gsql/v1/roles/grant', role, { authorization: root })
    const body = '{"vertices":{"Person":{"1":{}}}}'
    const connection = open()
    const headers = { Authorization: basic('ada', 'b'), 'Content-Length': body.length }
    connection.write(headOf(upsert, { ...headers, Expect: '100-continue' }))
    await connection.until(/100 Continue/)
    await server.request('POST', '/gsql/v1/roles/revoke', role, { authorization: root })
    await server.request('DELETE', '/gsql/v1/users/ada', undefined, { authorization: root })
    connection.write(body)
    expect(await connection.until(/\}$/)).toMatch(/HTTP\/1.1 401 /)
  })
})

describe('connections', () => {
  it('end when their head does not arrive in time', async () => {
    await start({ headersTimeoutMs: 60 })
    const silent = open()
    const slow = open()
    slow.write('GET /restpp/echo HTTP/1.1\r\nHost: 127')
    expect(await slow.closed).toMatch(/^HTTP\/1.1 408 .*did not arrive in time/s)
    await silent.closed
  })

  it('with unfinished heads take so much in all and no more; those with requests go on', async () => {
    await start({ headsSizeBytesMax: 2 ** 20 })
    const busy = open()
    const body = `{"vertices":{"Person":{"1":{}}}}${' '.repeat(800_000)}`
    const headers = { Authorization: root, 'Content-Length': body.length }
    busy.write(headOf(upsert, { ...headers, Expect: '100-continue' }))
    await busy.until(/100 Continue/)
    busy.write(body.slice(0, -1))
    const heads = Array.from({ length: 3 }, (_none, index) => {
      const connection = open()
      connection.write(`GET /restpp/echo?x=${'y'.repeat(500_000 + 1_000 * index)}`)
      return connection
    })
    const [small, middle, large] = heads as [RawConnection, RawConnection, RawConnection]
    expect(await large.closed).toBe('')
    for (const connection of [small, middle]) {
      connection.write(' HTTP/1.1\r\nHost: 127.0.0.1\r\n', `Authorization: ${root}\r\n\r\n`)
      await connection.until(/Hello GSQL/)
    }
    busy.write(body.slice(-1))
    await busy.until(/REST-0001/)
  })
})
