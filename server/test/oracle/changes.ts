/**
 * Changes of the graph (docs/reference/gsql/statements.md#changes-of-the-graph) and virtual edges (12.9).
 *
 * What a query changes is seen by later queries only: the interpreter evaluates the statements, for
 * what they may fail with, and leaves the graph as it is. Virtual edges are part of the run.
 */
import type { EdgeType } from '#catalog/types.ts'
import type { BoundChange, BoundEdgeEnd } from '#query/ir/bound-changes.ts'
import { isVirtualType } from '#query/ir/type-ids.ts'
import { evaluate, type Scope } from './expressions.ts'
import type { EdgeEnds, PlainGraph } from './plain-graph.ts'
import type { Run } from './run.ts'
import {
  type EdgeValue,
  fail,
  type StoredEdge,
  Unsupported,
  type Value,
  type Vertex,
} from './values.ts'

export function runChange(run: Run, change: BoundChange, scope: Scope): void {
  switch (change.kind) {
    case 'setAttribute': {
      const { type } = change.value
      if (type.kind === 'LIST') throw new Unsupported('a list as an attribute: it may be a vector')
      evaluate(run, change.of, scope)
      evaluate(run, change.value, scope)
      return
    }
    case 'insertVertex': {
      const keys = change.key.map((key) => String(evaluate(run, key, scope)))
      for (const { value } of change.fields) evaluate(run, value, scope)
      if (keys.join() === '') fail('GSQL-4502', 'a vertex id cannot be empty.')
      return
    }
    case 'insertEdge':
      runInsertEdge(run, change, scope)
      return
    case 'deleteElement': {
      const element = evaluate(run, change.of, scope)
      const isVirtual =
        change.of.type.kind === 'EDGE' && change.of.type.typeIds?.some(isVirtualType)
      if (isVirtual === true && element !== null) {
        run.virtualEdges.delete((element as EdgeValue).stored)
      }
    }
  }
}

function runInsertEdge(
  run: Run,
  { edgeTypeId, reversed, from, to, fields }: Extract<BoundChange, { kind: 'insertEdge' }>,
  scope: Scope,
): void {
  if (!isVirtualType(edgeTypeId)) {
    const type = run.graph.edgeTypes.get(edgeTypeId)
    if (type === undefined) throw new Unsupported('an edge type without a table')
    const [left, right] = reversed ? [to, from] : [from, to]
    const given = [from, to].map((end) => evaluate(run, end.value, scope))
    for (const { value } of fields) evaluate(run, value, scope)
    const [one, other] = reversed ? given.toReversed() : given
    const ends = [
      checkedEnd(run, left, { scope, given: one!, possible: possibleTypes(type, 0) }),
      checkedEnd(run, right, { scope, given: other!, possible: possibleTypes(type, 1) }),
    ]
    const goes = (a?: string, b?: string) => type.pairs.some(([x, y]) => x === a && y === b)
    if (goes(ends[0], ends[1]) || (!type.directed && goes(ends[1], ends[0]))) return
    fail('GSQL-4525', `no edge of type ${type.name} goes from ${ends[0]} to ${ends[1]}.`)
  }
  const type = run.virtualType(edgeTypeId)
  const [fromTypes, toTypes] = endTypesOf(type)
  const ends = [
    endOf(run, from, { scope, types: fromTypes }),
    endOf(run, to, { scope, types: toTypes }),
  ]
  const values = new Map(
    fields.map(({ attributeId, value }) => [attributeId, evaluate(run, value, scope)]),
  )
  const [source, target] = ends
  // Edges to vertices that do not exist are left out.
  if (source && target) run.virtualEdges.insert(type, { source, target, values })
}

function possibleTypes({ directed, pairs }: EdgeEnds, end: 0 | 1): readonly string[] {
  return [...new Set(pairs.flatMap((pair) => (directed ? [pair[end]] : pair)))]
}

interface GivenEnd {
  readonly scope: Scope
  readonly given: Value
  /** Names of the types that the edge type has at this end. */
  readonly possible: readonly string[]
}

/** The name of its type. An edge makes the vertices that it needs. */
function checkedEnd(
  run: Run,
  { value, typeName }: BoundEdgeEnd,
  { scope, given, possible }: GivenEnd,
): string {
  if (value.type.kind === 'VERTEX') {
    if (given === null) fail('GSQL-4523', 'an end of the edge is unknown.')
    return (given as Vertex).typeName
  }
  const name = typeName === null ? '' : (evaluate(run, typeName, scope) as string)
  if (name !== '' && !run.graph.typeNames.has(name)) {
    fail('GSQL-4500', `"${name}" is not a valid vertex type.`)
  }
  const found = possible.filter((type) => run.graph.find(type, String(given)) !== null)
  const only = possible.length === 1 ? possible : found
  if (name === '' && only.length !== 1) fail('GSQL-4523', 'the type of an edge end is needed.')
  if (given === '') fail('GSQL-4502', 'a vertex id cannot be empty.')
  return name === '' ? only[0]! : name
}

function endTypesOf({ directed, pairs }: EdgeType): readonly [Set<number>, Set<number>] {
  const from = pairs.map(({ fromTypeId }) => fromTypeId)
  const to = pairs.map(({ toTypeId }) => toTypeId)
  return directed
    ? [new Set(from), new Set(to)]
    : [new Set([...from, ...to]), new Set([...from, ...to])]
}

function endOf(
  run: Run,
  { value, typeName }: BoundEdgeEnd,
  { scope, types }: { readonly scope: Scope; readonly types: ReadonlySet<number> },
): Vertex | null {
  const given = evaluate(run, value, scope)
  const name = typeName === null ? '' : (evaluate(run, typeName, scope) as string)
  if (value.type.kind === 'VERTEX') return given as Vertex | null
  for (const [typeId, vertices] of run.graph.vertices) {
    const found = types.has(typeId)
      ? vertices.find(
          ({ id, typeName: own }) => id === String(given) && (name === '' || own === name),
        )
      : undefined
    if (found !== undefined) return found
  }
  return null
}

interface NewEdge {
  readonly source: Vertex
  readonly target: Vertex
  /** By attribute id; others keep what they have. */
  readonly values: ReadonlyMap<number, Value>
}

interface OwnEdge extends StoredEdge {
  readonly values: Map<number, Value>
  order: number
  isGone: boolean
}

interface Store {
  readonly type: EdgeType
  readonly defaults: readonly Value[]
  readonly edges: Map<string, OwnEdge>
  readonly pending: (() => void)[]
  /** Of the next edge. */
  serial: number
}

/** The virtual edges of a run and of what it calls, each type under an id of its own. */
export class VirtualEdges {
  readonly #graph: PlainGraph
  readonly #stores = new Map<number, Store>()

  constructor(graph: PlainGraph) {
    this.#graph = graph
  }

  /** The type begins anew, without edges. */
  declare(type: EdgeType, defaults: readonly Value[]): void {
    const before = this.#stores.get(type.id)
    for (const edge of before?.edges.values() ?? []) edge.isGone = true
    const serial = before?.serial ?? 0
    this.#stores.set(type.id, { type, defaults, edges: new Map(), pending: [], serial })
    this.#publish(type.id)
  }

  insert(type: EdgeType, { source, target, values }: NewEdge): void {
    const store = this.#stores.get(type.id)
    if (store === undefined) throw new Unsupported('a virtual edge before its declaration')
    const goes = (from: Vertex, to: Vertex) =>
      type.pairs.some(
        ({ fromTypeId, toTypeId }) => fromTypeId === from.typeId && toTypeId === to.typeId,
      )
    const isTurned =
      !type.directed &&
      (source.typeId === target.typeId ? target.row < source.row : !goes(source, target))
    const [from, to] = isTurned ? [target, source] : [source, target]
    if (goes(from, to)) store.pending.push(() => put(store, { source: from, target: to, values }))
  }

  delete(edge: StoredEdge): void {
    const store = this.#stores.get(edge.typeId)
    store?.pending.push(() => {
      const key = keyOfEnds(edge.source, edge.target)
      const found = store.edges.get(key)
      if (found !== undefined) found.isGone = true
      store.edges.delete(key)
    })
  }

  /** What a statement has inserted and deleted is seen from now on. */
  settle(typeIds: readonly number[]): void {
    for (const typeId of typeIds) {
      const store = this.#stores.get(typeId)
      if (store === undefined || store.pending.length === 0) continue
      for (const apply of store.pending.splice(0)) apply()
      this.#publish(typeId)
    }
  }

  #publish(typeId: number): void {
    const { type, edges } = this.#stores.get(typeId)!
    for (const { fromTypeId, toTypeId } of type.pairs) {
      const own = [...edges.values()].filter(
        ({ source, target }) => source.typeId === fromTypeId && target.typeId === toTypeId,
      )
      own.sort((a, b) => a.source.row - b.source.row || a.target.row - b.target.row)
      own.forEach((edge, order) => {
        edge.order = order
      })
      this.#graph.setEdges({ typeId, fromTypeId, toTypeId }, own)
    }
  }
}

/** An edge is known by its ends: inserted again it takes the values that are given. */
function put(store: Store, { source, target, values }: NewEdge): void {
  const key = keyOfEnds(source, target)
  const known = store.edges.get(key)
  if (known !== undefined) {
    for (const [attributeId, value] of values) known.values.set(attributeId, value)
    return
  }
  const { id: typeId, name: typeName, directed } = store.type
  const defaults = store.defaults.map((value, i) => [i + 1, value] as const)
  store.edges.set(key, {
    typeId,
    typeName,
    directed,
    source,
    target,
    order: 0,
    values: new Map([...defaults, ...values]),
    printed: [],
    discriminator: null,
    isGone: false,
    serial: store.serial++,
  })
}

function keyOfEnds(source: Vertex, target: Vertex): string {
  return `${source.number} ${target.number}`
}
