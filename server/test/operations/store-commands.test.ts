/** The commands of the program over a shared store, beside a server that has it open. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../crash/running-server.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'

const PROGRAM =
  process.env['QUIVER_TEST_PROGRAM'] ?? fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const LIMIT_MS = 600_000
const people = '/restpp/graph/g/vertices/Person'

let node: PostgresNode
let directory: string
let server: RunningServer

/** Options of a server over a store of the node. */
const storeArgs = (schema: string) => ['--store', node.url({ schema })]

async function run(...args: string[]): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: unknown) => (output += String(data)))
  const [status] = (await once(child, 'close')) as [number | null]
  return { status, output }
}

function start(name: string, schema: string): Promise<RunningServer> {
  const args = [...storeArgs(schema), '--name', name, '--query-workers', '1']
  return startServer(join(directory, name), { args, startMsMax: LIMIT_MS })
}

/** By name and password; until somebody has set one, everybody is let in. */
async function statusFor(password: string): Promise<number> {
  const authorization = `Basic ${Buffer.from(`tigergraph:${password}`).toString('base64')}`
  const answer = await fetch(server.url + people, { headers: { authorization } })
  await answer.text()
  return answer.status
}

async function add(name: string): Promise<void> {
  const body = { vertices: { Person: { [name]: {} } } }
  expect((await server.request('POST', '/restpp/graph/g', body)).body.error).toBe(false)
}

async function namesAt({ request }: RunningServer): Promise<string[]> {
  const { body } = await request('GET', people)
  return body.results.map(({ v_id }: { v_id: string }) => v_id).toSorted()
}

describe('beside a server over a shared store', { timeout: LIMIT_MS }, () => {
  beforeAll(async () => {
    node = await startPostgres({ settings: { fsync: 'off' } })
    directory = mkdtempSync(join(tmpdir(), 'quiver-commands-'))
    server = await start('one', 'first')
    const schema = 'CREATE VERTEX Person (PRIMARY_ID name STRING) CREATE GRAPH g (Person)'
    await fetch(`${server.url}/gsql/v1/statements`, { method: 'POST', body: schema })
    await add('Ada')
  }, LIMIT_MS)
  afterAll(async () => {
    await server?.kill()
    await node?.remove()
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true })
  })

  it('a second one under its name ends, and says why', async () => {
    const args = [...storeArgs('first'), '--name', 'one', '--port', '0']
    const { status, output } = await run(...args, '--data', join(directory, 'second'))
    expect(status).toBe(1)
    expect(output).toMatch(
      /^quiver: another server that shares the store runs under the name 'one', at http:\S+: each needs a name of its own \(--name\)\n$/,
    )
    await add('Alan')
  })

  it('backup makes a directory of it, and restore brings that into another store', async () => {
    const backup = join(directory, 'backup')
    const made = await run('backup', backup, ...storeArgs('first'))
    expect(made.output).toMatch(
      /^Copied .+ to .+backup: entries up to \d+, .* checksum was verified\.\n$/,
    )
    expect(made.status).toBe(0)
    await add('too late')
    const restored = await run('restore', backup, ...storeArgs('second'))
    expect(restored.output).toMatch(/^Copied /)
    expect(restored.status).toBe(0)
    const again = await run('restore', backup, ...storeArgs('first'))
    expect([again.status, again.output]).toEqual([1, expect.stringContaining('is not empty')])
    const other = await start('other', 'second')
    try {
      expect(await namesAt(other)).toEqual(['Ada', 'Alan'])
    } finally {
      await other.kill()
    }
  })

  it('reset-password gives a user a new one at once, and the server goes on', async () => {
    const unknown = await run('reset-password', 'nobody', ...storeArgs('first'))
    expect([unknown.status, unknown.output]).toEqual([
      1,
      expect.stringContaining('The user nobody does not exist.'),
    ])
    const { status, output } = await run('reset-password', ...storeArgs('first'))
    expect(status, output).toBe(0)
    const password = /^The password of tigergraph is now (\S{20})$/m.exec(output)?.[1] ?? ''
    await untilRefused('tigergraph')
    expect(await statusFor(password)).toBe(200)
    const rows = await node.query('SELECT name FROM first.instances')
    expect(rows).toEqual([{ name: 'one' }])
  })
})

/** The server has applied the change as soon as it has read it. */
async function untilRefused(password: string): Promise<void> {
  while ((await statusFor(password)) !== 401) await new Promise((done) => setTimeout(done, 50))
}
