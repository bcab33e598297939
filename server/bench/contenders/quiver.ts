/** Ours, as a user meets it: the built server in a process of its own, loaded and asked over HTTP. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Contender, type ContenderContext, type RowResult, timed } from '../contender.ts'
import { sizeOfDirectory } from '../files.ts'
import { drive, driveInOrder, type LoadTarget, requestBytes } from '../http-load.ts'
import { type BenchFiles, externalId, generateGraph, writeFiles } from '../rmat.ts'
import {
  CLIENTS,
  EDGES_PER_BATCH,
  INSERTS_PER_ROUND,
  LOOKUPS_PER_ROUND,
  SEARCHES,
  SEEDS_OF_3_HOPS,
} from '../rows.ts'
import { commits } from './quiver-commits.ts'
import { edgeBatch, loadCsv, loadPayloads, singleEdge } from './quiver-load.ts'
import { BenchServer } from './quiver-server.ts'

const LOOKUP_CONNECTIONS = 32
/** V8 goes on optimising for so many: the row is what a server does that has run for some seconds. */
const LOOKUPS_WARM_UP = 200_000
const INSERTS_CONCURRENT = 10_000
const BATCHES_PER_ROUND = 50
const BATCH_CONNECTIONS = 4
/** In which the server deletes what the rebuild superseded and gives its space back. */
const REST_MS = 5_000

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const files = writeFiles(graph, context.dataDirectory)
  const data = join(context.directory, 'data')
  const seeds = graph.seeds.map(externalId)
  const idOf = (i: number) => externalId(i % graph.vertexCount)
  let server = await BenchServer.start(data)
  return {
    load: async () => {
      await server.prepare()
      const before = server.residentBytes()
      const bulk = await loadPayloads(server.target, files.payloads, graph)
      const rebuild = await timed(1, () => rebuildNow(server))
      const loadedBytes = server.residentBytes() - before
      const exactBytes = await server.graphBytes()
      await setTimeout(REST_MS)
      await server.end()
      const diskBytes = sizeOfDirectory(data)
      server = await BenchServer.start(data)
      return {
        seconds: bulk.seconds + rebuild.seconds,
        durable: true,
        memoryBytes: server.residentBytes() - before,
        diskBytes,
        extra: {
          'bulk upsert, 1,000 edges a request, durable': `${Math.round(bulk.edgesPerSecond)} edges/s`,
          'graph in memory': `${(exactBytes / graph.edgeCount).toFixed(1)} B/edge`,
          'graph on the disk': `${(diskBytes / graph.edgeCount).toFixed(1)} B/edge`,
          'rebuild after the load': `${rebuild.seconds.toFixed(2)} s`,
          'restart until it answers': `${server.startSeconds.toFixed(2)} s`,
          'resident memory while loading': `${(loadedBytes / graph.edgeCount).toFixed(1)} B/edge`,
        },
      }
    },
    rows: {
      lookup: (round) => lookups(server.target, idOf, round),
      hop1: () => oneHops(server, seeds),
      hop2count: () => hops(server.target, seeds, 2),
      hop3count: () => hops(server.target, seeds.slice(0, SEEDS_OF_3_HOPS), 3),
      filteredSum: () => timed(1, () => filteredSum(server, 1)),
      filteredSumOn2: () => timed(1, () => filteredSum(server, 2)),
      pagerank10: () => timed(1, () => pageRank(server, 1)),
      pagerank10On2: () => timed(1, () => pageRank(server, 2)),
      breadthFirst: () => timed(1, () => server.query(`breadth_first?source=${seeds[0]}`)),
      breadthFirstOn2: () => timed(1, () => server.query(`breadth_first?source=${seeds[0]}`, 2)),
      searches: () => searches(server, seeds[0]!, 1),
      searchesOn2: () => searches(server, seeds[0]!, 2),
      components: () => timed(1, () => server.query('components')),
      componentsOn2: () => timed(1, () => server.query('components', 2)),
      shortestPaths: () => timed(1, () => server.query(`shortest_paths?source=${seeds[0]}`)),
      shortestPathsOn2: () => timed(1, () => server.query(`shortest_paths?source=${seeds[0]}`, 2)),
      triangles: () => timed(1, () => server.query('triangles')),
      trianglesOn2: () => timed(1, () => server.query('triangles', 2)),
      upsert1000: (round) => batches(server.target, round),
      insertEdge: (round) => inserts(server.target, `r${round}`, INSERTS_PER_ROUND, 1),
      insertEdge64: (round) => inserts(server.target, `c${round}`, INSERTS_CONCURRENT, CLIENTS),
      commit256: (round) => commits(join(context.directory, `store-${round}`)),
      csvLoad: (round) =>
        freshLoad(join(context.directory, `csv-${round}`), files, context.dataDirectory),
      restart: async () => {
        await server.end()
        return await timed(1, async () => {
          server = await BenchServer.start(data)
          await server.ask('GET', `/restpp/graph/bench/vertices/V/${idOf(0)}`)
          return undefined
        })
      },
    },
    close: () => server.end(),
  }
}

async function filteredSum(server: BenchServer, threads: number) {
  const { sum, count } = await server.query('filtered_sum', threads)
  return { sum: Number(sum).toFixed(2), count: Number(count) }
}

async function pageRank(server: BenchServer, threads: number) {
  const { sum, top, vertices } = await server.query('page_rank?rounds=10', threads)
  const mean = Number(sum) / Number(vertices)
  return { mean: mean.toFixed(6), top: Number(top).toPrecision(4) }
}

function searches(server: BenchServer, source: string, threads: number): Promise<RowResult> {
  const path = `searches?source=${source}&times=${SEARCHES}`
  return timed(SEARCHES, () => server.query(path, threads))
}

async function rebuildNow(server: BenchServer): Promise<undefined> {
  await server.ask('POST', '/restpp/rebuildnow/bench?force=true')
}

async function freshLoad(
  directory: string,
  files: BenchFiles,
  filesDirectory: string,
): Promise<RowResult> {
  const server = await BenchServer.start(directory, { filesDirectory })
  try {
    await server.prepare()
    return await timed(1, async () => {
      await loadCsv(server, files)
      await rebuildNow(server)
      return await countsOf(server)
    })
  } finally {
    await server.end()
    rmSync(directory, { recursive: true })
  }
}

async function countsOf(server: BenchServer): Promise<{ vertices: number; edges: number }> {
  const { vertices, edges } = await server.query('counts')
  return { vertices: Number(vertices), edges: Number(edges) }
}

async function lookups(
  target: LoadTarget,
  idOf: (i: number) => string,
  round: number,
): Promise<RowResult> {
  const count = LOOKUPS_PER_ROUND * 25
  const requests = Array.from({ length: LOOKUPS_PER_ROUND }, (_, i) =>
    requestBytes(target, 'GET', `/restpp/graph/bench/vertices/V/${idOf(i * 7919 + round)}`),
  )
  const send = async (total: number) => {
    let sent = 0
    const next = () => (sent < total ? (requests[sent++ % requests.length] as Buffer) : null)
    return await drive(target, LOOKUP_CONNECTIONS, { next })
  }
  if (round === 0) await send(LOOKUPS_WARM_UP)
  return await timed(count, async () => ({ found: (await send(count)) / 25 }))
}

/** Counted from the bodies outside the measured time. */
async function oneHops({ target }: BenchServer, seeds: readonly string[]): Promise<RowResult> {
  const requests = seeds.map((seed) =>
    requestBytes(target, 'GET', `/restpp/graph/bench/edges/V/${seed}/E`),
  )
  const bodies: Buffer[] = []
  const { seconds } = await timed(seeds.length, async () => {
    await driveInOrder(target, requests, (body) => bodies.push(body))
    return undefined
  })
  const counts = bodies.map((body) => (JSON.parse(body.toString()).results as unknown[]).length)
  return { seconds, answer: { edges: counts.reduce((sum, count) => sum + count, 0) } }
}

async function hops(target: LoadTarget, seeds: readonly string[], k: number): Promise<RowResult> {
  const requests = seeds.map((seed) =>
    requestBytes(target, 'GET', `/restpp/query/bench/hops?k=${k}&seed=${seed}`),
  )
  return await timed(seeds.length, async () => {
    let total = 0
    await driveInOrder(target, requests, (body) => {
      total += (JSON.parse(body.toString()) as { results: { total: number }[] }).results[0]!.total
    })
    return { total }
  })
}

async function batches(target: LoadTarget, round: number): Promise<RowResult> {
  const requests = Array.from({ length: BATCHES_PER_ROUND }, (_, batch) =>
    edgeBatch(target, `b${round}.${batch}`),
  )
  return await timed(BATCHES_PER_ROUND * EDGES_PER_BATCH, async () => {
    await drive(target, BATCH_CONNECTIONS, { next: () => requests.pop() ?? null })
    return undefined
  })
}

/** Fresh edges between fresh vertices, one a request. */
async function inserts(
  target: LoadTarget,
  name: string,
  count: number,
  clients: number,
): Promise<RowResult> {
  let sent = 0
  const next = () =>
    sent++ < count ? singleEdge(target, `${name}s${sent % 1000}`, `${name}t${sent}`) : null
  return await timed(count, async () => {
    await drive(target, clients, { next })
    return undefined
  })
}
