/** Shortest and all paths between vertices, as one sub-graph. */
import {
  edgeTypesOf,
  requireGraphInPath,
  requireVertexType,
  vertexTypesOf,
} from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { GraphView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { edgeWriter } from '../edges/edge-json.ts'
import { stripsOf } from '../edges/edge-path.ts'
import { readableVertexType } from '../read/attributes.ts'
import type { RowPredicate } from '../read/filter.ts'
import { JsonSink } from '../read/json-sink.ts'
import {
  type ReadEngine,
  type ReadLimits,
  type ReadScope,
  ROWS_PER_LOOK,
  type Sliced,
  withScope,
} from '../read/read-scope.ts'
import { vertexWriter } from '../vertices/vertex-json.ts'
import { type GraphPlace, tableOf, vertexNotFound } from '../vertices/vertex-service.ts'
import { conditionOf } from './path-filter.ts'
import { type Found, type SearchTable, searchPaths } from './search.ts'

export interface PathEnd {
  readonly type: string
  readonly id: string
}

export interface PathFilter {
  readonly type: string
  readonly condition?: string | undefined
}

export interface PathRequest {
  readonly sources: readonly PathEnd[]
  readonly targets: readonly PathEnd[]
  /** Null: every type passes. */
  readonly vertexFilters: readonly PathFilter[] | null
  readonly edgeFilters: readonly PathFilter[] | null
  readonly lengthMax: number
  /** `reached`: all that is met within the length; targets count for nothing. */
  readonly wanted: 'one' | 'shortest' | 'all' | 'reached'
}

export const PATH_LENGTH_MAX = 1_000

export class PathService {
  readonly #engine: ReadEngine
  readonly #clock: Clock

  constructor(engine: ReadEngine, clock: Clock) {
    this.#engine = engine
    this.#clock = clock
  }

  /**
   * @returns JSON: one object of vertices and edges, each once
   * @throws DbError VERTEX_NOT_FOUND, VERTEX_TYPE_NOT_FOUND, EDGE_TYPE_NOT_FOUND, INVALID_PARAMETER
   */
  find(place: GraphPlace, request: PathRequest, limits: ReadLimits): Promise<Uint8Array> {
    const engine = this.#engine
    const { catalog } = engine
    requireGraphInPath(catalog, place.graph, place.url)
    return withScope({ engine, clock: this.#clock, limits }, function* (scope) {
      const tables = tablesOf(catalog, scope.view, place.graph, request)
      const last = tables.at(-1)
      const vertexCount = last === undefined ? 0 : last.firstNumber + last.table.rowCount
      const numbers = (ends: readonly PathEnd[], kind: 'source_vertex' | 'target_vertex') =>
        ends.flatMap((end) => numberOf({ catalog, graph: place.graph, tables }, end, kind))
      const found = yield* searchPaths(
        {
          ...{ tables, vertexCount, lengthMax: request.lengthMax, wanted: request.wanted },
          sources: numbers(request.sources, 'source_vertex'),
          targets: numbers(request.targets, 'target_vertex'),
        },
        scope,
      )
      return yield* jsonOf({ catalog, graph: place.graph, tables, found }, scope)
    })
  }
}

function tablesOf(
  catalog: Catalog,
  view: GraphView,
  graph: string,
  request: PathRequest,
): SearchTable[] {
  const types = vertexTypesOf(catalog, graph)
  const edgeAllows = edgeFilter(catalog, graph, request.edgeFilters)
  checkVertexFilters(catalog, graph, request.vertexFilters)
  let firstNumber = 0
  return types.map((type) => {
    const table = tableOf(view, type)
    const numbered = firstNumber
    firstNumber += table.rowCount
    const strips = edgeTypesOf(catalog, graph).flatMap((edge) =>
      namesOf(edge).flatMap((named, nameIndex) => {
        const ends = { fromTypeId: type.id, toTypeId: null }
        return stripsOf(view, named, nameIndex, ends).flatMap((strip) => {
          const allows = edgeAllows(named.name, strip.readable)
          const otherIndex = types.findIndex(({ id }) => id === strip.other.typeId)
          return allows === null || otherIndex < 0 ? [] : [{ strip, allows, otherIndex }]
        })
      }),
    )
    const readable = readableVertexType(type, table)
    const filters = request.vertexFilters?.filter((filter) => filter.type === type.name)
    const predicates = filters?.map(({ condition }) => conditionOf(condition, readable, table.ids))
    return { table, firstNumber: numbered, allows: anyOf(predicates), strips }
  })
}

function namesOf(type: ReturnType<typeof edgeTypesOf>[number]) {
  const forward = { name: type.name, type, reversed: false }
  if (type.reverseName === null) return [forward]
  return [forward, { name: type.reverseName, type, reversed: true }]
}

/** Absent filters let everything pass; with some, only what one of them lets pass. */
function anyOf(predicates: readonly (RowPredicate | null)[] | undefined): RowPredicate | null {
  if (predicates === undefined || predicates.includes(null)) return () => true
  if (predicates.length === 0) return null
  return (row) => predicates.some((predicate) => predicate?.(row))
}

function edgeFilter(catalog: Catalog, graph: string, filters: readonly PathFilter[] | null) {
  const names = new Set(
    edgeTypesOf(catalog, graph).flatMap((type) => namesOf(type).map(({ name }) => name)),
  )
  const unknown = filters?.find(({ type }) => !names.has(type))
  if (unknown !== undefined) {
    const text = `The input parameter edge_type = '${unknown.type}' is not a valid edge type in graph ${graph}.`
    throw new DbError('EDGE_TYPE_NOT_FOUND', text)
  }
  return (name: string, readable: Parameters<typeof conditionOf>[1]): RowPredicate | null => {
    const own = filters?.filter((filter) => filter.type === name)
    return anyOf(own?.map(({ condition }) => conditionOf(condition, readable, null)))
  }
}

function checkVertexFilters(
  catalog: Catalog,
  graph: string,
  filters: readonly PathFilter[] | null,
): void {
  for (const { type } of filters ?? []) requireVertexType(catalog, graph, type)
}

/** No number for an end that the filters keep out. */
function numberOf(
  place: {
    readonly catalog: Catalog
    readonly graph: string
    readonly tables: readonly SearchTable[]
  },
  { type, id }: PathEnd,
  kind: 'source_vertex' | 'target_vertex',
): number[] {
  const { id: typeId } = requireVertexType(place.catalog, place.graph, type)
  const found = place.tables.find(({ table }) => table.typeId === typeId)
  const row = found === undefined ? -1 : findVertex(found.table, id)
  if (found === undefined || row < 0) throw vertexNotFound(kind, id, type)
  return found.allows?.(row) ? [found.firstNumber + row] : []
}

interface FoundIn {
  readonly catalog: Catalog
  readonly graph: string
  readonly tables: readonly SearchTable[]
  readonly found: Found
}

function* jsonOf({ catalog, graph, tables, found }: FoundIn, scope: ReadScope): Sliced<Uint8Array> {
  const { vertices, edges } = found
  const sink = new JsonSink(Number.POSITIVE_INFINITY)
  const types = vertexTypesOf(catalog, graph)
  const writers = tables.map(({ table }, index) =>
    vertexWriter(table, readableVertexType(types[index]!, table).attributes),
  )
  sink.text('[{"vertices":[')
  for (const [index, number] of vertices.entries()) {
    if (isLook(index) && scope.isDue) yield
    if (index > 0) sink.byte(0x2c)
    const at = tables.findLastIndex(({ firstNumber }) => firstNumber <= number)
    writers[at]!(sink, number - tables[at]!.firstNumber)
  }
  sink.text('],"edges":[')
  for (const [index, edge] of edges.entries()) {
    if (isLook(index) && scope.isDue) yield
    if (index > 0) sink.byte(0x2c)
    const { table, strips } = tables[edge.tableIndex]!
    const { strip } = strips[edge.stripIndex]!
    const place = { source: table, sourceRow: edge.fromRow }
    edgeWriter(place, strip, strip.readable.attributes)(sink, edge.otherRow, edge.row)
  }
  sink.text(']}]')
  return sink.finish()
}

const isLook = (index: number): boolean => (index & (ROWS_PER_LOOK - 1)) === ROWS_PER_LOOK - 1
