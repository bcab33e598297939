/** Readers of vectors, of columns and of lists, while a query runs. */
import type { VectorType } from '#catalog/types.ts'
import { vectorStart } from '#graph/columns/read.ts'
import { hasVector } from '#graph/columns/vectors.ts'
import type { Span } from '#graph/vectors/distance.ts'
import type { ColumnView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { ListShape } from '../cells/list.ts'
import type { Shapes } from '../cells/shapes.ts'

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

export function unequal(name: string, left: number, right: number): DbError {
  return runtimeError(`the two vectors of ${name} have ${left} and ${right} elements.`)
}

export function runtimeError(text: string): DbError {
  return new DbError('QUERY_RUNTIME', `Runtime Error: ${text}`, { details: { code: 'GSQL-90000' } })
}
