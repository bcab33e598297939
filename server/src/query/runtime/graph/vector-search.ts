/**
 * `vectorSearch`: the k nearest among candidates. Few vectors are all looked at. For many an index is
 * asked for candidates, which are held against the columns of the version that the run reads, so that
 * distances are exact whatever the index knows; too few of them, and all vectors are looked at.
 */
import type { VectorMetric } from '#catalog/types.ts'
import { columnOf } from '#graph/columns/read.ts'
import { type DistanceFrom, distanceFrom } from '#graph/vectors/distance.ts'
import { askedWidth } from '#graph/vectors/index-cost.ts'
import { isSearchable } from '#graph/vectors/indexable.ts'
import { Nearest } from '#graph/vectors/nearest.ts'
import { scanVectors } from '#graph/vectors/search.ts'
import type { VectorCandidates } from '#graph/vectors/vector-indexes.ts'
import type { ColumnView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { Shapes } from '../cells/shapes.ts'
import { MapShape } from '../cells/table-shapes.ts'
import { indexedRows } from './index-candidates.ts'
import { type VertexLayout, wordsPart } from './layout.ts'
import { ListVectors, runtimeError, unequal } from './vector-readers.ts'
import { countBits, type VertexSet, type VertexSets } from './vertex-set.ts'

export interface VectorAsk {
  readonly typeId: number
  readonly attributeId: number
  readonly vector: Float32Array
  readonly count: number
}

/** @param look ends the run when it is to stop */
export type AskIndex = (ask: VectorAsk, look: () => void) => VectorCandidates | null

export interface SearchParts {
  readonly layout: VertexLayout
  readonly sets: VertexSets
  readonly shapes: Shapes
  readonly memory: MemoryBudget
  /** Counts rows, and ends the run when it is to stop. */
  look(rowCount: number): void
  /** Asks an index, and waits; it answers null when it cannot serve. Null: there are no indexes. */
  readonly askIndex: AskIndex | null
  /** Numbers in the vectors of the candidates from which on an index is asked. */
  readonly indexFromNumbers: number
}

interface SearchSpec {
  readonly attributes: readonly { readonly typeId: number; readonly attributeId: number }[]
  readonly metric: VectorMetric
  readonly dimension: number
}

interface SearchedColumn {
  readonly typeId: number
  readonly column: ColumnView
}

export class SearchedColumns {
  readonly spec: SearchSpec
  readonly columns: readonly SearchedColumn[]

  constructor(layout: VertexLayout, spec: SearchSpec) {
    this.spec = spec
    this.columns = spec.attributes.map(({ typeId, attributeId }) => {
      const column = columnOf(layout.tableOfType(typeId).columns, attributeId)
      assert(column !== undefined, 'a vector attribute without a column')
      return { typeId, column }
    })
  }
}

export type SearchArguments = readonly [
  query: number,
  count: number,
  candidates: VertexSet | null,
  distances: number,
  width: number | null,
]

/** What the heap of the nearest takes for one of them, its sorted copy included. */
const NEAREST_BYTES = 28
const FLOAT_BYTES = 8

interface Search extends SearchParts {
  readonly dimension: number
  readonly metric: VectorMetric
  readonly vector: Float64Array
  readonly distance: DistanceFrom
  readonly words: Uint32Array
  readonly capacity: number
  /** Null: the usual one. */
  readonly width: number | null
}

export function searchVectors(
  parts: SearchParts,
  columns: SearchedColumns,
  given: SearchArguments,
): VertexSet {
  const { sets, shapes, memory } = parts
  const [query, count, candidates] = given
  const within = candidates ?? sets.allOf(columns.columns.map(({ typeId }) => typeId))
  const capacity = Math.max(0, Math.min(count, within.size))
  // With several attributes of one type a vertex is met several times: at its nearest vector first.
  const heapSize = capacity * attributesPerType(columns.columns)
  const bytes = heapSize * NEAREST_BYTES + shapes.of(query).size(query) * 3 * FLOAT_BYTES
  memory.take(bytes)
  try {
    return nearestOf(parts, columns, { given, words: within.words, capacity, heapSize })
  } finally {
    memory.give(bytes)
  }
}

interface Counted {
  readonly given: SearchArguments
  readonly words: Uint32Array
  readonly capacity: number
  readonly heapSize: number
}

function nearestOf(
  parts: SearchParts,
  { spec, columns }: SearchedColumns,
  { given: [query, , , distances, width], words, capacity, heapSize }: Counted,
): VertexSet {
  const { dimension, metric } = spec
  const vector = vectorOf(parts.shapes, query, dimension)
  if (width !== null && width < 1) throw runtimeError('ef of vectorSearch is a number from 1 on.')
  if (capacity === 0) return parts.sets.empty()
  const distance = distanceFrom(metric, vector)
  const search = { ...parts, dimension, metric, vector, distance, words, capacity, width }
  const nearest = new Nearest(heapSize)
  for (const searched of columns) offerColumn(search, searched, nearest)
  return takeNearest(search, nearest, distances)
}

function vectorOf(shapes: Shapes, query: number, dimension: number): Float64Array {
  const list = new ListVectors(shapes, false)
  list.moveTo(query)
  if (list.length !== dimension) throw unequal('vectorSearch', list.length, dimension)
  return list.data.slice(0, dimension)
}

function attributesPerType(columns: SearchedColumns['columns']): number {
  const counts = columns.map(
    ({ typeId }) => columns.filter((other) => other.typeId === typeId).length,
  )
  return Math.max(...counts)
}

function offerColumn(search: Search, { typeId, column }: SearchedColumn, nearest: Nearest): void {
  const { layout, words, distance, dimension, look } = search
  const rows = wordsPart(layout, words, typeId)
  const base = layout.baseOfType(typeId)
  const found = offerIndexed(search, { typeId, column, rows, base }, nearest)
  if (!found) scanVectors({ column, dimension, distance, rows, base, look }, nearest)
}

interface ColumnPart extends SearchedColumn {
  readonly rows: Uint32Array
  readonly base: number
}

/** @returns false when every vector has to be looked at; nothing was offered then */
function offerIndexed(search: Search, part: ColumnPart, nearest: Nearest): boolean {
  const { layout, askIndex, indexFromNumbers, dimension, capacity, memory } = search
  const { typeId, column, rows, base } = part
  if (askIndex === null) return false
  const rowCount = countBits(rows)
  if (rowCount * dimension < indexFromNumbers) return false
  const table = layout.tableOfType(typeId)
  const { liveCount } = table
  const sizes = { count: rowCount, dimension, liveCount, nearest: capacity, width: search.width }
  const wanted = askedWidth(sizes)
  if (wanted === null) return false
  const vector = Float32Array.from(search.vector)
  if (!isSearchable(vector, search.metric)) return false
  const ask = { typeId, attributeId: column.attributeId, vector, count: wanted }
  const answer = askIndex(ask, () => search.look(0))
  if (answer === null) return false
  const bytes = (answer.found.length + answer.unsure.length) * 8 * FLOAT_BYTES
  memory.take(bytes)
  const found = indexedRows(answer, { table, column, rows })
  memory.give(bytes)
  if (found.length < Math.min(capacity, rowCount)) return false
  search.look(found.length)
  const data = column.data as Float32Array
  for (const { row, start } of found) nearest.offer(search.distance(data, start), base + row)
  return true
}

/** The nearest as a set; their distances go into the map. */
function takeNearest(search: Search, nearest: Nearest, distances: number): VertexSet {
  const { sets, shapes, capacity } = search
  const words = sets.newWords()
  const found = nearest.sorted()
  let left = capacity
  for (let i = 0; i < found.numbers.length && left > 0; i++) {
    const vertex = found.numbers[i]!
    const word = words[vertex >>> 5]!
    words[vertex >>> 5] = word | (1 << (vertex & 31))
    if (words[vertex >>> 5] === word) continue
    left -= 1
    if (distances !== 0) writeDistance(shapes, distances, { vertex, value: found.distances[i]! })
  }
  return sets.of(words)
}

/** In place of what the map holds of the vertex already. */
function writeDistance(
  shapes: Shapes,
  block: number,
  { vertex, value }: { readonly vertex: number; readonly value: number },
): void {
  const shape = shapes.of(block)
  assert(shape instanceof MapShape, 'distances go into a map')
  shape.value.write(shape.ensure(block, vertex), Math.fround(value))
}
