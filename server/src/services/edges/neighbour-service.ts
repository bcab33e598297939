/**
 * One page of a vertex's edges of one kind, with the vertices at their other ends.
 *
 * Pages go by the other end's ordinal, parallel edges by their discriminator. Both stay what they are
 * through writes, rebuilds and restarts, so a cursor neither repeats nor skips; base edges stand in
 * that order already and are entered by binary search, delta edges are looked through. In the order of
 * an attribute all edges of the kind are.
 */
import { requireEdgeType, requireGraph, requireVertexType } from '#catalog/lookup.ts'
import type { Catalog } from '#catalog/types.ts'
import { baseRange, lowerBound } from '#graph/adjacency/read.ts'
import { ordinalOf, rowAtOrdinal } from '#graph/ids/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { GraphView, VertexTableView } from '#graph/view.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { RESPONSE_SIZE_BYTES_DEFAULT } from '#kernel/limits.ts'
import { createRandom } from '#kernel/prng.ts'
import {
  type ReadableAttribute,
  type ReadableType,
  readableVertexType,
} from '../read/attributes.ts'
import { decodeCursor, encodeCursor, foreignCursor } from '../read/cursor.ts'
import { discriminatorTexts, joinDiscriminator } from '../read/discriminator.ts'
import { bindFilter, type FilterTerm, parseFilter, predicateOf } from '../read/filter.ts'
import { JsonSink } from '../read/json-sink.ts'
import {
  type ReadEngine,
  type ReadScope,
  ROWS_PER_LOOK,
  type Sliced,
  withScope,
} from '../read/read-scope.ts'
import { RowList } from '../read/row-list.ts'
import { FirstOf } from '../read/value-order.ts'
import type { Direction } from '../vertices/browse-service.ts'
import { vertexWriter, writeRows } from '../vertices/vertex-json.ts'
import { tableOf, vertexNotFound } from '../vertices/vertex-service.ts'
import { discriminatorColumns } from './edge-find.ts'
import { edgeWriter, writeEdges } from './edge-json.ts'
import { EdgeList } from './edge-list.ts'
import { type EdgeStrip, stripsOf } from './edge-path.ts'
import { skipsLoops, walkDelta, walkStrip } from './edge-walk.ts'
import {
  type NeighbourKind,
  type NeighbourOrder,
  neighbourOrder,
  type PlacedEdge,
  unknownOfKind,
} from './neighbour-order.ts'

export interface NeighbourRequest {
  readonly edgeType: string
  readonly direction: Direction
  readonly targetType: string
  readonly limit: number
  readonly cursor?: string | undefined
  /** Of edge attributes, or else of those of the other end. */
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  /** A page of more bytes is cut at an edge; the first is shown however large it is. */
  readonly sizeBytesMax?: number | undefined
  readonly sample?: number | undefined
  readonly seed?: number | undefined
}

type EdgePredicate = (otherRow: number, edgeRow: number) => boolean

interface Asked {
  readonly source: VertexTableView
  readonly sourceRow: number
  readonly target: VertexTableView
  readonly targetAttributes: readonly ReadableAttribute[]
  readonly strips: readonly EdgeStrip[]
  /** One for each strip; null: every edge is wanted. */
  readonly predicates: readonly (EdgePredicate | null)[]
  readonly order: NeighbourOrder | null
  readonly cursorHead: readonly (string | number)[]
}

/** The last edge of the page before. */
interface Position {
  /** A half before the next row when the vertex is gone. */
  readonly otherRow: number
  readonly discriminator: string
}

export class NeighbourService {
  readonly #engine: ReadEngine
  readonly #clock: Clock

  constructor(engine: ReadEngine, clock: Clock) {
    this.#engine = engine
    this.#clock = clock
  }

  /** The JSON of `{edges, vertices, cursor}`. */
  page(
    graph: string,
    vertex: { readonly type: string; readonly id: string },
    request: NeighbourRequest,
  ): Promise<Uint8Array> {
    const engine = this.#engine
    return withScope({ engine, clock: this.#clock, limits: {} }, (scope) => {
      requireGraph(engine.catalog, graph)
      const asked = resolve(engine.catalog, scope.view, { graph, vertex }, request)
      if (request.sample !== undefined) return oneSample(asked, request, scope)
      return asked.order === null
        ? onePage(asked, request, scope)
        : orderedPage(asked, asked.order, request, scope)
    })
  }
}

function resolve(
  catalog: Catalog,
  view: GraphView,
  place: {
    readonly graph: string
    readonly vertex: { readonly type: string; readonly id: string }
  },
  request: NeighbourRequest,
): Asked {
  const { graph, vertex } = place
  const type = requireVertexType(catalog, graph, vertex.type)
  const { type: edgeType } = requireEdgeType(catalog, graph, request.edgeType)
  const targetType = requireVertexType(catalog, graph, request.targetType)
  if (edgeType.directed !== (request.direction !== 'undirected')) {
    const what = edgeType.directed ? 'directed: ask for out or in' : 'undirected'
    throw new DbError('INVALID_PARAMETER', `The edge type '${edgeType.name}' is ${what}.`)
  }
  const source = tableOf(view, type)
  const sourceRow = findVertex(source, vertex.id)
  if (sourceRow < 0) throw vertexNotFound('vertex', vertex.id, type.name)
  const named = { name: edgeType.name, type: edgeType, reversed: request.direction === 'in' }
  const strips = stripsOf(view, named, 0, { fromTypeId: type.id, toTypeId: targetType.id })
  const target = tableOf(view, targetType)
  const kind = { edgeType: edgeType.name, strips, target, targetType }
  return {
    source,
    sourceRow,
    target,
    targetAttributes: readableVertexType(targetType, target).attributes,
    strips,
    predicates: predicatesOf(parseFilter(request.filter), kind),
    order: neighbourOrder(request.sort, kind),
    cursorHead: ['edges', edgeType.id, request.direction, type.id, targetType.id],
  }
}

/** A term is about the edge where its type has such an attribute, else about the other end. */
function predicatesOf(
  terms: readonly FilterTerm[],
  kind: NeighbourKind,
): readonly (EdgePredicate | null)[] {
  const readable = readableVertexType(kind.targetType, kind.target)
  const has = ({ attributes }: ReadableType, { name }: FilterTerm) =>
    attributes.some((attribute) => attribute.name === name)
  return kind.strips.map((strip) => {
    const [ofOther, ofEdge] = [false, true].map((isOfEdge) =>
      terms.filter((term) => has(strip.readable, term) === isOfEdge),
    ) as [FilterTerm[], FilterTerm[]]
    const unknown = ofOther.find((term) => !has(readable, term))
    if (unknown !== undefined) throw unknownOfKind(unknown.name, kind)
    const edge = predicateOf(bindFilter(ofEdge, strip.readable), null)
    const other = predicateOf(bindFilter(ofOther, readable), kind.target.ids)
    if (edge === null && other === null) return null
    return (otherRow, edgeRow) =>
      (edge === null || edge(edgeRow)) && (other === null || other(otherRow))
  })
}

function* onePage(
  asked: Asked,
  { limit, cursor, sizeBytesMax }: NeighbourRequest,
  scope: ReadScope,
): Sliced<Uint8Array> {
  const after = cursor === undefined ? null : positionOf(cursor, asked)
  const found = new EdgeList(asked.strips)
  for (const index of asked.strips.keys()) {
    yield* collect({ asked, found, index, after, enough: limit + 1 }, scope)
  }
  const order = Uint32Array.from(ordered(found, after))
  const cursorAfter = (place: number) => {
    const edge = order[place]!
    const ordinal = ordinalOf(asked.target, found.otherRowAt(edge))
    return encodeCursor([...asked.cursorHead, ordinal, discriminatorAt(found, edge)])
  }
  return yield* pageOf(asked, { edges: found, order, limit, sizeBytesMax, cursorAfter }, scope)
}

/** Every edge of the kind is looked at; those behind the cursor that come first are kept. */
function* orderedPage(
  asked: Asked,
  order: NeighbourOrder,
  { limit, cursor, sizeBytesMax }: NeighbourRequest,
  scope: ReadScope,
): Sliced<Uint8Array> {
  const after = cursor === undefined ? null : order.placeIn(decodeCursor(cursor, asked.cursorHead))
  const first = new FirstOf<PlacedEdge>(limit + 1, order.compare)
  for (const [index, strip] of asked.strips.entries()) {
    const predicate = asked.predicates[index]!
    const visit = (other: number, edge: number): boolean => {
      if (predicate !== null && !predicate(other, edge)) return true
      const { last } = first
      if (last !== null && order.compareValue(index, other, edge, last.value) > 0) return true
      const placed = order.placeOf(index, other, edge)
      if (after === null || order.compare(placed, after) > 0) first.offer(placed)
      return true
    }
    yield* walkStrip(strip, asked.sourceRow, visit, scope)
  }
  const placed = first.inOrder()
  const edges = new EdgeList(asked.strips)
  for (const { strip, otherRow, edgeRow } of placed) edges.push(strip, otherRow, edgeRow)
  const page: Page = {
    ...{ edges, limit, sizeBytesMax },
    order: Uint32Array.from(placed, (_, place) => place),
    cursorAfter: (place) =>
      encodeCursor([...asked.cursorHead, ...order.cursorParts(placed[place]!)]),
  }
  return yield* pageOf(asked, page, scope)
}

interface Page {
  readonly edges: EdgeList
  /** Of the page, and the next one where there is one. */
  readonly order: Uint32Array
  readonly limit: number
  readonly sizeBytesMax: number | undefined
  cursorAfter(place: number): string
}

/** Too large a page is written again, shorter. */
function* pageOf(asked: Asked, page: Page, scope: ReadScope): Sliced<Uint8Array> {
  const { edges, order, limit, sizeBytesMax = Number.POSITIVE_INFINITY } = page
  for (let count = Math.min(limit, order.length); ; ) {
    const cursor = count > 0 && count < order.length ? page.cursorAfter(count - 1) : null
    const shown = { edges, order: order.subarray(0, count) }
    const bytes = yield* answer(asked, shown, cursor, scope)
    if (bytes.length <= sizeBytesMax || count <= 1) return bytes
    count = Math.max(1, Math.floor((count * sizeBytesMax) / bytes.length))
  }
}

function positionOf(cursor: string, { cursorHead, target }: Asked): Position {
  const [ordinal, discriminator = '', ...others] = decodeCursor(cursor, cursorHead)
  if (typeof ordinal !== 'number' || others.length > 0) throw foreignCursor()
  const row = rowAtOrdinal(target, ordinal)
  const isThere = row < target.rowCount && ordinalOf(target, row) === ordinal
  return { otherRow: isThere ? row : row - 0.5, discriminator: String(discriminator) }
}

interface Collection {
  readonly asked: Asked
  readonly found: EdgeList
  readonly index: number
  readonly after: Position | null
  readonly enough: number
}

/** Edges of one strip from the cursor's row on: enough of the base, all of the delta. */
function* collect(collection: Collection, scope: ReadScope): Sliced<void> {
  const { asked, found, index, after } = collection
  const strip = asked.strips[index]!
  const from = after?.otherRow ?? 0
  const predicate = asked.predicates[index]!
  const isWanted = (other: number, edge: number): boolean =>
    other >= from &&
    !(skipsLoops(strip) && other === asked.sourceRow) &&
    (predicate === null || predicate(other, edge))
  yield* collectBase(collection, isWanted, scope)
  const visit = (other: number, edge: number): boolean => {
    if (isWanted(other, edge)) found.push(index, other, edge)
    return true
  }
  yield* walkDelta(strip, { row: asked.sourceRow, visit }, scope)
}

/** Goes on to the end of a group of parallel edges: they are not in the order of the texts. */
function* collectBase(
  { asked, found, index, after, enough }: Collection,
  isWanted: (other: number, edge: number) => boolean,
  scope: ReadScope,
): Sliced<void> {
  const { adjacency, isBackward } = asked.strips[index]!
  const { start, end } = baseRange(adjacency, asked.sourceRow, isBackward)
  const [others, rows] = isBackward
    ? [adjacency.inSources, adjacency.inRows]
    : [adjacency.outTargets, null]
  const cursorRow = after?.otherRow ?? -1
  let taken = 0
  let group = -1
  for (let at = lowerBound(others, start, end, Math.max(cursorRow, 0)); at < end; at++) {
    if ((at & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
    const other = others[at]!
    // The cursor's own group may hold nothing new, so it does not count.
    if (taken >= enough && other !== group) return
    const edge = rows?.[at] ?? at
    if (isSet(adjacency.deleted, edge) || !isWanted(other, edge)) continue
    found.push(index, other, edge)
    group = other
    if (other !== cursorRow) taken++
  }
}

/** Indexes into the list behind the cursor, by other row, then discriminator. */
function ordered(found: EdgeList, after: Position | null): number[] {
  const indexes: number[] = []
  for (let index = 0; index < found.length; index++) {
    const isBehind =
      after === null ||
      found.otherRowAt(index) > after.otherRow ||
      (found.stripAt(index).type.discriminatorCount > 0 &&
        discriminatorAt(found, index) > after.discriminator)
    if (isBehind) indexes.push(index)
  }
  return indexes.sort((left, right) => {
    const order = found.otherRowAt(left) - found.otherRowAt(right)
    if (order !== 0) return order
    return discriminatorAt(found, left) < discriminatorAt(found, right) ? -1 : 1
  })
}

function discriminatorAt(found: EdgeList, index: number): string {
  const strip = found.stripAt(index)
  if (strip.type.discriminatorCount === 0) return ''
  const texts = discriminatorTexts(discriminatorColumns(strip), found.edgeRowAt(index))
  return joinDiscriminator(texts)
}

/** Each edge with the same chance; the seed decides which. */
function* oneSample(
  asked: Asked,
  { sample = 0, seed = 0 }: NeighbourRequest,
  scope: ReadScope,
): Sliced<Uint8Array> {
  const random = createRandom(seed)
  const edges = new EdgeList(asked.strips)
  const kept: number[] = []
  let seen = 0
  for (const [index, strip] of asked.strips.entries()) {
    const predicate = asked.predicates[index]!
    const visit = (other: number, edge: number): boolean => {
      if (predicate !== null && !predicate(other, edge)) return true
      const place = seen++ < sample ? kept.length : random.below(seen)
      if (place < sample) {
        kept[place] = edges.length
        edges.push(index, other, edge)
      }
      return true
    }
    yield* walkStrip(strip, asked.sourceRow, visit, scope)
  }
  return yield* answer(asked, { edges, order: Uint32Array.from(kept) }, null, scope)
}

function* answer(
  asked: Asked,
  shown: { readonly edges: EdgeList; readonly order: Uint32Array },
  cursor: string | null,
  scope: ReadScope,
): Sliced<Uint8Array> {
  const sink = new JsonSink(RESPONSE_SIZE_BYTES_DEFAULT)
  const writers = asked.strips.map((strip) => edgeWriter(asked, strip, strip.readable.attributes))
  sink.text('{"edges":')
  yield* writeEdges(sink, shown, writers, scope)
  sink.text(',"vertices":')
  const rows = new RowList()
  const others = new Set([...shown.order].map((index) => shown.edges.otherRowAt(index)))
  for (const row of others) rows.push(row)
  yield* writeRows(sink, rows.rows, vertexWriter(asked.target, asked.targetAttributes), scope)
  sink.text(`,"cursor":${JSON.stringify(cursor)}}`)
  return sink.finish()
}
