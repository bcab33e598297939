/** One query over one graph, by the engine and by the oracle. */
import type { Catalog } from '#catalog/types.ts'
import type { GraphEngine } from '#graph/engine.ts'
import type { GraphView } from '#graph/view.ts'
import { isDbError } from '#kernel/errors.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import { type IndexCondition, indexConditionsOf } from '#query/plan/select/index-conditions.ts'
import type { Argument } from '#query/runtime/arguments.ts'
import { RunControl } from '#query/runtime/control.ts'
import { compileQuery, type InstalledPlan } from '#query/workers/plan.ts'
import { CodeCache, runPlan } from '#query/workers/run.ts'
import { IndexUsage } from '#services/indexes/index-usage.ts'
import { readArguments, typeArgumentsOf } from '#services/queries/arguments.ts'
import { QueryIndexes } from '#services/queries/index-rows.ts'
import { realClock } from '../../fixtures/engine.ts'
import { difference } from '../agree.ts'
import { askOracle, type Oracle, type Queries } from '../ask.ts'
import { GRAPH_NAME } from './graph-spec.ts'

/** A query that is compiled and has its arguments: its plan stays the same for equal data types. */
export interface Prepared {
  readonly plan: InstalledPlan
  readonly indexConditions: readonly IndexCondition[]
  readonly parameters: BoundQuery['parameters']
  readonly arguments: readonly (Argument | undefined)[]
}

/** What the engine makes of a query. */
export type Given =
  | { readonly kind: 'answer'; readonly results: string }
  | { readonly kind: 'failure'; readonly message: string }
  /** No error of the language: a fault of the program. */
  | { readonly kind: 'fault'; readonly message: string }

/** Runs a prepared query some way or other. */
export type Runner = (prepared: Prepared) => Given | Promise<Given>

export const limits = { memoryLimitBytes: 2 ** 27, responseLimitBytes: 2 ** 24 }
export const NOW_SECONDS = 1_700_000_000

/** Errors of the engine's limits, which the oracle does not have. */
const LIMIT = /GSQL-8001|more memory|response/i

export function queriesOf(catalog: Catalog): Queries {
  return { catalog, stored: { text: () => null } }
}

/** @returns the errors of the text, when it has any */
export function prepare(text: string, catalog: Catalog): Prepared | readonly string[] {
  const bound = (typeArguments?: ReadonlyMap<string, readonly string[]>) =>
    compileFrontEnd(text, catalog, GRAPH_NAME, typeArguments && { typeArguments })
  const general = bound()
  const errors = general.diagnostics.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) return errors.map(({ code, message }) => `${code} ${message}`)
  const [query] = general.queries
  if (query === undefined) return ['no query']
  const context = { catalog, graph: GRAPH_NAME, vertexExists: () => true }
  const { values } = readArguments(query, { url: {}, body: null }, context)
  const whole = query.executable ? query : bound(typeArgumentsOf(query, values)).queries[0]
  if (whole === undefined) return ['no query with these names']
  const { parameters } = query
  const indexConditions = indexConditionsOf(whole)
  return { plan: compileQuery(whole, catalog), indexConditions, parameters, arguments: values }
}

export interface RunnerOptions {
  /** Divided loops are cut into so many items; absent: as usual. */
  readonly segmentItems?: number
  /** Secondary indexes propose the rows that a run starts from. */
  readonly usesIndexes?: true
}

/** Runs on this thread. */
export function runnerOf(engine: () => GraphEngine, options: RunnerOptions = {}): Runner {
  const cache = new CodeCache(20)
  const { segmentItems, usesIndexes } = options
  return ({ plan, arguments: given, indexConditions, parameters }) => {
    const indexes = usesIndexes && new QueryIndexes(engine(), new IndexUsage(realClock))
    const rows = indexes?.rowsFor({ indexConditions, parameters }, given)
    const runOptions = {
      ...limits,
      arguments: given,
      nowSeconds: NOW_SECONDS,
      seed: 1,
      ...(segmentItems !== undefined && { segmentItems }),
      ...(rows !== undefined && { indexRows: rows }),
    }
    return givenBy(() => {
      const place = { cache, view: engine().view(), control: new RunControl() }
      return new TextDecoder().decode(runPlan(plan, runOptions, place).bytes)
    })
  }
}

function givenBy(run: () => string): Given {
  try {
    return { kind: 'answer', results: run() }
  } catch (error) {
    return failureOf(error)
  }
}

export function failureOf(error: unknown): Given {
  if (isDbError(error)) return { kind: 'failure', message: error.message }
  return { kind: 'fault', message: error instanceof Error ? String(error.stack) : String(error) }
}

export function askedOracle(text: string, catalog: Catalog, view: GraphView): Oracle {
  const queries = queriesOf(catalog)
  return askOracle({ queries, view, graph: GRAPH_NAME, text, url: {}, nowSeconds: NOW_SECONDS })
}

/** @returns null when they agree; undefined when there is nothing to compare; else what differs */
export function compare(oracle: Oracle, given: Given): string | null | undefined {
  if (given.kind === 'fault') return `the engine fails: ${given.message}`
  if (given.kind === 'failure' && LIMIT.test(given.message)) return undefined
  switch (oracle.kind) {
    case 'unsupported':
      return undefined
    case 'failure':
      if (given.kind === 'failure') {
        return sameFailure(oracle.message, given.message)
          ? null
          : `${given.message} instead of ${oracle.message}`
      }
      return `an answer instead of ${oracle.message}: ${given.results.slice(0, 300)}`
    case 'answer':
      if (given.kind === 'failure') return `${given.message} instead of an answer`
      return difference(oracle.answer, given.results)
  }
}

/**
 * Rows are evaluated one after the other by the engine, clause by clause by the oracle: of several
 * errors that a query has, each may be met first.
 */
function sameFailure(expected: string, given: string): boolean {
  if (given.includes(expected)) return true
  return expected.startsWith('Runtime Error: ') && given.startsWith('Runtime Error: ')
}
