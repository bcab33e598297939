/** The graph of a view as plain objects: what the naive interpreter walks. */
import type { AttributeType, AttributeValue } from '#catalog/types.ts'
import { compareParallel } from '#graph/adjacency/order.ts'
import { sourceOf, targetOf } from '#graph/adjacency/read.ts'
import { jsonAt } from '#graph/columns/json.ts'
import { valueAt } from '#graph/columns/read.ts'
import { idText } from '#graph/ids/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { AdjacencyView, ColumnView, GraphView } from '#graph/view.ts'
import type { BoundStep } from '#query/ir/bound-select.ts'
import type { ValueType } from '#query/ir/types.ts'
import { ListState, SetState } from './collection-states.ts'
import { baseValueOf } from './make-state.ts'
import { MapState } from './table-states.ts'
import { type EdgeValue, type StoredEdge, Unsupported, type Value, type Vertex } from './values.ts'

export interface Met {
  readonly other: Vertex
  /** Null: the step is a chain of several edges. */
  readonly edge: EdgeValue | null
}

interface Facts {
  /** Vertex types whose primary id prints among the attributes, and under which name. */
  readonly idAttributes: ReadonlyMap<number, string>
  readonly discriminators: ReadonlyMap<number, number>
}

/** Which vertex types an edge type connects, by their names. */
export interface EdgeEnds {
  readonly name: string
  readonly directed: boolean
  readonly pairs: readonly (readonly [from: string, to: string])[]
}

export class PlainGraph {
  /** Live vertices by type id, ascending by row. */
  readonly vertices = new Map<number, readonly Vertex[]>()
  readonly typeNames: ReadonlySet<string>
  readonly edgeTypes: ReadonlyMap<number, EdgeEnds>
  readonly #byRow = new Map<string, Vertex>()
  /** Live edges by edge type and pair, in their order; a run adds its virtual ones. */
  readonly #edges = new Map<string, readonly StoredEdge[]>()

  constructor(view: GraphView, facts: Facts) {
    this.typeNames = new Set(view.vertexTables.map(({ typeName }) => typeName))
    const nameOf = (id: number) => view.vertexTables.find(({ typeId }) => typeId === id)!.typeName
    this.edgeTypes = new Map(
      view.edgeTables.map(({ typeId, typeName: name, directed, adjacencies }) => {
        const pairs = adjacencies.map(
          ({ fromTypeId, toTypeId }) => [nameOf(fromTypeId), nameOf(toTypeId)] as const,
        )
        return [typeId, { name, directed, pairs }] as const
      }),
    )
    let base = 0
    for (const table of view.vertexTables) {
      const list: Vertex[] = []
      for (let row = 0; row < table.rowCount; row++) {
        if (isSet(table.deleted, row)) continue
        const id = idText(table.ids, row)
        const idName = facts.idAttributes.get(table.typeId)
        const isText = table.ids.type === 'STRING' || table.ids.type === 'DATETIME'
        const idJson = isText ? JSON.stringify(id) : id
        const vertex: Vertex = {
          typeId: table.typeId,
          typeName: table.typeName,
          row,
          number: base + row,
          id,
          values: new Map([[-1, isText ? id : BigInt(id)], ...valuesOf(table.columns, row)]),
          printed: [
            ...(idName === undefined ? [] : [[idName, idJson] as const]),
            ...printedOf(table.columns, row),
          ],
          vectors: printedOf(table.columns, row, true),
        }
        list.push(vertex)
        this.#byRow.set(`${table.typeId} ${row}`, vertex)
      }
      this.vertices.set(table.typeId, list)
      base += Math.ceil(table.rowCount / 32) * 32
    }
    for (const table of view.edgeTables) {
      const count = facts.discriminators.get(table.typeId) ?? 0
      for (const adjacency of table.adjacencies) {
        const key = pairKey({ typeId: table.typeId, ...pairOf(adjacency) })
        const type = { typeId: table.typeId, typeName: table.typeName, directed: table.directed }
        this.#edges.set(key, this.#edgesOf(adjacency, type, count))
      }
    }
  }

  #edgesOf(
    adjacency: AdjacencyView,
    type: Pick<StoredEdge, 'typeId' | 'typeName' | 'directed'>,
    discriminatorCount: number,
  ): StoredEdge[] {
    const rows: number[] = []
    for (let row = 0; row < adjacency.baseCount + adjacency.deltaCount; row++) {
      if (!isSet(adjacency.deleted, row)) rows.push(row)
    }
    const ends = (row: number) => [sourceOf(adjacency, row), targetOf(adjacency, row)] as const
    rows.sort((a, b) => {
      const [[fromA, toA], [fromB, toB]] = [ends(a), ends(b)]
      return fromA - fromB || toA - toB || compareParallel(adjacency, a, b)
    })
    return rows.map((row, order) => {
      const [from, to] = ends(row)
      const printed = printedOf(adjacency.columns, row)
      const parts = printed.slice(0, discriminatorCount).map(([, json]) => plainText(json))
      return {
        ...type,
        order,
        source: this.#at(adjacency.fromTypeId, from),
        target: this.#at(adjacency.toTypeId, to),
        values: new Map(valuesOf(adjacency.columns, row)),
        printed,
        discriminator: discriminatorCount === 0 ? null : parts.join(','),
      }
    })
  }

  #at(typeId: number, row: number): Vertex {
    const vertex = this.#byRow.get(`${typeId} ${row}`)
    if (vertex === undefined) throw new Error(`an edge without its end ${typeId} ${row}`)
    return vertex
  }

  /** @param edges in their order: by source, then by target */
  setEdges(type: EdgePairKey, edges: readonly StoredEdge[]): void {
    this.#edges.set(pairKey(type), edges)
  }

  find(typeName: string, id: string): Vertex | null {
    for (const list of this.vertices.values()) {
      const found = list.find((vertex) => vertex.typeName === typeName && vertex.id === id)
      if (found !== undefined) return found
    }
    return null
  }

  findById(typeId: number, id: string): Vertex | null {
    return this.vertices.get(typeId)?.find((vertex) => vertex.id === id) ?? null
  }

  /** The edges that a step meets from a vertex, in order. */
  walk(from: Vertex, step: BoundStep): readonly Met[] {
    if (step.chain !== undefined) return this.#walkChain(from, step.chain)
    if (from.typeId !== step.fromTypeId) return []
    const edges = this.#edges.get(pairKey({ typeId: step.edgeTypeId, ...step.pair }))
    if (edges === undefined) return []
    const met: Met[] = []
    if (step.direction !== 'in') {
      for (const edge of edges)
        if (edge.source === from) met.push(meet(edge, edge.target, step, from))
    }
    if (step.direction !== 'out') {
      const incoming = edges.filter(({ target }) => target === from)
      incoming.sort((a, b) => a.source.row - b.source.row || a.order - b.order)
      for (const edge of incoming) {
        if (step.direction === 'both' && edge.source === from) continue
        met.push(meet(edge, edge.source, step, from))
      }
    }
    return met
  }

  /** The same steps from their other end. */
  walkBack(to: Vertex, step: BoundStep): readonly Met[] {
    if (step.chain !== undefined) {
      let starts: readonly Vertex[] = [to]
      for (const { chain: _, ...one } of step.chain.toReversed()) {
        starts = starts.flatMap((start) => this.walkBack(start, one).map(({ other }) => other))
      }
      return starts.map((other) => ({ other, edge: null }))
    }
    const turned = { out: 'in', in: 'out', both: 'both' } as const
    const back = {
      ...step,
      direction: turned[step.direction],
      fromTypeId: step.toTypeId,
      toTypeId: step.fromTypeId,
    }
    return this.walk(to, back).map(({ other, edge }) => {
      if (edge === null || edge.stored.directed) return { other, edge }
      return { other, edge: { ...edge, from: other, to } }
    })
  }

  #walkChain(from: Vertex, chain: readonly BoundStep[]): readonly Met[] {
    let ends: readonly Vertex[] = [from]
    for (const { chain: _, ...step } of chain) {
      ends = ends.flatMap((end) => this.walk(end, step).map(({ other }) => other))
    }
    return ends.map((other) => ({ other, edge: null }))
  }
}

interface EdgePairKey {
  readonly typeId: number
  readonly fromTypeId: number
  readonly toTypeId: number
}

function pairOf({ fromTypeId, toTypeId }: AdjacencyView): Omit<EdgePairKey, 'typeId'> {
  return { fromTypeId, toTypeId }
}

function pairKey({ typeId, fromTypeId, toTypeId }: EdgePairKey): string {
  return `${typeId} ${fromTypeId} ${toTypeId}`
}

/** Directed edges have their own direction, undirected ones that of the pattern. */
function meet(stored: StoredEdge, other: Vertex, step: BoundStep, from: Vertex): Met {
  const ends = stored.directed
    ? step.reversed
      ? { from: stored.target, to: stored.source }
      : { from: stored.source, to: stored.target }
    : { from, to: other }
  return { other, edge: { stored, typeName: step.typeName, ...ends } }
}

function plainText(json: string): string {
  return json.startsWith('"') ? (JSON.parse(json) as string) : json
}

function printedOf(
  columns: readonly ColumnView[],
  row: number,
  areVectors = false,
): (readonly [string, string])[] {
  return columns
    .filter(({ type }) => (type.kind === 'VECTOR') === areVectors)
    .map((column) => [column.name, jsonAt(column, row)] as const)
}

function valuesOf(columns: readonly ColumnView[], row: number): (readonly [number, Value])[] {
  return columns.map((column) => {
    const value = valueAt(column, row)
    return [column.attributeId, ownValue(value, column.type, column)] as const
  })
}

function ownValue(value: AttributeValue, type: AttributeType, column: ColumnView): Value {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      return BigInt(value as number | bigint)
    case 'DATETIME':
      return Number(value)
    case 'FLOAT':
    case 'DOUBLE':
    case 'BOOL':
    case 'STRING':
      return value as number | boolean | string
    case 'VECTOR': {
      const numbers = new ListState(() => null)
      for (const item of value as readonly number[]) numbers.fold({ kind: 'element', value: item })
      return numbers
    }
    case 'LIST':
    case 'SET': {
      const state = type.kind === 'LIST' ? new ListState(() => null) : new SetState()
      for (const item of value as readonly AttributeValue[]) {
        state.fold({ kind: 'element', value: ownValue(item, type.element, column) })
      }
      return state
    }
    case 'MAP': {
      const state = new MapState(() => baseValueOf({ kind: type.value.kind } as ValueType))
      for (const pair of value as readonly (readonly AttributeValue[])[]) {
        const key = ownValue(pair[0]!, type.key, column)
        const item = ownValue(pair[1]!, type.value, column)
        state.ensure(key).fold({ kind: 'scalar', value: item })
      }
      return state
    }
    case 'TUPLE': {
      const tuple = column.tuples.find(({ name }) => name === type.name)!
      return (value as readonly AttributeValue[]).map((item, i) =>
        ownValue(item, { kind: tuple.fields[i]!.type } as AttributeType, column),
      )
    }
    default:
      throw new Unsupported(`attributes of ${type.kind}`)
  }
}
