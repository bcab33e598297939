/** What a bound query does to others: whether it changes the graph, and which queries it calls. */
import type { BoundQuery } from '#query/ir/bound.ts'

const CHANGES = new Set(['setAttribute', 'insertVertex', 'insertEdge', 'deleteElement'])

/** Itself, or through a query that it calls. */
export function changesGraph(query: BoundQuery): boolean {
  return [query, ...query.callees].some(({ body }) => some(body, ({ kind }) => CHANGES.has(kind)))
}

/** Itself, or through a query that it calls. */
export function writesFiles(query: BoundQuery): boolean {
  return [query, ...query.callees].some(({ body }) =>
    some(body, ({ kind, toCsv }) => kind === 'openFile' || (kind === 'print' && toCsv != null)),
  )
}

/** Names of the queries that its own text calls, each once. */
export function calledQueries(query: BoundQuery): string[] {
  const names = new Set<string>()
  some(query.body, ({ kind, name }) => {
    if (kind === 'callQuery') names.add(String(name))
    return false
  })
  return [...names]
}

interface Node {
  readonly kind: string
  readonly name?: unknown
  readonly toCsv?: unknown
}

/** Whether a node anywhere below satisfies `test`. */
function some(value: unknown, test: (node: Node) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => some(item, test))
  if (typeof value !== 'object' || value === null) return false
  const isNode = typeof (value as Partial<Node>).kind === 'string'
  if (isNode && test(value as Node)) return true
  return Object.values(value).some((item) => some(item, test))
}
