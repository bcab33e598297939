/**
 * Compares algorithms of the library with the results that its own tests recorded from the reference
 * engine, on rings, lines, trees, hubs and complete graphs of 8 or 20 vertices.
 *
 *     node server/tools/compare-recorded.ts --folder F
 *
 * F is the checkout with `algorithms` and `tests/data`. Ends with 1 when a number differs.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock } from '../test/fixtures/server.ts'

const { values } = parseArgs({ options: { folder: { type: 'string' } } })
if (values.folder === undefined) throw new Error('--folder is needed')
const { folder } = values
const data = join(folder, 'tests/data')

const FILES: Readonly<Record<string, string>> = {
  Empty: 'empty_graph_edges',
  Line: 'line_edges',
  Ring: 'ring_edges',
  Hub_Spoke: 'hubspoke_edges',
  Hub_Connected_Hub_Spoke: 'hubspoke_connected_spoke_edges',
  Tree: 'tree_edges',
  DAG: 'dag_edges',
  Complete: 'complete_edges',
}

interface EdgeType {
  readonly name: string
  readonly isDirected: boolean
  readonly vertexType: 'V8' | 'V20'
  readonly rows: readonly string[][]
}

function rowsOf(path: string): string[][] {
  return readFileSync(join(data, path), 'utf8')
    .split(/\r?\n/)
    .filter((line) => line !== '' && line !== 'source,target')
    .map((line) => line.split(','))
}

/** Directed or not, with weights or without. */
function shapeOf(shape: string, isDirected: boolean, isWeighted: boolean): EdgeType {
  const isComplete = shape === 'Complete'
  const file = `${FILES[shape]}${isComplete && isDirected ? '_directed' : ''}.csv`
  return {
    name: `${shape}${isDirected ? '_Directed' : ''}${isWeighted ? '_Weighted' : ''}`,
    isDirected,
    vertexType: isComplete ? 'V8' : 'V20',
    rows: rowsOf(`${isWeighted ? 'weighted' : 'unweighted'}_edges/${file}`),
  }
}

function edgeTypes(): EdgeType[] {
  const shapes = Object.keys(FILES).flatMap((shape) =>
    [false, true].flatMap((isDirected) =>
      [false, true].map((isWeighted) => shapeOf(shape, isDirected, isWeighted)),
    ),
  )
  const predictions = [1, 2, 3, 4, 5, 6].map(
    (n): EdgeType => ({
      name: `topo_link${n}`,
      isDirected: false,
      vertexType: 'V8',
      rows: rowsOf(`topological_link_prediction/topo_link_pred${n}.csv`),
    }),
  )
  return [...shapes, ...predictions]
}

const types = new Map(edgeTypes().map((type) => [type.name, type]))
const server = await startServer({ clock: realClock as TestClock })

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function ask(path: string, body: unknown): Promise<any> {
  const answer = (await server.request('POST', path, body)).body
  if (answer.error) throw new Error(`${path}: ${answer.message}`)
  return answer.results
}

async function load(): Promise<void> {
  const text = (name: string) => ({ AttributeName: name, AttributeType: { Name: 'STRING' } })
  const createVertices = ['V8', 'V20'].map((Name) => ({
    Name,
    PrimaryId: { ...text('id'), PrimaryIdAsAttribute: true },
    Attributes: [],
  }))
  const createEdges = [...types.values()].map(({ name, isDirected, vertexType }) => ({
    Name: name,
    IsDirected: isDirected,
    FromVertexTypeName: vertexType,
    ToVertexTypeName: vertexType,
    Attributes: [{ AttributeName: 'weight', AttributeType: { Name: 'INT' } }],
    ...(isDirected && { Config: { REVERSE_EDGE: `reverse_${name}` } }),
  }))
  await ask('/gsql/v1/schema/vertices', { createVertices })
  await ask('/gsql/v1/schema/edges', { createEdges })
  await ask('/gsql/v1/schema/graphs?graphName=recorded', {
    VertexTypes: ['V8', 'V20'],
    EdgeTypes: createEdges.map(({ Name }) => Name),
  })
  const vertices = (file: string) => Object.fromEntries(rowsOf(file).map(([id]) => [id!, {}]))
  const given = { V8: vertices('eight_nodes.csv'), V20: vertices('twenty_nodes.csv') }
  await ask('/restpp/graph/recorded', { vertices: given })
  for (const { name, vertexType, rows } of types.values()) {
    for (const [from, to, weight] of rows) {
      const body = weight === undefined ? {} : { weight: { value: Number(weight) } }
      const target = { [name]: { [vertexType]: { [to!]: body } } }
      await ask('/restpp/graph/recorded', { edges: { [vertexType]: { [from!]: target } } })
    }
  }
}

/** The arguments that the library's tests give, of all algorithms at once: each takes its own. */
function argumentsFor({ name, isDirected, vertexType }: EdgeType, path: string) {
  const reverse = isDirected ? `reverse_${name}` : name
  const start = { id: 'A', type: vertexType }
  return {
    v_type: vertexType,
    e_type: name,
    v_type_set: [vertexType],
    e_type_set: [name],
    reverse_e_type_set: [reverse],
    reverse_e_type: path.includes('weighted_degree') ? reverse : [reverse],
    weight_attribute: 'weight',
    in_degree:
      (!path.includes('out_degree') && !name.startsWith('Complete')) || path.includes('in_degree'),
    out_degree:
      path.includes('out_degree') || (name.startsWith('Complete') && !path.includes('in_degree')),
    max_hops: path.includes('/bfs') ? 10 : 100,
    maximum_iteration: path.includes('pagerank') ? 10 : 25,
    top_k: 100,
    print_limit: -1,
    v_start: start,
    source: start,
    v_source: start,
    v_target: { id: 'B', type: vertexType },
    print_results: true,
  }
}

const QUERIES: Readonly<Record<string, string>> = {
  degree_centrality: 'tg_degree_cent',
  weighted_degree_centrality: 'tg_weighted_degree_cent',
  harmonic_centrality: 'tg_harmonic_cent',
  closeness_centrality: 'tg_closeness_cent',
  article_rank: 'tg_article_rank',
  pagerank: 'tg_pagerank',
  lcc: 'tg_lcc',
  bfs: 'tg_bfs',
  shortest_ss_no_wt: 'tg_shortest_ss_no_wt',
  adamic_adar: 'tg_adamic_adar',
  common_neighbors: 'tg_common_neighbors',
  preferential_attachment: 'tg_preferential_attachment',
  resource_allocation: 'tg_resource_allocation',
  total_neighbors: 'tg_total_neighbors',
}

/** A row per vertex, or the one value, as text. */
function rowsByVertex(result: Readonly<Record<string, unknown>>): Map<string, string> {
  const [first] = Object.values(result)
  if (!Array.isArray(first)) return new Map([['', JSON.stringify(first)]])
  return new Map(
    first.map((row) => [row.v_id ?? row.Vertex_ID, JSON.stringify(row.score ?? row.attributes)]),
  )
}

/** Relative, as the library's tests allow: sums of single precision depend on their order. */
const TOLERANCE = 1e-6

interface Outcome {
  readonly isExact: boolean
  /** Rows over the tolerance. */
  readonly wrong: readonly string[]
}

async function compare(path: string): Promise<Outcome> {
  const type = types.get(basename(path, '.json'))!
  const query = QUERIES[path.split('/')[1]!]!
  const [recorded] = JSON.parse(readFileSync(join(data, 'baseline', path), 'utf8'))
  const results = await ask(`/restpp/query/recorded/${query}`, argumentsFor(type, path))
  const mine = rowsByVertex(results[0])
  const unlike = [...rowsByVertex(recorded)].filter(([vertex, row]) => mine.get(vertex) !== row)
  const wrong = unlike
    .map(([vertex, row]) => ({ vertex, row, found: mine.get(vertex) }))
    .filter(({ row, found }) => {
      const [wanted, got] = [Number(row), Number(found)]
      return !(Math.abs(got - wanted) <= TOLERANCE * Math.abs(wanted))
    })
    .map(({ vertex, row, found }) => `${vertex}: ${found} instead of ${row}`)
  return { isExact: unlike.length === 0, wrong }
}

/**
 * Made with networkx, not recorded (so are the degrees of other shapes), and it counts an undirected
 * loop twice; the language walks it once, and the library's own tests leave this file out.
 */
const NOT_RECORDED = 'centrality/weighted_degree_centrality/Complete_Weighted.json'

await load()
const texts = readdirSync(join(folder, 'algorithms'), { recursive: true, encoding: 'utf8' })
for (const name of Object.values(QUERIES)) {
  const path = texts.find((file) => basename(file) === `${name}.gsql`)!
  await ask(
    '/gsql/v1/queries?graph=recorded',
    readFileSync(join(folder, 'algorithms', path), 'utf8'),
  )
}
const paths = readdirSync(join(data, 'baseline'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.json') && types.has(basename(path, '.json')))
  .filter((path) => path !== NOT_RECORDED)
  .filter((path) => QUERIES[path.split('/')[1]!] !== undefined)
  .sort()
let exact = 0
let failures = 0
for (const path of paths) {
  const { isExact, wrong } = await compare(path)
  if (isExact) exact += 1
  if (wrong.length === 0) continue
  failures += 1
  console.log(`DIFFERS ${path}: ${wrong.length} rows, such as ${wrong[0]}`)
}
const good = paths.length - failures
console.log(`${good} of ${paths.length} recorded results agree, ${exact} of them digit for digit`)
await server.close()
process.exitCode = failures === 0 ? 0 : 1
