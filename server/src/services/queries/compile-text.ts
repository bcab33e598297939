/**
 * Compiling GSQL: one function of a request and of what the text may refer to. A worker thread runs
 * it for large texts and the main thread for small ones, with the same result.
 *
 * The bound tree of a text of 1 MB takes longer to copy between threads than the event loop may be
 * held. The result therefore carries facts: what the services need of a query, and the plan as bytes
 * that only query workers read.
 */
import type { Catalog } from '#catalog/types.ts'
import { compileFrontEnd, type DeclaredQuery } from '#query/bind/compile.ts'
import { calledQueries, changesGraph, writesFiles } from '#query/bind/core/query-character.ts'
import type { PlanStep } from '#query/explain/explain.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { indexedStartsOf } from '#query/plan/rewrites/index-start.ts'
import { COMBINATIONS_MAX, widePatterns } from '#query/plan/rewrites/wide-patterns.ts'
import { type IndexCondition, indexConditionsOf } from '#query/plan/select/index-conditions.ts'
import { type Diagnostic, LineTable } from '#query/syntax/source.ts'
import { compileQuery, type PackedPlan, packPlan } from '#query/workers/plan.ts'
import { type PackedItems, packItems } from '../gsql/script-items.ts'
import { graphsNamedIn, type TouchedData, touchedBy } from './data-rights.ts'
import { signatureOutput } from './describe-query.ts'
import { type PlanContext, planSteps } from './plan-steps.ts'
import { type TemplateSyntax, templateSyntax } from './template-syntax.ts'

export type TypeArguments = ReadonlyMap<string, readonly string[]>

/** What the services need of a bound query. */
export interface CompiledQuery
  extends Pick<
    BoundQuery,
    'name' | 'graph' | 'schemaVersion' | 'executable' | 'syntax' | 'parameters' | 'typeParameters'
  > {
  readonly changesGraph: boolean
  readonly writesFiles: boolean
  /** Names of the queries that its own text calls. */
  readonly calls: readonly string[]
  readonly touches: TouchedData
  readonly indexConditions: readonly IndexCondition[]
  /** Attributes by whose index a SELECT may begin. */
  readonly indexedStarts: readonly { readonly typeId: number; readonly attributeId: number }[]
  /** Of its signature. */
  readonly output: readonly Record<string, unknown>[]
  /** Null while `typeParameters` need values. */
  readonly plan: PackedPlan | null
}

export interface CompiledText {
  /** Null: there are errors. */
  readonly query: CompiledQuery | null
  readonly diagnostics: readonly Diagnostic[]
}

export interface CheckedText {
  readonly declared: readonly DeclaredQuery[]
  /** Queries without errors. */
  readonly valid: readonly { readonly name: string; readonly graph: string }[]
  readonly diagnostics: readonly Diagnostic[]
}

interface QuerySource {
  readonly text: string
  /** Of queries whose text names none. */
  readonly graph: string
}

/** One query, bound and planned. */
export interface CompileRequest extends QuerySource {
  readonly kind: 'compile'
  readonly typeArguments: TypeArguments
}

/** Every query of a text, as CREATE and the checker need them. */
export interface CheckRequest extends QuerySource {
  readonly kind: 'check'
}

/** The plan as EXPLAIN shows it. */
export interface ExplainRequest extends QuerySource, Omit<PlanContext, 'catalog'> {
  readonly kind: 'explain'
  readonly typeArguments: TypeArguments
}

/** The graphs that the queries of a text name. */
export interface GraphsRequest extends QuerySource {
  readonly kind: 'graphs'
}

export interface TemplateRequest {
  readonly kind: 'template'
  readonly text: string
}

/** The items of a script, see `script-items.ts`. */
export interface ScriptRequest {
  readonly kind: 'script'
  readonly text: string
}

export interface CompilerAnswers {
  readonly compile: CompiledText
  readonly check: CheckedText
  readonly explain: readonly PlanStep[]
  readonly graphs: readonly string[]
  readonly template: TemplateSyntax
  readonly script: PackedItems
}

export type CompilerRequest =
  | CompileRequest
  | CheckRequest
  | ExplainRequest
  | GraphsRequest
  | TemplateRequest
  | ScriptRequest

/** What a text is compiled against. */
export interface CompileContext {
  readonly catalog: Catalog
  /** The text of a stored query that can be called; null: there is none. */
  readonly queryText: (name: string, graph: string) => string | null
}

export function answerOf<R extends CompilerRequest>(
  request: R,
  context: CompileContext,
): CompilerAnswers[R['kind']] {
  return answerTo(request, context) as CompilerAnswers[R['kind']]
}

function answerTo(request: CompilerRequest, context: CompileContext): unknown {
  switch (request.kind) {
    case 'compile':
      return compile(request, context)
    case 'check':
      return check(request, context)
    case 'explain':
      return explain(request, context)
    case 'graphs':
      return graphsNamedIn(request)
    case 'template':
      return templateSyntax(request.text)
    case 'script':
      return packItems(request.text)
  }
}

/** Diagnostics of one text that are answered; a text of 1 MB may have many thousands. */
const DIAGNOSTICS_MAX = 1_000

function compile({ text, graph, typeArguments }: CompileRequest, context: CompileContext) {
  const { catalog, queryText } = context
  const { queries, diagnostics } = compileFrontEnd(text, catalog, graph, {
    typeArguments,
    queryText,
  })
  const query = queries[0]
  const faults = query === undefined ? [] : wideFaults(query, text)
  return {
    query: query === undefined || faults.length > 0 ? null : factsOf(query, catalog),
    diagnostics: [...diagnostics, ...faults].slice(0, DIAGNOSTICS_MAX),
  }
}

/** Errors of patterns for which no code can be generated. */
function wideFaults(query: BoundQuery, text: string): readonly Diagnostic[] {
  const lines = new LineTable(text)
  return widePatterns(query).map(({ place, count }) => {
    const start = lines.offsetOf(place)
    const range = { start, end: start + 'SELECT'.length }
    return {
      code: diagnosticCodes.misplaced,
      severity: 'error',
      message: `the pattern can match in ${count} combinations of types, ${COMBINATIONS_MAX} are possible; name some of its vertex or edge types`,
      range,
      place: lines.placeOf(range.start),
      endPlace: lines.placeOf(range.end),
      query: query.name,
    }
  })
}

function factsOf(query: BoundQuery, catalog: Catalog): CompiledQuery {
  const { name, graph, schemaVersion, executable, syntax, parameters, typeParameters } = query
  return {
    name,
    graph,
    schemaVersion,
    executable,
    syntax,
    parameters,
    typeParameters,
    changesGraph: changesGraph(query),
    writesFiles: writesFiles(query),
    calls: calledQueries(query),
    touches: touchedBy(query),
    indexConditions: indexConditionsOf(query),
    indexedStarts: indexedStartsOf(query),
    output: signatureOutput(catalog, query),
    plan: executable ? packPlan(compileQuery(query, catalog)) : null,
  }
}

function check({ text, graph }: CheckRequest, { catalog, queryText }: CompileContext): CheckedText {
  const { declared, queries, diagnostics } = compileFrontEnd(text, catalog, graph, { queryText })
  const faults = queries.map((query) => wideFaults(query, text))
  const valid = queries
    .filter((_, index) => faults[index]!.length === 0)
    .map(({ name, graph: home }) => ({ name, graph: home }))
  const all = [...diagnostics, ...faults.flat()]
  return { declared, valid, diagnostics: all.slice(0, DIAGNOSTICS_MAX) }
}

function explain(request: ExplainRequest, { catalog, queryText }: CompileContext) {
  const { text, graph, typeArguments, ...context } = request
  const { queries } = compileFrontEnd(text, catalog, graph, { typeArguments, queryText })
  const [query] = queries
  return query === undefined ? [] : planSteps(query, { catalog, ...context })
}
