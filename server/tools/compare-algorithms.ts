/**
 * Compares the library's algorithms, as they install unmodified, with networkx.
 *
 *     node server/tools/compare-algorithms.ts --folder F [--python /usr/bin/python3] [--seed 1]
 *
 * The graph is generated: 600 vertices, a ring with random chords (undirected, weighted; directed),
 * and a sparse forest of parts. Prints a line per algorithm with the largest difference, and ends
 * with 1 when one is over its tolerance. FLOAT is single precision, so tolerances are.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock } from '../test/fixtures/server.ts'
import {
  coreAsWritten,
  edgePayload,
  generateNetwork,
  modularity,
  VERTICES,
} from './generated-network.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    python: { type: 'string', default: '/usr/bin/python3' },
    seed: { type: 'string', default: '1' },
  },
})
if (values.folder === undefined) throw new Error('--folder is needed')
const { folder } = values

const network = generateNetwork(Number(values.seed))

const reference = JSON.parse(
  spawnSync(values.python, [fileURLToPath(new URL('networkx-reference.py', import.meta.url))], {
    input: JSON.stringify({ vertices: VERTICES, ...network }),
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  }).stdout,
)

const server = await startServer({ clock: realClock as TestClock })

async function ask(method: 'GET' | 'POST', path: string, body?: unknown) {
  const { body: answer } = await server.request(method, path, body, { 'gsql-timeout': '120000' })
  if (answer.error) throw new Error(`${path}: ${answer.message}`)
  return answer.results
}

const attribute = (name: string, type: string) => ({
  AttributeName: name,
  AttributeType: { Name: type },
})
const edgeType = (name: string, directed: boolean, attributes: object[]) => ({
  Name: name,
  IsDirected: directed,
  FromVertexTypeName: 'Node',
  ToVertexTypeName: 'Node',
  Attributes: attributes,
  ...(directed && { Config: { REVERSE_EDGE: `reverse_${name}` } }),
})

async function load(): Promise<void> {
  const primaryId = { ...attribute('id', 'STRING'), PrimaryIdAsAttribute: true }
  const weight = attribute('weight', 'INT')
  await ask('POST', '/gsql/v1/schema/vertices', {
    createVertices: [
      {
        Name: 'Node',
        PrimaryId: primaryId,
        Attributes: [attribute('cid', 'INT')],
        Config: { STATS: 'OUTDEGREE_BY_EDGETYPE', PRIMARY_ID_AS_ATTRIBUTE: true },
      },
    ],
  })
  const createEdges = [
    edgeType('Tie', false, [weight]),
    edgeType('Part', false, []),
    edgeType('Link', true, []),
  ]
  await ask('POST', '/gsql/v1/schema/edges', { createEdges })
  await ask('POST', '/gsql/v1/schema/graphs?graphName=nets', {
    VertexTypes: ['Node'],
    EdgeTypes: ['Tie', 'Part', 'Link'],
  })
  const edges = edgePayload(network)
  const Node = Object.fromEntries(Array.from({ length: VERTICES }, (_, v) => [`${v}`, {}]))
  await ask('POST', '/restpp/graph/nets', { vertices: { Node }, edges: { Node: edges } })
}

/** Installs the library's file of that name. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
async function install(name: string): Promise<void> {
  const path = files.find((file) => basename(file) === `${name}.gsql`)
  if (path === undefined) throw new Error(`${name}.gsql is not in ${folder}`)
  await ask('POST', '/gsql/v1/queries?graph=nets', readFileSync(join(folder, path), 'utf8'))
}

// biome-ignore lint/suspicious/noExplicitAny: results of every shape are looked into
type Results = any[]

async function run(name: string, parameters: object): Promise<Results> {
  await install(name)
  return ask('POST', `/restpp/query/nets/${name}`, parameters)
}

/** A value per vertex from a heap of (vertex, score) tuples. */
function scores(tuples: readonly { Vertex_ID: string; score: number }[]): number[] {
  const found = new Array<number>(VERTICES).fill(0)
  for (const { Vertex_ID, score } of tuples) found[Number(Vertex_ID)] = score
  return found
}

/** A value per vertex from a printed set; `missing` where it is not printed. */
function columns(
  set: readonly { v_id: string; attributes: Record<string, number> }[],
  column: string,
  missing = Number.NaN,
): number[] {
  const found = new Array<number>(VERTICES).fill(missing)
  for (const { v_id, attributes } of set) found[Number(v_id)] = attributes[column] ?? missing
  return found
}

/** Labels as the least vertex that has the same one: equal partitions give equal lists. */
function leastMembers(labels: readonly number[]): number[] {
  const least = new Map<number, number>()
  labels.forEach((label, v) => {
    if (!least.has(label)) least.set(label, v)
  })
  return labels.map((label) => least.get(label)!)
}

function perVertex(found: Readonly<Record<string, number>>): number[] {
  return Array.from({ length: VERTICES }, (_, v) => found[`${v}`] ?? 0)
}

interface Comparison {
  readonly name: string
  readonly found: () => Promise<readonly number[]>
  readonly expected: readonly number[]
  readonly tolerance: number
}

const node = { id: '0', type: 'Node' }
const all = { top_k: VERTICES, print_results: true }
const onTies = { v_type_set: ['Node'], e_type_set: ['Tie'] }
const single = { v_type: 'Node', e_type: 'Tie' }

const comparisons: readonly Comparison[] = [
  {
    name: 'tg_pagerank',
    found: async () => {
      const limits = { max_change: 0.000001, maximum_iteration: 200 }
      const [{ '@@top_scores_heap': heap }] = await run('tg_pagerank', {
        ...single,
        ...limits,
        ...all,
      })
      return scores(heap)
    },
    expected: reference.pagerank,
    tolerance: 1e-3,
  },
  {
    name: 'tg_wcc',
    found: async () => {
      const given = { v_type_set: ['Node'], e_type_set: ['Part'], print_limit: -1 }
      const [, , { Start }] = await run('tg_wcc', given)
      return leastMembers(columns(Start, 'Start.@min_cc_id'))
    },
    expected: reference.components,
    tolerance: 0,
  },
  {
    name: 'tg_scc',
    found: async () => {
      const given = {
        v_type_set: ['Node'],
        e_type_set: ['Link'],
        reverse_e_type_set: ['reverse_Link'],
        print_limit: -1,
        result_attribute: 'cid',
      }
      await run('tg_scc', given)
      const vertices = await ask('GET', '/restpp/graph/nets/vertices/Node?limit=1000')
      return leastMembers(columns(vertices, 'cid'))
    },
    expected: reference.strong,
    tolerance: 0,
  },
  {
    name: 'tg_tri_count',
    found: async () => [(await run('tg_tri_count', single))[0].num_triangles],
    expected: [reference.triangles],
    tolerance: 0,
  },
  {
    name: 'tg_tri_count_fast',
    found: async () => [(await run('tg_tri_count_fast', single))[0].num_triangles],
    expected: [reference.triangles],
    tolerance: 0,
  },
  {
    name: 'tg_kcore',
    found: async () => {
      await run('tg_kcore', { ...single, result_attribute: 'cid', print_results: false })
      const vertices = await ask('GET', '/restpp/graph/nets/vertices/Node?limit=1000')
      return columns(vertices, 'cid')
    },
    expected: coreAsWritten(network),
    tolerance: 0,
  },
  {
    name: 'tg_lcc',
    found: async () => scores((await run('tg_lcc', { ...single, ...all }))[0].top_scores),
    expected: reference.clustering,
    tolerance: 1e-6,
  },
  {
    name: 'tg_closeness_cent',
    found: async () => {
      const given = { ...onTies, reverse_e_type: ['Tie'], max_hops: VERTICES, ...all }
      return scores((await run('tg_closeness_cent', given))[0].top_scores)
    },
    expected: reference.closeness,
    tolerance: 1e-6,
  },
  {
    name: 'tg_harmonic_cent',
    found: async () => {
      const given = {
        ...onTies,
        reverse_e_type_set: ['Tie'],
        max_hops: VERTICES,
        wf: false,
        ...all,
      }
      return scores((await run('tg_harmonic_cent', given))[0].top_scores)
    },
    expected: reference.harmonic,
    tolerance: 2e-3,
  },
  {
    name: 'tg_bfs',
    found: async () => {
      const given = { ...onTies, v_start: node, max_hops: VERTICES, display_edges: false }
      return columns((await run('tg_bfs', given))[0].Start, 'Start.@sum_step')
    },
    expected: reference.hops,
    tolerance: 0,
  },
  {
    name: 'tg_shortest_ss_no_wt',
    found: async () => {
      const [{ ResultSet }] = await run('tg_shortest_ss_no_wt', { ...onTies, source: node })
      return columns(ResultSet, 'ResultSet.@min_dis')
    },
    expected: reference.hops,
    tolerance: 0,
  },
  {
    name: 'tg_shortest_ss_any_wt',
    found: async () => {
      const given = { ...onTies, source: node, weight_attribute: 'weight', weight_type: 'INT' }
      const results = await run('tg_shortest_ss_any_wt', given)
      const column = 'component.@min_path_heap.top().dist'
      return columns(results.find((one) => 'component' in one).component, column)
    },
    expected: reference.distances,
    tolerance: 0,
  },
  {
    name: 'tg_jaccard_nbor_ss',
    found: async () => {
      const given = { source: node, e_type: 'Tie', reverse_e_type: 'Tie', ...all }
      const [{ Others }] = await run('tg_jaccard_nbor_ss', given)
      return columns(Others, 'Others.@sum_similarity', 0)
    },
    expected: perVertex(reference.jaccard),
    tolerance: 1e-6,
  },
  {
    name: 'tg_cosine_nbor_ss',
    found: async () => {
      const given = {
        source: node,
        e_type_set: ['Tie'],
        reverse_e_type_set: ['Tie'],
        weight_attribute: 'weight',
        print_limit: VERTICES,
        ...all,
      }
      const [{ neighbours }] = await run('tg_cosine_nbor_ss', given)
      return columns(neighbours, 'neighbours.@sum_similarity', 0)
    },
    expected: perVertex(reference.cosine),
    tolerance: 1e-5,
  },
]

function largestDifference(found: readonly number[], expected: readonly number[]): number {
  if (found.length !== expected.length) return Number.POSITIVE_INFINITY
  return expected.reduce((largest, value, i) => {
    const difference = Math.abs(found[i]! - value)
    return Number.isNaN(difference) ? Number.POSITIVE_INFINITY : Math.max(largest, difference)
  }, 0)
}

await load()
let failures = 0
for (const { name, found, expected, tolerance } of comparisons) {
  try {
    const difference = largestDifference(await found(), expected)
    const agrees = difference <= tolerance
    if (!agrees) failures += 1
    console.log(`${agrees ? 'agrees ' : 'DIFFERS'} ${name}: at most ${difference} off`)
  } catch (error) {
    failures += 1
    console.log(`FAILS   ${name}: ${error instanceof Error ? error.message : error}`)
  }
}
await run('tg_louvain', { ...onTies, weight_attribute: 'weight', result_attribute: 'cid' })
const vertices = await ask('GET', '/restpp/graph/nets/vertices/Node?limit=1000')
const [ours, theirs] = [modularity(network, columns(vertices, 'cid')), reference.modularity]
console.log(`tg_louvain: modularity ${ours.toFixed(3)}, networkx's own method ${theirs.toFixed(3)}`)
await server.close()
process.exitCode = failures === 0 ? 0 : 1
