/** Reads and deletes of the edges of a vertex. */
import { findEdgeType, requireGraphInPath, vertexTypeById } from '#catalog/lookup.ts'
import { inDegree, outDegree } from '#graph/adjacency/read.ts'
import { valueAt } from '#graph/columns/read.ts'
import { MUTATION_HEADER_SIZE_BYTES } from '#graph/mutate/frame-format.ts'
import { type TupleLookup, tupleLookup, writeValue } from '#graph/mutate/frame-values.ts'
import { FrameWriter } from '#graph/mutate/frame-writer.ts'
import { writeRowKey } from '#graph/mutate/row-key.ts'
import type { Clock } from '#kernel/clock.ts'
import { keyOption, type RequestKey } from '../instances/request-key.ts'
import { parseFilter } from '../read/filter.ts'
import { sinkForRows } from '../read/json-sink.ts'
import { type ReadOptions, responseLimitOf } from '../read/read-options.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced, withScope } from '../read/read-scope.ts'
import type { GraphPlace, InspectEngine } from '../vertices/vertex-service.ts'
import {
  checkNames,
  discriminatorColumns,
  type FoundEdges,
  findEdges,
  noRow,
  selectedOf,
  stripPredicate,
  walk,
} from './edge-find.ts'
import { edgeWriter, writeEdges } from './edge-json.ts'
import { type EdgePath, type EdgeStrip, type ResolvedPath, resolvePath } from './edge-path.ts'
import { skipsLoops } from './edge-walk.ts'

export interface EdgeCount {
  readonly e_type: string
  readonly count: number
}

export interface DeletedEdges {
  readonly e_type: string
  readonly deleted_edges: number
}

export class EdgeService {
  readonly #engine: InspectEngine
  readonly #clock: Clock

  constructor(engine: InspectEngine, clock: Clock) {
    this.#engine = engine
    this.#clock = clock
  }

  /**
   * What a read of one edge type meets, for who must have rights on it.
   * @param edgeType also by its reverse name
   * @returns its own name, as given when there is none; the types that may stand at the other end
   */
  typesMet(graph: string, edgeType: string, sourceType: string) {
    const { catalog } = this.#engine
    const type = findEdgeType(catalog, graph, edgeType)?.type
    const others = (type?.pairs ?? []).flatMap(({ fromTypeId, toTypeId }) => {
      const [from, to] = [fromTypeId, toTypeId].map((id) => vertexTypeById(catalog, id).name)
      return [from === sourceType ? to : undefined, to === sourceType ? from : undefined]
    })
    return { name: type?.name ?? edgeType, others: others.filter((name) => name !== undefined) }
  }

  /**
   * The JSON of `results`: rows, or one count per edge type name.
   * @throws DbError GRAPH_NOT_FOUND, VERTEX_TYPE_NOT_FOUND, EDGE_TYPE_NOT_FOUND, VERTEX_NOT_FOUND,
   *   ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER, RESPONSE_TOO_LARGE, QUERY_TIMEOUT
   */
  list(place: GraphPlace, edgePath: EdgePath, options: ReadOptions = {}): Promise<Uint8Array> {
    return this.#read(place, edgePath, options, function* (scope, path) {
      const selected = selectedOf(path, options.select)
      if (options.countOnly) {
        return new TextEncoder().encode(JSON.stringify(yield* countEdges(path, options, scope)))
      }
      const found = yield* findEdges(path, options, scope)
      const writers = path.strips.map((strip, index) => edgeWriter(path, strip, selected[index]!))
      const sink = sinkForRows(responseLimitOf(options), found.order.length)
      yield* writeEdges(sink, found, writers, scope)
      return sink.finish()
    })
  }

  /** Deletes what the path and filter find; `sort` counts only together with `limit`. */
  async delete(
    place: GraphPlace,
    edgePath: EdgePath,
    { key, ...options }: ReadOptions & { readonly key?: RequestKey | undefined } = {},
  ): Promise<DeletedEdges[]> {
    const tuples = tupleLookup(this.#engine.catalog.tuples)
    const { frame, counts } = await this.#read(place, edgePath, options, function* (scope, path) {
      const sort = options.limit === undefined ? undefined : options.sort
      const found = yield* findEdges(path, { ...options, sort }, scope)
      return yield* deletion(path, found, tuples, scope)
    })
    if (frame.length > MUTATION_HEADER_SIZE_BYTES) {
      await this.#engine.commit(frame, keyOption(key))
    }
    return counts
  }

  #read<T>(
    place: GraphPlace,
    edgePath: EdgePath,
    options: ReadOptions,
    read: (scope: ReadScope, path: ResolvedPath) => Sliced<T>,
  ): Promise<T> {
    const engine = this.#engine
    return withScope({ engine, clock: this.#clock, limits: options }, (scope) => {
      requireGraphInPath(engine.catalog, place.graph, place.url)
      return read(scope, resolvePath(engine.catalog, scope.view, place.graph, edgePath))
    })
  }
}

/** A frame that deletes the edges, and how many of each name it has. */
function* deletion(
  path: ResolvedPath,
  { edges, order }: FoundEdges,
  tuples: TupleLookup,
  scope: ReadScope,
): Sliced<{ readonly frame: Uint8Array; readonly counts: DeletedEdges[] }> {
  const writer = new FrameWriter(0, 64 + order.length * 24)
  const counts = path.names.map(() => 0)
  let open: EdgeStrip | null = null
  let discriminators: ReturnType<typeof discriminatorColumns> = []
  for (let at = 0; at < order.length; at++) {
    if ((at & (ROWS_PER_LOOK - 1)) === ROWS_PER_LOOK - 1 && scope.isDue) yield
    const index = order[at]!
    const strip = edges.stripAt(index)
    const otherRow = edges.otherRowAt(index)
    if (isTwin(path, strip, otherRow)) continue
    if (strip !== open) {
      writer.beginEdgeDeletes(runTypeOf(strip))
      discriminators = discriminatorColumns(strip)
    }
    open = strip
    const near = () => writeRowKey(writer, path.source.ids, path.sourceRow)
    const far = () => writeRowKey(writer, strip.other.ids, otherRow)
    for (const write of strip.isBackward ? [far, near] : [near, far]) write()
    for (const column of discriminators) {
      writeValue(writer, column!.type, valueAt(column!, edges.edgeRowAt(index)), tuples)
    }
    writer.endEntry()
    counts[strip.nameIndex]!++
  }
  return {
    frame: writer.finish(),
    counts: path.names.map((name, index) => ({ e_type: name, deleted_edges: counts[index]! })),
  }
}

/** A loop under both names of its type is one edge. */
function isTwin(path: ResolvedPath, strip: EdgeStrip, otherRow: number): boolean {
  if (!(path.isWildcard && strip.isReverse)) return false
  return strip.other.typeId === path.source.typeId && otherRow === path.sourceRow
}

function runTypeOf({ type, adjacency }: EdgeStrip) {
  return {
    edgeTypeId: type.id,
    fromTypeId: adjacency.fromTypeId,
    toTypeId: adjacency.toTypeId,
  }
}

function* countEdges(
  path: ResolvedPath,
  options: ReadOptions,
  scope: ReadScope,
): Sliced<EdgeCount[]> {
  const counts = path.names.map(() => 0)
  const terms = parseFilter(options.filter)
  checkNames(
    path,
    terms.map(({ name }) => name),
  )
  for (const strip of path.strips) {
    const predicate = stripPredicate(path, strip, terms)
    if (predicate === noRow) continue
    if (predicate === null && path.targetRow === null && !skipsLoops(strip)) {
      counts[strip.nameIndex]! += stripDegree(strip, path.sourceRow)
      continue
    }
    const visit = (_otherRow: number, edgeRow: number): boolean => {
      if (predicate === null || predicate(edgeRow)) counts[strip.nameIndex]!++
      return true
    }
    yield* walk(path, strip, visit, scope)
  }
  return path.names.map((name, index) => ({ e_type: name, count: counts[index]! }))
}

function stripDegree({ adjacency, isBackward }: EdgeStrip, row: number): number {
  return isBackward ? inDegree(adjacency, row) : outDegree(adjacency, row)
}
