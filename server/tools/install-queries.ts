/**
 * Installs the queries of whole projects, unmodified, over the schemas that the projects' own
 * scripts make, and says what does not install, grouped by reason.
 *
 *     node server/tools/install-queries.ts --projects list.json [--only name] [--run] [--verbose]
 *
 * The list is `{ "projects": [{ "name", "queries": [files, folders], "schema": [scripts],
 * "scripts": [more of them] }] }`, its paths relative to itself. Each project gets a server of its own over a store in memory; a
 * script runs through `POST /gsql/v1/statements`, and lines of its answer that tell of a failure
 * are shown. Graphs that only queries name are made of all types. Queries that call others are
 * tried again as long as one more installs. INTERPRET QUERY is run, on a graph with one vertex of
 * each type; with `--run` every installed query is as well, for what only running finds.
 */
import { readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { realClock } from '../test/fixtures/engine.ts'
import { startServer, type TestClock, type TestServer } from '../test/fixtures/server.ts'
import { type FoundQuery, type QueryProject, queriesOf, readProjects } from './query-projects.ts'

const { values } = parseArgs({
  options: {
    projects: { type: 'string' },
    only: { type: 'string' },
    run: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
})
if (values.projects === undefined) throw new Error('--projects is needed')

interface Failure {
  readonly project: string
  readonly query: FoundQuery
  readonly reason: string
}

const headers = {
  authorization: `Basic ${Buffer.from('tigergraph:tigergraph').toString('base64')}`,
  'gsql-timeout': '20000',
}

/** What the answer of a script says when a statement of it fails. */
const FAILED_LINE = /^(?:Semantic Check Fails|Failed|line \d+:\d+|.*does not exist|.*could not be)/

async function runScripts(server: TestServer, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const script = readFileSync(path, 'utf8')
    const text = { ...headers, 'content-type': 'text/plain' }
    const answer = await server.request('POST', '/gsql/v1/statements', script, text)
    const lines = answer.text.split('\n')
    const bad = answer.status === 200 ? lines.filter((line) => FAILED_LINE.test(line)) : lines
    for (const line of bad) console.log(`  script ${basename(path)}: ${line}`)
  }
}

async function graphsOf(server: TestServer): Promise<string[]> {
  const answer = await server.request('POST', '/gsql/v1/statements', 'USE GLOBAL\nSHOW GRAPH *', {
    ...headers,
    'content-type': 'text/plain',
  })
  return [...answer.text.matchAll(/- Graph (\w+)/g)].map(([, name]) => name!)
}

/** Makes the graphs that only the queries know. @returns the graph of those that name none */
async function completeGraphs(
  server: TestServer,
  project: QueryProject,
  queries: readonly FoundQuery[],
): Promise<string> {
  const known = await graphsOf(server)
  const named = queries.flatMap(({ text }) => /FOR\s+GRAPH\s+(\w+)/i.exec(text)?.[1] ?? [])
  for (const graph of new Set(named)) {
    if (known.includes(graph)) continue
    await post(server, `CREATE GRAPH ${graph} (*)`)
    console.log(`  graph ${graph} is only known to queries`)
  }
  return project.graph ?? known.at(-1) ?? named[0] ?? 'none'
}

async function post(server: TestServer, script: string): Promise<string> {
  const text = { ...headers, 'content-type': 'text/plain' }
  return (await server.request('POST', '/gsql/v1/statements', script, text)).text
}

/** One vertex "1" of each type, so that a parameter finds one. */
async function seed(server: TestServer, graph: string): Promise<void> {
  const answer = await server.request('GET', `/gsql/v1/schema?graph=${graph}`, undefined, headers)
  const types: { Name: string }[] = answer.body?.results?.VertexTypes ?? []
  const vertices = Object.fromEntries(types.map(({ Name }) => [Name, { 1: {} }]))
  await server.request('POST', `/restpp/graph/${graph}`, { vertices }, headers)
}

/** @returns why it does not install; null: it does */
async function install(
  server: TestServer,
  graph: string,
  { text }: FoundQuery,
): Promise<string | null> {
  if (/^INTERPRET/i.test(text)) return interpret(server, graph, text)
  const name = /QUERY\s+([\w.]+)/i.exec(text)![1]!
  const home = /FOR\s+GRAPH\s+(\w+)/i.exec(text)?.[1] ?? graph
  await server.request('DELETE', `/gsql/v1/queries/${name}?graph=${home}`, undefined, headers)
  const { body } = await server.request('POST', `/gsql/v1/queries?graph=${graph}`, text, headers)
  if (body?.error === false) return null
  return String(body?.message ?? 'no answer')
}

/** Errors of running are none of installing. */
async function interpret(server: TestServer, graph: string, text: string): Promise<string | null> {
  const url = `/gsql/v1/queries/interpret?graph=${graph}`
  const { body } = await server.request('POST', url, text, headers)
  if (body?.error === false || /^(?:REST|GSQL)-/.test(body?.code ?? '')) return null
  return String(body?.message ?? 'no answer')
}

async function installAll(
  server: TestServer,
  graph: string,
  queries: readonly FoundQuery[],
): Promise<Map<FoundQuery, string>> {
  let left = queries
  for (;;) {
    const failed = new Map<FoundQuery, string>()
    for (const query of left) {
      const reason = await install(server, graph, query)
      if (reason !== null) failed.set(query, reason)
    }
    if (failed.size === 0 || failed.size === left.length) return failed
    left = [...failed.keys()]
  }
}

/** The first error, with its place. */
function firstError(reason: string): string {
  const lines = reason.split('\n').filter((line) => !line.startsWith('Saved as draft'))
  const at = lines.findIndex((line) => / Error in query |^line \d+:\d+/.test(line))
  return lines
    .slice(Math.max(0, at), Math.max(0, at) + (/^line/.test(lines[at] ?? '') ? 1 : 2))
    .join(' ')
}

/** The same for all failures of one kind: without places and names. */
function kindOf(reason: string): string {
  return firstError(reason)
    .replace(/in query [\w.]+/, '')
    .replace(/,? ?line \d+[:,]( col )?\d+:?/g, '')
    .replace(/(["'])(?:(?!\1).)*\1/g, '…')
    .slice(0, 160)
}

interface Outcome {
  readonly queries: readonly FoundQuery[]
  readonly failures: readonly Failure[]
}

async function runProject(project: QueryProject): Promise<Outcome> {
  const server = await startServer({ clock: realClock as TestClock })
  try {
    const queries = queriesOf(project)
    console.log(`${project.name}: ${queries.length} queries`)
    await runScripts(server, project.schema)
    await runScripts(server, project.scripts ?? [])
    const graph = await completeGraphs(server, project, queries)
    await seed(server, graph)
    const failed = await installAll(server, graph, queries)
    if (values.run) await runAll(server, graph)
    const failures = [...failed].map(([query, reason]) => ({
      project: project.name,
      query,
      reason,
    }))
    console.log(`  ${queries.length - failures.length} of ${queries.length} install`)
    return { queries, failures }
  } finally {
    await server.close()
  }
}

/** Shows what no user could have caused: failures that are ours. */
async function runAll(server: TestServer, graph: string): Promise<void> {
  const info = await server.request(
    'GET',
    `/gsql/v1/queries/info?graph=${graph}`,
    undefined,
    headers,
  )
  for (const { name, status } of info.body?.results ?? []) {
    if (status !== 'VALID') continue
    const url = `/gsql/v1/queries/signature?graph=${graph}&queryName=${encodeURIComponent(name)}`
    const { body } = await server.request('POST', url, undefined, headers)
    const input: Record<string, string>[] = body?.input ?? []
    const given = input.flatMap((parameter) => Object.entries(parameter)).flatMap(argumentOf)
    const path = `/restpp/query/${graph}/${encodeURIComponent(name)}`
    const call = { ...headers, 'gsql-timeout': '5000' }
    const ran = await server.request('POST', path, Object.fromEntries(given), call)
    const ours = ran.status >= 500 || /^REST-8/.test(ran.body?.code ?? '')
    if (ours) console.log(`  runs badly: ${name} ${ran.body?.code} ${ran.body?.message}`)
    else if (values.verbose && ran.body?.error) console.log(`  ${name}: ${ran.body.message}`)
  }
}

function argumentOf([name, type]: [string, string]): [string, unknown][] {
  const lower = type.toLowerCase()
  const target = /vertex<(\w+)>/i.exec(type)?.[1]
  if (!lower.includes('vertex')) return []
  const vertex = target === undefined ? null : { id: '1', type: target }
  if (vertex === null) return []
  return [[name, /^(?:set|bag|list)/.test(lower) ? [vertex] : vertex]]
}

function report(failures: readonly Failure[]): void {
  const kinds = Map.groupBy(failures, ({ reason }) => kindOf(reason))
  const root = process.cwd()
  for (const [kind, members] of [...kinds].sort((a, b) => b[1].length - a[1].length)) {
    console.log(`${members.length} × ${kind}`)
    for (const { project, query, reason } of members) {
      const name = /QUERY\s*([\w.]*)/i.exec(query.text)?.[1] || `at ${query.offset}`
      console.log(`    ${project} ${relative(root, query.path)} ${name}: ${firstError(reason)}`)
      if (values.verbose) console.log(`      ${reason.split('\n').join('\n      ')}`)
    }
  }
}

const projects = readProjects(values.projects).filter(
  ({ name }) => values.only === undefined || name.includes(values.only),
)
const outcomes: Outcome[] = []
for (const project of projects) outcomes.push(await runProject(project))
const failures = outcomes.flatMap((outcome) => outcome.failures)
report(failures)
const keys = outcomes.flatMap(({ queries }) => queries.map(({ key }) => key))
console.log(`${keys.length - failures.length} of ${keys.length} queries install`)
const texts = new Set(keys)
const bad = new Set(failures.map(({ query }) => query.key))
console.log(`${texts.size - bad.size} of ${texts.size} different texts install wherever they stand`)
