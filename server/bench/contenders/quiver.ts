/** Ours, as a user meets it: the built server in a process of its own, loaded and asked over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import {
  type Contender,
  type ContenderContext,
  INSERTS_PER_ROUND,
  LOOKUPS_PER_ROUND,
  type RowResult,
  SINCE_FROM_SECONDS,
  timed,
  WEIGHT_ABOVE,
} from '../contender.ts'
import { drive, type LoadTarget, requestBytes } from '../http-load.ts'
import { type BenchGraph, datetime, externalId, generateGraph, writeFiles } from '../rmat.ts'

const LOAD_CONNECTIONS = 4
const LOOKUP_CONNECTIONS = 32
const INSERT_CLIENTS = 64
const INSERTS_CONCURRENT = 20_000

/** W and F take the single inserts, so that the rows measured on V and E keep their answers. */
const schema = {
  addVertexTypes: [
    {
      Name: 'W',
      PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
      Attributes: [],
    },
    {
      Name: 'V',
      PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
      Attributes: [
        { AttributeName: 'name', AttributeType: { Name: 'STRING' } },
        { AttributeName: 'age', AttributeType: { Name: 'INT' } },
        { AttributeName: 'score', AttributeType: { Name: 'DOUBLE' } },
        { AttributeName: 'created', AttributeType: { Name: 'DATETIME' } },
      ],
    },
  ],
  addEdgeTypes: [
    {
      Name: 'F',
      IsDirected: true,
      FromVertexTypeName: 'W',
      ToVertexTypeName: 'W',
      Config: {},
      Attributes: [
        { AttributeName: 'weight', AttributeType: { Name: 'INT' } },
        { AttributeName: 'amount', AttributeType: { Name: 'DOUBLE' } },
        { AttributeName: 'since', AttributeType: { Name: 'DATETIME' } },
      ],
    },
    {
      Name: 'E',
      IsDirected: true,
      FromVertexTypeName: 'V',
      ToVertexTypeName: 'V',
      Config: {},
      Attributes: [
        { AttributeName: 'weight', AttributeType: { Name: 'INT' } },
        { AttributeName: 'amount', AttributeType: { Name: 'DOUBLE' } },
        { AttributeName: 'since', AttributeType: { Name: 'DATETIME' } },
      ],
    },
  ],
}

const queries = `
CREATE OR REPLACE QUERY hops(VERTEX<V> seed, INT k) FOR GRAPH bench SYNTAX v2 {
  OrAccum @seen; SumAccum<INT> @@total;
  Frontier = {seed};
  Frontier = SELECT s FROM Frontier:s POST-ACCUM s.@seen = true;
  FOREACH i IN RANGE [1, k] DO
    Frontier = SELECT t FROM Frontier:s -(E>:e)- V:t WHERE NOT t.@seen
      POST-ACCUM t.@seen = true, @@total += 1;
  END;
  PRINT @@total AS total;
}
CREATE OR REPLACE QUERY filtered_sum() FOR GRAPH bench SYNTAX v2 {
  SumAccum<DOUBLE> @@sum; SumAccum<INT> @@count;
  Start = {V.*};
  Start = SELECT s FROM Start:s -(E>:e)- V:t
    WHERE e.weight > ${WEIGHT_ABOVE} AND e.since >= to_datetime("${datetime(SINCE_FROM_SECONDS)}")
    ACCUM @@sum += e.amount, @@count += 1;
  PRINT @@sum AS sum, @@count AS count;
}
CREATE OR REPLACE QUERY page_rank(INT rounds) FOR GRAPH bench SYNTAX v2 {
  SumAccum<DOUBLE> @received; SumAccum<DOUBLE> @rank = 1; SumAccum<DOUBLE> @@sum;
  All = {V.*};
  FOREACH i IN RANGE [1, rounds] DO
    Senders = SELECT s FROM All:s -(E>:e)- V:t ACCUM t.@received += s.@rank / s.outdegree("E");
    All = {V.*};
    All = SELECT s FROM All:s POST-ACCUM s.@rank = 0.15 + 0.85 * s.@received, s.@received = 0;
  END;
  All = SELECT s FROM All:s POST-ACCUM @@sum += s.@rank;
  PRINT @@sum AS sum, All.size() AS vertices;
}`

interface Running {
  readonly child: ChildProcess
  readonly target: LoadTarget
  readonly startSeconds: number
}

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, join(context.directory, '..', 'data'))
  const data = join(context.directory, 'data')
  let running = await launch(data)
  const ask = (method: string, path: string, body?: string) =>
    request(running.target, method, path, body)
  const run: Run = async (path) =>
    (await ask('GET', `/restpp/query/bench/${path}`)).results as Record<string, number>[]
  return {
    name: 'quiver',
    load: async () => {
      await ask(
        'POST',
        '/gsql/v1/schema/graphs?graphName=bench&gsql=false',
        '{"VertexTypes":[],"EdgeTypes":[]}',
      )
      await ask('POST', '/gsql/v1/schema/change?graph=bench', JSON.stringify(schema))
      const before = residentBytes(running.child)
      const bulk = await loadPayloads(running.target, files.payloads, graph)
      const rebuild = await timed(1, async () => {
        await ask('POST', '/restpp/rebuildnow/bench?force=true')
        return undefined
      })
      await ask('POST', '/gsql/v1/queries?graph=bench', queries)
      const loadedBytes = residentBytes(running.child) - before
      const singles = await concurrentInserts(running.target, graph)
      const exactBytes = await graphBytes(running.target)
      await end(running.child)
      const diskBytes = sizeOf(data)
      running = await launch(data)
      const memoryBytes = residentBytes(running.child) - before
      return {
        seconds: bulk.seconds + rebuild.seconds,
        durable: true,
        memoryBytes,
        diskBytes,
        extra: {
          'bulk upsert, 1,000 edges a request, durable': `${Math.round(bulk.edgesPerSecond)} edges/s`,
          'single-edge upsert, 64 clients, durable': `${Math.round(1 / singles.seconds)} edges/s`,
          'graph in memory after the rebuild, with V, ids and 16 B of edge attributes': `${(exactBytes / graph.edgeCount).toFixed(1)} B/edge`,
          'rebuild after the load': `${rebuild.seconds.toFixed(2)} s`,
          'restart until it answers': `${running.startSeconds.toFixed(2)} s`,
          'resident memory while loading': `${(loadedBytes / graph.edgeCount).toFixed(1)} B/edge`,
        },
      }
    },
    rows: {
      lookup: (round) => lookups(running.target, graph, round),
      hop1: () => oneHops(running.target, graph),
      hop2count: () => hops(run, graph.seeds, 2),
      hop3count: () => hops(run, graph.seeds.slice(0, 10), 3),
      filteredSum: () =>
        timed(1, async () => {
          const [row] = await run('filtered_sum')
          return `${row?.['sum']?.toFixed(1)} over ${row?.['count']}`
        }),
      pagerank10: () =>
        timed(1, async () => {
          const [row] = await run('page_rank?rounds=10')
          return (Number(row?.['sum']) / Number(row?.['vertices'])).toFixed(6)
        }),
      insertEdge: (round) => sequentialInserts(running.target, graph, round),
    },
    close: () => end(running.child),
  }
}

type Run = (path: string) => Promise<Record<string, number>[]>

async function hops(run: Run, seeds: readonly number[], k: number): Promise<RowResult> {
  return await timed(seeds.length, async () => {
    let total = 0
    for (const seed of seeds) {
      const [row] = await run(`hops?k=${k}&seed=${externalId(seed)}`)
      total += row?.['total'] ?? 0
    }
    return total
  })
}

async function launch(data: string): Promise<Running> {
  const program = fileURLToPath(new URL('../../../dist/server/main.js', import.meta.url))
  const started = performance.now()
  const child = spawn(
    process.execPath,
    [program, '--port', '0', '--data', data, '--log-level', 'warn'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  // The pipe stays open after the first line: the server goes on logging into it.
  const target = await announcedTarget(child)
  await request(target, 'GET', '/restpp/echo')
  return { child, target, startSeconds: (performance.now() - started) / 1000 }
}

function announcedTarget(child: ChildProcess): Promise<LoadTarget> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      const address = /http:\/\/(127\.0\.0\.1):(\d+)/.exec(text)
      if (address !== null) resolve({ host: address[1] as string, port: Number(address[2]) })
    })
  })
}

async function end(child: ChildProcess): Promise<void> {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

async function request(target: LoadTarget, method: string, path: string, body?: string) {
  const answer = await fetch(`http://${target.host}:${target.port}${path}`, {
    method,
    headers: { 'GSQL-TIMEOUT': '600000' },
    ...(body !== undefined && { body }),
  })
  const json = (await answer.json()) as { error: boolean; message: string; results: unknown }
  if (json.error) throw new Error(`${method} ${path}: ${json.message}`)
  return json
}

/** Only the edges are counted in the rate; vertices go first, by the same path. */
async function loadPayloads(target: LoadTarget, path: string, graph: BenchGraph) {
  const lines = createInterface({ input: createReadStream(path, { highWaterMark: 1 << 22 }) })
  const iterator = lines[Symbol.asyncIterator]()
  const started = performance.now()
  let edgesStarted = 0
  const batch: Buffer[] = []
  const flush = async () => {
    await drive(target, LOAD_CONNECTIONS, () => batch.pop() ?? null)
  }
  let inEdges = false
  for (let line = await iterator.next(); line.done !== true; line = await iterator.next()) {
    if (!inEdges && line.value.startsWith('{"edges"')) {
      await flush()
      inEdges = true
      edgesStarted = performance.now()
    }
    batch.push(requestBytes(target, 'POST', '/restpp/graph/bench', Buffer.from(line.value)))
    if (batch.length >= 256) await flush()
  }
  await flush()
  const ended = performance.now()
  return {
    seconds: (ended - started) / 1000,
    edgesPerSecond: graph.edgeCount / ((ended - edgesStarted) / 1000),
  }
}

function singleEdge(target: LoadTarget, from: string, to: string): Buffer {
  const body = `{"edges":{"W":{"${from}":{"F":{"W":{"${to}":{"weight":{"value":0},"amount":{"value":1.5},"since":{"value":"2010-01-01 00:00:00"}}}}}}}}`
  return requestBytes(target, 'POST', '/restpp/graph/bench', Buffer.from(body))
}

/** Fresh edges between fresh vertices. */
async function concurrentInserts(target: LoadTarget, graph: BenchGraph): Promise<RowResult> {
  let sent = 0
  return await timed(INSERTS_CONCURRENT, async () => {
    await drive(target, INSERT_CLIENTS, () =>
      sent++ < INSERTS_CONCURRENT
        ? singleEdge(target, `x${sent}`, `y${sent % graph.vertexCount}`)
        : null,
    )
    return undefined
  })
}

async function sequentialInserts(target: LoadTarget, graph: BenchGraph, round: number) {
  let sent = 0
  return await timed(INSERTS_PER_ROUND, async () => {
    await drive(target, 1, () =>
      sent++ < INSERTS_PER_ROUND
        ? singleEdge(target, `r${round}`, `s${sent % graph.vertexCount}`)
        : null,
    )
    return undefined
  })
}

async function lookups(target: LoadTarget, graph: BenchGraph, round: number): Promise<RowResult> {
  const count = LOOKUPS_PER_ROUND * 10
  const requests = Array.from({ length: LOOKUPS_PER_ROUND }, (_, i) => {
    const id = externalId((i * 7919 + round) % graph.vertexCount)
    return requestBytes(target, 'GET', `/restpp/graph/bench/vertices/V/${id}`)
  })
  let sent = 0
  const result = await timed(count, async () => {
    await drive(target, LOOKUP_CONNECTIONS, () =>
      sent < count ? (requests[sent++ % requests.length] as Buffer) : null,
    )
    return undefined
  })
  return { ...result, answer: LOOKUPS_PER_ROUND }
}

async function oneHops(target: LoadTarget, graph: BenchGraph): Promise<RowResult> {
  let answer = 0
  const result = await timed(graph.seeds.length, async () => {
    for (const seed of graph.seeds) {
      const json = await request(target, 'GET', `/restpp/graph/bench/edges/V/${externalId(seed)}/E`)
      answer += (json.results as unknown[]).length
    }
    return undefined
  })
  return { ...result, answer }
}

/** What the engine counts for its columns, ids and adjacency. */
async function graphBytes(target: LoadTarget): Promise<number> {
  const answer = await fetch(`http://${target.host}:${target.port}/informant/metrics`)
  const sample = /^quiver_engine_memory_used_bytes(?:\{[^}]*\})? (\S+)$/m.exec(await answer.text())
  return Number(sample?.[1] ?? Number.NaN)
}

function residentBytes(child: ChildProcess): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

function sizeOf(directory: string): number {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}
