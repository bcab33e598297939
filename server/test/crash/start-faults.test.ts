/**
 * The store fails while a server starts over it: at each of the statements of a start, also when users, statistics
 * and routes are open and the graph is not, and between the halves of a blob. The server starts all the same, or
 * its start fails by name; nothing of it stays behind, and the next start finds everything.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openPostgresStore, type PostgresStore } from '#storage/postgres/postgres-store.ts'
import { newSchema } from '../conformance/postgres-harness.ts'
import { clock, optionsFor, timers } from '../conformance/postgres-options.ts'
import { FaultyWire, wireFaults } from '../fixtures/faulty-wire.ts'
import { idleFollower } from '../fixtures/idle-follower.ts'
import { type PostgresNode, startPostgres } from '../fixtures/postgres.ts'
import { startServer, type TestServer } from '../fixtures/server.ts'
import { becomesWriter } from '../fixtures/started-store.ts'
import { until } from '../shared-store/wait.ts'

const MS_MAX = 300_000
const isSlow = process.env['QUIVER_SLOW'] === '1'
/** In the quick suite, one of so many statements fails. */
const STEP = isSlow ? 1 : 13
/** More than a start has. */
const STATEMENTS_MAX = 150
const BLOB_BYTES = 9 * 1024 * 1024

let node: PostgresNode
let wire: FaultyWire
/** A graph of three people, two of them in a checkpoint. */
const schema = newSchema()
beforeAll(async () => {
  node = await startPostgres({ settings: { fsync: 'off' } })
  wire = await FaultyWire.start(node.port)
  const first = await start(schema)
  const script = 'CREATE VERTEX Person (PRIMARY_ID id INT, name STRING) CREATE GRAPH g (Person)'
  await first.server.request('POST', '/gsql/v1/statements', script)
  const vertices = { Person: { 1: { name: { value: 'Ada' } }, 2: {} } }
  await first.server.request('POST', '/restpp/graph/g', { vertices })
  await first.server.engine.rebuild({ force: true })
  await first.server.request('POST', '/restpp/graph/g', { vertices: { Person: { 3: {} } } })
  expect(await idsIn(first)).toEqual(['1', '2', '3'])
  await end(first)
}, MS_MAX)
afterAll(async () => {
  await wire?.close()
  await node?.remove()
})
afterEach(() => wire.disarm())

const inBackground = new Set(['beat', 'head', 'follow', 'confirm'])

interface Started {
  readonly store: PostgresStore
  readonly server: TestServer
  /** Why it has to start again. */
  readonly ends: readonly string[]
}

async function start(inSchema: string): Promise<Started> {
  const options = optionsFor(node.url({ schema: inSchema, port: wire.port }), 'one')
  const store = await openPostgresStore({ ...options, takeoverAfterMs: 2 * MS_MAX })
  const ends: string[] = []
  const server = await startServer({
    ...{ store, shared: store.shared, clock, timers },
    onStartAgain: (reason) => void ends.push(reason),
  }).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return { store, server, ends }
}

async function end({ store, server }: Started): Promise<void> {
  await server.close()
  await store.close()
}

/** None of a server that has ended, or whose start has failed. */
async function noSessions(): Promise<void> {
  await until('the connections end', async () => {
    const rows = await node.query(
      "SELECT 1 FROM pg_stat_activity WHERE application_name LIKE 'quiver %'",
    )
    return rows.length === 0 ? true : null
  })
}

async function idsIn({ server }: Started): Promise<readonly string[]> {
  const { body } = await server.request('GET', '/restpp/graph/g/vertices/Person')
  return body.results.map((vertex: { v_id: string }) => vertex.v_id)
}

describe('a store that fails', { timeout: MS_MAX }, () => {
  it.each(['lost before', 'refused'] as const)(
    'at a statement of a start (%s) ends it, or is got over',
    async (fault) => {
      const outcomes = { started: 0, failed: 0 }
      for (let number = 1; ; number += STEP) {
        expect(number).toBeLessThan(STATEMENTS_MAX)
        wire.arm(fault, number, (label) => !inBackground.has(label))
        const started = await start(schema).catch((error: unknown) => error)
        const isHit = wire.hit !== null
        wire.disarm()
        if (started instanceof Error) {
          outcomes.failed++
          expect(started, String(wire.hit)).toMatchObject({ code: expect.any(String) })
        } else {
          const one = started as Started
          if (one.ends.length === 0) expect(await idsIn(one), String(wire.hit)).toHaveLength(3)
          outcomes.started++
          await end(one)
        }
        await noSessions()
        if (!isHit) break
      }
      expect(outcomes.started).toBeGreaterThan(0)
      if (fault === 'refused') expect(outcomes.failed).toBeGreaterThan(1)
      const last = await start(schema)
      expect(await idsIn(last)).toEqual(['1', '2', '3'])
      await end(last)
    },
  )

  it('between the halves of a blob loses nothing of it', async () => {
    const options = optionsFor(node.url({ schema: newSchema(), port: wire.port }), 'one')
    const open = () => openPostgresStore(options)
    const bytes = new Uint8Array(BLOB_BYTES).map((_, at) => at * 31 + (at >> 9))
    const writer = await open()
    await writer.shared.follow(idleFollower)
    await becomesWriter({ store: writer, ended: new Promise(() => {}) })
    const segments = writer.beginSegments()
    await segments.writeBlob('blob', bytes)
    await segments.publish('', writer.shared.end)
    await writer.close()
    const faults = isSlow ? wireFaults : (['lost after', 'refused'] as const)
    for (const fault of faults) {
      for (const half of [1, 2]) {
        const store = await open()
        await store.readManifest()
        wire.arm(fault, half, (label) => label.startsWith('COPY (SELECT part'))
        const read = await store.readBlob('blob').catch((error: unknown) => error)
        expect(wire.hit, `${fault} ${half}`).not.toBeNull()
        // Who is refused is asked again by one thread alone.
        expect(Buffer.compare(read as Uint8Array, bytes), `${fault} ${half}`).toBe(0)
        await store.abandon()
      }
    }
    const store = await open()
    await store.readManifest()
    const read = store.readBlob('blob').catch((error: unknown) => error)
    await store.abandon()
    expect(await read, 'ended in the middle').toMatchObject({ code: 'STORE_FAILED' })
    await noSessions()
  })
})
