/** Runs one scenario: an engine of its own with the graph of its setup, then the query, on this thread. */
import type { GraphEngine } from '#graph/engine.ts'
import { isDbError } from '#kernel/errors.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { Argument } from '#query/runtime/arguments.ts'
import { RunControl } from '#query/runtime/control.ts'
import { parse } from '#query/syntax/parse/parse.ts'
import type { Diagnostic } from '#query/syntax/source.ts'
import { compileQuery } from '#query/workers/plan.ts'
import { CodeCache, runPlan } from '#query/workers/run.ts'
import { type Json, parseExactly } from '../../test/oracle/exact-json.ts'
import { GRAPH_NAME } from '../../test/oracle/fuzz/graph-spec.ts'
import { openGraph } from '../../test/oracle/fuzz/open-graph.ts'
import { difference, type PrintedRows } from './compare.ts'
import type { Scenario } from './features.ts'
import { graphOf, type PlainGraph, SetupFailure } from './plain-graph.ts'
import { specOf } from './schema-of.ts'
import { typesIn } from './used-types.ts'
import { parseValue, type TckValue } from './values.ts'

export type Outcome =
  | { readonly kind: 'pass'; readonly message: string }
  /** It cannot be asked: what it needs is not there. */
  | { readonly kind: 'skipped'; readonly message: string }
  /** The text was refused. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The run ended with an error of the language. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The run ended with an error that is none of the language: a defect. */
  | { readonly kind: 'broken'; readonly message: string }
  /** An answer, and another one than expected. */
  | { readonly kind: 'wrong'; readonly message: string }
  /** Another answer than expected, and a warning of the compiler says how it differs from openCypher. */
  | { readonly kind: 'warned'; readonly message: string }
  /** An answer where an error is expected. */
  | { readonly kind: 'not raised'; readonly message: string }

/** Queries that make a graph of the folder `graphs`, by its name. */
export type NamedGraphs = (name: string) => readonly string[]

export async function runScenario(scenario: Scenario, graphs: NamedGraphs): Promise<Outcome> {
  const needs = needsOf(scenario)
  if (needs !== null) return { kind: 'skipped', message: needs }
  try {
    const named = scenario.graph === null ? [] : graphs(scenario.graph)
    const graph = graphOf([...named, ...scenario.setup])
    const query = textOf(scenario)
    const cypher = parse(query.text).script.queries[0]?.cypher
    const none = { labels: new Set<string>(), edgeTypes: new Set<string>() }
    const spec = specOf(graph, cypher == null ? none : typesIn(cypher))
    const engine = await openGraph(spec)
    try {
      return outcomeOf(scenario, graph, run(engine, query))
    } finally {
      await engine.close()
    }
  } catch (error) {
    if (error instanceof SetupFailure) return { kind: 'skipped', message: error.message }
    throw error
  }
}

const TEMPORAL = /\b(?:date|datetime|localdatetime|localtime|time|duration)\s*(?:\.\w+\s*)?\(/i
const WRITES = /\b(?:CREATE|MERGE|SET|DELETE|REMOVE)\b/i

/** What a scenario needs that no run offers; null: nothing. */
function needsOf({ group, query, setup, expected, needs }: Scenario): string | null {
  const text = query.replace(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/g, "''")
  if (group.endsWith('/temporal') || [text, ...setup].some((one) => TEMPORAL.test(one))) {
    return 'temporal values'
  }
  if (group.endsWith('/call') || needs === 'a procedure') return 'procedures'
  // A text that the compiler refuses changes nothing.
  if (expected.kind === 'error' && expected.phase === 'compile time') return null
  return WRITES.test(text) ? 'writes' : needs
}

interface QueryText {
  readonly text: string
  readonly arguments: readonly Argument[]
}

function textOf({ parameters, query }: Scenario): QueryText {
  const given = parameters.map(([name, text]) => ({ name, ...argumentOf(parseValue(text)) }))
  const header = given.map(({ name, type }) => `${type} ${name}`).join(', ')
  const text = `INTERPRET OPENCYPHER QUERY (${header}) FOR GRAPH ${GRAPH_NAME} {\n${query}\n}`
  return { text, arguments: given.map(({ value }) => value) }
}

function argumentOf(value: TckValue): { readonly type: string; readonly value: Argument } {
  switch (value.kind) {
    case 'bool':
      return { type: 'BOOL', value: value.value }
    case 'int':
      return { type: 'INT', value: Number(value.value) }
    case 'float':
      return { type: 'DOUBLE', value: value.value }
    case 'string':
      return { type: 'STRING', value: value.value }
    case 'list': {
      const items = value.items.map(argumentOf)
      const types = new Set(items.map(({ type }) => type))
      const [type = 'STRING'] = types
      if (types.size <= 1 && !type.includes('<')) {
        return { type: `LIST<${type}>`, value: items.map((item) => item.value) }
      }
      throw new SetupFailure('a parameter that is a list of lists or of several types')
    }
    default:
      throw new SetupFailure(`a parameter that is ${value.kind}`)
  }
}

type Result =
  | { readonly kind: 'refused'; readonly errors: readonly Diagnostic[] }
  | { readonly kind: 'failed'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'answer'; readonly json: string; readonly warnings: readonly Diagnostic[] }

const MEMORY_BYTES = 256 * 2 ** 20

function run(engine: GraphEngine, { text, arguments: given }: QueryText): Result {
  const { catalog } = engine
  try {
    const { queries, diagnostics } = compileFrontEnd(text, catalog, GRAPH_NAME)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    if (errors.length > 0) return { kind: 'refused', errors }
    const options = {
      arguments: given,
      memoryLimitBytes: MEMORY_BYTES,
      responseLimitBytes: MEMORY_BYTES,
      nowSeconds: 1_700_000_000,
      seed: 1,
    }
    const place = { cache: new CodeCache(), view: engine.view(), control: new RunControl() }
    const { bytes } = runPlan(compileQuery(queries[0]!, catalog), options, place)
    const warnings = diagnostics.filter(({ code }) => !PLAIN_WARNINGS.includes(code))
    return { kind: 'answer', json: new TextDecoder().decode(bytes), warnings }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: isDbError(error) ? 'failed' : 'broken', message }
  }
}

/** Names that no schema of a scenario has: the query asks for what its graph lacks. */
const LACKING: readonly string[] = [
  diagnosticCodes.noSuchAttribute,
  diagnosticCodes.unknownVertexType,
  diagnosticCodes.unknownEdgeType,
  diagnosticCodes.noUndirectedEdge,
]

/** Warnings that say nothing about openCypher. */
const PLAIN_WARNINGS: readonly string[] = [
  diagnosticCodes.neverMatches,
  diagnosticCodes.exactComparison,
]

function outcomeOf({ expected }: Scenario, graph: PlainGraph, result: Result): Outcome {
  if (result.kind === 'broken') return { kind: 'broken', message: result.message }
  if (result.kind === 'refused') {
    const [{ code, message, place }] = result.errors as readonly [Diagnostic, ...Diagnostic[]]
    if (LACKING.includes(code)) {
      return { kind: 'skipped', message: 'a property or type that the schema lacks' }
    }
    const stated = `${code} ${place.line - 1}:${place.column} ${message}`
    return { kind: expected.kind === 'error' ? 'pass' : 'refused', message: stated }
  }
  if (result.kind === 'failed') {
    return { kind: expected.kind === 'error' ? 'pass' : 'failed', message: result.message }
  }
  if (expected.kind === 'error') return { kind: 'not raised', message: result.json }
  const wrong = difference(expected, printedRows(result.json), graph)
  if (wrong === null) return { kind: 'pass', message: '' }
  const [warning] = result.warnings
  if (warning === undefined) return { kind: 'wrong', message: wrong }
  return { kind: 'warned', message: `${warning.code} ${warning.message}\n    ${wrong}` }
}

function printedRows(json: string): PrintedRows {
  const results = parseExactly(json)
  const [table] = results.kind === 'list' ? results.items : []
  const [printed] = table?.kind === 'object' ? [...table.members] : []
  if (printed === undefined) return { columns: [], rows: [], isVertexSet: false }
  const [key, rows] = printed
  const isVertexSet = key === 'VS_XXX'
  const members = (rows.kind === 'list' ? rows.items : []).map((row) =>
    membersOf(isVertexSet && row.kind === 'object' ? row.members.get('attributes')! : row),
  )
  const columns = [...(members[0]?.keys() ?? [])]
  return { columns, rows: members.map((row) => [...row.values()]), isVertexSet }
}

function membersOf(row: Json): ReadonlyMap<string, Json> {
  return row.kind === 'object' ? row.members : new Map()
}
