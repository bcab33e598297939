/**
 * Compares the library's algorithms, as they install unmodified, with networkx.
 *
 *     node server/tools/compare-algorithms.ts --folder F [--python /usr/bin/python3] [--seed 1] [--only name]
 *
 * The graph is generated (generated-network.ts): 600 vertices. Prints a line per comparison with the
 * largest difference, and ends with 1 when one is over its tolerance. FLOAT is single precision, so
 * tolerances are. Where a text says something else than networkx, the comparison is with what the text
 * says, and its file tells the difference.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock } from '../test/fixtures/server.ts'
import { basicComparisons } from './basic-comparisons.ts'
import { communityComparisons } from './community-comparisons.ts'
import { largestDifference, type Results, type Session } from './comparison-kit.ts'
import { edgePayload, generateNetwork, TAGS, VERTICES } from './generated-network.ts'
import { pairComparisons } from './pair-comparisons.ts'
import { pathComparisons } from './path-comparisons.ts'
import { rankComparisons } from './rank-comparisons.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    python: { type: 'string', default: '/usr/bin/python3' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
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
const edgeType = (name: string, directed: boolean, attributes: object[], target = 'Node') => ({
  Name: name,
  IsDirected: directed,
  FromVertexTypeName: 'Node',
  ToVertexTypeName: target,
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
        Attributes: [
          attribute('cid', 'INT'),
          attribute('latitude', 'FLOAT'),
          attribute('longitude', 'FLOAT'),
        ],
        Config: { STATS: 'OUTDEGREE_BY_EDGETYPE', PRIMARY_ID_AS_ATTRIBUTE: true },
      },
      { Name: 'Tag', PrimaryId: primaryId, Attributes: [] },
    ],
  })
  const createEdges = [
    edgeType('Tie', false, [weight, attribute('cost', 'INT')]),
    edgeType('Part', false, []),
    edgeType('Link', true, [attribute('capacity', 'INT')]),
    edgeType('Club', false, [weight]),
    edgeType('Clique', false, [weight]),
    edgeType('Likes', false, [weight], 'Tag'),
  ]
  await ask('POST', '/gsql/v1/schema/edges', { createEdges })
  await ask('POST', '/gsql/v1/schema/graphs?graphName=nets', {
    VertexTypes: ['Node', 'Tag'],
    EdgeTypes: createEdges.map(({ Name }) => Name),
  })
  const edges = edgePayload(network)
  const ids = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, v) => [`${v}`, {}]))
  const vertices = { Node: ids(VERTICES), Tag: ids(TAGS) }
  await ask('POST', '/restpp/graph/nets', { vertices, edges: { Node: edges } })
}

/** Installs the library's file of that name. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const installed = new Set<string>()
async function install(name: string): Promise<void> {
  if (installed.has(name)) return
  installed.add(name)
  const path = files.find((file) => basename(file) === `${name}.gsql`)
  if (path === undefined) throw new Error(`${name}.gsql is not in ${folder}`)
  await ask('POST', '/gsql/v1/queries?graph=nets', readFileSync(join(folder, path), 'utf8'))
}

async function run(name: string, parameters: object): Promise<Results> {
  await install(name)
  return ask('POST', `/restpp/query/nets/${name}`, parameters)
}

await load()
const session: Session = { network, reference, ask, run }
const comparisons = [
  ...basicComparisons(session),
  ...rankComparisons(session),
  ...communityComparisons(session),
  ...pathComparisons(session),
  ...pairComparisons(session),
].filter(({ name }) => name.includes(values.only))
let failures = 0
for (const { name, of, found, expected, tolerance } of comparisons) {
  const title = of === undefined ? name : `${name} (${of})`
  try {
    const difference = largestDifference(await found(), expected)
    const agrees = difference <= tolerance
    if (!agrees) failures += 1
    console.log(`${agrees ? 'agrees ' : 'DIFFERS'} ${title}: at most ${difference} off`)
  } catch (error) {
    failures += 1
    console.log(`FAILS   ${title}: ${error instanceof Error ? error.message : error}`)
  }
}
await server.close()
process.exitCode = failures === 0 ? 0 : 1
