/**
 * Virtual edges (docs/reference/gsql/statements.md#virtual-edges): edge types that live for one run. A view gets a table for each, all
 * of whose edges are delta edges, so that generated code and the readers of `graph/adjacency` walk
 * them like those of the graph; only here do the arrays behind it change. What a statement inserts
 * and deletes is kept aside until the next one begins.
 */
import type { EdgeType } from '#catalog/types.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { AdjacencyView, DeltaView, EdgeTableView, GraphView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import type { BoundQuery } from '#query/ir/bound.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { StringTable } from '../cells/strings.ts'
import type { Value } from '../cells/value.ts'
import type { ChangeWriter } from '../output/changes.ts'
import type { Exporter } from '../output/exporter.ts'
import type { EdgeHandles } from './edges.ts'
import type { VertexLayout } from './layout.ts'
import { findAdjacency, findVertexTable, type PairIds } from './physical.ts'

/** Of an edge: its ends, its links and its entry in the index by ends; values come on top. */
const EDGE_BYTES = 96
const VALUE_BYTES = 16
/** Delta edges of a view that is not told how many there are: chains alone say where they end. */
const ANY_COUNT = 2 ** 31

/** The view with a table for every virtual edge type of the query and of those that it calls. */
export function withVirtualEdges(view: GraphView, query: BoundQuery): GraphView {
  const types = [query, ...query.callees].flatMap(({ virtualEdges }) => virtualEdges)
  if (types.length === 0) return view
  const distinct = new Map(types.map((type) => [type.id, type]))
  const tables = [...distinct.values()].map((type) => emptyTable(view, type))
  return { ...view, edgeTables: [...view.edgeTables, ...tables] }
}

function emptyTable(view: GraphView, type: EdgeType): EdgeTableView {
  const rowsOf = (typeId: number) => findVertexTable(view, typeId)?.rowCount ?? 0
  return {
    typeId: type.id,
    typeName: type.name,
    directed: type.directed,
    reverseName: null,
    adjacencies: type.pairs.map(({ fromTypeId, toTypeId }) => ({
      fromTypeId,
      toTypeId,
      liveCount: 0,
      discriminatorCount: 0,
      baseId: 0,
      baseCount: 0,
      baseFromCount: 0,
      baseToCount: 0,
      outOffsets: words(1),
      outTargets: words(0),
      inOffsets: words(1),
      inSources: words(0),
      inRows: words(0),
      deltaCount: ANY_COUNT,
      delta: {
        sources: words(0),
        targets: words(0),
        outNext: words(0),
        inNext: words(0),
        outHeads: words(rowsOf(fromTypeId)),
        inHeads: words(rowsOf(toTypeId)),
      },
      deleted: { words: null, pages: null },
      columns: [],
    })),
  }
}

/** Whether EDGE values outlive a statement: they name rows, which must then stay what they are. */
function holdsEdges(query: BoundQuery): boolean {
  return [query, ...query.callees].some((one) => {
    const types = [one.variables, one.globalAccums, one.vertexAccums].flat().map(({ type }) => type)
    return JSON.stringify([...types, one.returns]).includes('"kind":"EDGE"')
  })
}

function words(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(length * 4))
}

/** A value per attribute; undefined: not given. */
type GivenValues = readonly (Value | undefined)[]

interface Change {
  readonly from: number
  readonly to: number
  /** Null: the edge is deleted. */
  readonly values: GivenValues | null
}

/** The edges of one adjacency. */
export class VirtualStore {
  readonly adjacency: AdjacencyView
  defaults: readonly Value[] = []
  /** Of the arrays behind the view: orders made of an older one are stale. */
  version = 0
  readonly #memory: MemoryBudget
  /** No row is taken again or moved: EDGE values may name it. */
  readonly #keepsRows: boolean
  #sources: number[] = []
  #targets: number[] = []
  /** Null: the edge is gone. */
  #values: (Value[] | null)[] = []
  /** Row of an edge by its ends; an edge is known by them. */
  #rows = new Map<number, number>()
  #pending: Change[] = []

  constructor(adjacency: AdjacencyView, memory: MemoryBudget, keepsRows: boolean) {
    this.adjacency = adjacency
    this.#keepsRows = keepsRows
    this.#memory = memory
    const { outHeads, inHeads } = adjacency.delta!
    memory.take(outHeads.byteLength + inHeads.byteLength)
  }

  value(row: number, attribute: number): Value {
    return this.#values[row]![attribute]!
  }

  isGone(row: number): boolean {
    return this.#values[row] === null
  }

  clear(): void {
    if (this.#keepsRows) {
      this.#memory.giveHeap(this.#bytes(this.#pending.length))
      this.#pending = []
      this.#rows = new Map()
      this.#values.fill(null)
      this.#link()
      return
    }
    this.#memory.giveHeap(this.#bytes(this.#sources.length + this.#pending.length))
    this.#sources = []
    this.#targets = []
    this.#values = []
    this.#rows = new Map()
    this.#pending = []
    this.#link()
  }

  insert(from: number, to: number, values: GivenValues): void {
    this.#memory.takeHeap(this.#bytes(1))
    this.#pending.push({ from, to, values })
  }

  delete(row: number): void {
    this.#memory.takeHeap(this.#bytes(1))
    this.#pending.push({ from: this.#sources[row]!, to: this.#targets[row]!, values: null })
  }

  settle(): void {
    if (this.#pending.length === 0) return
    const before = this.#sources.length + this.#pending.length
    for (const { from, to, values } of this.#pending) {
      const key = this.#keyOf(from, to)
      if (values === null) this.#remove(key)
      else this.#put(key, { from, to, values })
    }
    this.#pending = []
    this.#compact()
    this.#memory.giveHeap(this.#bytes(before - this.#sources.length))
    this.#link()
  }

  #put(key: number, { from, to, values }: { from: number; to: number; values: GivenValues }) {
    const known = this.#rows.get(key)
    const old = known === undefined ? this.defaults : this.#values[known]!
    const next = old.map((value, i) => values[i] ?? value)
    if (known !== undefined) {
      this.#values[known] = next
      return
    }
    this.#rows.set(key, this.#sources.length)
    this.#sources.push(from)
    this.#targets.push(to)
    this.#values.push(next)
  }

  #remove(key: number): void {
    const row = this.#rows.get(key)
    if (row === undefined) return
    this.#rows.delete(key)
    this.#values[row] = null
  }

  /** Leaves out the rows that no ends lead to any more. */
  #compact(): void {
    if (this.#keepsRows || this.#rows.size === this.#sources.length) return
    const rows = [...this.#rows.values()].sort((a, b) => a - b)
    this.#sources = rows.map((row) => this.#sources[row]!)
    this.#targets = rows.map((row) => this.#targets[row]!)
    this.#values = rows.map((row) => this.#values[row]!)
    const entries = rows.map((_, row) => [
      this.#keyOf(this.#sources[row]!, this.#targets[row]!),
      row,
    ])
    this.#rows = new Map(entries as [number, number][])
  }

  /** Puts what there is behind the view. */
  #link(): void {
    this.version += 1
    const delta = this.adjacency.delta as { -readonly [K in keyof DeltaView]: DeltaView[K] }
    const count = this.#sources.length
    delta.sources = words(count)
    delta.targets = words(count)
    delta.outNext = words(count)
    delta.inNext = words(count)
    delta.outHeads.fill(0)
    delta.inHeads.fill(0)
    for (let row = 0; row < count; row++) {
      if (this.#values[row] === null) continue
      const [from, to] = [this.#sources[row]!, this.#targets[row]!]
      delta.sources[row] = from
      delta.targets[row] = to
      delta.outNext[row] = delta.outHeads[from]!
      delta.inNext[row] = delta.inHeads[to]!
      delta.outHeads[from] = row + 1
      delta.inHeads[to] = row + 1
    }
  }

  #keyOf(from: number, to: number): number {
    return from * (this.adjacency.delta!.inHeads.length + 1) + to
  }

  #bytes(count: number): number {
    return count * (EDGE_BYTES + this.defaults.length * VALUE_BYTES)
  }
}

export interface VirtualParts {
  readonly view: GraphView
  readonly layout: VertexLayout
  readonly edges: EdgeHandles
  readonly exporter: Exporter
  readonly strings: StringTable
  readonly memory: MemoryBudget
  readonly query: BoundQuery
}

interface VirtualTable {
  readonly table: EdgeTableView
  readonly stores: readonly VirtualStore[]
}

export class VirtualEdges {
  readonly #parts: VirtualParts
  readonly #tables = new Map<number, VirtualTable>()
  readonly #stores = new Map<AdjacencyView, VirtualStore>()
  readonly #holdsEdges: boolean

  constructor(parts: VirtualParts) {
    this.#parts = parts
    const { query, edges } = parts
    const hasAny = [query, ...query.callees].some(({ virtualEdges }) => virtualEdges.length > 0)
    this.#holdsEdges = hasAny && holdsEdges(query)
    if (!this.#holdsEdges) return
    edges.isGone = (adjacency, row) => this.#stores.get(adjacency)?.isGone(row) ?? false
  }

  tableOf(edgeTypeId: number): VirtualTable {
    const known = this.#tables.get(edgeTypeId)
    if (known !== undefined) return known
    const { view, memory } = this.#parts
    const table = view.edgeTables.find(({ typeId }) => typeId === edgeTypeId)
    assert(table !== undefined, 'a virtual edge type without a table')
    const stores = table.adjacencies.map(
      (adjacency) => new VirtualStore(adjacency, memory, this.#holdsEdges),
    )
    for (const store of stores) this.#stores.set(store.adjacency, store)
    const made = { table, stores }
    this.#tables.set(edgeTypeId, made)
    return made
  }

  storeOf(edgeTypeId: number, pair: PairIds): VirtualStore {
    const adjacency = findAdjacency(this.#parts.view, edgeTypeId, pair)
    return this.tableOf(edgeTypeId).stores.find((store) => store.adjacency === adjacency)!
  }

  storeAt(adjacency: AdjacencyView): VirtualStore {
    const { view } = this.#parts
    const table = view.edgeTables.find(({ adjacencies }) => adjacencies.includes(adjacency))
    return this.storeOf(table!.typeId, adjacency)
  }

  /** The type begins anew, without edges. */
  declare({ stores }: VirtualTable, defaults: readonly Value[]): void {
    for (const store of stores) {
      store.clear()
      store.defaults = defaults
    }
  }

  /** Edges to vertices that do not exist are left out. `given`: the attributes that are. */
  inserter(
    edgeTypeId: number,
    types: readonly [ValueType, ValueType],
    given: readonly number[],
  ): ChangeWriter {
    const virtual = this.tableOf(edgeTypeId)
    return (...args) => {
      const [from, fromName, to, toName, ...values] = args
      const left = this.#end(from!, types[0], { typeName: fromName!, virtual, isFrom: true })
      const right = this.#end(to!, types[1], { typeName: toName!, virtual, isFrom: false })
      if (left < 0 || right < 0) return
      const byAttribute: (Value | undefined)[] = []
      for (const [at, attribute] of given.entries()) byAttribute[attribute] = values[at]
      this.#insert(virtual, { left, right }, byAttribute)
    }
  }

  deleter(): ChangeWriter {
    return (handle) => {
      const edge = this.#parts.edges.resolve(handle as number)
      if (edge !== null) this.storeOf(edge.table.typeId, edge.adjacency).delete(edge.row)
    }
  }

  #insert(
    { table, stores }: VirtualTable,
    { left, right }: { readonly left: number; readonly right: number },
    values: GivenValues,
  ): void {
    const { layout } = this.#parts
    const [from, to] = [layout.tableOf(left).typeId, layout.tableOf(right).typeId]
    const [row, other] = [layout.rowOf(left), layout.rowOf(right)]
    const goes = (a: number, b: number) =>
      stores.find(({ adjacency }) => adjacency.fromTypeId === a && adjacency.toTypeId === b)
    const straight = goes(from, to)
    if (straight !== undefined) {
      // An undirected edge within a type is stored from the smaller row.
      const turns = !table.directed && from === to && other < row
      straight.insert(turns ? other : row, turns ? row : other, values)
    } else if (!table.directed) goes(to, from)?.insert(other, row, values)
  }

  /** The number of the vertex that an end names; -1: there is none. */
  #end(
    value: Value,
    type: ValueType,
    at: { readonly typeName: Value; readonly virtual: VirtualTable; readonly isFrom: boolean },
  ): number {
    if (type.kind === 'VERTEX') return value as number
    const { layout, exporter, strings, view } = this.#parts
    const name = strings.text(at.typeName as number)
    const { table, stores } = at.virtual
    const possible = new Set(
      stores.flatMap(({ adjacency: { fromTypeId, toTypeId } }) =>
        table.directed ? [at.isFrom ? fromTypeId : toTypeId] : [fromTypeId, toTypeId],
      ),
    )
    const id = exporter.text(value, type)
    for (const vertices of view.vertexTables) {
      // Types of other graphs may have the same name.
      const fits = possible.has(vertices.typeId) && (name === '' || vertices.typeName === name)
      const row = fits ? findVertex(vertices, id) : -1
      if (row >= 0) return layout.baseOfType(vertices.typeId) + row
    }
    return -1
  }
}

export function virtualFunctions(virtual: VirtualEdges) {
  return {
    settleVirtual: (tables: readonly VirtualTable[]): void => {
      for (const { stores } of tables) for (const store of stores) store.settle()
    },
    declareVirtual: (table: VirtualTable, defaults: readonly Value[]): void =>
      virtual.declare(table, defaults),
    virtualValue: (store: VirtualStore, row: number, attribute: number): Value =>
      store.value(row, attribute),
  }
}
