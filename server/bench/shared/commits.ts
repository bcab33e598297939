/** The stores alone: many writers, each of which appends again as soon as its commit is durable. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { parseStoreAddress } from '#storage/postgres/address.ts'
import { openPostgresStore } from '#storage/postgres/postgres-store.ts'
import { openSqliteStore } from '#storage/sqlite/sqlite-store.ts'
import type { Store } from '#storage/store.ts'
import type { Pair } from './database.ts'
import { type GateResult, middle, percentile, print, type SharedSettings } from './gates.ts'

const WRITERS = [1, 64, 256]
const SIZE_BYTES = 100
const LEAST_SHARE = 0.5

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
  const gates: GateResult[] = []
  try {
    for (const writers of WRITERS) {
      const rates = { sqlite: [] as number[], postgres: [] as number[] }
      for (let round = 0; round < rounds; round++) {
        speed.sample()
        rates.sqlite.push(await commitRate('SQLite', sqlite, writers, seconds))
        rates.postgres.push(await commitRate('PostgreSQL and standby', postgres, writers, seconds))
      }
      const share = middle(rates.postgres) / middle(rates.sqlite)
      if (writers === 64) {
        gates.push({
          title: 'commits of 64 writers over those of SQLite',
          least: `≥ ${LEAST_SHARE * 100} %`,
          reached: `${(share * 100).toFixed(0)} %`,
          isMet: share >= LEAST_SHARE,
        })
      }
    }
  } finally {
    await postgres.close()
    await sqlite.close()
    rmSync(path, { recursive: true })
  }
  return gates
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
  // Bytes that a database cannot pack.
  const payload = randomBytes(SIZE_BYTES)
  const before = store.statistics()
  const latencies: number[] = []
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  const writer = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const sentMs = performance.now()
      await store.append(payload)
      latencies.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  const perSecond = (latencies.length / (performance.now() - startMs)) * 1000
  const groups = store.statistics().commitGroupCount - before.commitGroupCount
  print(`commit ${SIZE_BYTES} B, ${writers} writers: ${name}`, [
    `${Math.round(perSecond)} /s`,
    `${(latencies.length / groups).toFixed(1)} per group`,
    `p50 ${percentile(latencies, 0.5).toFixed(2)} ms`,
    `p99 ${percentile(latencies, 0.99).toFixed(2)} ms`,
  ])
  return perSecond
}
