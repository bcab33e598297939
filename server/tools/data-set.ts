/**
 * Loads one of the open data sets beside the repository (`../shared/data/<name>`) through the
 * public interface, and reads back what its `expected.json` says.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** One HTTP call; the answer's body as text. */
export type Call = (method: 'GET' | 'POST', path: string, body?: string) => Promise<string>

export interface LoadReport {
  readonly name: string
  readonly vertexCount: number
  readonly edgeCount: number
  readonly durationMs: number
  /** What did not agree with `expected.json`; empty when all is well. */
  readonly differences: readonly string[]
}

interface Expected {
  readonly vertices: Readonly<Record<string, number>>
  readonly edges: Readonly<Record<string, number>>
  readonly upsertRows: { readonly vertices: number; readonly edges: number }
  readonly spotChecks: readonly SpotCheck[]
}

type SpotCheck =
  | { readonly edges: readonly string[]; readonly count: number }
  | {
      readonly vertex: readonly [type: string, id: string]
      readonly attribute: string
      readonly value: unknown
    }

export async function loadDataSet(
  call: Call,
  directory: string,
  batchSize: number,
): Promise<LoadReport> {
  const schema = JSON.parse(readFileSync(join(directory, 'schema.json'), 'utf8'))
  const expected: Expected = JSON.parse(readFileSync(join(directory, 'expected.json'), 'utf8'))
  const { graphName: name, createGraph, createVertices, createEdges } = schema
  await post(call, '/gsql/v1/schema/vertices', { createVertices })
  await post(call, '/gsql/v1/schema/edges', { createEdges })
  await post(call, `/gsql/v1/schema/graphs?graphName=${name}`, createGraph)

  const startedMs = performance.now()
  let vertexCount = 0
  let edgeCount = 0
  for await (const payload of payloads(directory, batchSize)) {
    const [result] = answered(await call('POST', `/restpp/graph/${name}`, payload)).results
    vertexCount += result.accepted_vertices
    edgeCount += result.accepted_edges
  }
  const durationMs = performance.now() - startedMs
  const accepted = [
    ...difference('accepted vertices', vertexCount, expected.upsertRows.vertices),
    ...difference('accepted edges', edgeCount, expected.upsertRows.edges),
  ]
  const differences = [...accepted, ...(await readBack(call, name, expected))]
  return { name, vertexCount, edgeCount, durationMs, differences }
}

/** Lines of the converter beside the data, as it prints them. */
function payloads(directory: string, batchSize: number): AsyncIterable<string> {
  const script = join(directory, 'to-upsert.mjs')
  const converter = spawn(process.execPath, [script, '--batch', String(batchSize)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return createInterface({ input: converter.stdout, crlfDelay: Number.POSITIVE_INFINITY })
}

async function readBack(call: Call, graph: string, expected: Expected): Promise<string[]> {
  const differences: string[] = []
  const vertices = await builtin(call, graph, 'stat_vertex_number')
  for (const [type, count] of Object.entries(expected.vertices)) {
    const actual = vertices.find((row) => row['v_type'] === type)?.['count']
    differences.push(...difference(`vertices of ${type}`, actual, count))
  }
  const edges = await builtin(call, graph, 'stat_edge_number')
  for (const [type, count] of Object.entries(expected.edges)) {
    const actual = edges.find((row) => row['e_type'] === type)?.['count']
    differences.push(...difference(`edges of ${type}`, actual, count))
  }
  for (const check of expected.spotChecks) {
    differences.push(...(await spotCheck(call, graph, check)))
  }
  return differences
}

async function builtin(
  call: Call,
  graph: string,
  name: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const body = JSON.stringify({ function: name, type: '*' })
  return answered(await call('POST', `/restpp/builtins/${graph}`, body)).results
}

async function spotCheck(call: Call, graph: string, check: SpotCheck): Promise<string[]> {
  const segments = 'edges' in check ? check.edges : check.vertex
  const kind = 'edges' in check ? 'edges' : 'vertices'
  const path = `/restpp/graph/${graph}/${kind}/${segments.map(encodeURIComponent).join('/')}`
  const { results } = answered(await call('GET', path))
  if ('edges' in check) return difference(path, results.length, check.count)
  return difference(
    `${check.attribute} of ${path}`,
    results[0].attributes[check.attribute],
    check.value,
  )
}

function difference(what: string, actual: unknown, expected: unknown): string[] {
  return actual === expected ? [] : [`${what}: ${String(actual)} instead of ${String(expected)}`]
}

async function post(call: Call, path: string, body: unknown): Promise<void> {
  answered(await call('POST', path, JSON.stringify(body)))
}

/** @throws Error with the server's message */
function answered(text: string) {
  const answer = JSON.parse(text)
  if (answer.error !== false) throw new Error(answer.message)
  return answer
}
