/**
 * A graph above 4 GiB of memory, with an array of 4 GiB: 67.2 million vertices, whose index of ids
 * has 2^28 slots of 16 bytes. It is filled through the engine, then served, rebuilt, changed in every
 * way, stopped and started, and its answers are compared with what was put in.
 *
 * It takes 12 GB of memory, 5 GB of disk and some 15 minutes. QUIVER_SLOW_VERTICES makes it smaller
 * to try the test itself; below 67,108,864 no array reaches 4 GiB.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GraphEngine } from '#graph/engine.ts'
import { FrameWriter } from '#graph/mutate/frame-writer.ts'
import { createRandom } from '#kernel/prng.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import { type RunningServer, startServer } from '../crash/running-server.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  realClock,
  realScheduler,
  vertexType,
} from '../fixtures/engine.ts'

const COUNT = Number(process.env['QUIVER_SLOW_VERTICES'] ?? 67_200_000)
const BATCH = 400_000
const MINUTE_MS = 60_000
const directoryOf = process.env['QUIVER_SLOW_DIRECTORY'] ?? tmpdir()

const catalog = catalogOf(
  [
    vertexType(1, 'V', {
      primaryId: { syntax: 'PRIMARY_ID', names: ['id'], type: 'INT', asAttribute: false },
      attributes: attributes({ n: 'INT', name: 'STRING' }),
    }),
  ],
  [
    edgeType(2, 'E', [1, 1], { attributes: attributes({ w: 'INT' }) }),
    edgeType(3, 'M', [1, 1], {
      discriminatorCount: 1,
      attributes: attributes({ day: 'INT', w: 'INT' }),
    }),
  ],
)

/** The id of the vertex made as number `index`. */
const idOf = (index: number) => index * 3 + 1

/** @returns bytes of the graph's memory at the end */
async function fill(directory: string): Promise<number> {
  const store = await openSqliteStore({ directory, clock: realClock })
  const engine = await GraphEngine.open({
    store,
    clock: realClock,
    scheduler: realScheduler,
    memoryLimitBytes: 20 * 2 ** 30,
  })
  await engine.changeCatalog(() => catalog)
  for (let start = 0; start < COUNT; start += BATCH) {
    const writer = new FrameWriter(0, BATCH * 10)
    writer.beginVertices(1, [])
    for (let index = start; index < Math.min(start + BATCH, COUNT); index++) {
      writer.numericKey(idOf(index), 0)
      writer.endEntry()
    }
    await engine.commit(writer.finish())
  }
  const { usedBytes } = engine.memory()
  await engine.close()
  await store.close()
  return usedBytes
}

class Client {
  readonly #server: RunningServer

  constructor(server: RunningServer) {
    this.#server = server
  }

  async ok(method: string, path: string, body?: unknown): Promise<unknown[]> {
    const answer = await this.#server.request(method, path, body)
    expect([path, answer.status, answer.body.message]).toEqual([path, 200, expect.anything()])
    expect(answer.body.error).toBe(false)
    return answer.body.results
  }

  /** The attributes of a vertex; null when there is none. */
  async vertex(id: number): Promise<Record<string, unknown> | null> {
    const { body } = await this.#server.request('GET', `/restpp/graph/g/vertices/V/${id}`)
    return body.error ? null : body.results[0].attributes
  }

  async upsert(payload: unknown): Promise<unknown> {
    const [result] = await this.ok('POST', '/restpp/graph/g', payload)
    return result
  }

  async script(text: string): Promise<string> {
    const response = await fetch(`${this.#server.url}/gsql/v1/statements`, {
      method: 'POST',
      body: text,
    })
    return response.text()
  }

  async query(text: string): Promise<unknown> {
    const response = await fetch(`${this.#server.url}/gsql/v1/queries/interpret`, {
      method: 'POST',
      headers: { 'gsql-timeout': String(10 * MINUTE_MS) },
      body: `INTERPRET QUERY () FOR GRAPH g { ${text} }`,
    })
    const { error, message, results } = (await response.json()) as Record<string, unknown>
    expect([error, message]).toEqual([false, ''])
    return results
  }

  rebuild(): Promise<unknown> {
    return this.#server.request('GET', '/restpp/rebuildnow/g?force=true')
  }
}

/** Every kind of write: the operators of an upsert, edges, deletes, schema, index, queries. */
async function writeAll(client: Client): Promise<void> {
  const [a, b, c, d, last] = [0, 1, 2, 3, COUNT - 1].map(idOf)
  const value = (number: number, op?: string) => ({ n: { value: number, ...(op && { op }) } })
  const vertices = (id: number, attribute: unknown) =>
    client.upsert({ vertices: { V: { [id]: attribute } } })
  for (const id of [a!, b!, c!, last!]) await vertices(id, value(10))
  await vertices(a!, value(5, '+'))
  await vertices(b!, value(3, 'min'))
  await vertices(c!, value(30, 'max'))
  await vertices(last!, { name: { value: 'the last' } })
  await vertices(last!, { name: { value: 'not this', op: '~' } })
  await vertices(-5, value(1))
  await client.upsert({ edges: { V: { [a!]: { E: { V: { [b!]: { w: { value: 7 } } } } } } } })
  const days = [1, 2].map((day) => ({ day: { value: day }, w: { value: day * 100 } }))
  await client.upsert({ edges: { V: { [a!]: { M: { V: { [last!]: days } } } } } })
  await client.ok('DELETE', `/restpp/graph/g/vertices/V/${d}`)
  const changed = await client.script(`CREATE GLOBAL SCHEMA_CHANGE JOB grow {
    ALTER VERTEX V ADD ATTRIBUTE (extra INT DEFAULT 42);
    ALTER VERTEX V ADD INDEX by_n ON (n);
  }
  RUN GLOBAL SCHEMA_CHANGE JOB grow`)
  expect(changed).not.toContain('Failed')
  await client.query('INSERT INTO V (PRIMARY_ID, n) VALUES (-7, 77);')
  await client.query(
    'S = {V.*}; S = SELECT v FROM S:v WHERE v.n == 77 POST-ACCUM v.name = "by a query"; PRINT S.size();',
  )
}

async function checkAll(client: Client): Promise<void> {
  const [a, b, c, d, last] = [0, 1, 2, 3, COUNT - 1].map(idOf)
  expect(await client.vertex(a!)).toMatchObject({ n: 15, extra: 42 })
  expect(await client.vertex(b!)).toMatchObject({ n: 3 })
  expect(await client.vertex(c!)).toMatchObject({ n: 30 })
  expect(await client.vertex(d!)).toBeNull()
  expect(await client.vertex(last!)).toMatchObject({ n: 10, name: 'the last' })
  expect(await client.vertex(-5)).toMatchObject({ n: 1 })
  expect(await client.vertex(-7)).toMatchObject({ n: 77, name: 'by a query' })
  const edges = await client.ok('GET', `/restpp/graph/g/edges/V/${a}`)
  expect(edges).toHaveLength(3)
  await checkIds(client)
  const counted = await client.query(
    'SumAccum<INT> @@all; S = SELECT v FROM V:v ACCUM @@all += 1; PRINT @@all; I = SELECT v FROM V:v WHERE v.n == 77; PRINT I.size() AS found;',
  )
  expect(counted).toEqual([{ '@@all': COUNT + 1 }, { found: 1 }])
}

/** Vertices at all ends of the index are found, and no others. */
async function checkIds(client: Client): Promise<void> {
  const random = createRandom(7)
  for (let i = 0; i < 200; i++) {
    const index = 4 + random.below(COUNT - 5)
    expect(await client.vertex(idOf(index)), `vertex ${index}`).toMatchObject({ n: 0 })
    expect(await client.vertex(idOf(index) + 1)).toBeNull()
  }
}

it(
  `a graph of ${COUNT} vertices takes every write, a rebuild and a restart`,
  async () => {
    const directory = mkdtempSync(join(directoryOf, 'quiver-large-'))
    const options = { args: ['--memory', '14g'], startMsMax: 15 * MINUTE_MS }
    let server: RunningServer | null = null
    try {
      const usedBytes = await fill(directory)
      if (COUNT > 2 ** 26) expect(usedBytes).toBeGreaterThan(2 ** 32)
      server = await startServer(directory, options)
      let client = new Client(server)
      await checkIds(client)
      await client.rebuild()
      await writeAll(client)
      await checkAll(client)
      expect(await server.stop()).toBe(0)
      server = await startServer(directory, options)
      client = new Client(server)
      await checkAll(client)
      await client.rebuild()
      await checkAll(client)
      await server.kill()
      server = await startServer(directory, options)
      await checkAll(new Client(server))
      expect(await server.stop()).toBe(0)
    } finally {
      await server?.kill()
      rmSync(directory, { recursive: true })
    }
  },
  90 * MINUTE_MS,
)
