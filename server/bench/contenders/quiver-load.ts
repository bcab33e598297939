/** Everything the bench writes into our server, as the bodies of upserts over HTTP. */
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { csvRecords } from '../files.ts'
import { drive, type LoadTarget, requestBytes } from '../http-load.ts'
import type { BenchFiles, BenchGraph } from '../rmat.ts'
import { EDGES_PER_BATCH } from '../rows.ts'

const LOAD_CONNECTIONS = 4
const PAYLOADS_AHEAD = 256
/** As the console's file loader sends them. */
const CSV_RECORDS_PER_REQUEST = 2_000

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

/** What the console does with a CSV file: records become upsert bodies, a few on their way at once. */
export async function loadCsv(target: LoadTarget, files: BenchFiles): Promise<void> {
  const vertexBody = (fragments: string) => `{"vertices":{"V":{${fragments}}}}`
  const edgeBody = (fragments: string) => `{"edges":{"V":{${fragments}}}}`
  await loadRecords(target, csvBodies(files.verticesCsv, vertexFragment, vertexBody))
  await loadRecords(target, csvBodies(files.edgesCsv, edgeFragment, edgeBody))
}

async function loadRecords(target: LoadTarget, bodies: Iterator<string>): Promise<void> {
  const next = () => {
    const body = bodies.next()
    return body.done === true ? null : upsert(target, body.value)
  }
  await drive(target, LOAD_CONNECTIONS, { next })
}

function* csvBodies(
  path: string,
  fragmentOf: (record: readonly string[]) => string,
  bodyOf: (fragments: string) => string,
): Generator<string> {
  let fragments: string[] = []
  for (const record of csvRecords(path)) {
    fragments.push(fragmentOf(record))
    if (fragments.length < CSV_RECORDS_PER_REQUEST) continue
    yield bodyOf(fragments.join(','))
    fragments = []
  }
  if (fragments.length > 0) yield bodyOf(fragments.join(','))
}

function vertexFragment([id, name, age, score, created]: readonly string[]): string {
  return `"${id}":{"name":{"value":"${name}"},"age":{"value":${age}},"score":{"value":${score}},"created":{"value":"${created}"}}`
}

/** A source may stand in a body several times: repeated keys are an array to the server. */
function edgeFragment([source, target, weight, amount, since]: readonly string[]): string {
  return `"${source}":{"E":{"V":{"${target}":${edgeAttributes(weight, amount, since)}}}}`
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
