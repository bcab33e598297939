/** Which connections are open: none keeps others from coming in. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, it } from 'vitest'
import { STOP_MS_MAX } from '#kernel/limits.ts'
import type { HttpLimits } from '../../src/http/app.ts'
import { selfSigned } from '../fixtures/certificate.ts'
import { headOf, openRaw, type RawConnection } from '../fixtures/raw-http.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let port: number
const opened: RawConnection[] = []

afterEach(async () => {
  for (const { socket } of opened.splice(0)) socket.destroy()
  await server.close()
})

async function start(http: HttpLimits, options: Parameters<typeof startServer>[0] = {}) {
  server = await startServer({ http, queryWorkerCount: 0, ...options })
  await server.request('PUT', '/gsql/v1/users', { name: 'tigergraph', password: 'right' })
  port = Number(new URL(await server.listen()).port)
}

function open(from?: string): RawConnection {
  const connection = openRaw(port, from)
  opened.push(connection)
  return connection
}

/** Has had an answer and is idle. */
async function openIdle(from?: string): Promise<RawConnection> {
  const connection = open(from)
  connection.write(headOf('GET /api/ping', {}))
  await connection.until(/pong/)
  return connection
}

/** Has a request under way for two seconds. */
function openBusy(from?: string): RawConnection {
  const connection = open(from)
  connection.write(headOf('GET /restpp/echo?sleep=2', { Authorization: right }))
  return connection
}

const right = `Basic ${Buffer.from('tigergraph:right').toString('base64')}`

async function logIn(from: string): Promise<string> {
  const connection = open(from)
  connection.write(headOf('GET /restpp/version', { Authorization: right, Connection: 'close' }))
  return (await connection.closed).split('\r\n')[0]!
}

const isOpen = ({ socket }: RawConnection) => !socket.destroyed
/** Also where this process did not run meanwhile: what came is read in the turns of the loop. */
async function settled(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 100))
  for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate)
}

it('lets others sign in while one address opens more connections than there are', async () => {
  await start({ exemptAddresses: [] })
  for (let count = 0; count < 2_050; count += 50) {
    await Promise.all(Array.from({ length: 50 }, () => openIdle('127.0.0.2')))
  }
  expect(await logIn('127.0.0.3')).toBe('HTTP/1.1 200 OK')
  // The address itself gets in, too: its oldest gives way.
  expect(await logIn('127.0.0.2')).toBe('HTTP/1.1 200 OK')
  expect(opened.slice(0, 2_050).filter(isOpen).length).toBeLessThanOrEqual(500)
}, 60_000)

it('counts connections whose heads are not whole', async () => {
  await start({ exemptAddresses: [], connectionCountMax: 8 })
  const halves = Array.from({ length: 30 }, () => open('127.0.0.2'))
  for (const half of halves) half.write('GET /api/ping HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  await settled()
  expect(await logIn('127.0.0.3')).toBe('HTTP/1.1 200 OK')
  expect(halves.filter(isOpen)).toHaveLength(2)
})

it('closes the connection that was idle for the longest time, and none in use', async () => {
  await start({ exemptAddresses: [], connectionCountMax: 12 })
  const busy = openBusy('127.0.0.2')
  await settled()
  const [first, second] = [await openIdle('127.0.0.2'), await openIdle('127.0.0.2')]
  first.write(headOf('GET /restpp/echo', { Authorization: right }))
  await first.until(/Hello GSQL/)
  const third = await openIdle('127.0.0.2')
  await settled()
  expect([busy, first, second, third].map(isOpen)).toEqual([true, true, false, true])
})

it('refuses a connection of an address whose whole share is in use', async () => {
  await start({ exemptAddresses: [], connectionsPerAddressMax: 2 })
  const busy = [openBusy('127.0.0.2'), openBusy('127.0.0.2')]
  await settled()
  expect(await open('127.0.0.2').closed).toBe('')
  expect(await logIn('127.0.0.3')).toBe('HTTP/1.1 200 OK')
  for (const { until } of busy) await until(/Hello GSQL/)
  expect(await logIn('127.0.0.2')).toBe('HTTP/1.1 200 OK')
})

it('takes from the address with the most at the limit of all, exempt or not', async () => {
  await start({ exemptAddresses: ['127.0.0.2'], connectionCountMax: 8 })
  const modest = [await openIdle('127.0.0.4'), await openIdle('127.0.0.4')]
  for (let count = 0; count < 20; count++) await openIdle('127.0.0.2')
  expect(await logIn('127.0.0.3')).toBe('HTTP/1.1 200 OK')
  expect(modest.map(isOpen)).toEqual([true, true])
})

it('takes back a connection whose client does not read', async () => {
  const consoleDirectory = mkdtempSync(join(tmpdir(), 'quiver-connections-'))
  writeFileSync(join(consoleDirectory, 'index.html'), ' '.repeat(30_000_000))
  await start(
    { exemptAddresses: [], connectionsPerAddressMax: 1, stalledAnswerMs: 300 },
    { consoleDirectory },
  )
  const unread = open('127.0.0.2')
  unread.socket.pause()
  unread.write(headOf('GET /ui/', {}))
  await settled()
  expect(await open('127.0.0.2').closed).toBe('')
  const wait = { timeout: 30_000, interval: 400 }
  await expect.poll(() => logIn('127.0.0.2'), wait).toBe('HTTP/1.1 200 OK')
  rmSync(consoleDirectory, { recursive: true })
})

it('lets a client go on that reads slowly', async () => {
  const consoleDirectory = mkdtempSync(join(tmpdir(), 'quiver-connections-'))
  writeFileSync(join(consoleDirectory, 'index.html'), ' '.repeat(30_000_000))
  await start(
    { exemptAddresses: [], connectionsPerAddressMax: 1, stalledAnswerMs: 1_000 },
    { consoleDirectory },
  )
  const slow = open('127.0.0.2')
  slow.write(headOf('GET /ui/', {}))
  await slow.until(/200 OK/)
  // Together longer than one may be.
  for (let round = 0; round < 15; round++) {
    slow.socket.pause()
    open('127.0.0.2')
    await settled()
    slow.socket.resume()
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  while (slow.socket.bytesRead < 30_000_000) {
    expect(isOpen(slow)).toBe(true)
    await settled()
  }
  rmSync(consoleDirectory, { recursive: true })
})

it('shares are of addresses without TLS and with it, also before the handshake', async () => {
  const tls = selfSigned()
  await start({ exemptAddresses: [], connectionCountMax: 40 }, { tls })
  const silent = Array.from({ length: 60 }, () => open('127.0.0.2'))
  await Promise.all(silent.slice(0, 50).map(({ closed }) => closed))
  await settled()
  expect(silent.filter(isOpen)).toHaveLength(10)
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
  const secure = connectTls({ socket, servername: 'localhost', ca: tls.cert })
  secure.write(headOf('GET /restpp/version', { Authorization: right, Connection: 'close' }))
  let text = ''
  for await (const bytes of secure) text += String(bytes)
  expect(text).toMatch(/^HTTP\/1.1 200 OK/)
})

it('ends a handshake that does not come, and a server with such connections closes in time', async () => {
  await start({ handshakeTimeoutMs: 300 }, { tls: selfSigned() })
  expect(await open().closed).toBe('')
  await server.close()
  await start({}, { tls: selfSigned() })
  const silent = Array.from({ length: 20 }, () => connect(port, '127.0.0.1').on('error', () => {}))
  await settled()
  const startMs = performance.now()
  await server.close()
  expect(performance.now() - startMs).toBeLessThan(STOP_MS_MAX - 3_000)
  for (const socket of silent) socket.destroy()
})
