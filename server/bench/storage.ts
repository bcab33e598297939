/**
 * Micro benchmark of the embedded store: group commits per second, segment write and read speed.
 * `node server/bench/storage.ts [seconds per round]` prints the figures of this machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, type SqliteStore } from '#storage/sqlite/sqlite-store.ts'

const MEGABYTE = 1024 * 1024
const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
const roundMs = Number(process.argv[2] ?? 2) * 1000

await withStore(async (store) => {
  for (const writers of [1, 64, 256]) await benchCommits(store, writers, 100)
  await benchCommits(store, 16, 40_000)
})
await withStore(benchReplay)
await withStore(benchSegments)
await withStore(benchCommitsBesideSegments)

async function withStore(work: (store: SqliteStore) => Promise<void>): Promise<void> {
  const directory = mkdtempSync(join(process.env['QUIVER_BENCH_DIR'] ?? tmpdir(), 'quiver-bench-'))
  const store = await openSqliteStore({ directory, clock })
  try {
    await work(store)
  } finally {
    await store.close()
    rmSync(directory, { recursive: true })
  }
}

/** Every writer appends again as soon as its commit is durable. */
async function benchCommits(store: SqliteStore, writers: number, sizeBytes: number): Promise<void> {
  const payload = new Uint8Array(sizeBytes).fill(7)
  const before = store.statistics()
  const cpuBefore = process.threadCpuUsage()
  const latencies: number[] = []
  const startMs = performance.now()
  const endMs = startMs + roundMs
  const writer = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const sentMs = performance.now()
      await store.append(payload)
      latencies.push(performance.now() - sentMs)
    }
  }
  await Promise.all(Array.from({ length: writers }, writer))
  const seconds = (performance.now() - startMs) / 1000
  const cpu = process.threadCpuUsage(cpuBefore)
  const after = store.statistics()
  const commits = after.commitCount - before.commitCount
  const groups = after.commitGroupCount - before.commitGroupCount
  latencies.sort((a, b) => a - b)
  print(`commit ${sizeBytes} B, ${writers} writers`, [
    `${Math.round(commits / seconds)} commits/s`,
    `${((commits * sizeBytes) / seconds / MEGABYTE).toFixed(1)} MB/s`,
    `${(commits / groups).toFixed(1)} per group`,
    `p50 ${latencies[latencies.length >> 1]!.toFixed(2)} ms`,
    `p99 ${latencies[Math.floor(latencies.length * 0.99)]!.toFixed(2)} ms`,
    `main thread ${(((cpu.user + cpu.system) / seconds) * 1e-4).toFixed(0)} % of a core`,
  ])
}

async function benchReplay(store: SqliteStore): Promise<void> {
  const payload = new Uint8Array(64).fill(3)
  let pending: Promise<number>[] = []
  const count = 500_000
  for (let index = 0; index < count; index++) {
    pending.push(store.append(payload))
    if (pending.length === 64) {
      await Promise.all(pending)
      pending = []
    }
  }
  await Promise.all(pending)
  const startMs = performance.now()
  let read = 0
  for await (const _ of store.readLog(0)) read++
  const seconds = (performance.now() - startMs) / 1000
  print('replay 64 B entries', [`${Math.round(read / seconds)} entries/s`])
}

async function benchSegments(store: SqliteStore): Promise<void> {
  const blob = new Uint8Array(new SharedArrayBuffer(100 * MEGABYTE)).fill(5)
  const writer = store.beginSegments()
  let startMs = performance.now()
  for (const key of ['a', 'b', 'c']) await writer.writeBlob(key, blob)
  await writer.publish('', 0)
  print('segments written', [`${speed(300, startMs)} MB/s`])
  startMs = performance.now()
  for (const key of ['a', 'b', 'c']) await store.readBlob(key)
  print('segments read and checked', [`${speed(300, startMs)} MB/s`])
}

/** What a running rebuild costs the commits. */
async function benchCommitsBesideSegments(store: SqliteStore): Promise<void> {
  const blob = new Uint8Array(new SharedArrayBuffer(100 * MEGABYTE)).fill(5)
  let isOver = false
  const rebuild = (async () => {
    while (!isOver) {
      const writer = store.beginSegments()
      await writer.writeBlob('a', blob)
      await writer.publish('', 0)
    }
  })()
  await benchCommits(store, 64, 101)
  isOver = true
  await rebuild
}

function speed(megabytes: number, startMs: number): string {
  return (megabytes / ((performance.now() - startMs) / 1000)).toFixed(0)
}

function print(name: string, figures: readonly string[]): void {
  console.log(`${name.padEnd(28)} ${figures.join('   ')}`)
}
