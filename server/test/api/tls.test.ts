/** The server over TLS: in one process, and the program with the files of its options. */
import { spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { get as getPlain } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { connect } from 'node:tls'
import { expect, it } from 'vitest'
import { selfSigned } from '../fixtures/certificate.ts'
import { program } from '../fixtures/program.ts'
import { startServer } from '../fixtures/server.ts'

const credentials = JSON.stringify({ user: 'tigergraph', password: 'tigergraph' })

interface SecureCall extends RequestOptions {
  readonly body?: string
}

async function call(url: string, { body, ...options }: SecureCall) {
  const sent = request(url, { agent: false, ...options })
  sent.end(body)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

it('answers to who trusts its certificate, with cookies that stay on HTTPS', async () => {
  const { cert, key } = selfSigned()
  const server = await startServer({ tls: { cert, key } })
  const base = await server.listen()
  expect(base).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  const ping = await call(`${base}/api/ping`, { ca: cert })
  expect(JSON.parse(ping.text)).toMatchObject({ error: false, message: 'pong' })
  await expect(call(`${base}/api/ping`, {})).rejects.toThrow('self-signed')
  const logIn = { method: 'POST', ca: cert, body: credentials }
  const { status, headers } = await call(`${base}/quiver/v1/session`, logIn)
  expect(status).toBe(200)
  expect(headers['set-cookie']).toEqual([expect.stringMatching(/^quiver_session=.+; Secure$/)])
  server.clock.advance(1000)
  const metrics = await call(`${base}/informant/metrics`, { ca: cert })
  expect(metrics.text).toMatch(/^tigergraph_network_connections\{host_id="m1"\} [1-9]/m)
  await server.close()
})

it('takes only HTTPS pages of its own for its own, and either without TLS', async () => {
  const ping = async (server: Awaited<ReturnType<typeof startServer>>, origin: string) => {
    const headers = { host: 'localhost:1', origin }
    return (await server.request('GET', '/api/ping', undefined, headers)).status
  }
  const secure = await startServer({ tls: selfSigned() })
  expect(await ping(secure, 'https://localhost:1')).toBe(200)
  expect(await ping(secure, 'http://localhost:1')).toBe(403)
  await secure.close()
  const plain = await startServer()
  expect(await ping(plain, 'https://localhost:1')).toBe(200)
  expect(await ping(plain, 'http://localhost:1')).toBe(200)
  const { headers } = await plain.request('POST', '/quiver/v1/session', JSON.parse(credentials))
  expect(headers['set-cookie']).not.toContain('Secure')
  await plain.close()
})

it('outlives a caller that speaks plain HTTP', async () => {
  const { cert, key } = selfSigned()
  const server = await startServer({ tls: { cert, key } })
  const base = await server.listen()
  const plain = getPlain(`${base.replace('https', 'http')}/api/ping`)
  await expect(once(plain, 'response')).rejects.toThrow()
  expect((await call(`${base}/api/ping`, { ca: cert })).status).toBe(200)
  await server.close()
})

it('serves the files of its options, and renews the certificate on SIGHUP', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'quiver-tls-'))
  const [first, second] = [selfSigned(), selfSigned()]
  const certFile = join(directory, 'cert.pem')
  const keyFile = join(directory, 'key.pem')
  const write = ({ cert, key }: typeof first) => {
    writeFileSync(certFile, cert)
    writeFileSync(keyFile, key)
  }
  write(first)
  const data = join(directory, 'data')
  const options = ['--port', '0', '--data', data, '--tls-cert', certFile, '--tls-key', keyFile]
  const child = spawn(process.execPath, [program, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines = createInterface(child.stdout)
  const [announced] = await once(lines, 'line')
  const base = /https:\S+/.exec(announced)?.[0] as string
  expect((await call(`${base}/api/ping`, { ca: first.cert })).status).toBe(200)

  writeFileSync(certFile, second.cert)
  child.kill('SIGHUP')
  const [refusal] = await once(createInterface(child.stderr), 'line')
  expect(refusal).toContain('the certificate stays as it is: --tls-key')
  expect(await fingerprint(base)).toBe(fingerprintOf(first.cert))

  write(second)
  const renewed = new Promise<void>((resolve) => {
    lines.on('line', (line) => line.includes('read anew') && resolve())
  })
  child.kill('SIGHUP')
  await renewed
  expect(await fingerprint(base)).toBe(fingerprintOf(second.cert))
  child.kill('SIGTERM')
  const [status] = await once(child, 'exit')
  expect(status).toBe(0)
  rmSync(directory, { recursive: true })
}, 60_000)

async function fingerprint(base: string): Promise<string> {
  const socket = connect({ port: Number(new URL(base).port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256
}

function fingerprintOf(cert: string): string {
  return new X509Certificate(cert).fingerprint256
}
