/**
 * A server over a shared store stops by itself in whatever state it is, though the store or another
 * server does not answer. The limits of each step are short here; nothing else ends the stop.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { stop } from '#cli/stop.ts'
import { stopSteps } from '#cli/stop-steps.ts'
import { CLOSE_GRACE_MS, HAND_OVER_MS_MAX, STOP_MS_MAX, STOP_STORE_MS_MAX } from '#kernel/limits.ts'
import { openPostgresStore, type PostgresStore } from '#storage/postgres/postgres-store.ts'
import { newSchema } from '../conformance/postgres-harness.ts'
import { clock, optionsFor, timers } from '../conformance/postgres-options.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { unusedPort } from '../fixtures/postgres-programs.ts'
import { program } from '../fixtures/program.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { Link } from './link.ts'
import { until } from './wait.ts'

const MS_MAX = 240_000
const limits = { handOverMs: 200, storeMs: 200 }
const patient = { takeoverAfterMs: 2 * MS_MAX }

interface Instance {
  readonly store: PostgresStore
  readonly server: TestServer
  /** To PostgreSQL. */
  readonly link: Link
  /** Over which others reach it. */
  readonly entrance: Link
  readonly url: string
}

let node: PostgresNode
let schema: string
const opened: Instance[] = []

beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
}, MS_MAX)
afterAll(() => node?.remove())
beforeEach(() => {
  schema = newSchema()
})
afterEach(async () => {
  await standbys('')
  for (const { store, link, entrance, server } of opened.splice(0)) {
    await store.abandon()
    await server.close()
    for (const one of [link, entrance]) await one.close()
  }
})

/** Commits wait for one that is named, and it does not exist. */
async function standbys(names: string): Promise<void> {
  await node.query(`ALTER SYSTEM SET synchronous_standby_names = '${names}'`)
  await node.reload()
  await until('the setting counts', async () => {
    const rows = await node.query<{ names: string }>(
      "SELECT current_setting('synchronous_standby_names') AS names",
    )
    return rows[0]!.names === names ? true : null
  })
}

async function start(name: string, { takeoverAfterMs } = patient): Promise<Instance> {
  const link = await Link.start(node.port)
  const port = await unusedPort()
  const entrance = await Link.start(port)
  const options = optionsFor(node.url({ schema, port: link.port }), name)
  const url = `http://127.0.0.1:${entrance.port}`
  const store = await openPostgresStore({ ...options, url, takeoverAfterMs })
  const server = await startServer({
    ...{ store, shared: store.shared, clock, timers },
    writeWaitMs: MS_MAX,
  })
  await server.app.listen({ port, host: '127.0.0.1' })
  const instance = { store, server, link, entrance, url: `http://127.0.0.1:${port}` }
  opened.push(instance)
  return instance
}

async function startWriter(): Promise<Instance> {
  const writer = await start('writer')
  await until('a writer', async () => (writer.store.shared.role === 'writer' ? true : null))
  return writer
}

/** What the program does at SIGTERM. @returns its status, and what it says */
async function stopped(instance: Instance): Promise<readonly [number, readonly string[]]> {
  const lines: string[] = []
  const ended = Promise.withResolvers<number>()
  const { after } = timers
  await stop({
    steps: stopSteps(instance, after, limits),
    deadlineMs: MS_MAX / 2,
    after,
    report: (line) => lines.push(line),
    exit: ended.resolve,
    abandon: () => ended.resolve(-1),
  })
  return [await ended.promise, lines]
}

const orderly = [0, []]
const script = 'CREATE VERTEX Person (PRIMARY_ID id INT) CREATE GRAPH g (Person)'

const createGraph = ({ url }: Instance) =>
  fetch(`${url}/gsql/v1/statements`, { method: 'POST', body: script })

/** Null: the connection was cut. */
async function write({ url }: Instance): Promise<number | null> {
  const body = JSON.stringify({ vertices: { Person: { 1: {} } } })
  try {
    return (await fetch(`${url}/restpp/graph/g`, { method: 'POST', body })).status
  } catch {
    return null
  }
}

/** Null: it is not. */
async function isCommitting({ server }: Instance): Promise<true | null> {
  let isSettled = false
  void server.engine.settled().then(() => {
    isSettled = true
  })
  await nextTurn()
  return isSettled ? null : true
}

async function waitingIn(state: string): Promise<void> {
  await until(`a session waits (${state})`, async () => {
    const rows = await node.query(
      `SELECT 1 FROM pg_stat_activity WHERE wait_event = '${state}' AND application_name LIKE 'quiver %'`,
    )
    return rows.length > 0 ? true : null
  })
}

describe('a stop', { timeout: MS_MAX }, () => {
  it('of a writer lets another one write at once, which then stops as well', async () => {
    const writer = await startWriter()
    await createGraph(writer)
    const other = await start('other')
    expect(await stopped(writer)).toEqual(orderly)
    await until('the other one writes', async () =>
      other.store.shared.role === 'writer' ? true : null,
    )
    expect(await write(other)).toBe(200)
    expect(await stopped(other)).toEqual(orderly)
  })

  it.each(['swallow', 'refuse'] as const)(
    'of a writer ends while its database is gone (%s): a write under way is told so',
    async (state) => {
      const writer = await startWriter()
      await createGraph(writer)
      writer.link.set(state)
      const answer = write(writer)
      await until('the write is under way', () => isCommitting(writer))
      expect(await stopped(writer)).toEqual(orderly)
      expect([500, 503, null]).toContain(await answer)
    },
  )

  it('of a writer ends while commits wait for a standby that is gone', async () => {
    const writer = await startWriter()
    await createGraph(writer)
    await standbys('ghost')
    const answer = write(writer)
    await until('the write is under way', () => isCommitting(writer))
    await waitingIn('SyncRep')
    expect(await stopped(writer)).toEqual(orderly)
    expect([500, 503, null]).toContain(await answer)
  })

  it('ends in the middle of a handing over', async () => {
    const writer = await startWriter()
    await standbys('ghost')
    const resigned = writer.store.shared.resign().catch(() => undefined)
    await waitingIn('SyncRep')
    expect(await stopped(writer)).toEqual(orderly)
    await resigned
  })

  it('ends in the middle of a checkpoint', async () => {
    const writer = await startWriter()
    await createGraph(writer)
    await write(writer)
    await standbys('ghost')
    const rebuilt = writer.server.engine.rebuild({ force: true }).catch((error: unknown) => error)
    await waitingIn('SyncRep')
    expect(await stopped(writer)).toEqual(orderly)
    expect(await rebuilt).toBeInstanceOf(Error)
  })

  it.each(['swallow', 'refuse'] as const)(
    'of a follower ends while its database is gone (%s)',
    async (state) => {
      const follower = await start('follower', patient)
      follower.link.set(state)
      expect(await stopped(follower)).toEqual(orderly)
    },
  )

  it('of a follower ends while it forwards a write that is not answered', async () => {
    const writer = await startWriter()
    await createGraph(writer)
    const follower = await start('follower')
    writer.entrance.set('swallow')
    const answer = write(follower)
    await until('the write is forwarded', async () =>
      writer.entrance.waitingCount > 0 ? true : null,
    )
    expect(await stopped(follower)).toEqual(orderly)
    expect([500, 503, null]).toContain(await answer)
  })

  it('of a follower ends while it takes over', async () => {
    const writer = await startWriter()
    const follower = await start('follower', { takeoverAfterMs: 1_500 })
    await standbys('ghost')
    await writer.store.abandon()
    await waitingIn('SyncRep')
    expect(await stopped(follower)).toEqual(orderly)
  })

  it('ends a program that starts and waits for its database', async () => {
    const link = await Link.start(node.port)
    link.set('swallow')
    const directory = mkdtempSync(join(tmpdir(), 'quiver-stops-'))
    const store = node.url({ schema, port: link.port })
    const child = spawn(
      process.execPath,
      [program, '--port', '0', '--data', directory, '--store', store, '--name', 'starting'],
      { stdio: 'ignore' },
    )
    const ended = once(child, 'exit')
    await until('it connects', async () => (link.waitingCount > 0 ? true : null))
    child.kill('SIGTERM')
    expect(await ended).toEqual([null, 'SIGTERM'])
    await link.close()
    rmSync(directory, { recursive: true })
  })

  it('leaves time for the rest when the store takes all of its own', () => {
    expect(HAND_OVER_MS_MAX + STOP_STORE_MS_MAX).toBeLessThanOrEqual(STOP_MS_MAX - 2_000)
    expect(HAND_OVER_MS_MAX + CLOSE_GRACE_MS).toBeLessThan(STOP_MS_MAX)
  })
})
