/** Vectors while a query runs: readers of columns and lists, the functions over them, the search. */
import type { VectorMetric, VectorType } from '#catalog/types.ts'
import { columnOf, vectorStart } from '#graph/columns/read.ts'
import { hasVector } from '#graph/columns/vectors.ts'
import { distanceFrom, innerProduct, type Span, vectorDistance } from '#graph/vectors/distance.ts'
import { Nearest } from '#graph/vectors/nearest.ts'
import { scanVectors } from '#graph/vectors/search.ts'
import type { ColumnView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import type { VectorFunction } from '#query/bind/bound-expression.ts'
import type { VertexLayout } from './layout.ts'
import { ListShape } from './list.ts'
import type { Shapes } from './shapes.ts'
import type { StringTable } from './strings.ts'
import { MapShape } from './table-shapes.ts'
import type { VertexSet, VertexSets } from './vertex-set.ts'

/** One operand: it stands at one vector at a time. */
export interface VectorReader extends Span {
  /** @param place a row, or a block */
  moveTo(place: number): void
}

export class ColumnVectors implements VectorReader {
  readonly data: Float32Array
  start = 0
  length = 0
  readonly #column: ColumnView
  readonly #dimension: number

  constructor(column: ColumnView) {
    this.#column = column
    this.data = column.data as Float32Array
    this.#dimension = (column.type as VectorType).dimension
  }

  moveTo(row: number): void {
    this.start = vectorStart(this.#column, row)
    this.length = hasVector(this.data, this.start, this.#dimension) ? this.#dimension : 0
  }
}

export class ListVectors implements VectorReader {
  data = new Float64Array(0)
  readonly start = 0
  length = 0
  readonly #shapes: Shapes
  readonly #isConstant: boolean
  #isRead = false

  /** @param isConstant it is the same list every time: read once */
  constructor(shapes: Shapes, isConstant: boolean) {
    this.#shapes = shapes
    this.#isConstant = isConstant
  }

  moveTo(block: number): void {
    if (this.#isConstant && this.#isRead) return
    const shape = this.#shapes.of(block)
    const size = shape.size(block)
    if (this.data.length < size) this.data = new Float64Array(size)
    assert(shape instanceof ListShape, 'a vector is a list')
    shape.copyNumbers(block, this.data)
    this.length = size
    this.#isRead = true
  }
}

interface SearchSpec {
  readonly attributes: readonly { readonly typeId: number; readonly attributeId: number }[]
  readonly metric: VectorMetric
  readonly dimension: number
}

export class SearchedColumns {
  readonly spec: SearchSpec
  readonly columns: readonly { readonly typeId: number; readonly column: ColumnView }[]

  constructor(layout: VertexLayout, spec: SearchSpec) {
    this.spec = spec
    this.columns = spec.attributes.map(({ typeId, attributeId }) => {
      const column = columnOf(layout.tableOfType(typeId).columns, attributeId)
      assert(column !== undefined, 'a vector attribute without a column')
      return { typeId, column }
    })
  }
}

export interface VectorParts {
  readonly layout: VertexLayout
  readonly sets: VertexSets
  readonly shapes: Shapes
  readonly strings: StringTable
  /** Counts rows, and ends the run when it is to stop. */
  look(rowCount: number): void
}

const METRICS: readonly VectorMetric[] = ['COSINE', 'L2', 'IP']

export function vectorFunctions(parts: VectorParts) {
  const { strings } = parts
  return {
    metricNamed: (code: number): VectorMetric => {
      const name = strings.text(code)
      const metric = METRICS.find((one) => one === name.toUpperCase())
      if (metric !== undefined) return metric
      throw runtimeError(`"${name}" is no metric: use ${METRICS.join(', ')}.`)
    },
    vectorDistance: (metric: VectorMetric, ...operands: DistanceOperands): number => {
      const [left, leftPlace, right, rightPlace] = operands
      left.moveTo(leftPlace)
      right.moveTo(rightPlace)
      if (left.length !== right.length) throw unequal('distance', left.length, right.length)
      return Math.fround(vectorDistance(metric, left, right))
    },
    vectorMeasure: (
      measure: VectorFunction,
      extra: number | VectorMetric,
      reader: VectorReader,
      place: number,
    ): number => {
      reader.moveTo(place)
      return measure === 'dimension' ? reader.length : Math.fround(measured(measure, extra, reader))
    },
    vectorSearch: (columns: SearchedColumns, ...given: SearchArguments): VertexSet =>
      search(parts, columns, given),
  }
}

type DistanceOperands = readonly [
  left: VectorReader,
  leftPlace: number,
  right: VectorReader,
  rightPlace: number,
]

/** Which element counts from 0; beyond the last it is 0, as `get` of a LIST. */
function measured(measure: VectorFunction, extra: number | VectorMetric, vector: Span): number {
  const { data, start, length } = vector
  if (measure === 'element') {
    const index = Number(extra)
    return index >= 0 && index < length ? data[start + index]! : 0
  }
  if (measure === 'norm') {
    const squared = innerProduct(vector, vector)
    return extra === 'IP' ? squared : Math.sqrt(squared)
  }
  let sum = 0
  for (let i = start; i < start + length; i++) sum += data[i]!
  return sum
}

type SearchArguments = readonly [
  query: number,
  count: number,
  candidates: VertexSet | null,
  distances: number,
]

function search(
  { layout, sets, shapes, look }: VectorParts,
  { spec, columns }: SearchedColumns,
  [query, count, candidates, distances]: SearchArguments,
): VertexSet {
  const vector = new ListVectors(shapes, false)
  vector.moveTo(query)
  if (vector.length !== spec.dimension) throw unequal('vectorSearch', vector.length, spec.dimension)
  const within = candidates ?? sets.allOf(columns.map(({ typeId }) => typeId))
  const capacity = Math.min(count, within.size)
  if (!(capacity > 0)) return sets.empty()
  // With several attributes of one type a vertex is met several times: at its nearest vector first.
  const nearest = new Nearest(capacity * attributesPerType(columns))
  const distance = distanceFrom(
    spec.metric,
    Float64Array.from(vector.data.subarray(0, vector.length)),
  )
  for (const { typeId, column } of columns) {
    const rows = sets.part(within.words, typeId)
    const base = layout.baseOfType(typeId)
    scanVectors({ column, dimension: spec.dimension, distance, rows, base, look }, nearest)
  }
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

function attributesPerType(columns: SearchedColumns['columns']): number {
  const counts = columns.map(
    ({ typeId }) => columns.filter((other) => other.typeId === typeId).length,
  )
  return Math.max(...counts)
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

function unequal(name: string, left: number, right: number): DbError {
  return runtimeError(`the two vectors of ${name} have ${left} and ${right} elements.`)
}

function runtimeError(text: string): DbError {
  return new DbError('QUERY_RUNTIME', `Runtime Error: ${text}`, { details: { code: 'GSQL-90000' } })
}
