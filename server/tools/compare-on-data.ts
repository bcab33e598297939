/**
 * Compares algorithms of the library with networkx on the open data sets, as compare-algorithms.ts
 * does on a generated graph.
 *
 *     node server/tools/compare-on-data.ts --folder F [--data ../shared/data] [--only openflights]
 *
 * One edge type of each set, with its parallel edges. Ends with 1 when a number is off.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock } from '../test/fixtures/server.ts'
import { type Call, loadDataSet } from './data-set.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    data: { type: 'string', default: '../shared/data' },
    python: { type: 'string', default: '/usr/bin/python3' },
    only: { type: 'string', default: '' },
  },
})
if (values.folder === undefined) throw new Error('--folder is needed')
const { folder } = values
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })

interface Subject {
  readonly graph: string
  readonly vertexTypes: readonly string[]
  readonly edge: string
  /** Null: undirected. */
  readonly reverse: string | null
  /** A numeric edge attribute; empty: none. */
  readonly weight: string
}

const subjects: readonly Subject[] = [
  {
    graph: 'openflights',
    vertexTypes: ['Airport'],
    edge: 'route',
    reverse: 'route_reverse',
    weight: 'distance_km',
  },
  { graph: 'football', vertexTypes: ['Team'], edge: 'played', reverse: 'played_away', weight: '' },
  {
    graph: 'movies',
    vertexTypes: ['Film', 'Person'],
    edge: 'directed_by',
    reverse: null,
    weight: '',
  },
]

const HUGE = 1_000_000
type PerVertex = Record<string, number | string>
type Run = (name: string, parameters: object) => Promise<PerVertex>

/** The first per-vertex list among the results: a printed set with one column, or scores. */
function perVertex(results: readonly Record<string, unknown>[]): PerVertex {
  for (const value of results.flatMap((one) => Object.values(one))) {
    if (!Array.isArray(value) || typeof value[0] !== 'object') continue
    if ('score' in value[0])
      return Object.fromEntries(value.map((row) => [row.Vertex_ID, row.score]))
    if (!('v_id' in value[0])) continue
    return Object.fromEntries(
      value.map((row) => [`${row.v_type} ${row.v_id}`, Object.values(row.attributes)[0] as number]),
    )
  }
  throw new Error('no list of vertices among the results')
}

/** Labels as the least vertex that has the same one. */
function leastMembers(labels: PerVertex, of: PerVertex): PerVertex {
  const least = new Map<number | string, string>()
  for (const v of Object.keys(of)) {
    if (labels[v] === undefined) throw new Error(`${v} has no label`)
    const known = least.get(labels[v])
    if (known === undefined || v < known) least.set(labels[v], v)
  }
  return Object.fromEntries(Object.keys(of).map((v) => [v, least.get(labels[v]!)!]))
}

/** The largest difference relative to the expected number; infinite where one is missing. */
function difference(found: PerVertex, expected: PerVertex): number {
  return Object.entries(expected).reduce((largest, [v, value]) => {
    const mine = found[v]
    if (typeof value === 'string') return mine === value ? largest : Number.POSITIVE_INFINITY
    const off = Math.abs(Number(mine ?? Number.NaN) - value) / Math.max(1, Math.abs(value))
    return Number.isNaN(off) ? Number.POSITIVE_INFINITY : Math.max(largest, off)
  }, 0)
}

const TOLERANCE = 1e-4
let failures = 0
async function compare(title: string, found: Promise<PerVertex>, expected: PerVertex) {
  const off = difference(await found, expected)
  if (off > TOLERANCE) failures += 1
  const count = Object.keys(expected).length
  console.log(
    `${off > TOLERANCE ? 'DIFFERS' : 'agrees '} ${title}: ${count} vertices, at most ${off} off`,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: JSON of the reference
async function compareAll(subject: Subject, reference: any, run: Run): Promise<void> {
  const { graph, vertexTypes, edge, reverse, weight } = subject
  const [type, ...words] = (reference.source as string).split(' ')
  const source = { id: words.join(' '), type }
  const types = { v_type_set: vertexTypes, e_type_set: [edge] }
  const both = reverse === null ? types : { ...types, e_type_set: [edge, reverse] }
  const title = (name: string) => `${graph} ${name}`
  const hops = { ...types, source, v_start: source, max_hops: HUGE, display_edges: false }
  await compare(title('tg_bfs'), run('tg_bfs', hops), reference.hops)
  await compare(title('tg_shortest_ss_no_wt'), run('tg_shortest_ss_no_wt', hops), reference.hops)
  const inward = { ...types, reverse_e_type_set: [reverse ?? edge], normalize: false, top_k: HUGE }
  const degrees = run('tg_degree_cent', { ...inward, out_degree: false })
  if (vertexTypes.length === 1) await compare(title('tg_degree_cent'), degrees, reference.inDegree)
  else await degrees
  const components = await run('tg_wcc', { ...both, print_limit: -1 })
  const labels = leastMembers(components, reference.components)
  await compare(title('tg_wcc'), Promise.resolve(labels), reference.components)
  if (weight !== '') {
    const given = { ...types, source, weight_attribute: weight, weight_type: 'DOUBLE' }
    const distances = run('tg_shortest_ss_pos_wt', given)
    await compare(title('tg_shortest_ss_pos_wt'), distances, reference.distances)
  }
  if (reverse === null) return
  const strong = await run('tg_scc', { ...types, reverse_e_type_set: [reverse], print_limit: HUGE })
  const parts = leastMembers(strong, reference.strong)
  await compare(title('tg_scc'), Promise.resolve(parts), reference.strong)
  const ranking = { v_type: vertexTypes[0], e_type: edge, top_k: HUGE }
  const limits = { max_change: 0.000001, maximum_iteration: 100 }
  await compare(
    title('tg_pagerank'),
    run('tg_pagerank', { ...ranking, ...limits }),
    reference.ranks,
  )
}

async function compareOn(subject: Subject): Promise<void> {
  const { graph, edge, weight, vertexTypes } = subject
  const directory = resolve(join(values.data, graph))
  const limits = { encoding: 'utf8', maxBuffer: 2 ** 29 } as const
  const script = [join(directory, 'to-upsert.mjs'), '--batch', '2000', '--only', 'edges']
  const payloads = spawnSync(process.execPath, script, limits).stdout
  const reader = fileURLToPath(new URL('networkx-data-reference.py', import.meta.url))
  const schema = join(directory, 'schema.json')
  const python = spawnSync(values.python, [reader, schema, edge, weight], {
    ...limits,
    input: payloads,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const server = await startServer({ clock: realClock as TestClock })
  try {
    const call: Call = async (method, path, body) => {
      const given = body === undefined ? undefined : JSON.parse(body)
      return JSON.stringify((await server.request(method, path, given)).body)
    }
    await loadDataSet(call, directory, 2000)
    const run: Run = async (name, parameters) => {
      const path = files.find((file) => basename(file) === `${name}.gsql`)!
      const text = readFileSync(join(folder, path), 'utf8')
      await server.request('POST', `/gsql/v1/queries?graph=${graph}`, text)
      const { body } = await server.request('POST', `/restpp/query/${graph}/${name}`, parameters, {
        'gsql-timeout': '60000',
      })
      if (body.error) throw new Error(`${name}: ${body.message}`)
      const found = perVertex(body.results)
      const isBare = !Object.keys(found)[0]!.startsWith(`${vertexTypes[0]} `)
      if (!isBare || vertexTypes.length > 1) return found
      return Object.fromEntries(
        Object.entries(found).map(([v, value]) => [`${vertexTypes[0]} ${v}`, value]),
      )
    }
    await compareAll(subject, JSON.parse(python.stdout), run)
  } finally {
    await server.close()
  }
}

for (const subject of subjects.filter(({ graph }) => graph.includes(values.only))) {
  await compareOn(subject)
}
process.exitCode = failures === 0 ? 0 : 1
