/** Makes a case on which engine and oracle part as small as it gets. */
import { type Doc, fewer, smallerDocs, textOf } from './doc.ts'
import {
  type EdgeRow,
  type EdgeSpec,
  type GraphSpec,
  linesOf,
  type Operation,
  type Values,
  type VertexRow,
  type VertexSpec,
} from './graph-spec.ts'

export interface Case {
  readonly graph: GraphSpec
  readonly query: Doc
}

/** What differs; null: nothing does, or the case is no valid one. */
export type Check = (graph: GraphSpec, text: string) => Promise<string | null>

export interface Shrunk extends Case {
  readonly what: string
}

/**
 * Takes each smaller case that still differs, until there is none or the time is over. The graph
 * loses most first, since every try runs over it.
 */
export async function shrink(start: Shrunk, check: Check, patienceMs: number): Promise<Shrunk> {
  const end = performance.now() + patienceMs
  let best = start
  let isSmaller = true
  const tried = new Set<string>()
  const isOver = (): boolean => performance.now() > end
  const attempt = async (candidate: Case): Promise<boolean> => {
    const text = textOf(candidate.query)
    const key = `${text}\n${linesOf(candidate.graph).join('\n')}`
    if (tried.has(key)) return false
    tried.add(key)
    const what = await check(candidate.graph, text)
    if (what !== null) best = { ...candidate, what }
    return what !== null
  }
  while (isSmaller && !isOver()) {
    isSmaller = false
    for (const smaller of [smallerOperations, smallerQueries, smallerSchemas]) {
      let candidates = smaller(best)
      for (let next = candidates.next(); !next.done && !isOver(); next = candidates.next()) {
        if (!(await attempt(next.value))) continue
        isSmaller = true
        candidates = smaller(best)
      }
    }
  }
  return best
}

function* smallerOperations({ graph, query }: Case): Generator<Case> {
  for (const operations of fewer(graph.operations, 0)) {
    yield { query, graph: { ...graph, operations } }
  }
}

function* smallerQueries({ graph, query }: Case): Generator<Case> {
  for (const smaller of smallerDocs(query)) yield { graph, query: smaller }
}

function* smallerSchemas({ graph, query }: Case): Generator<Case> {
  for (const { name } of graph.edges) yield { query, graph: withoutType(graph, name) }
  for (const { name } of graph.vertices) yield { query, graph: withoutType(graph, name) }
  for (const type of [...graph.edges, ...graph.vertices]) {
    const fixed = 'discriminators' in type ? type.discriminators : 0
    for (const name of Object.keys(type.attributes).slice(fixed)) {
      yield { query, graph: withoutAttribute(graph, type, name) }
    }
  }
  for (const operations of simplerRows(graph)) yield { query, graph: { ...graph, operations } }
}

function withoutType(graph: GraphSpec, name: string): GraphSpec {
  return {
    vertices: graph.vertices.filter((one) => one.name !== name),
    edges: graph.edges
      .filter((one) => one.name !== name)
      .map((edge) => ({
        ...edge,
        pairs: edge.pairs.filter((pair) => !pair.split('>').includes(name)),
      }))
      .filter(({ pairs }) => pairs.length > 0),
    operations: graph.operations.filter(
      (one) =>
        one.kind === 'rebuild' ||
        (one.row[0] !== name && one.row[1] !== name && one.row[3] !== name),
    ),
  }
}

function withoutAttribute(
  graph: GraphSpec,
  type: VertexSpec | EdgeSpec,
  attribute: string,
): GraphSpec {
  const { [attribute]: _, ...attributes } = type.attributes
  return {
    vertices: graph.vertices.map((one) => (one === type ? { ...one, attributes } : one)),
    edges: graph.edges.map((one) => (one === type ? { ...one, attributes } : one)),
    operations: graph.operations,
  }
}

/** Each row without one of its values. */
function* simplerRows({ operations }: GraphSpec): Generator<Operation[]> {
  for (const [i, operation] of operations.entries()) {
    if (operation.kind !== 'put') continue
    const values = operation.row.at(-1) as Values
    for (const name of Object.keys(values)) {
      const { [name]: _, ...rest } = values
      const row = [...operation.row.slice(0, -1), rest] as unknown as VertexRow | EdgeRow
      yield operations.with(i, { kind: 'put', row })
    }
  }
}
