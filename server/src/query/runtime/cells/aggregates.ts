/** COUNT, SUM, MIN, MAX and AVG over a collection value. */
import { assert } from '#kernel/assert.ts'
import type { BlockShape } from './block.ts'
import type { Codec } from './codec.ts'
import { HeapShape } from './heap.ts'
import { ListShape } from './list.ts'
import type { Shapes } from './shapes.ts'
import { TableShape } from './table.ts'
import { BagShape, MapShape } from './table-shapes.ts'
import type { Value } from './value.ts'

export interface AggregateKind {
  readonly function: string
  readonly distinct: boolean
}

/** Elements of a collection, or the values of a map, as a list or a set of them. */
function elementsOf(shapes: Shapes, block: number, visit: (value: Value) => void): void {
  const shape = shapes.of(block)
  if (shape instanceof BagShape) shape.forEach(block, visit)
  else if (shape instanceof MapShape) {
    for (let i = 0; i < shape.size(block); i++) visit(shape.valueAt(block, i))
  } else for (let i = 0; i < shape.size(block); i++) visit(shape.elementAt(block, i))
}

function elementCodec(shape: BlockShape): Codec {
  if (shape instanceof MapShape) return shape.value
  if (shape instanceof ListShape) return shape.element
  if (shape instanceof HeapShape) return shape.tuple
  assert(shape instanceof TableShape, 'a collection without elements')
  return shape.key
}

/** Repeats are found by a table of the runtime, whose bytes are counted. */
function distinctly(
  shapes: Shapes,
  block: number,
  visit: (value: Value) => void,
): (value: Value) => void {
  const codec = elementCodec(shapes.of(block))
  const seen = shapes.setOf(codec)
  const set = shapes.of(seen)
  return (value) => {
    if (set.has(seen, value)) return
    set.add(seen, value)
    visit(value)
  }
}

export function countOf(shapes: Shapes) {
  return (block: number, distinct: boolean): number => {
    let count = 0
    const add = () => {
      count++
    }
    elementsOf(shapes, block, distinct ? distinctly(shapes, block, add) : add)
    return count
  }
}

/** Functions that need every value at once. */
const whole: Readonly<Record<string, (values: Float64Array, percent: number) => number>> = {
  stdev: (values) => deviation(values, values.length - 1),
  stdevp: (values) => deviation(values, values.length),
  percentilecont: (values, percent) => percentile(values.sort(), percent),
}

function deviation(values: Float64Array, divisor: number): number {
  if (divisor <= 0) return 0
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return Math.sqrt(squares / divisor)
}

/** Between the two values beside the place, by its distance from each; `percent` in 0 to 100. */
function percentile(sorted: Float64Array, percent: number): number {
  if (sorted.length === 0) return 0
  const at = (Math.min(100, Math.max(0, percent)) / 100) * (sorted.length - 1)
  const low = Math.floor(at)
  const [left, right] = [sorted[low]!, sorted[Math.ceil(at)]!]
  return left + (right - left) * (at - low)
}

function valuesOf(shapes: Shapes, block: number, distinct: boolean): Float64Array {
  let count = 0
  elementsOf(shapes, block, () => {
    count++
  })
  const { memory } = shapes.memory.arena
  const bytes = count * Float64Array.BYTES_PER_ELEMENT
  const values = new Float64Array(memory.buffer(bytes))
  // An aggregate needs them for a moment only.
  memory.give(bytes)
  let at = 0
  const add = (value: Value): void => {
    values[at++] = Number(value)
  }
  elementsOf(shapes, block, distinct ? distinctly(shapes, block, add) : add)
  return values.subarray(0, at)
}

export function aggregate(shapes: Shapes, wide: boolean) {
  return (kind: AggregateKind, block: number, integer: boolean, percent = 50): number | bigint => {
    const overAll = whole[kind.function]
    if (overAll !== undefined) return overAll(valuesOf(shapes, block, kind.distinct), percent)
    const zero = integer && wide ? 0n : 0
    let count = 0
    let state: number | bigint = zero
    const fold = folding(kind.function, elementCodec(shapes.of(block)))
    const add = (value: Value): void => {
      state = count === 0 ? (value as number) : fold(state, value as number)
      count++
    }
    elementsOf(shapes, block, kind.distinct ? distinctly(shapes, block, add) : add)
    if (kind.function !== 'avg' || count === 0) return state
    if (typeof state === 'bigint') return state / BigInt(count)
    return integer ? Math.trunc(state / count) : state / count
  }
}

type Scalar = number | bigint

/** Strings are codes, whose order is not that of the texts: the codec knows it. */
function folding(name: string, codec: Codec): (state: Scalar, value: Scalar) => Scalar {
  if (name === 'min') return (state, value) => (codec.compare(value, state) < 0 ? value : state)
  if (name === 'max') return (state, value) => (codec.compare(value, state) > 0 ? value : state)
  // Both are of one kind: the query's integers, or doubles.
  return (state, value) => (state as number) + (value as number)
}
