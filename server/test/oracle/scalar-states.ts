/** Accumulators of one value, and the values of maps. */
import type { AccumType, ValueType } from '#query/ir/types.ts'
import { type Folded, isState, State } from './state.ts'
import { compare, keyOf, Unsupported, type Value, wrap } from './values.ts'

/** Nothing folded in so far reads as a start, but is replaced by the first value. */
const REPLACED_BY_FIRST = ['STRING', 'DATETIME', 'VERTEX', 'TUPLE']

export class ScalarState extends State {
  readonly type: AccumType
  readonly #start: Value
  #value: Value
  #count = 0
  #isWritten = false

  /** @param start what it reads as before anything was folded in */
  constructor(type: AccumType, start: Value) {
    super()
    this.type = type
    this.#start = start
    this.#value = start
  }

  fold(folded: Folded): void {
    if (folded.kind === 'merge' || folded.kind === 'elements') {
      if (folded.value instanceof ScalarState) this.merge(folded.value)
      else throw new Unsupported('merge into a scalar')
      return
    }
    if (folded.kind !== 'scalar' && folded.kind !== 'element') {
      throw new Unsupported(`${folded.kind} into a scalar`)
    }
    this.#value = this.#combine(this.#value, folded.value)
    this.#count += 1
    this.#isWritten = true
  }

  /** Also a value beyond where Min and Max begin: an infinite one. */
  override assign(folded: Folded): void {
    super.assign(folded)
    const { kind } = this.type
    if (folded.kind === 'scalar' && (kind === 'MinAccum' || kind === 'MaxAccum')) {
      this.#value = folded.value
    }
  }

  merge(other: ScalarState): void {
    if (!other.#isWritten) return
    if (this.type.kind === 'AvgAccum') {
      this.#value = (this.#value as number) + (other.#value as number)
      this.#count += other.#count
    } else this.#value = this.#combine(this.#value, other.#value)
    this.#isWritten = true
  }

  #combine(state: Value, value: Value): Value {
    const { type } = this
    switch (type.kind) {
      case 'SumAccum':
        return add(type.value, state, value)
      case 'MinAccum':
      case 'MaxAccum':
        return this.#extreme(state, value, type)
      case 'AvgAccum':
        return (state as number) + (value as number)
      case 'OrAccum':
        return state === true || value === true
      case 'AndAccum':
        return state === true && value === true
      case 'BitwiseOrAccum':
        return wrap((state as bigint) | (value as bigint), 'INT')
      case 'BitwiseAndAccum':
        return wrap((state as bigint) & (value as bigint), 'INT')
      default:
        throw new Unsupported(type.kind)
    }
  }

  #extreme(
    state: Value,
    value: Value,
    type: Extract<AccumType, { kind: 'MinAccum' | 'MaxAccum' }>,
  ): Value {
    const { kind } = type.value
    if (kind === 'VERTEX' && value === null) return state
    const isReplaced = REPLACED_BY_FIRST.includes(kind) || type.isOfRows === true
    if (isReplaced && !this.#isWritten) return value
    const order = compare(value, state)
    return (type.kind === 'MinAccum' ? order < 0 : order > 0) ? value : state
  }

  override read(): Value {
    if (this.type.kind === 'AvgAccum') {
      return this.#count === 0 ? 0 : (this.#value as number) / this.#count
    }
    return this.#value
  }

  clear(): void {
    this.#value = this.#start
    this.#count = 0
    this.#isWritten = false
  }

  clone(): ScalarState {
    const copy = new ScalarState(this.type, this.#start)
    copy.#value = this.#value
    copy.#count = this.#count
    copy.#isWritten = this.#isWritten
    return copy
  }

  override key(): string {
    return keyOf(this.read())
  }
}

function add(type: ValueType, left: Value, right: Value): Value {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      return wrap((left as bigint) + (right as bigint), type.kind)
    case 'FLOAT':
      return Math.fround((left as number) + (right as number))
    case 'DOUBLE':
      return (left as number) + (right as number)
    case 'STRING':
      return (left as string) + (right as string)
    default:
      throw new Unsupported(`sum of ${type.kind}`)
  }
}

/** A map's value of a type that does not add: the last one counts. */
export class OverwriteState extends State {
  readonly #zero: () => Value
  #value: Value

  constructor(zero: () => Value) {
    super()
    this.#zero = zero
    this.#value = zero()
  }

  fold(folded: Folded): void {
    if (!('value' in folded) || typeof folded.kind !== 'string') throw new Unsupported('overwrite')
    const value = folded.value as Value
    this.#value = value instanceof OverwriteState ? value.#value : value
  }

  override read(): Value {
    return isState(this.#value) ? this.#value.clone() : this.#value
  }

  clear(): void {
    this.#value = this.#zero()
  }

  clone(): OverwriteState {
    const copy = new OverwriteState(this.#zero)
    copy.#value = this.read()
    return copy
  }

  override key(): string {
    return keyOf(this.#value)
  }
}
