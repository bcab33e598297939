/** The program ends in time after a signal, whatever holds its main thread, and loses nothing. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { selfSigned } from '../fixtures/certificate.ts'
import { program } from '../fixtures/program.ts'

/** The limits of a stop come to less than ten seconds (stop.test.ts); without them the program would not end. */
const STOP_LIMIT_MS = 30_000
/** Holds the main thread and leaves the cores to other tests. */
const waiting = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'quiver-held-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

interface Started {
  readonly child: ChildProcess
  readonly url: string
  /** What came on standard error so far. */
  errors(): string
}

/** @param holding what the main thread does at SIGUSR2 */
async function start(holding: string, args: readonly string[] = []): Promise<Started> {
  const preload = `import { isMainThread } from 'node:worker_threads'
    if (isMainThread) process.on('SIGUSR2', () => { process._rawDebug('held'); ${holding} })`
  const child = spawn(
    process.execPath,
    [
      ...['--import', `data:text/javascript,${encodeURIComponent(preload)}`],
      ...[program, '--port', '0', '--data', join(directory, 'data'), ...args],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let errors = ''
  child.stderr!.on('data', (bytes) => {
    errors += String(bytes)
  })
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /https?:\/\/\S+/.exec(line)?.[0]
    if (url !== undefined) return { child, url, errors: () => errors }
  }
  throw new Error(`the server did not start: ${errors}`)
}

/** @returns how long it took, and how the process ended */
async function stopped({ child }: Started): Promise<{ ms: number; end: unknown[] }> {
  const ended = once(child, 'exit')
  const startMs = performance.now()
  child.kill('SIGTERM')
  const end = await ended
  return { ms: performance.now() - startMs, end }
}

async function held(server: Started): Promise<void> {
  server.child.kill('SIGUSR2')
  await expect.poll(server.errors, { timeout: 30_000 }).toContain('held')
}

describe('a stop', () => {
  it.each([
    ['a loop', 'for (;;) {}'],
    ['a call that waits in the system', waiting],
  ])(
    'ends though the main thread is held by %s',
    async (_name, holding) => {
      const server = await start(holding)
      const post = async (path: string, body: unknown) => {
        const sent = await fetch(server.url + path, { method: 'POST', body: JSON.stringify(body) })
        return (await sent.json()) as { error: boolean }
      }
      const script = 'CREATE VERTEX Person (PRIMARY_ID id INT) CREATE GRAPH g (Person)'
      await fetch(`${server.url}/gsql/v1/statements`, { method: 'POST', body: script })
      const acknowledged: string[] = []
      for (let id = 0; id < 20; id++) {
        const { error } = await post('/restpp/graph/g', { vertices: { Person: { [id]: {} } } })
        if (!error) acknowledged.push(String(id))
      }
      expect(acknowledged).toHaveLength(20)
      await held(server)
      const { ms, end } = await stopped(server)
      expect(end).toEqual([null, 'SIGKILL'])
      expect(ms).toBeLessThan(STOP_LIMIT_MS)
      expect(server.errors()).toContain('the main thread did not stop in time')
      const again = await start('')
      const found = await fetch(`${again.url}/restpp/graph/g/vertices/Person`)
      const { results } = (await found.json()) as { results: { v_id: string }[] }
      expect(results.map(({ v_id }) => v_id).sort()).toEqual(acknowledged.sort())
      expect((await stopped(again)).end).toEqual([0, null])
    },
    240_000,
  )

  it('ends sooner at a second signal', async () => {
    const server = await start(waiting)
    await held(server)
    const first = stopped(server)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    server.child.kill('SIGINT')
    expect((await first).ms).toBeLessThan(7_000)
  }, 120_000)

  it('is not hurried where the main thread is free', async () => {
    const server = await start('')
    const { ms, end } = await stopped(server)
    expect(end).toEqual([0, null])
    expect(ms).toBeLessThan(STOP_LIMIT_MS)
    expect(server.errors()).toBe('')
  }, 120_000)

  it('ends in time with connections over TLS that say nothing', async () => {
    const { cert, key } = selfSigned()
    writeFileSync(join(directory, 'cert.pem'), cert)
    writeFileSync(join(directory, 'key.pem'), key, { mode: 0o600 })
    const files = [
      '--tls-cert',
      join(directory, 'cert.pem'),
      '--tls-key',
      join(directory, 'key.pem'),
    ]
    const server = await start('', files)
    const port = Number(new URL(server.url).port)
    const silent = Array.from({ length: 20 }, () =>
      connect(port, '127.0.0.1').on('error', () => {}),
    )
    await Promise.all(silent.map((socket) => once(socket, 'connect')))
    const { ms, end } = await stopped(server)
    expect(end).toEqual([0, null])
    expect(ms).toBeLessThan(STOP_LIMIT_MS)
    for (const socket of silent) socket.destroy()
  }, 120_000)
})
