/**
 * The compiler front end: text and catalogue to bound queries and diagnostics. The door to this
 * folder for services, workers and the editor; runs in a browser.
 */
import type { Catalog } from '#catalog/types.ts'
import { parseDatetime } from '#kernel/datetime.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { isVirtualType } from '#query/ir/type-ids.ts'
import { readTypeOf, STRING, type ValueType } from '#query/ir/types.ts'
import { isCollection, sortedIds } from '#query/ir/value-types.ts'
import type { ParameterSyntax, QuerySyntax } from '#query/syntax/ast-statement.ts'
import { parse } from '#query/syntax/parse/parse.ts'
import { type Diagnostic, LineTable, type SourceRange } from '#query/syntax/source.ts'
import { suggest } from '#query/syntax/suggest.ts'
import { bindValueOf } from './accumulators/assign.ts'
import { bindAccumType, bindType, findAccumTypedef } from './accumulators/declare-types.ts'
import { Binder, type BinderOptions } from './core/binder.ts'
import { type CalleeSignature, type CalleeSyntax, CallTable } from './core/call-table.ts'
import { inferSyntax } from './core/infer-syntax.ts'
import type { Probe } from './core/probe.ts'
import { queryTexts } from './core/query-texts.ts'
import { TooManyDiagnostics } from './core/reports.ts'
import { Schema } from './core/schema.ts'
import { bindCypher } from './cypher/bind-cypher.ts'
import { bindCypherCall } from './cypher/functions.ts'
import { bindExpression } from './expressions/expressions.ts'
import { isJson } from './expressions/json.ts'
import { bindVertexSet } from './expressions/vertex-sets.ts'
import { bindBody } from './statements/statements.ts'

/** What the text says of a query before it is bound. */
export interface DeclaredQuery {
  readonly name: string
  readonly graph: string | null
  readonly orReplace: boolean
  readonly interpreted: boolean
  /** `GSQL v1` to `v3` as declared or inferred, or `CYPHER`. */
  readonly syntax: string
  /** As it is kept: with the comments around it. */
  readonly text: string
  readonly range: SourceRange
}

export interface FrontEndResult {
  /** Every query of the text that could be read, with errors or without. */
  readonly declared: readonly DeclaredQuery[]
  /** Queries without errors, in order; warnings do not keep one out. */
  readonly queries: readonly BoundQuery[]
  /** In order of their places. */
  readonly diagnostics: readonly Diagnostic[]
}

export interface FrontEndOptions {
  /** Values of the parameters in `BoundQuery.typeParameters`, by name. */
  readonly typeArguments?: ReadonlyMap<string, readonly string[]>
  /** The text of a query of the graph that can be called; null: there is none. */
  readonly queryText?: (name: string, graph: string) => string | null
  /** For editors; see `core/probe.ts`. */
  readonly probe?: Probe
  readonly inspect?: NonNullable<BinderOptions['inspect']>
}

/** Trees are walked by recursion: a text that overflows the stack is refused like any other. */
export function compileFrontEnd(
  text: string,
  catalog: Catalog,
  graphName: string,
  options: FrontEndOptions = {},
): FrontEndResult {
  try {
    return compileText(text, catalog, graphName, options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return { declared: [], queries: [], diagnostics: [tooDeep(text)] }
  }
}

function tooDeep(text: string): Diagnostic {
  const range = { start: 0, end: Math.min(1, text.length) }
  return {
    code: diagnosticCodes.syntax,
    severity: 'error',
    message: 'the text is nested too deep',
    range,
    place: { line: 1, column: 1 },
    endPlace: { line: 1, column: 1 + range.end },
    query: '',
  }
}

function compileText(
  text: string,
  catalog: Catalog,
  graphName: string,
  options: FrontEndOptions,
): FrontEndResult {
  const { script, problems, lostNames } = parse(text)
  const lines = new LineTable(text)
  const diagnostics: Diagnostic[] = problems.map(({ message, range }) => ({
    code: diagnosticCodes.syntax,
    severity: 'error',
    message,
    range,
    place: lines.placeOf(range.start),
    endPlace: lines.placeOf(range.end),
    query: script.queries.length === 1 ? script.queries[0]!.name.name : '',
  }))
  const queries: BoundQuery[] = []
  const find = finder(script.queries, { lines, graphName, options })
  for (const node of script.queries) {
    const outcome = bindQuery(node, { catalog, lines, graphName, options, find, lostNames })
    diagnostics.push(...outcome.diagnostics)
    if (outcome.query !== null && problems.length === 0) queries.push(outcome.query)
  }
  diagnostics.sort((left, right) => left.range.start - right.range.start)
  const ranges = script.queries.map(({ range }) => range)
  const texts = queryTexts(text, ranges)
  const declared = script.queries.map((node, place) => declaredQuery(texts[place] ?? '', node))
  return { declared, queries, diagnostics }
}

/** Queries by name: those of the text itself, then those that are stored. */
function finder(
  own: readonly QuerySyntax[],
  { lines, graphName, options }: Pick<Context, 'lines' | 'graphName' | 'options'>,
): (name: string) => CalleeSyntax | null {
  const known = new Map<string, CalleeSyntax | null>()
  for (const node of own) if (!node.interpreted) known.set(node.name.name, { node, lines })
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    const text = options.queryText?.(name, own[0]?.graph?.name ?? graphName) ?? null
    const node = text === null ? undefined : parse(text).script.queries[0]
    const callee = node === undefined ? null : { node, lines: new LineTable(text!) }
    known.set(name, callee)
    return callee
  }
}

function declaredQuery(text: string, node: QuerySyntax): DeclaredQuery {
  const cypher = node.modifiers.includes('OPENCYPHER')
  return {
    name: node.name.name,
    graph: node.graph?.name ?? null,
    orReplace: node.orReplace,
    interpreted: node.interpreted,
    syntax: cypher ? 'CYPHER' : `GSQL ${inferSyntax(node)}`,
    text,
    range: node.range,
  }
}

interface Context {
  readonly catalog: Catalog
  readonly lines: LineTable
  readonly graphName: string
  readonly options: FrontEndOptions
  readonly find: (name: string) => CalleeSyntax | null
  readonly lostNames: ReadonlySet<string>
}

interface Outcome {
  readonly query: BoundQuery | null
  readonly diagnostics: readonly Diagnostic[]
}

const rules: BinderOptions['rules'] = {
  expression: bindExpression,
  vertexSet: bindVertexSet,
  cypherCall: bindCypherCall,
}

/** Types of vertex sets grow over loops: passes are repeated until they stand still. */
const PASSES_MAX = 50

/** A query with all that it calls. */
function bindQuery(node: QuerySyntax, context: Context): Outcome {
  const { probe: _probe, inspect: _inspect, ...plain } = context.options
  const calls = new CallTable({
    find: context.find,
    bind: (callee, typeArguments, table) => {
      const { lines } = callee
      const inner = { ...context, lines, options: { ...plain, typeArguments } }
      return bindOne(callee.node, inner, table).query
    },
    header: (callee) => headerOf(callee, context),
  })
  const outcome = bindOne(node, context, calls)
  const { query } = outcome
  return query === null ? outcome : { ...outcome, query: { ...query, callees: calls.callees } }
}

function headerOf({ node, lines }: CalleeSyntax, context: Context): CalleeSignature | null {
  const schema = schemaOf(node, context)
  if (schema === null) return null
  const binder = new Binder({
    schema,
    lines,
    rules,
    queryName: node.name.name,
    syntax: 'v2',
    cypher: false,
    adHoc: false,
    typeArguments: new Map(),
    setTypes: new Map(),
  })
  declareTuples(binder)
  for (const parameter of node.parameters) bindParameter(binder, parameter)
  const returns = node.returns === null ? null : bindReturns(binder, node.returns)
  return { parameters: binder.parameters, typeParameters: [], returns }
}

function bindOne(node: QuerySyntax, context: Context, calls: CallTable): Outcome {
  const schema = schemaOf(node, context)
  if (schema === null) return { query: null, diagnostics: [graphDiagnostic(node, context)] }
  let setTypes: BinderOptions['setTypes'] = new Map()
  for (let pass = 1; ; pass++) {
    const binder = new Binder({
      schema,
      lines: context.lines,
      rules,
      queryName: node.name.name,
      syntax: inferSyntax(node),
      cypher: node.cypher !== null,
      adHoc: node.adHoc === true,
      typeArguments: context.options.typeArguments ?? new Map(),
      setTypes,
      calls,
      lostNames: context.lostNames,
      ...(context.options.probe && { probe: context.options.probe }),
      ...(context.options.inspect && { inspect: context.options.inspect }),
    })
    const query = bindCompletely(binder, node)
    if (query === null) return { query, diagnostics: binder.diagnostics }
    const grown = new Map(
      binder.vertexSets.map((set, slot) => [set.name, binder.vertexSetTypes(slot)] as const),
    )
    if (sameSetTypes(setTypes, grown) || pass === PASSES_MAX) {
      const failed = binder.diagnostics.some(({ severity }) => severity === 'error')
      return { query: failed ? null : query, diagnostics: binder.diagnostics }
    }
    setTypes = grown
  }
}

/** Null: there were too many diagnostics to go on. */
function bindCompletely(binder: Binder, node: QuerySyntax): BoundQuery | null {
  try {
    return bindOnce(binder, node)
  } catch (error) {
    if (error instanceof TooManyDiagnostics) return null
    throw error
  }
}

function schemaOf(node: QuerySyntax, { catalog, graphName }: Context): Schema | null {
  const name = node.graph?.name ?? graphName
  const graph = catalog.graphs.find((candidate) => candidate.name === name)
  return graph === undefined ? null : new Schema(catalog, graph)
}

function graphDiagnostic(node: QuerySyntax, { catalog, lines, graphName }: Context): Diagnostic {
  const name = node.graph?.name ?? graphName
  const range = node.graph?.range ?? node.name.range
  const hint = suggest(
    name,
    catalog.graphs.map((graph) => graph.name),
  )
  return {
    code: diagnosticCodes.unknownGraph,
    severity: 'error',
    message: `Graph '${name}' does not exist.${hint.replace('; did', ' Did')}`,
    range,
    place: lines.placeOf(range.start),
    endPlace: lines.placeOf(range.end),
    query: node.name.name,
  }
}

function sameSetTypes(
  before: BinderOptions['setTypes'],
  after: BinderOptions['setTypes'],
): boolean {
  if (before.size !== after.size) return false
  return [...after].every(([name, types]) => before.get(name)?.length === types.length)
}

function bindOnce(binder: Binder, node: QuerySyntax): BoundQuery {
  const { syntax } = node
  if (syntax !== null && !/^v[123]$/.test(syntax.name)) {
    const message = `no SYNTAX "${syntax.name}": v1, v2 or v3`
    binder.report(diagnosticCodes.misplaced, syntax.range, message)
  }
  declareTuples(binder)
  for (const parameter of node.parameters) bindParameter(binder, parameter)
  binder.returns = node.returns === null ? null : bindReturns(binder, node.returns)
  const body = node.cypher === null ? bindBody(binder, node.body) : bindCypher(binder, node.cypher)
  const unknown = [...binder.typeParameters].some(
    (slot) => !binder.options.typeArguments.has(binder.parameters[slot]!.name),
  )
  return {
    name: node.name.name,
    graph: binder.schema.graph.name,
    schemaVersion: binder.schema.graph.schemaVersion,
    executable: !unknown,
    syntax: binder.options.syntax,
    parameters: binder.parameters,
    typeParameters: sortedIds(binder.typeParameters),
    returns: binder.returns,
    variables: binder.variables,
    vertexSets: binder.vertexSets.map(({ name }, slot) => ({
      name,
      typeIds: binder.vertexSetTypes(slot),
    })),
    globalAccums: binder.globalAccums,
    vertexAccums: binder.vertexAccums,
    virtualEdges: binder.virtualEdges,
    body,
    callees: [],
    uses: {
      vertexTypeIds: sortedIds(binder.vertexTypesUsed),
      edgeTypeIds: sortedIds(binder.edgeTypesUsed).filter((id) => !isVirtualType(id)),
      attributes: [...binder.attributesUsed.values()],
    },
  }
}

/** Those of the catalogue. */
function declareTuples(binder: Binder): void {
  for (const tuple of binder.schema.tuples) {
    const type = binder.schema.tuple(tuple.name)
    if (type !== undefined) binder.tuples.set(tuple.name, type)
  }
}

function bindReturns(binder: Binder, node: NonNullable<QuerySyntax['returns']>): ValueType | null {
  return binder.attempt(() =>
    node.kind === 'accumType' || isNamedAccum(binder, node)
      ? readTypeOf(bindAccumType(binder, node).type)
      : bindType(binder, node),
  )
}

function isNamedAccum(binder: Binder, node: NonNullable<QuerySyntax['returns']>): boolean {
  return node.kind === 'namedType' && findAccumTypedef(binder, node.name) !== undefined
}

function bindParameter(binder: Binder, { type, name, defaultValue, range }: ParameterSyntax): void {
  const bound = binder.attempt(() => bindType(binder, type)) ?? STRING
  const element = isCollection(bound) ? bound.element : bound
  if (element.kind === 'EDGE' || isJson(element)) {
    const message = `a parameter cannot be an ${element.kind}`
    binder.report(diagnosticCodes.misplaced, range, message)
  }
  if (binder.parameters.some((parameter) => parameter.name === name.name)) {
    binder.report(
      diagnosticCodes.duplicate,
      name.range,
      `parameter "${name.name}" is declared twice`,
    )
  }
  const value =
    defaultValue === null ? null : binder.attempt(() => bindDefault(binder, defaultValue, bound))
  if (type.kind === 'namedType' && type.name.toUpperCase() === 'FILE') binder.files.add(name.name)
  binder.parameters.push({ name: name.name, type: bound, defaultValue: value })
}

/** A DATETIME default may be written as text; one value stands for a set of one. */
function bindDefault(
  binder: Binder,
  node: NonNullable<ParameterSyntax['defaultValue']>,
  type: ValueType,
): BoundExpression {
  if (type.kind === 'DATETIME') return bindDatetimeDefault(binder, node, type)
  if (isCollection(type) && !['list', 'parenthesised', 'seed'].includes(node.kind)) {
    return { kind: 'collection', type, elements: [bindValueOf(binder, node, type.element)] }
  }
  if (isCollection(type) && node.kind === 'seed') {
    const elements = node.items.map(({ value }) => bindValueOf(binder, value, type.element))
    return { kind: 'collection', type, elements }
  }
  return bindValueOf(binder, node, type)
}

/** `"2020-01-31"` or `to_datetime("2020-01-31")`, folded: defaults are constants. */
function bindDatetimeDefault(
  binder: Binder,
  node: NonNullable<ParameterSyntax['defaultValue']>,
  type: ValueType,
): BoundExpression {
  const argument = node.kind === 'call' ? node.arguments[0] : node
  const seconds = argument?.kind === 'string' ? parseDatetime(argument.value) : Number.NaN
  if (!Number.isNaN(seconds)) return { kind: 'literal', type, value: seconds }
  const message = 'the default of a DATETIME is to_datetime("Y-m-d H:M:S")'
  return binder.fail(diagnosticCodes.badLiteral, node.range, message)
}
