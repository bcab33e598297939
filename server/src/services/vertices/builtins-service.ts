/** The statistics functions of `POST /builtins/{graph}`: always fresh. */
import {
  edgeTypesOf,
  requireGraphInPath,
  requireVertexType,
  vertexTypesOf,
} from '#catalog/lookup.ts'
import type { Catalog, EdgeType } from '#catalog/types.ts'
import { doubleJson } from '#graph/columns/json.ts'
import { integerAt, numberAt } from '#graph/columns/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { AdjacencyView, BitsView, ColumnView, GraphView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import {
  type ReadEngine,
  type ReadScope,
  ROWS_PER_LOOK,
  type Sliced,
  withScope,
} from '../read/read-scope.ts'
import { type GraphPlace, tableOf } from './vertex-service.ts'

export interface BuiltinCall {
  readonly function: string
  /** A type's name, or `*`. */
  readonly type?: string | undefined
  readonly from_type?: string | undefined
  readonly to_type?: string | undefined
}

/** The rows that some columns share. */
interface RowSet {
  readonly columns: readonly ColumnView[]
  readonly count: number
  readonly deleted: BitsView
}

/** What has been seen of one attribute. */
interface Figures {
  readonly kind: string
  count: number
  sum: number
  min: number | bigint
  max: number | bigint
}

export class BuiltinsService {
  readonly #engine: ReadEngine
  readonly #clock: Clock

  constructor(engine: ReadEngine, clock: Clock) {
    this.#engine = engine
    this.#clock = clock
  }

  /**
   * The JSON of `results`.
   * @throws DbError GRAPH_NOT_FOUND, INVALID_PARAMETER for an unknown function or missing type,
   *   QUERY_RUNTIME with `GSQL-7004` for an unknown type, and where there is nothing to tell
   */
  call(place: GraphPlace, call: BuiltinCall): Promise<string> {
    const engine = this.#engine
    return withScope({ engine, clock: this.#clock, limits: {} }, (scope) => {
      const { catalog } = engine
      requireGraphInPath(catalog, place.graph, place.url)
      const type = call.type ?? '*'
      switch (call.function) {
        case 'stat_vertex_number':
          return { answer: JSON.stringify(vertexNumbers(catalog, scope.view, place.graph, type)) }
        case 'stat_edge_number':
          return {
            answer: JSON.stringify(edgeNumbers(namedEdges(catalog, place.graph, call), scope.view)),
          }
        case 'stat_vertex_attr':
          return vertexFigures(catalog, scope, place.graph, type)
        case 'stat_edge_attr':
          return edgeFigures(namedEdges(catalog, place.graph, call), scope)
        default:
          throw new DbError('INVALID_PARAMETER', `There is no builtin function '${call.function}'.`)
      }
    })
  }
}

function vertexNumbers(catalog: Catalog, view: GraphView, graph: string, name: string) {
  return vertexTypesNamed(catalog, graph, name).map((type) => ({
    v_type: type.name,
    count: tableOf(view, type).liveCount,
  }))
}

function vertexTypesNamed(catalog: Catalog, graph: string, name: string) {
  const types = vertexTypesOf(catalog, graph)
  if (name === '*') return types
  const type = types.find((candidate) => candidate.name === name)
  if (type === undefined)
    throw unknownType(`The vertex type '${name}' does not exist in the graph.`)
  return [type]
}

function unknownType(message: string): DbError {
  return new DbError('QUERY_RUNTIME', message, { details: { contractCode: 'GSQL-7004' } })
}

/** One edge type under one of its names, and the pairs that the call asks for. */
interface NamedEdges {
  readonly name: string
  readonly type: EdgeType
  readonly isReverse: boolean
  readonly fromTypeId: number | null
  readonly toTypeId: number | null
}

function namedEdges(catalog: Catalog, graph: string, call: BuiltinCall): NamedEdges[] {
  const ends = {
    fromTypeId: endOf(catalog, graph, call.from_type),
    toTypeId: endOf(catalog, graph, call.to_type),
  }
  const all = edgeTypesOf(catalog, graph).flatMap((type) => {
    const forward = { name: type.name, type, isReverse: false, ...ends }
    if (type.reverseName === null) return [forward]
    return [forward, { ...forward, name: type.reverseName, isReverse: true }]
  })
  const { type = '*' } = call
  if (type === '*') return all
  const named = all.filter(({ name }) => name === type)
  if (named.length === 0) throw unknownType(`The edge type '${type}' does not exist in the graph.`)
  return named
}

function endOf(catalog: Catalog, graph: string, name: string | undefined): number | null {
  return name === undefined || name === '*' ? null : requireVertexType(catalog, graph, name).id
}

function edgeNumbers(named: readonly NamedEdges[], view: GraphView) {
  return named.map((edges) => ({
    e_type: edges.name,
    count: adjacenciesOf(edges, view).reduce((sum, { liveCount }) => sum + liveCount, 0),
  }))
}

function adjacenciesOf(edges: NamedEdges, view: GraphView): readonly AdjacencyView[] {
  const { type, isReverse, fromTypeId, toTypeId } = edges
  const table = view.edgeTables.find(({ typeId }) => typeId === type.id)
  const fits = (from: number, to: number): boolean =>
    (fromTypeId === null || fromTypeId === from) && (toTypeId === null || toTypeId === to)
  return (table?.adjacencies ?? []).filter(({ fromTypeId: from, toTypeId: to }) => {
    if (isReverse) return fits(to, from)
    return fits(from, to) || (!type.directed && fits(to, from))
  })
}

function* vertexFigures(
  catalog: Catalog,
  scope: ReadScope,
  graph: string,
  name: string,
): Sliced<string> {
  const rows: string[] = []
  for (const type of vertexTypesNamed(catalog, graph, name)) {
    const { columns, rowCount, deleted } = tableOf(scope.view, type)
    const text = yield* figuresJson([{ columns, count: rowCount, deleted }], scope)
    if (text !== null) rows.push(`{"v_type":${JSON.stringify(type.name)},"attributes":${text}}`)
  }
  return rowsOrSkipped(rows, 'stat_vertex_attr', name)
}

function* edgeFigures(named: readonly NamedEdges[], scope: ReadScope): Sliced<string> {
  const rows: string[] = []
  for (const edges of named) {
    const sets = adjacenciesOf(edges, scope.view).map(({ columns, deleted, ...counts }) => ({
      columns,
      count: counts.baseCount + counts.deltaCount,
      deleted,
    }))
    const text = yield* figuresJson(sets, scope)
    if (text !== null) rows.push(`{"e_type":${JSON.stringify(edges.name)},"attributes":${text}}`)
  }
  return rowsOrSkipped(rows, 'stat_edge_attr', named.map(({ name }) => name).join(', '))
}

function rowsOrSkipped(rows: readonly string[], what: string, name: string): string {
  if (rows.length > 0) return `[${rows.join(',')}]`
  throw new DbError(
    'QUERY_RUNTIME',
    `${what} is skipped: ${name} has no numeric or BOOL attribute, or no data.`,
    { details: { contractCode: 'GSQL-7004' } },
  )
}

const counted: ReadonlySet<string> = new Set(['INT', 'UINT', 'FLOAT', 'DOUBLE', 'BOOL'])

/** `{"age":{"MAX":64,"MIN":15,"AVG":36.5}}`; null without such attributes or without data. */
function* figuresJson(sets: readonly RowSet[], scope: ReadScope): Sliced<string | null> {
  const figures = new Map<string, Figures>()
  for (const set of sets) {
    for (const column of set.columns) {
      if (!counted.has(column.type.kind)) continue
      const known = figures.get(column.name) ?? noFigures(column.type.kind)
      figures.set(column.name, known)
      yield* countColumn(known, column, set, scope)
    }
  }
  const members = [...figures]
    .filter(([, { count }]) => count > 0)
    .map(([name, seen]) => `${JSON.stringify(name)}:${memberJson(seen)}`)
  return members.length === 0 ? null : `{${members.join(',')}}`
}

function noFigures(kind: string): Figures {
  return { kind, count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY }
}

function* countColumn(
  figures: Figures,
  column: ColumnView,
  { count, deleted }: RowSet,
  scope: ReadScope,
): Sliced<void> {
  for (let row = 0; row < count; row++) {
    if ((row & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
    if (isSet(deleted, row)) continue
    const value = integerAt(column, row)
    figures.count++
    figures.sum += numberAt(column, row)
    if (value < figures.min) figures.min = value
    if (value > figures.max) figures.max = value
  }
}

function memberJson({ kind, count, sum, min, max }: Figures): string {
  if (kind === 'BOOL') return `{"TRUE":${sum},"FALSE":${count - sum}}`
  const print = (value: number | bigint): string =>
    typeof value === 'bigint' ? String(value) : doubleJson(value)
  return `{"MAX":${print(max)},"MIN":${print(min)},"AVG":${doubleJson(sum / count)}}`
}
