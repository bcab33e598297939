/** What the oracle says of a query text over an engine's present state. */
import { vertexTypeById } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import type { GraphView } from '#graph/view.ts'
import { isDbError } from '#kernel/errors.ts'
import { compileFrontEnd } from '#query/bind/compile.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import type { ValueType } from '#query/ir/types.ts'
import { compileQuery } from '#query/workers/plan.ts'
import { type Argument, readArguments, typeArgumentsOf } from '#services/queries/arguments.ts'
import type { ReadFile } from './files.ts'
import { zeroOf } from './make-state.ts'
import { PlainGraph } from './plain-graph.ts'
import { type Answer, Run } from './run.ts'
import type { State } from './state.ts'
import { RuntimeFailure, Unsupported, type Value } from './values.ts'

export type Oracle =
  | {
      readonly kind: 'answer'
      readonly answer: Answer
      /** Lines of the files that the query has written, by path. */
      readonly files: ReadonlyMap<string, readonly string[]>
    }
  | { readonly kind: 'failure'; readonly code: string; readonly message: string }
  /** The oracle does not know something that the query uses. */
  | { readonly kind: 'unsupported'; readonly what: string }

/** What queries are bound against. */
export interface Queries {
  readonly catalog: Catalog
  readonly stored: { text(graph: string, name: string): string | null }
}

export interface Question {
  readonly queries: Queries
  readonly view: GraphView
  readonly graph: string
  readonly text: string
  readonly url: Readonly<Record<string, string[]>>
  readonly nowSeconds: number
  readonly readFile?: ReadFile
}

export function askOracle(question: Question): Oracle {
  try {
    const { answer, files } = runOf(question)
    return { kind: 'answer', answer, files: files.written }
  } catch (error) {
    if (error instanceof Unsupported) return { kind: 'unsupported', what: error.message }
    if (error instanceof RuntimeFailure) {
      return { kind: 'failure', code: error.code, message: error.message }
    }
    if (isDbError(error)) {
      const code = error.details['code'] ?? error.details['contractCode'] ?? error.code
      return { kind: 'failure', code: String(code), message: error.message }
    }
    if (error instanceof RangeError) return { kind: 'unsupported', what: error.message }
    throw error
  }
}

type TypeArguments = ReadonlyMap<string, readonly string[]>

function bound(
  { queries, graph, text }: Question,
  typeArguments?: TypeArguments,
): BoundQuery | null {
  const { queries: found } = compileFrontEnd(text, queries.catalog, graph, {
    ...(typeArguments && { typeArguments }),
    queryText: (name, home) => queries.stored.text(home, name),
  })
  return found[0] ?? null
}

/** The run, when it has ended. */
function runOf(question: Question): Run {
  const { queries, view, url, nowSeconds } = question
  const { catalog } = queries
  const general = bound(question)
  if (general === null) throw new Unsupported('a text with errors')
  const exists = ({ typeId, id }: { typeId: number; id: string }): boolean =>
    plain.findById(typeId, id) !== null
  const plan = compileQuery(general, catalog)
  const plain = new PlainGraph(view, {
    idAttributes: new Map(plan.idAttributes),
    discriminators: new Map(plan.discriminators),
  })
  const context = { catalog, graph: general.graph, vertexExists: exists }
  const { values } = readArguments(general, { url, body: null }, context)
  const query = general.executable ? general : bound(question, typeArgumentsOf(general, values))
  if (query === null) throw new Unsupported('names that do not bind')
  const given = values.map((value, slot) => {
    return value === undefined ? undefined : argumentOf(value, query.parameters[slot]!.type, plain)
  })
  const { readFile } = question
  const input = { query, graph: plain, arguments: given, nowSeconds }
  const run = new Run(readFile === undefined ? input : { ...input, readFile })
  run.execute()
  return run

  function argumentOf(value: Argument, type: ValueType, of: PlainGraph): Value {
    switch (type.kind) {
      case 'INT':
      case 'UINT':
        return BigInt(value as number | bigint)
      case 'FLOAT':
        return Math.fround(Number(value))
      case 'DOUBLE':
      case 'DATETIME':
        return Number(value)
      case 'VERTEX': {
        const { typeId, id } = value as { typeId: number; id: string }
        const found = of.findById(typeId, id)
        if (found !== null) return found
        const typeName = vertexTypeById(catalog, typeId)?.name ?? String(typeId)
        throw new RuntimeFailure(
          '601',
          `The input vertex id '${id}' is not a valid vertex id for vertex type = ${typeName}.`,
        )
      }
      case 'LIST':
      case 'SET':
      case 'BAG': {
        const state = zeroOf(type) as State
        for (const item of value as readonly Argument[]) {
          state.fold({ kind: 'element', value: argumentOf(item, type.element, of) })
        }
        return state
      }
      case 'MAP':
        throw new Unsupported('a MAP as an argument')
      default:
        return value as string | boolean
    }
  }
}
