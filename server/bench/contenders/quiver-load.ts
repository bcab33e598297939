/** Everything the bench writes into our server: bodies of upserts over HTTP, and a loading job. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { drive, type LoadTarget, requestBytes } from '../http-load.ts'
import type { BenchFiles, BenchGraph } from '../rmat.ts'
import { EDGES_PER_BATCH } from '../rows.ts'
import type { BenchServer } from './quiver-server.ts'

const LOAD_CONNECTIONS = 4
const PAYLOADS_AHEAD = 256

export interface BulkLoad {
  readonly seconds: number
  /** Vertices go first, by the same path; only the edges are counted in the rate. */
  readonly edgesPerSecond: number
}

export async function loadPayloads(
  target: LoadTarget,
  path: string,
  graph: BenchGraph,
): Promise<BulkLoad> {
  const lines = createInterface({ input: createReadStream(path, { highWaterMark: 1 << 22 }) })
  const started = performance.now()
  let edgesStarted = 0
  const batch: Buffer[] = []
  const flush = () => drive(target, LOAD_CONNECTIONS, { next: () => batch.pop() ?? null })
  for await (const line of lines) {
    if (edgesStarted === 0 && line.startsWith('{"edges"')) {
      await flush()
      edgesStarted = performance.now()
    }
    batch.push(upsert(target, line))
    if (batch.length >= PAYLOADS_AHEAD) await flush()
  }
  await flush()
  const ended = performance.now()
  return {
    seconds: (ended - started) / 1000,
    edgesPerSecond: graph.edgeCount / ((ended - edgesStarted) / 1000),
  }
}

/** A loading job over the two files, as GSQL writes it. */
export async function loadCsv(server: BenchServer, files: BenchFiles): Promise<void> {
  const job = `USE GRAPH bench
    CREATE LOADING JOB csv FOR GRAPH bench {
      DEFINE FILENAME v; DEFINE FILENAME e;
      LOAD v TO VERTEX V VALUES ($0, $1, $2, $3, $4) USING SEPARATOR=",", HEADER="true";
      LOAD e TO EDGE E VALUES ($0, $1, $2, $3, $4) USING SEPARATOR=",", HEADER="true"; }`
  await server.script(job)
  for (const [name, path] of [
    ['v', files.verticesCsv],
    ['e', files.edgesCsv],
  ]) {
    const told = await server.script(`USE GRAPH bench\nRUN LOADING JOB csv USING ${name}="${path}"`)
    if (!/LOAD SUCCESSFUL/.test(told)) throw new Error(told)
  }
}

function edgeAttributes(weight = '0', amount = '1.5', since = '2010-01-01 00:00:00'): string {
  return `{"weight":{"value":${weight}},"amount":{"value":${amount}},"since":{"value":"${since}"}}`
}

export function singleEdge(target: LoadTarget, from: string, to: string): Buffer {
  return upsert(target, `{"edges":{"W":{"${from}":{"F":{"W":{"${to}":${edgeAttributes()}}}}}}}`)
}

/** Edges from ten new vertices to as many new vertices as there are edges. */
export function edgeBatch(target: LoadTarget, name: string): Buffer {
  const targetsPerSource = EDGES_PER_BATCH / 10
  const sources = Array.from({ length: 10 }, (_, source) => {
    const targets = Array.from(
      { length: targetsPerSource },
      (_, i) => `"${name}t${source * targetsPerSource + i}":${edgeAttributes(String(i))}`,
    )
    return `"${name}s${source}":{"F":{"W":{${targets.join(',')}}}}`
  })
  return upsert(target, `{"edges":{"W":{${sources.join(',')}}}}`)
}

function upsert(target: LoadTarget, body: string): Buffer {
  return requestBytes(target, 'POST', '/restpp/graph/bench', Buffer.from(body))
}
