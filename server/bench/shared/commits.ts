/**
 * The stores alone: many writers, each of which appends again as soon as its commit is durable. The floor is what
 * PostgreSQL itself takes for the same bytes: one connection that inserts rows of the size of a group.
 */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { FRAME_HEADER_SIZE_BYTES } from '#storage/frame/frame.ts'
import { parseStoreAddress } from '#storage/postgres/address.ts'
import { openPostgresStore } from '#storage/postgres/postgres-store.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { Store } from '#storage/store.ts'
import type { Pair } from './database.ts'
import { type GateResult, middle, percentile, print, type SharedSettings } from './gates.ts'

const WRITERS = [1, 64, 256]
const SIZE_BYTES = 100
const LEAST_SHARE = 0.5
/** Of different commits, so that a group has nothing that a database could pack. */
const PAYLOADS = 4_096

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
const timers = {
  after: (ms: number, call: () => void) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  every: (ms: number, call: () => void) => {
    const timer = setInterval(call, ms)
    return () => clearInterval(timer)
  },
}

export async function measureCommits(
  pair: Pair,
  { directory, rounds, seconds, speed }: SharedSettings,
): Promise<GateResult[]> {
  const path = join(directory, 'sqlite')
  const sqlite = await openSqliteStore({ directory: path, clock })
  const postgres = await openAlone(pair.url('bench_commits'))
  const floor = await Floor.open(pair)
  const gates: GateResult[] = []
  try {
    for (const writers of WRITERS) {
      const rates = { sqlite: [] as number[], floor: [] as number[], postgres: [] as number[] }
      for (let round = 0; round < rounds; round++) {
        speed.sample()
        rates.sqlite.push(await commitRate('SQLite', sqlite, writers, seconds))
        rates.floor.push(await floor.rate(writers, seconds))
        rates.postgres.push(await commitRate('PostgreSQL and standby', postgres, writers, seconds))
      }
      const [sqliteRate, floorRate] = [middle(rates.sqlite), middle(rates.floor)]
      const share = middle(rates.postgres) / sqliteRate
      const ofFloor = middle(rates.postgres) / floorRate
      print(`commit ${SIZE_BYTES} B, ${writers} writers: shares`, [
        `floor over SQLite ${percent(floorRate / sqliteRate)}`,
        `Quiver over SQLite ${percent(share)}`,
        `Quiver over floor ${percent(ofFloor)}`,
      ])
      if (writers === 64) {
        gates.push({
          title: 'commits of 64 writers over those of SQLite',
          least: `≥ ${percent(LEAST_SHARE)}`,
          reached: `${percent(share)}, of the floor ${percent(ofFloor)}`,
          isMet: share >= LEAST_SHARE,
        })
      }
    }
  } finally {
    await floor.close()
    await postgres.close()
    await sqlite.close()
    rmSync(path, { recursive: true })
  }
  return gates
}

/** The least that a commit over this database costs: a prepared INSERT of one row, by the usual driver. */
class Floor {
  readonly #client: pg.Client

  private constructor(client: pg.Client) {
    this.#client = client
  }

  static async open(pair: Pair): Promise<Floor> {
    const address = new URL(pair.url('bench_floor'))
    address.searchParams.delete('schema')
    const client = new pg.Client({ connectionString: address.href })
    await client.connect()
    await client.query('CREATE TABLE floor (id bigint PRIMARY KEY, bytes bytea NOT NULL)')
    return new Floor(client)
  }

  /** @returns commits a second, if each row were a group of so many */
  async rate(writers: number, seconds: number): Promise<number> {
    const bytes = randomBytes(writers * (SIZE_BYTES + FRAME_HEADER_SIZE_BYTES))
    const latencies: number[] = []
    const startMs = performance.now()
    const endMs = startMs + seconds * 1000
    const { rows } = await this.#client.query<{ next: string }>(
      'SELECT count(*) AS next FROM floor',
    )
    for (let id = Number(rows[0]!.next); performance.now() < endMs; id++) {
      const sentMs = performance.now()
      const text = 'INSERT INTO floor VALUES ($1, $2)'
      await this.#client.query({ name: 'floor', text, values: [id, bytes] })
      latencies.push(performance.now() - sentMs)
    }
    const perSecond = (writers * latencies.length * 1000) / (performance.now() - startMs)
    print(`commit ${SIZE_BYTES} B, ${writers} writers: floor`, [
      `${Math.round(perSecond)} /s`,
      `rows of ${bytes.length} B`,
      ...spread(latencies),
    ])
    return perSecond
  }

  async close(): Promise<void> {
    await this.#client.end()
  }
}

/** The only instance, which becomes the writer at once. */
async function openAlone(url: string): Promise<Store> {
  const store = await openPostgresStore({
    address: parseStoreAddress(url),
    clock,
    timers,
    name: hostname(),
    url: 'http://127.0.0.1:1',
    version: '0',
    memoryLimitBytes: 2 ** 30,
    takeoverAfterMs: 5_000,
  })
  await new Promise<void>((resolve, reject) => {
    store.shared
      .follow({
        apply: async () => undefined,
        roleChanged: async (role) => {
          if (role === 'writer') resolve()
        },
        mustStartAgain: (reason) => reject(new Error(reason)),
        digest: () => ({ sequence: 0, checksum: 0 }),
        compare: () => undefined,
      })
      .catch(reject)
  })
  return store
}

async function commitRate(
  name: string,
  store: Store,
  writers: number,
  seconds: number,
): Promise<number> {
  const payloads = Array.from({ length: PAYLOADS }, () => randomBytes(SIZE_BYTES))
  let sent = 0
  const before = store.statistics()
  const latencies: number[] = []
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  const writer = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const sentMs = performance.now()
      await store.append(payloads[sent++ % PAYLOADS]!)
      latencies.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  const perSecond = (latencies.length / (performance.now() - startMs)) * 1000
  const groups = store.statistics().commitGroupCount - before.commitGroupCount
  print(`commit ${SIZE_BYTES} B, ${writers} writers: ${name}`, [
    `${Math.round(perSecond)} /s`,
    `${(latencies.length / groups).toFixed(1)} per group`,
    ...spread(latencies),
  ])
  return perSecond
}

function spread(latencies: readonly number[]): string[] {
  return [0.5, 0.99].map((share) => `p${share * 100} ${percentile(latencies, share).toFixed(2)} ms`)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`
}
