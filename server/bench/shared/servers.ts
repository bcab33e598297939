/** Built servers over SQLite and over the shared store: load by HTTP, and what followers make of it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { edgeBatch, loadPayloads, singleEdge } from '../contenders/quiver-load.ts'
import { BenchServer } from '../contenders/quiver-server.ts'
import { drive, requestBytes } from '../http-load.ts'
import { externalId, generateGraph, writeFiles } from '../rmat.ts'
import { EDGES_PER_BATCH } from '../rows.ts'
import type { Pair } from './database.ts'
import { type GateResult, middle, percentile, print, type SharedSettings } from './gates.ts'

const BATCHES = 200
const BATCH_CONNECTIONS = 4
const COMMITS_SEEN = 400
const FOLLOWED_EDGES_PER_SECOND = 100_000
const FOLLOWED_SECONDS = 10

export async function measureServers(pair: Pair, settings: SharedSettings): Promise<GateResult[]> {
  const start = (name: string) =>
    BenchServer.start(join(settings.directory, name), {
      args: ['--store', pair.url('bench_servers'), '--name', name, '--memory', '6g'],
    })
  const alone = await BenchServer.start(join(settings.directory, 'alone'))
  const writer = await start('one')
  try {
    await alone.prepare()
    await writer.prepare()
    const upserts = await measureUpserts(alone, writer, settings)
    await alone.end()
    await load(writer, settings)
    const { follower, gate } = await measureStart(start, settings)
    let following: GateResult
    let seen: GateResult
    try {
      seen = await measureSeen(writer, follower)
      following = await measureFollowing(writer, follower)
    } finally {
      await follower.end()
    }
    await measureLongStart(writer, start)
    return [upserts, seen, gate, following]
  } finally {
    await alone.end()
    await writer.end()
  }
}

async function measureUpserts(
  alone: BenchServer,
  writer: BenchServer,
  { rounds, speed }: SharedSettings,
): Promise<GateResult> {
  const rates = { alone: [] as number[], shared: [] as number[] }
  // The first round does not count: what is compiled while it runs.
  for (let round = 0; round <= rounds; round++) {
    speed.sample()
    const [own, shared] = [await upsertRate(alone, round), await upsertRate(writer, round)]
    if (round === 0) continue
    rates.alone.push(own)
    rates.shared.push(shared)
    print('1,000 edges a request, 4 clients: SQLite', [`${Math.round(own)} edges/s`])
    print('1,000 edges a request, 4 clients: PostgreSQL', [`${Math.round(shared)} edges/s`])
  }
  const share = middle(rates.shared) / middle(rates.alone)
  return {
    title: 'bulk upserts over HTTP over those of SQLite',
    least: '≥ 80 %',
    reached: `${(share * 100).toFixed(0)} %`,
    isMet: share >= 0.8,
  }
}

async function upsertRate({ target }: BenchServer, round: number): Promise<number> {
  const requests = Array.from({ length: BATCHES }, (_, i) => edgeBatch(target, `u${round}.${i}`))
  const startMs = performance.now()
  await drive(target, BATCH_CONNECTIONS, { next: () => requests.pop() ?? null })
  return (BATCHES * EDGES_PER_BATCH * 1000) / (performance.now() - startMs)
}

/** The graph whose checkpoint a new instance reads. */
async function load(writer: BenchServer, { scale, directory }: SharedSettings): Promise<void> {
  const graph = generateGraph(scale)
  const files = writeFiles(graph, join(directory, 'data'))
  const { edgesPerSecond } = await loadPayloads(writer.target, files.payloads, graph)
  print(`load of ${graph.edgeCount} edges: PostgreSQL`, [`${Math.round(edgesPerSecond)} edges/s`])
  const startMs = performance.now()
  await writer.ask('POST', '/restpp/rebuildnow/bench?force=true')
  print('checkpoint', [`${((performance.now() - startMs) / 1000).toFixed(2)} s`])
  await writer.ask('GET', `/restpp/graph/bench/vertices/V/${externalId(0)}`)
}

async function measureStart(
  start: (name: string) => Promise<BenchServer>,
  { scale, rounds }: SharedSettings,
): Promise<{ readonly follower: BenchServer; readonly gate: GateResult }> {
  const seconds: number[] = []
  let follower = await start('two')
  for (let round = 1; ; round++) {
    await follower.ask('GET', `/restpp/graph/bench/vertices/V/${externalId(0)}`)
    seconds.push(follower.startSeconds)
    print('a new instance, until it answers', [`${follower.startSeconds.toFixed(2)} s`])
    if (round >= rounds) break
    await follower.end()
    follower = await start('two')
  }
  const gate = {
    title: `a new instance is ready, scale ${scale} (20: 16M edges)`,
    least: '≤ 6 s',
    reached: `${middle(seconds).toFixed(2)} s`,
    isMet: middle(seconds) <= 6,
  }
  return { follower, gate }
}

/** As `measureStart`, with what was followed in the log: it comes behind the checkpoint. */
async function measureLongStart(
  writer: BenchServer,
  start: (name: string) => Promise<BenchServer>,
): Promise<void> {
  const logBytes = await writer.metric('quiver_store_log_size_bytes')
  const instance = await start('three')
  print(`a new instance, with ${(logBytes / 1e6).toFixed(0)} MB of log behind the checkpoint`, [
    `${instance.startSeconds.toFixed(2)} s`,
  ])
  await instance.end()
}

/** From the answer to a write until the follower's answers show its position. */
async function measureSeen(writer: BenchServer, follower: BenchServer): Promise<GateResult> {
  const times: number[] = []
  const post = (n: number) => singleEdge(writer.target, `seen${n}`, `seenby${n}`)
  for (let n = 0; n < COMMITS_SEEN; n++) {
    const position = await positionOf(writer, post(n))
    const startMs = performance.now()
    while ((await positionOf(follower, echo(follower))) < position) await pause(1)
    times.push(performance.now() - startMs)
    // Not in step with the follower's looks.
    await pause(1 + (n % 23))
  }
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  print('a commit is seen by a follower', [`p50 ${p50.toFixed(1)} ms`, `p99 ${p99.toFixed(1)} ms`])
  return {
    title: 'a commit is seen by a follower, p99',
    least: '≤ 25 ms',
    reached: `${p99.toFixed(1)} ms`,
    isMet: p99 <= 25,
  }
}

function echo({ target }: BenchServer): Buffer {
  return requestBytes(target, 'GET', '/restpp/echo')
}

/** Of the answer. */
async function positionOf(server: BenchServer, request: Buffer): Promise<number> {
  let position = Number.NaN
  const requests = [request]
  await drive(server.target, 1, {
    next: () => requests.pop() ?? null,
    onHead: (head) => {
      position = Number(/x-quiver-position: (\d+)/i.exec(head)?.[1])
    },
  })
  if (Number.isNaN(position)) throw new Error('an answer without x-quiver-position')
  return position
}

/** The follower's main thread while the writer takes 1,000 edges a request at a steady pace. */
async function measureFollowing(writer: BenchServer, follower: BenchServer): Promise<GateResult> {
  const batches = (FOLLOWED_SECONDS * FOLLOWED_EDGES_PER_SECOND) / EDGES_PER_BATCH
  const idleBefore = mainThreadMs(follower)
  await pause(3_000)
  const idle = (mainThreadMs(follower) - idleBefore) / 3_000
  const before = mainThreadMs(follower)
  const startMs = performance.now()
  const pending: Promise<unknown>[] = []
  for (let n = 0; n < batches; n++) {
    const dueMs = startMs + (n * 1000 * FOLLOWED_SECONDS) / batches
    if (dueMs > performance.now()) await pause(dueMs - performance.now())
    const requests = [edgeBatch(writer.target, `f${n}`)]
    pending.push(drive(writer.target, 1, { next: () => requests.pop() ?? null }))
  }
  await Promise.all(pending)
  const tookMs = performance.now() - startMs
  const share = (mainThreadMs(follower) - before) / tookMs
  const perSecond = (batches * EDGES_PER_BATCH * 1000) / tookMs
  print('following', [
    `${Math.round(perSecond)} edges/s`,
    `main thread ${(share * 100).toFixed(1)} % of a core`,
    `idle ${(idle * 100).toFixed(1)} %`,
  ])
  return {
    title: 'following 100,000 edges/s, of a follower’s main thread',
    least: '≤ 15 %',
    reached: `${(share * 100).toFixed(1)} %`,
    isMet: share <= 0.15 && perSecond > 0.9 * FOLLOWED_EDGES_PER_SECOND,
  }
}

/** Processor time so far. */
function mainThreadMs({ pid }: BenchServer): number {
  const text = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
  return Number(text.split(' ')[0]) / 1e6
}
