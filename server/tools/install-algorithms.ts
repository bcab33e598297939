/**
 * Installs the queries of a folder, unmodified, and says how many install and why others do not.
 *
 *     node server/tools/install-algorithms.ts --folder F [--data ../shared/data] [--graph generic]
 *         [--only name] [--run] [--timeout 20000] [--verbose]
 *
 * A server over a store in memory is started with one of the open data sets, or with a small
 * graph whose types have the attributes that the library's queries read. Queries that call
 * others install after them, so the rest is tried again as long as one more installs. With `--run`
 * every installed query is run with arguments made from its parameters' names and types.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock } from '../test/fixtures/server.ts'
import { algorithmArguments, type GraphNames } from './algorithm-arguments.ts'
import { type Call, loadDataSet } from './data-set.ts'
import { GENERIC_GRAPH, loadGenericGraph } from './generic-graph.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    data: { type: 'string', default: '../shared/data' },
    graph: { type: 'string', default: GENERIC_GRAPH },
    only: { type: 'string' },
    run: { type: 'boolean', default: false },
    timeout: { type: 'string', default: '20000' },
    verbose: { type: 'boolean', default: false },
  },
})
if (values.folder === undefined) throw new Error('--folder is needed')

const server = await startServer({ clock: realClock as TestClock })
const baseUrl = await server.listen()
const authorization = `Basic ${Buffer.from('tigergraph:tigergraph').toString('base64')}`
const call: Call = async (method, path, body) => {
  const response = await fetch(baseUrl + path, {
    method,
    headers: { authorization, 'gsql-timeout': values.timeout },
    ...(body !== undefined && { body }),
  })
  return response.text()
}

interface QueryFile {
  readonly path: string
  readonly text: string
}

/** Files that hold queries: schemas and loading jobs are left out. */
function queryFiles(folder: string): QueryFile[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.gsql'))
    .sort()
    .map((path) => ({ path, text: readFileSync(join(folder, path), 'utf8') }))
    .filter(({ text }) => /\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:\w+\s+){0,2}QUERY\b/i.test(text))
    .filter(({ path }) => values.only === undefined || path.includes(values.only))
}

async function install(graph: string, file: QueryFile): Promise<string | null> {
  const path = `/gsql/v1/queries?graph=${graph}`
  const answer = JSON.parse(await call('POST', path, file.text)) as {
    error: boolean
    message: string
  }
  return answer.error ? answer.message : null
}

/** @returns why those left do not install, by file */
async function installAll(graph: string, files: readonly QueryFile[]) {
  let left = files
  for (;;) {
    const failed = new Map<QueryFile, string>()
    for (const file of left) {
      const reason = await install(graph, file)
      if (reason !== null) failed.set(file, reason)
    }
    if (failed.size === 0 || failed.size === left.length) return failed
    left = [...failed.keys()]
  }
}

const genericNames: GraphNames = {
  vertexType: 'Node',
  edgeType: 'Link',
  reverseEdgeType: 'Link',
  edgeNumber: 'weight',
  vertexIds: [],
}

function namesOf(graph: string): GraphNames {
  if (graph === GENERIC_GRAPH) return genericNames
  const schema = JSON.parse(readFileSync(resolve(values.data, graph, 'schema.json'), 'utf8'))
  const [vertex] = schema.createVertices as {
    Name: string
    Attributes: { AttributeName: string }[]
  }[]
  const edges = schema.createEdges as {
    Name: string
    FromVertexTypeName: string
    ToVertexTypeName: string
    Config?: { REVERSE_EDGE?: string }
    Attributes?: { AttributeName: string; AttributeType: { Name: string } }[]
  }[]
  const loop = edges.find((edge) => edge.FromVertexTypeName === edge.ToVertexTypeName) ?? edges[0]!
  const number = loop.Attributes?.find(({ AttributeType }) =>
    ['INT', 'UINT', 'FLOAT', 'DOUBLE'].includes(AttributeType.Name),
  )
  return {
    vertexType: loop.FromVertexTypeName ?? vertex!.Name,
    edgeType: loop.Name,
    reverseEdgeType: loop.Config?.REVERSE_EDGE ?? loop.Name,
    edgeNumber: number?.AttributeName ?? '',
    vertexIds: [],
  }
}

async function someVertices(graph: string, type: string): Promise<string[]> {
  const path = `/restpp/graph/${graph}/vertices/${type}?limit=3`
  const { results } = JSON.parse(await call('GET', path)) as { results: { v_id: string }[] }
  return results.map(({ v_id }) => v_id)
}

async function runAll(graph: string, installed: readonly string[]): Promise<void> {
  const names = namesOf(graph)
  const vertexIds = await someVertices(graph, names.vertexType)
  let good = 0
  for (const name of installed) {
    const path = `/gsql/v1/queries/signature?graph=${graph}&queryName=${encodeURIComponent(name)}`
    const { input } = JSON.parse(await call('POST', path)) as { input: Record<string, string>[] }
    const body = JSON.stringify(algorithmArguments(input, { ...names, vertexIds }))
    const startedMs = performance.now()
    const text = await call('POST', `/restpp/query/${graph}/${encodeURIComponent(name)}`, body)
    const answer = JSON.parse(text) as { error: boolean; message: string; code?: string }
    const durationMs = Math.round(performance.now() - startedMs)
    if (!answer.error) good += 1
    if (answer.error)
      console.log(`  fails ${name} ${answer.code ?? ''} ${answer.message.trim()} ${body}`)
    else if (values.verbose)
      console.log(`  runs  ${name} in ${durationMs} ms: ${text.slice(0, 300)}`)
  }
  console.log(`${good} of ${installed.length} installed queries run`)
}

const files = queryFiles(values.folder)
if (values.graph === GENERIC_GRAPH) await loadGenericGraph(call)
else await loadDataSet(call, resolve(join(values.data, values.graph)), 2000)
const failed = await installAll(values.graph, files)
for (const [{ path }, reason] of failed) {
  const lines = reason.split('\n').filter((line) => !line.startsWith('Saved as draft'))
  console.log(`${path}\n  ${lines.slice(0, values.verbose ? 40 : 4).join('\n  ')}`)
}
console.log(`${files.length - failed.size} of ${files.length} files install`)
if (values.run) {
  const { results } = JSON.parse(
    await call('GET', `/gsql/v1/queries/info?graph=${values.graph}`),
  ) as { results: { name: string; installed: boolean }[] }
  await runAll(
    values.graph,
    results.filter(({ installed }) => installed).map(({ name }) => name),
  )
}
await server.close()
