/**
 * One page of the vertices of a type, with a stable cursor.
 *
 * A vertex keeps its ordinal for ever and new ones get higher ones, so that of the last row seen is a
 * cursor that neither repeats nor skips, whatever is written meanwhile, rebuilds and restarts included.
 * In the order of an attribute every vertex is looked at, and the first behind the cursor are kept;
 * equal values go by ordinal. One whose value changes between two pages may be met twice or not at all.
 */
import type { VertexType } from '#catalog/types.ts'
import { ordinalOf, rowAtOrdinal } from '#graph/ids/read.ts'
import type { VertexTableView } from '#graph/view.ts'
import { RESPONSE_SIZE_BYTES_DEFAULT } from '#kernel/limits.ts'
import { selectAttributes, selectedNames, unknownAttribute } from '../read/attributes.ts'
import { decodeCursor, encodeCursor, foreignCursor } from '../read/cursor.ts'
import { JsonSink } from '../read/json-sink.ts'
import type { ReadScope, Sliced } from '../read/read-scope.ts'
import {
  compareValues,
  FirstOf,
  keyText,
  type SortValue,
  singleKey,
  type ValueReader,
  valueReader,
  vertexAttribute,
} from '../read/value-order.ts'
import { type BrowseIndexes, indexName, readByIndex } from './search-plan.ts'
import {
  findRowsOf,
  type SearchedRows,
  type VertexSearch,
  vertexSearch,
  walkRows,
} from './vertex-find.ts'
import { vertexWriter, writeRows } from './vertex-json.ts'
import { tableOf } from './vertex-service.ts'

export interface VertexPageRequest {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly filter?: string | undefined
  readonly select?: string | undefined
  /** One attribute, or the id by its name; `-` before it: descending. */
  readonly sort?: string | undefined
}

/** The vertices of a page, and the next one where there is one. */
interface FoundPage {
  readonly rows: Uint32Array
  /** What the cursor of a page that ends with the row at that place holds. */
  cursorParts(place: number): readonly (string | number)[]
}

type CursorParts = readonly (string | number)[]

export function* vertexPage(
  scope: ReadScope,
  type: VertexType,
  request: VertexPageRequest & { readonly indexes: BrowseIndexes | null },
): Sliced<Uint8Array> {
  const { limit, cursor } = request
  const table = tableOf(scope.view, type)
  const search = vertexSearch(type, table, { filter: request.filter })
  const attributes = selectAttributes(search.readable, selectedNames(request.select))
  const order = vertexOrder(request.sort, type, table)
  const head = ['vertices', type.id]
  const after = cursor === undefined ? null : decodeCursor(cursor, head)
  const choice = readByIndex(type.id, search.conditions, request)
  // One more than asked for, to know whether there is a next page.
  const wanted = { ...search, limit: limit + 1, order: null }
  const candidates = choice?.rows ?? null
  const found =
    order === null
      ? yield* rowsInTurn(wanted, { candidates, after }, scope)
      : yield* rowsInOrder(wanted, { candidates, after, order }, scope)
  const shown = found.rows.subarray(0, limit)
  const hasMore = found.rows.length > limit
  const sink = new JsonSink(RESPONSE_SIZE_BYTES_DEFAULT)
  sink.text('{"vertices":')
  yield* writeRows(sink, shown, vertexWriter(table, attributes), scope)
  const next = hasMore ? encodeCursor([...head, ...found.cursorParts(limit - 1)]) : null
  const index = choice === null ? null : indexName(type, choice.attributeId)
  sink.text(`,"cursor":${JSON.stringify(next)},"index":${JSON.stringify(index)}}`)
  return sink.finish()
}

interface Asked extends Pick<SearchedRows, 'candidates'> {
  /** Of the last vertex of the page before; null: from the start. */
  readonly after: CursorParts | null
}

/** As they were made. */
function* rowsInTurn(
  search: VertexSearch,
  { candidates, after }: Asked,
  scope: ReadScope,
): Sliced<FoundPage> {
  const { table } = search
  const [last, ...others] = after ?? [-1]
  if (typeof last !== 'number' || others.length > 0) throw foreignCursor()
  const first = rowAtOrdinal(table, last + 1)
  const rows = yield* findRowsOf(search, scope, { candidates, first })
  return { rows, cursorParts: (place) => [ordinalOf(table, rows[place]!)] }
}

/** Where a vertex stands among its type. */
interface Place {
  readonly value: SortValue
  readonly ordinal: number
}

interface PlacedRow extends Place {
  readonly row: number
}

interface VertexOrder {
  /** As `sort` has it: a cursor holds for no other. */
  readonly text: string
  /** -1: descending. */
  readonly sign: 1 | -1
  readonly values: ValueReader
}

/** @throws DbError ATTRIBUTE_NOT_FOUND, INVALID_PARAMETER for several or what has no order */
function vertexOrder(
  sort: string | undefined,
  type: VertexType,
  table: VertexTableView,
): VertexOrder | null {
  const key = singleKey(sort, 'Vertices')
  if (key === null) return null
  const attribute = vertexAttribute(key.name, type, table)
  if (attribute === undefined) throw unknownAttribute(key.name, type.name)
  const values = valueReader(attribute, table)
  return { text: keyText(key), sign: key.isDescending ? -1 : 1, values }
}

/** A row that cannot be among the first is told from its column alone. */
function* rowsInOrder(
  search: VertexSearch,
  { candidates, after, order }: Asked & { readonly order: VertexOrder },
  scope: ReadScope,
): Sliced<FoundPage> {
  const { table } = search
  const { text, sign, values } = order
  const from = after === null ? null : placeIn(after, order)
  const first = new FirstOf<PlacedRow>(
    search.limit,
    (left, right) => sign * compareValues(left.value, right.value) || left.ordinal - right.ordinal,
  )
  const comparedWith = (row: number, { value, ordinal }: Place): number =>
    sign * values.compare(row, value) || ordinalOf(table, row) - ordinal
  const visit = (row: number): boolean => {
    const isBefore = from !== null && comparedWith(row, from) <= 0
    const isBehind = first.last !== null && comparedWith(row, first.last) >= 0
    if (!isBefore && !isBehind) {
      first.offer({ row, value: values.read(row), ordinal: ordinalOf(table, row) })
    }
    return true
  }
  yield* walkRows(search, scope, { candidates, first: 0 }, visit)
  const placed = first.inOrder()
  return {
    rows: Uint32Array.from(placed, ({ row }) => row),
    cursorParts: (place) => [text, String(placed[place]!.value), placed[place]!.ordinal],
  }
}

function placeIn(parts: CursorParts, { text, values }: VertexOrder): Place {
  const [of, value = '', ordinal] = parts
  if (of !== text || typeof ordinal !== 'number' || parts.length > 3) throw foreignCursor()
  return { value: values.parse(String(value)), ordinal }
}
