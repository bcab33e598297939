/**
 * Compares algorithms of the library that want a simple undirected graph with networkx, on graphs made
 * of the open data sets: the vertices of one edge type that come first, and for each pair of them that
 * is connected one edge, whose weight is how many edges there are.
 *
 *     node server/tools/compare-projections.ts --folder F [--data ../shared/data] [--only football]
 *         [--vertices 1500] [--python /usr/bin/python3]
 *
 * Sums of FLOAT are rounded at every step: tolerances are those of some thousand steps.
 * Where a text says something else than networkx, the comparison is with what the text says
 * (algorithms_as_written.py). Ends with 1 when a number is off by more than its tolerance.
 */
import { spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock } from '../test/fixtures/server.ts'
import { leastMembers, type Results } from './comparison-kit.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    data: { type: 'string', default: '../shared/data' },
    python: { type: 'string', default: '/usr/bin/python3' },
    vertices: { type: 'string', default: '1500' },
    only: { type: 'string', default: '' },
  },
})
if (values.folder === undefined) throw new Error('--folder is needed')
const { folder } = values
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })

const subjects = [
  { graph: 'openflights', edge: 'route' },
  { graph: 'football', edge: 'played' },
  { graph: 'movies', edge: 'directed_by' },
  { graph: 'biogrid', edge: 'interacts' },
] as const

/** Texts that keep a bit for each of 60 sources at once have too few bits for what is left over. */
const SOURCES_AT_ONCE = 60

interface Projection {
  readonly vertices: number
  /** Each once, the smaller number first. */
  readonly edges: readonly (readonly [number, number, weight: number])[]
}

type Targets = Record<string, Record<string, Record<string, unknown>>>

/** Every edge of the type as `FROM type and id, TO type and id`. */
async function* edgesOf(graph: string, edge: string): AsyncGenerator<readonly [string, string]> {
  const script = join(resolve(values.data), graph, 'to-upsert.mjs')
  const child = spawn(process.execPath, [script, '--batch', '2000', '--only', 'edges'])
  for await (const line of createInterface({ input: child.stdout })) {
    const { edges } = JSON.parse(line) as { edges: Record<string, Record<string, Targets>> }
    for (const [kind, sources] of Object.entries(edges)) {
      for (const [source, byType] of Object.entries(sources)) {
        for (const target of targetsOf(byType[edge] ?? {})) yield [`${kind} ${source}`, target]
      }
    }
  }
}

/** The vertex at the other end of each edge. */
function* targetsOf(byType: Targets[string]): Generator<string> {
  for (const [type, targets] of Object.entries(byType)) {
    for (const [target, rows] of Object.entries(targets)) {
      for (const _row of Array.isArray(rows) ? rows : [rows]) yield `${type} ${target}`
    }
  }
}

async function projectionOf(graph: string, edge: string): Promise<Projection> {
  const numbers = new Map<string, number>()
  const weights = new Map<string, number>()
  const numberOf = (name: string) => {
    const known = numbers.get(name)
    if (known !== undefined || numbers.size >= Number(values.vertices)) return known
    numbers.set(name, numbers.size)
    return numbers.size - 1
  }
  for await (const [from, to] of edgesOf(graph, edge)) {
    const [one, other] = [numberOf(from), numberOf(to)]
    if (one === undefined || other === undefined || one === other) continue
    const key = `${Math.min(one, other)} ${Math.max(one, other)}`
    weights.set(key, (weights.get(key) ?? 0) + 1)
  }
  const vertices = numbers.size - (numbers.size % SOURCES_AT_ONCE)
  const edges = [...weights].flatMap(([key, weight]) => {
    const [a, b] = key.split(' ').map(Number)
    return b! < vertices ? [[a!, b!, weight] as const] : []
  })
  return { vertices, edges }
}

type Server = Awaited<ReturnType<typeof startServer>>

async function load(server: Server, { vertices, edges }: Projection): Promise<void> {
  const made = await server.request(
    'POST',
    '/gsql/v1/statements',
    `CREATE VERTEX Node (PRIMARY_ID id STRING, cid INT, score DOUBLE) WITH primary_id_as_attribute="true"
     CREATE UNDIRECTED EDGE Tie (FROM Node, TO Node, weight INT) CREATE GRAPH p (*)`,
  )
  if (!made.text.includes('The graph p is created')) throw new Error(made.text)
  const ids = Object.fromEntries(Array.from({ length: vertices }, (_, v) => [`${v}`, {}]))
  await upsert(server, { vertices: { Node: ids } })
  for (let at = 0; at < edges.length; at += 5_000) {
    const sources: Record<string, { Tie: { Node: Record<string, object> } }> = {}
    for (const [a, b, weight] of edges.slice(at, at + 5_000)) {
      sources[a] ??= { Tie: { Node: {} } }
      sources[a].Tie.Node[b] = { weight: { value: weight } }
    }
    await upsert(server, { edges: { Node: sources } })
  }
}

async function upsert(server: Server, payload: object): Promise<void> {
  const { body } = await server.request('POST', '/restpp/graph/p', payload)
  if (body.error) throw new Error(body.message)
}

/** Installs the library's text of that name, and runs it. */
async function runText(server: Server, name: string, parameters: object): Promise<Results> {
  const path = files.find((file) => basename(file) === `${name}.gsql`)
  if (path === undefined) throw new Error(`${name}.gsql is not in ${folder}`)
  await server.request('POST', '/gsql/v1/queries?graph=p', readFileSync(join(folder, path), 'utf8'))
  const headers = { 'gsql-timeout': '300000' }
  const { body } = await server.request('POST', `/restpp/query/p/${name}`, parameters, headers)
  if (body.error) throw new Error(`${name}: ${body.message}`)
  return body.results
}

interface Comparison {
  readonly name: string
  readonly given: object
  /** The list of the reference, by vertex. */
  readonly expected: string
  /** Of the difference, relative to the number where that is over 1. */
  readonly tolerance: number
  readonly read: (results: Results, count: number) => readonly number[] | Promise<readonly number[]>
}

const filled = (count: number, entries: Iterable<readonly [string, number]>, missing: number) => {
  const found = new Array<number>(count).fill(missing)
  for (const [v, value] of entries) found[Number(v)] = value
  return found
}

interface Printed {
  readonly v_id: string
  readonly attributes: Readonly<Record<string, number>>
}

/** The column of a set that is printed under a name. */
const column =
  (set: string, name: string, missing = -1) =>
  (results: Results, count: number) => {
    const rows = results.find((one) => set in one)[set] as readonly Printed[]
    return filled(
      count,
      rows.map(({ v_id, attributes }) => [v_id, attributes[name]!]),
      missing,
    )
  }

/** Tuples of a vertex and its score. */
const heap = (name: string) => (results: Results, count: number) => {
  const rows = results.find((one) => name in one)[name] as { Vertex_ID: string; score: number }[]
  return filled(
    count,
    rows.map(({ Vertex_ID, score }) => [Vertex_ID, score]),
    0,
  )
}

function comparisonsFor(server: Server, source: object, count: number): readonly Comparison[] {
  const sets = { v_type_set: ['Node'], e_type_set: ['Tie'] }
  const single = { v_type: 'Node', e_type: 'Tie' }
  const all = { top_k: count, print_results: true }
  const kept = async (): Promise<readonly number[]> => {
    const { body } = await server.request('GET', `/restpp/graph/p/vertices/Node?limit=${count}`)
    const rows = body.results as readonly Printed[]
    return filled(
      count,
      rows.map(({ v_id, attributes }) => [v_id, attributes['cid']!]),
      -1,
    )
  }
  const communities = async () => leastMembers(await kept())
  const limits = { max_change: 0.000001, maximum_iteration: 300 }
  const weighted = { ...sets, source, weight_attribute: 'weight', weight_type: 'INT' }
  const reached = { max_hops: count, ...all }
  const triangles = (results: Results) => [results[0].num_triangles]
  const own = { source, e_type: 'Tie', reverse_e_type: 'Tie', ...all }
  const both = { source, e_type_set: ['Tie'], reverse_e_type_set: ['Tie'], ...all }
  // biome-ignore format: a row for each
  return [
    { name: 'tg_pagerank', given: { ...single, ...limits, ...all }, expected: 'pagerank', tolerance: 1e-3, read: heap('@@top_scores_heap') },
    { name: 'tg_wcc', given: { ...sets, print_limit: -1, result_attribute: 'cid' }, expected: 'components', tolerance: 0, read: communities },
    { name: 'tg_bfs', given: { ...sets, v_start: source, max_hops: count, display_edges: false }, expected: 'hops', tolerance: 0, read: column('Start', 'Start.@sum_step') },
    { name: 'tg_shortest_ss_no_wt', given: { ...sets, source }, expected: 'hops', tolerance: 0, read: column('ResultSet', 'ResultSet.@min_dis') },
    { name: 'tg_shortest_ss_any_wt', given: weighted, expected: 'distances', tolerance: 0, read: column('component', 'component.@min_path_heap.top().dist') },
    { name: 'tg_closeness_cent', given: { ...sets, reverse_e_type: ['Tie'], ...reached }, expected: 'closeness', tolerance: 1e-6, read: heap('top_scores') },
    { name: 'tg_harmonic_cent', given: { ...sets, reverse_e_type_set: ['Tie'], wf: false, ...reached }, expected: 'harmonic', tolerance: 1e-4, read: heap('top_scores') },
    { name: 'tg_betweenness_cent', given: { ...sets, reverse_e_type: ['Tie'], ...reached }, expected: 'betweenness', tolerance: 1e-4, read: heap('top_scores') },
    { name: 'tg_label_prop', given: { ...sets, maximum_iteration: 30, print_limit: 1, result_attribute: 'cid' }, expected: 'labels', tolerance: 0, read: communities },
    { name: 'tg_louvain', given: { ...sets, weight_attribute: 'weight', result_attribute: 'cid' }, expected: 'louvain', tolerance: 0, read: communities },
    { name: 'tg_tri_count', given: single, expected: 'triangles', tolerance: 0, read: triangles },
    { name: 'tg_tri_count_fast', given: single, expected: 'triangles', tolerance: 0, read: triangles },
    { name: 'tg_kcore', given: { ...single, result_attribute: 'cid', print_results: false }, expected: 'cores', tolerance: 0, read: kept },
    { name: 'tg_lcc', given: { ...single, ...all }, expected: 'clustering', tolerance: 1e-6, read: heap('top_scores') },
    { name: 'tg_jaccard_nbor_ss', given: own, expected: 'jaccard', tolerance: 1e-6, read: column('Others', 'Others.@sum_similarity', 0) },
    { name: 'tg_cosine_nbor_ss', given: { ...both, weight_attribute: 'weight', print_limit: count }, expected: 'cosine', tolerance: 1e-5, read: column('neighbours', 'neighbours.@sum_similarity', 0) },
  ]
}

function largestDifference(found: readonly number[], expected: readonly number[]): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY
  return expected.reduce((largest, value, i) => {
    const off = Math.abs(found[i]! - value) / Math.max(1, Math.abs(value))
    return Number.isNaN(off) ? Number.POSITIVE_INFINITY : Math.max(largest, off)
  }, 0)
}

/** @returns how many differ */
async function compareOn(graph: string, edge: string): Promise<number> {
  const projection = await projectionOf(graph, edge)
  const { vertices: count, edges } = projection
  console.log(`${graph} ${edge}: ${count} vertices, ${edges.length} edges`)
  const script = fileURLToPath(new URL('projection-reference.py', import.meta.url))
  const python = spawnSync(values.python, [script], {
    input: JSON.stringify(projection),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
  const reference = JSON.parse(python.stdout)
  const server = await startServer({ clock: realClock as TestClock })
  let failures = 0
  try {
    await load(server, projection)
    const source = { id: String(reference.source), type: 'Node' }
    for (const { name, given, expected, tolerance, read } of comparisonsFor(
      server,
      source,
      count,
    )) {
      const found = await read(await runText(server, name, given), count)
      const off = largestDifference(found, reference[expected])
      if (off > tolerance) failures += 1
      console.log(`${off > tolerance ? 'DIFFERS' : 'agrees '} ${graph} ${name}: at most ${off} off`)
    }
  } finally {
    await server.close()
  }
  return failures
}

let failures = 0
for (const { graph, edge } of subjects.filter((one) => one.graph.includes(values.only))) {
  failures += await compareOn(graph, edge)
}
process.exitCode = failures === 0 ? 0 : 1
