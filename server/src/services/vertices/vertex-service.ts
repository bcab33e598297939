/** Reads and deletes of vertices. */
import { requireGraphInPath, requireVertexType } from '#catalog/lookup.ts'
import type { VertexType } from '#catalog/types.ts'
import type { CommitOptions } from '#graph/engine-options.ts'
import { MUTATION_HEADER_SIZE_BYTES } from '#graph/mutate/frame-format.ts'
import type { MutationOutcome } from '#graph/mutate/outcome.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { GraphView, VertexTableView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { keyOption, type RequestKey } from '../instances/request-key.ts'
import { readableVertexType, selectAttributes, selectedNames } from '../read/attributes.ts'
import { bindFilter, parseFilter, predicateOf, type RowPredicate } from '../read/filter.ts'
import { JsonSink, sinkForRows } from '../read/json-sink.ts'
import { type ReadOptions, responseLimitOf } from '../read/read-options.ts'
import {
  type AtOnce,
  type ReadEngine,
  type ReadScope,
  type Sliced,
  withScope,
} from '../read/read-scope.ts'
import type { RowWriter } from '../read/value-writers.ts'
import { deleteTypeFrame, deleteVerticesFrame } from './delete-frames.ts'
import { countRows, findRows, type IndexLookup, vertexSearch } from './vertex-find.ts'
import { vertexWriter, writeRows } from './vertex-json.ts'

export interface InspectEngine extends ReadEngine {
  commit(frame: Uint8Array, options?: CommitOptions): Promise<MutationOutcome>
}

/** Where a call stands: the graph of its path, and the path itself for the message. */
export interface GraphPlace {
  readonly graph: string
  readonly url: string
}

export interface DeletedVertices {
  readonly v_type: string
  readonly deleted_vertices: number
}

export interface DeleteOptions {
  /** The ids of what is deleted may never be inserted again. */
  readonly permanent?: boolean | undefined
  readonly ack?: 'all' | 'none' | undefined
  /** Under which it is made once. */
  readonly key?: RequestKey | undefined
}

export class VertexService {
  readonly #engine: InspectEngine
  readonly #clock: Clock
  readonly #lookUp: IndexLookup | null

  constructor(engine: InspectEngine, clock: Clock, lookUp: IndexLookup | null = null) {
    this.#engine = engine
    this.#clock = clock
    this.#lookUp = lookUp
  }

  /** The JSON of `results`. @throws DbError VERTEX_NOT_FOUND (601) and what `list` throws */
  async readOne(
    place: GraphPlace,
    typeName: string,
    id: string,
    options: ReadOptions = {},
  ): Promise<Uint8Array> {
    if (this.#engine.earlyAnswered !== null) await this.#engine.earlyAnswered
    return this.#readOneNow(place, typeName, id, options)
  }

  /**
   * As `readOne`, without a promise: point reads come by the ten thousands a second.
   * @returns null while a write that was answered early is not applied yet: `readOne` waits for it
   */
  readOneAtOnce(
    place: GraphPlace,
    typeName: string,
    id: string,
    options: ReadOptions,
  ): Uint8Array | null {
    if (this.#engine.earlyAnswered !== null) return null
    return this.#readOneNow(place, typeName, id, options)
  }

  #readOneNow(place: GraphPlace, typeName: string, id: string, options: ReadOptions): Uint8Array {
    const { catalog } = this.#engine
    requireGraphInPath(catalog, place.graph, place.url)
    const type = requireVertexType(catalog, place.graph, typeName)
    return readOne(tableOf(this.#engine.view(), type), type, id, options)
  }

  /**
   * The JSON of `results`: rows, or one count.
   * @throws DbError GRAPH_NOT_FOUND, VERTEX_TYPE_NOT_FOUND, ATTRIBUTE_NOT_FOUND,
   *   INVALID_PARAMETER, RESPONSE_TOO_LARGE, QUERY_TIMEOUT
   */
  list(place: GraphPlace, typeName: string, options: ReadOptions = {}): Promise<Uint8Array> {
    const lookUp = options.useIndex === false ? null : this.#lookUp
    return this.#read(place, typeName, options, (scope, type) =>
      list(scope, type, { ...options, lookUp }),
    )
  }

  /** Deletes one vertex with its edges; an unknown id deletes nothing and is no error. */
  async deleteOne(
    place: GraphPlace,
    typeName: string,
    id: string,
    { permanent = false, key }: DeleteOptions = {},
  ): Promise<DeletedVertices> {
    const frame = await this.#read(place, typeName, {}, (scope, type) => {
      const table = tableOf(scope.view, type)
      const row = findVertex(table, id)
      return deleteVerticesFrame(table, row < 0 ? [] : [row], permanent, scope)
    })
    return this.#commit(typeName, frame, { key })
  }

  /** Deletes what the filter finds; `sort` counts only together with `limit`. */
  async deleteMany(
    place: GraphPlace,
    typeName: string,
    options: ReadOptions & DeleteOptions = {},
  ): Promise<DeletedVertices> {
    const lookUp = this.#lookUp
    const frame = await this.#read(place, typeName, options, function* (scope, type) {
      const table = tableOf(scope.view, type)
      const sort = options.limit === undefined ? undefined : options.sort
      const search = vertexSearch(type, table, { ...options, sort })
      const rows = yield* findRows(search, scope, lookUp)
      return yield* deleteVerticesFrame(table, rows, options.permanent === true, scope)
    })
    return this.#commit(typeName, frame, options)
  }

  async deleteAll(
    place: GraphPlace,
    typeName: string,
    { permanent = false, ...options }: DeleteOptions = {},
  ): Promise<DeletedVertices> {
    requireGraphInPath(this.#engine.catalog, place.graph, place.url)
    const type = requireVertexType(this.#engine.catalog, place.graph, typeName)
    return this.#commit(typeName, deleteTypeFrame(type.id, permanent), options)
  }

  #read<T>(
    place: GraphPlace,
    typeName: string,
    options: ReadOptions,
    read: (scope: ReadScope, type: VertexType) => Sliced<T> | AtOnce<T>,
  ): Promise<T> {
    const engine = this.#engine
    return withScope({ engine, clock: this.#clock, limits: options }, (scope) => {
      requireGraphInPath(engine.catalog, place.graph, place.url)
      return read(scope, requireVertexType(engine.catalog, place.graph, typeName))
    })
  }

  async #commit(
    typeName: string,
    frame: Uint8Array,
    { ack = 'all', key }: Pick<DeleteOptions, 'ack' | 'key'>,
  ): Promise<DeletedVertices> {
    const isNothing = frame.length <= MUTATION_HEADER_SIZE_BYTES
    // Under a key they may be gone already, and the outcome is known.
    if (isNothing && key === undefined) return { v_type: typeName, deleted_vertices: 0 }
    const outcome = await this.#engine.commit(frame, { ack, ...keyOption(key) })
    return { v_type: typeName, deleted_vertices: outcome.deletedVertices }
  }
}

function readOne(
  table: VertexTableView,
  type: VertexType,
  id: string,
  options: ReadOptions,
): Uint8Array {
  const row = findVertex(table, id)
  if (row < 0) throw vertexNotFound('vertex', id, type.name)
  const isWhole = options.select === undefined && options.filter === undefined
  const { write, passes } = isWhole ? wholeRows(type, table) : rowReader(type, table, options)
  const isFound = passes === null || passes(row)
  if (options.countOnly) return countJson(type.name, isFound ? 1 : 0)
  const sink = new JsonSink(responseLimitOf(options))
  sink.byte(0x5b)
  if (isFound) write(sink, row)
  sink.byte(0x5d)
  return sink.finish()
}

interface RowReader {
  readonly type: VertexType
  readonly write: RowWriter
  readonly passes: RowPredicate | null
}

function rowReader(type: VertexType, table: VertexTableView, options: ReadOptions): RowReader {
  const readable = readableVertexType(type, table)
  const attributes = selectAttributes(readable, selectedNames(options.select))
  const passes = predicateOf(bindFilter(parseFilter(options.filter), readable), table.ids)
  return { type, write: vertexWriter(table, attributes), passes }
}

/** Readers of whole rows, by the view of their table: made once between two writes. */
const wholeRowReaders = new WeakMap<VertexTableView, RowReader>()

function wholeRows(type: VertexType, table: VertexTableView): RowReader {
  const known = wholeRowReaders.get(table)
  if (known?.type === type) return known
  const made = rowReader(type, table, {})
  wholeRowReaders.set(table, made)
  return made
}

function* list(
  scope: ReadScope,
  type: VertexType,
  options: ReadOptions & { readonly lookUp: IndexLookup | null },
): Sliced<Uint8Array> {
  const table = tableOf(scope.view, type)
  const search = vertexSearch(type, table, options)
  const attributes = selectAttributes(search.readable, selectedNames(options.select))
  if (options.countOnly) {
    return countJson(type.name, yield* countRows(search, scope, options.lookUp))
  }
  const rows = yield* findRows(search, scope, options.lookUp)
  const sink = sinkForRows(responseLimitOf(options), rows.length)
  yield* writeRows(sink, rows, vertexWriter(table, attributes), scope)
  return sink.finish()
}

export function tableOf(view: GraphView, type: VertexType): VertexTableView {
  const table = view.vertexTables.find((candidate) => candidate.typeId === type.id)
  assert(table !== undefined, `vertex type ${type.name} has no table`)
  return table
}

/** 601 in the contract's words: `vertex`, `source_vertex` or `target_vertex`. */
export function vertexNotFound(
  role: 'vertex' | 'source_vertex' | 'target_vertex',
  id: string,
  typeName: string,
): DbError {
  return new DbError(
    'VERTEX_NOT_FOUND',
    `The input ${role === 'vertex' ? 'vertex id' : `${role}_id`} '${id}' is not a valid vertex id for vertex type = ${typeName}.`,
  )
}

function countJson(typeName: string, count: number): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([{ v_type: typeName, count }]))
}
