/** The codecs and block shapes of a query's types, each made once. */
import { assert } from '#kernel/assert.ts'
import {
  type AccumElement,
  type AccumType,
  type HeapLimit,
  isWideBits,
  type TupleValueType,
  type ValueType,
} from '#query/ir/types.ts'
import { ArrayShape } from './array.ts'
import { BitsShape } from './bits.ts'
import { BlockCodec, type BlockShape, CellShape } from './block.ts'
import {
  BoolCodec,
  type Codec,
  JsonCodec,
  type Memory,
  NumberCodec,
  StringCodec,
  TupleCodec,
  WideCodec,
} from './codec.ts'
import {
  AvgCodec,
  BitsCodec,
  ExtremeCodec,
  FoldCodec,
  type FoldFunction,
  RopeCodec,
} from './fold-codecs.ts'
import { HeapShape } from './heap.ts'
import { ListShape } from './list.ts'
import { PercentileShape } from './percentile.ts'
import { BagShape, GroupShape, MapShape, SetShape } from './table-shapes.ts'
import type { Value } from './value.ts'
import { VertexCollectionShape } from './vertex-collection.ts'

type BitwiseAccum = Extract<AccumType, { lengthBits: number }>

export interface IntegerRules {
  /** Checks or wraps the sum of two INT (or UINT) values. */
  add(left: Value, right: Value, unsigned: boolean): Value
  bits(operator: '&' | '|', left: Value, right: Value): Value
  /** A double of the same value, or the signal to run in 64 bits. */
  narrow(value: bigint): number
}

export interface ShapeOptions {
  readonly wide: boolean
  readonly integers: IntegerRules
  readonly numberArgument?: (slot: number) => number
}

export class Shapes {
  readonly memory: Memory
  private readonly wide: boolean
  private readonly integers: IntegerRules
  /** The value of an INT parameter. */
  private readonly numberArgument: (slot: number) => number
  private readonly codecs = new Map<string, Codec>()
  private readonly blocks = new Map<string, BlockShape>()
  private readonly byId: BlockShape[] = []
  private readonly lists = new Map<Codec, BlockShape>()
  private readonly sets = new Map<Codec, BlockShape>()
  private readonly types = new Map<Codec, ValueType>()

  constructor(memory: Memory, options: ShapeOptions) {
    this.memory = memory
    this.numberArgument = options.numberArgument ?? (() => 0)
    this.wide = options.wide
    this.integers = options.integers
  }

  /** The shape of a block, from its first cell. */
  readonly of = (block: number): BlockShape => {
    const shape = this.byId[this.memory.arena.cells[block]!]
    assert(shape !== undefined, 'a block without a shape')
    return shape
  }

  value(type: ValueType): Codec {
    const key = JSON.stringify(type)
    const known = this.codecs.get(key)
    if (known !== undefined) return known
    const codec = this.makeCodec(type)
    this.codecs.set(key, codec)
    this.types.set(codec, type)
    return codec
  }

  typeOf(codec: Codec): ValueType {
    return this.types.get(codec)!
  }

  /** An INT or UINT from outside. */
  integer(value: number | bigint): Value {
    if (this.wide) return BigInt(value)
    if (typeof value === 'number') return value
    return this.integers.narrow(value)
  }

  /** A temporary list with elements of a codec. */
  listOf(element: Codec): number {
    const shape = this.lists.get(element) ?? this.makeList(element)
    const block = shape.make()
    this.memory.temporaries.push(block)
    return block
  }

  /** A temporary set with elements of a codec. */
  setOf(element: Codec): number {
    const shape = this.sets.get(element) ?? this.makeSet(element)
    const block = shape.make()
    this.memory.temporaries.push(block)
    return block
  }

  private makeSet(element: Codec): BlockShape {
    const id = this.byId.length
    const shape = this.setShape(id, element)
    this.byId.push(shape)
    this.sets.set(element, shape)
    return shape
  }

  private setShape(id: number, element: Codec): SetShape {
    const isOfVertices = element instanceof NumberCodec && element.kind === 'VERTEX'
    const Shape = isOfVertices ? VertexCollectionShape : SetShape
    return new Shape(this.memory, id, element)
  }

  private makeList(element: Codec): BlockShape {
    const id = this.byId.length
    const shape = new ListShape(this.memory, id, element)
    this.byId.push(shape)
    this.lists.set(element, shape)
    return shape
  }

  accum(type: AccumType): BlockShape {
    return this.block(`accum ${JSON.stringify(type)}`, (id) => this.makeShape(type, id))
  }

  private block(key: string, make: (id: number) => BlockShape): BlockShape {
    const known = this.blocks.get(key)
    if (known !== undefined) return known
    const id = this.byId.length
    // Reserved first: making a shape makes those of its members.
    this.byId.push(undefined as never)
    const shape = make(id)
    this.byId[id] = shape
    this.blocks.set(key, shape)
    return shape
  }

  private makeCodec(type: ValueType): Codec {
    switch (type.kind) {
      case 'INT':
      case 'UINT':
        return this.wide
          ? new WideCodec(this.memory, type.kind === 'UINT')
          : new NumberCodec(this.memory, type.kind)
      case 'BOOL':
        return new BoolCodec(this.memory)
      case 'STRING':
        return new StringCodec(this.memory)
      case 'JSONOBJECT':
      case 'JSONARRAY':
        return new JsonCodec(this.memory, type.kind === 'JSONARRAY')
      case 'TUPLE':
        return this.tuple(type)
      case 'FLOAT':
      case 'DOUBLE':
      case 'DATETIME':
      case 'VERTEX':
      case 'EDGE':
        return new NumberCodec(this.memory, type.kind)
      default:
        return this.blockCodec(this.valueShape(type))
    }
  }

  private blockCodec(shape: BlockShape): Codec {
    return new BlockCodec(this.memory, shape, this.of)
  }

  private tuple(type: TupleValueType): TupleCodec {
    const fields = type.fields.map((field) => ({ name: field.name, codec: this.value(field.type) }))
    return new TupleCodec(this.memory, fields)
  }

  /** The shape a literal or an attribute of a collection type gets. */
  private valueShape(type: Exclude<ValueType, { kind: 'TUPLE' | 'VERTEX' | 'EDGE' }>): BlockShape {
    return this.block(`value ${JSON.stringify(type)}`, (id) => {
      const { memory } = this
      switch (type.kind) {
        case 'LIST':
          return new ListShape(memory, id, this.value(type.element))
        case 'SET':
          return this.setShape(id, this.value(type.element))
        case 'BAG':
          return new BagShape(memory, id, this.value(type.element))
        case 'MAP':
          return new MapShape(memory, id, {
            key: this.value(type.key),
            value: this.folded({ kind: 'value', type: type.value }),
          })
        case 'HEAP':
          return new HeapShape(memory, id, {
            tuple: this.tuple(type.element),
            order: [],
            limit: Number.POSITIVE_INFINITY,
          })
        case 'GROUPS':
          return new ListShape(memory, id, this.tuple(type.row))
        default:
          return assert(false, 'a scalar has no block') as never
      }
    })
  }

  private makeShape(type: AccumType, id: number): BlockShape {
    const { memory } = this
    switch (type.kind) {
      case 'ListAccum':
        return new ListShape(memory, id, this.element(type.element))
      case 'SetAccum':
        return this.setShape(id, this.element(type.element))
      case 'BagAccum':
        return new BagShape(memory, id, this.element(type.element))
      case 'MapAccum':
        return new MapShape(memory, id, {
          key: this.value(type.key),
          value: this.folded(type.value),
        })
      case 'HeapAccum':
        return new HeapShape(memory, id, {
          tuple: this.tuple(type.tuple),
          order: type.order,
          limit: this.heapLimit(type.limit),
        })
      case 'ArrayAccum':
        return new ArrayShape(memory, id, this.accumCodec(type.element))
      case 'PercentileContAccum':
        return new PercentileShape(memory, id, {
          value: this.value({ kind: 'DOUBLE' }),
          percent: type.percent,
        })
      case 'GroupByAccum':
        return this.group(type, id)
      case 'BitwiseOrAccum':
      case 'BitwiseAndAccum':
        return isWideBits(type) ? this.bits(type, id) : this.cell(type, id)
      default:
        return this.cell(type, id)
    }
  }

  private cell(type: AccumType, id: number): BlockShape {
    return new CellShape(this.memory, id, this.accumCodec(type))
  }

  private bits({ kind, lengthBits }: BitwiseAccum, id: number): BlockShape {
    const operator = kind === 'BitwiseOrAccum' ? '|' : '&'
    const integer = (value: bigint): Value => this.integer(value)
    return new BitsShape(this.memory, id, { operator, lengthBits, integer })
  }

  private group(type: Extract<AccumType, { kind: 'GroupByAccum' }>, id: number): BlockShape {
    const key = this.tuple({ kind: 'TUPLE', name: '', fields: type.keys })
    const keys = key.fields
    const values = type.values.map(({ name, accum }) => ({ name, codec: this.accumCodec(accum) }))
    return new GroupShape(this.memory, id, { key, keys, values })
  }

  private element(element: AccumElement): Codec {
    return element.kind === 'value' ? this.value(element.type) : this.accumCodec(element.accum)
  }

  /** Map values of a base type accumulate: numbers add, strings append, others overwrite. */
  private folded(element: AccumElement): Codec {
    if (element.kind === 'accum') return this.accumCodec(element.accum)
    const { type } = element
    const sums =
      type.kind === 'INT' || type.kind === 'UINT' || isReal(type) || type.kind === 'STRING'
    return sums ? this.accumCodec({ kind: 'SumAccum', value: type }) : this.value(type)
  }

  /** How an accumulator lies inside a collection. */
  accumCodec(type: AccumType): Codec {
    switch (type.kind) {
      case 'SumAccum': {
        const inner = this.value(type.value)
        if (type.value.kind === 'STRING') {
          return new RopeCodec(this.memory, inner, this.memory.ropes)
        }
        return new FoldCodec(this.memory, inner, inner.zero(), this.sumOf(type.value))
      }
      case 'MinAccum':
      case 'MaxAccum':
        return this.extreme(type)
      case 'AvgAccum':
        return new AvgCodec(this.memory, this.value({ kind: 'DOUBLE' }))
      case 'OrAccum':
        return this.boolFold(false, (state, value) => state === true || value === true)
      case 'AndAccum':
        return this.boolFold(true, (state, value) => state === true && value === true)
      case 'BitwiseOrAccum':
        if (isWideBits(type)) return this.blockCodec(this.accum(type))
        return this.bitFold('|', { start: 0, lengthBits: type.lengthBits })
      case 'BitwiseAndAccum':
        if (isWideBits(type)) return this.blockCodec(this.accum(type))
        return this.bitFold('&', { start: -1, lengthBits: type.lengthBits })
      default:
        return this.blockCodec(this.accum(type))
    }
  }

  /** A number that nothing was folded into reads as the end of its range. */
  private extreme({ kind, value, isOfRows }: ExtremeAccum): Codec {
    const inner = this.value(value)
    const min = kind === 'MinAccum'
    const end = extremeOf(value, { min, wide: this.wide })
    const isBound = isReal(value) && isOfRows !== true
    return new ExtremeCodec(this.memory, inner, { min, start: end ?? inner.zero(), isBound })
  }

  private boolFold(start: boolean, combine: FoldFunction): Codec {
    return new FoldCodec(this.memory, this.value({ kind: 'BOOL' }), start, combine)
  }

  private bitFold(
    operator: '&' | '|',
    { start, lengthBits }: { readonly start: number; readonly lengthBits: number },
  ): Codec {
    const first = this.wide ? BigInt(start) : start
    const parts = { inner: this.value({ kind: 'INT' }), start: first, lengthBits }
    return new BitsCodec(this.memory, parts, (state, value) =>
      this.integers.bits(operator, state, value),
    )
  }

  private heapLimit(limit: HeapLimit | null): number {
    if (limit === null) return Number.POSITIVE_INFINITY
    return limit.kind === 'constant' ? limit.value : this.numberArgument(limit.slot)
  }

  private sumOf(type: ValueType): FoldFunction {
    switch (type.kind) {
      case 'FLOAT':
        return (state, value) => Math.fround((state as number) + (value as number))
      case 'INT':
      case 'UINT':
        return (state, value) => this.integers.add(state, value, type.kind === 'UINT')
      default:
        return (state, value) => (state as number) + (value as number)
    }
  }
}

type ExtremeAccum = Extract<AccumType, { kind: 'MinAccum' | 'MaxAccum' }>

function isReal(type: ValueType): boolean {
  return type.kind === 'FLOAT' || type.kind === 'DOUBLE'
}

const FLOAT_MAX = 3.4028234663852886e38

/** Where Min and Max start, as generated code has it for accumulators of its own; null: at zero. */
function extremeOf(
  { kind }: ValueType,
  { min, wide }: { readonly min: boolean; readonly wide: boolean },
): Value | null {
  const sign = min ? 1 : -1
  switch (kind) {
    case 'INT':
      if (!wide) return sign * Number.POSITIVE_INFINITY
      return min ? 2n ** 63n - 1n : -(2n ** 63n)
    case 'UINT':
      if (!wide) return min ? Number.POSITIVE_INFINITY : 0
      return min ? 2n ** 64n - 1n : 0n
    case 'FLOAT':
      return sign * FLOAT_MAX
    case 'DOUBLE':
      return sign * Number.MAX_VALUE
    default:
      return null
  }
}
