/** Behind a proxy the client counts, as far as the proxy is trusted. */
import { afterEach, expect, it } from 'vitest'
import { headOf, openRaw } from '../fixtures/raw-http.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer

afterEach(() => server.close())

async function start(trustedProxies: readonly string[]): Promise<void> {
  server = await startServer({ http: { trustedProxies }, queryWorkerCount: 0 })
  await server.request('POST', '/gsql/v1/users', { username: 'ada', password: 'right' })
  await server.request('PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'right' })
}

/** @param forwarded the value of X-Forwarded-For */
async function logIn(forwarded: string, password: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`
  const headers = { authorization, 'x-forwarded-for': forwarded }
  return (await server.request('GET', '/restpp/version', undefined, headers)).status
}

it('counts failed logins of each client behind a trusted proxy', async () => {
  await start(['127.0.0.0/8'])
  for (let count = 0; count < 5; count++) expect(await logIn('203.0.113.9', 'wrong')).toBe(401)
  expect(await logIn('203.0.113.9', 'right')).toBe(429)
  // What the client itself wrote stands before what the proxy added.
  expect(await logIn('192.0.2.1, 203.0.113.9', 'right')).toBe(429)
  expect(await logIn('203.0.113.9, 127.0.0.5', 'right')).toBe(429)
  expect(await logIn('203.0.113.9:4711', 'right')).toBe(429)
  expect(await logIn('::ffff:203.0.113.9', 'right')).toBe(429)
  // A password that was right is believed for a while, whatever the address.
  expect(await logIn('198.51.100.7', 'right')).toBe(200)
})

it('counts a header that names no address as the proxy', async () => {
  await start(['loopback'])
  for (const text of ['unknown', '', ',', 'a b', '_hidden', '999.1.1.1']) {
    expect(await logIn(text, 'wrong'), text).toBeLessThan(500)
  }
  expect(await logIn('127.0.0.1', 'right')).toBe(429)
})

it('takes no word of who is no proxy', async () => {
  await start([])
  for (let count = 0; count < 5; count++)
    expect(await logIn(`203.0.113.${count}`, 'wrong')).toBe(401)
  expect(await logIn('203.0.113.9', 'right')).toBe(429)
  await server.close()
  await start(['127.0.0.1'])
  const port = Number(new URL(await server.listen()).port)
  const wrong = `Basic ${Buffer.from('ada:wrong').toString('base64')}`
  const status = async (from: string, forwarded: string) => {
    const connection = openRaw(port, from)
    const headers = { Authorization: wrong, 'X-Forwarded-For': forwarded, Connection: 'close' }
    connection.write(headOf('GET /restpp/version', headers))
    return (await connection.closed).slice(9, 12)
  }
  for (let count = 0; count < 5; count++) {
    expect(await status('127.0.0.2', `203.0.113.${count}`)).toBe('401')
  }
  expect(await status('127.0.0.2', '203.0.113.9')).toBe('429')
  expect(await status('127.0.0.1', '203.0.113.9')).toBe('401')
})

it('writes the client into the audit log', async () => {
  await start(['127.0.0.1'])
  await logIn('203.0.113.9', 'wrong')
  const authorization = `Basic ${Buffer.from('tigergraph:right').toString('base64')}`
  const { body } = await server.request('GET', '/quiver/v1/audit', undefined, { authorization })
  const denied = body.results.find(({ outcome }: { outcome: string }) => outcome === 'denied')
  expect(denied).toMatchObject({ user: 'ada', address: '203.0.113.9' })
})

it('sends the cookie with Secure where the proxy says that the client came by HTTPS', async () => {
  const cookie = async (scheme: string) => {
    const body = { user: 'tigergraph', password: 'right' }
    const headers = { 'x-forwarded-proto': scheme }
    const answer = await server.request('POST', '/quiver/v1/session', body, headers)
    return String(answer.headers['set-cookie']).includes('; Secure')
  }
  await start(['127.0.0.1'])
  expect(await cookie('https')).toBe(true)
  expect(await cookie('http')).toBe(false)
  expect(await cookie('https, http')).toBe(false)
  await server.close()
  await start([])
  expect(await cookie('https')).toBe(false)
})

it('takes only pages by HTTPS for its own where the proxy says so', async () => {
  await start(['127.0.0.1'])
  const status = async (origin: string) => {
    const headers = { origin, host: 'localhost', 'x-forwarded-proto': 'https' }
    return (await server.request('GET', '/api/ping', undefined, headers)).status
  }
  expect(await status('https://localhost')).toBe(200)
  expect(await status('http://localhost')).toBe(403)
})
