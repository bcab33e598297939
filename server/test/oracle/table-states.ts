/** Maps, heaps, arrays, groups and percentiles. */
import type { HeapOrder } from '#query/ir/types.ts'
import { compareKeys, elementsOf, type Folded, isState, State } from './state.ts'
import { compare, fail, keyOf, Unsupported, type Value } from './values.ts'

export interface MapEntry {
  readonly key: Value
  readonly value: State
}

export class MapState extends State {
  readonly #make: () => State
  #entries = new Map<string, MapEntry>()

  constructor(make: () => State) {
    super()
    this.#make = make
  }

  fold(folded: Folded): void {
    if (folded.kind === 'pair') {
      const state = this.ensure(folded.key)
      if (folded.assign) state.assign(folded.value)
      else state.fold(folded.value)
    } else if (folded.kind === 'merge' || folded.kind === 'elements') {
      if (!(folded.value instanceof MapState)) throw new Unsupported('merge of no map')
      for (const { key, value } of folded.value.entries()) {
        this.ensure(key).fold({ kind: 'merge', value })
      }
    } else throw new Unsupported(`${folded.kind} into a map`)
  }

  ensure(key: Value): State {
    const text = keyOf(key)
    const known = this.#entries.get(text)
    if (known !== undefined) return known.value
    const value = this.#make()
    this.#entries.set(text, { key, value })
    return value
  }

  get(key: Value): Value {
    return (this.#entries.get(keyOf(key))?.value ?? this.#make()).read()
  }

  has(key: Value): boolean {
    return this.#entries.has(keyOf(key))
  }

  entries(): readonly MapEntry[] {
    return [...this.#entries.values()]
  }

  remove(key: Value): void {
    this.#entries.delete(keyOf(key))
  }

  override elements(): readonly Value[] {
    return this.entries().map(({ value }) => value.read())
  }

  clear(): void {
    this.#entries = new Map()
  }

  clone(): MapState {
    const copy = new MapState(this.#make)
    for (const [text, { key, value }] of this.#entries) {
      copy.#entries.set(text, { key, value: value.clone() })
    }
    return copy
  }

  override compareWith(other: State): number {
    return compareKeys(this, other)
  }

  override key(): string {
    const parts = [...this.#entries].map(([key, { value }]) => `${key}:${keyOf(value.read())}`)
    return `{${parts.sort().join(',')}}`
  }
}

export class HeapState extends State {
  readonly #order: readonly HeapOrder[]
  readonly #zero: readonly Value[]
  #limit: number
  /** Best first. */
  #items: (readonly Value[])[] = []

  constructor(order: readonly HeapOrder[], limit: number, zero: readonly Value[]) {
    super()
    this.#order = order
    this.#limit = limit
    this.#zero = zero
  }

  fold(folded: Folded): void {
    if (folded.kind === 'element' || folded.kind === 'scalar') this.#add(folded.value as Value[])
    else if (folded.kind === 'elements' || folded.kind === 'merge') {
      for (const element of elementsOf(folded.value)) this.#add(element as Value[])
    } else throw new Unsupported(`${folded.kind} into a heap`)
  }

  #add(tuple: readonly Value[]): void {
    // Behind those it ties with: the earlier one stays the better one.
    let at = this.#items.length
    while (at > 0 && this.#compare(tuple, this.#items[at - 1]!) < 0) at--
    this.#items.splice(at, 0, tuple)
    this.#cut()
  }

  #cut(): void {
    const limit = Math.max(0, this.#limit)
    if (this.#items.length > limit) this.#items.length = limit
  }

  #compare(left: readonly Value[], right: readonly Value[]): number {
    for (const { field, descending } of this.#order) {
      const order = compare(left[field]!, right[field]!)
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }

  setLimit(limit: number): void {
    this.#limit = limit
    this.#cut()
  }

  top(): Value {
    return this.#items[0] ?? this.#zero
  }

  pop(): Value {
    return this.#items.shift() ?? this.#zero
  }

  override elements(): readonly Value[] {
    return this.#items
  }

  clear(): void {
    this.#items = []
  }

  clone(): HeapState {
    const copy = new HeapState(this.#order, this.#limit, this.#zero)
    copy.#items = [...this.#items]
    return copy
  }
}

export class ArrayState extends State {
  readonly #make: () => State
  lengths: readonly number[] = []
  #items: State[] = []

  constructor(make: () => State) {
    super()
    this.#make = make
  }

  reallocate(lengths: readonly number[]): void {
    const count = lengths.reduce((product, length) => product * length, 1)
    if (!(count >= 0 && count < 2 ** 31))
      fail('GSQL-2620', `array index ${count} is no size of an array.`)
    this.lengths = lengths
    this.#items = Array.from({ length: count }, () => this.#make())
  }

  at(indexes: readonly Value[]): State {
    let place = 0
    indexes.forEach((given, i) => {
      const [index, length] = [Number(given), this.lengths[i] ?? 0]
      if (!(index >= 0 && index < length)) {
        fail('GSQL-2620', `array index ${index} is outside an array of ${length}.`)
      }
      place = place * length + index
    })
    return this.#items[place]!
  }

  fold(folded: Folded): void {
    if (folded.kind === 'at') {
      const state = this.at(folded.indexes)
      if (folded.assign) state.assign(folded.value)
      else state.fold(folded.value)
    } else if (folded.kind === 'elements' || folded.kind === 'merge') this.#foldAll(folded.value)
    else throw new Unsupported(`${folded.kind} into an array`)
  }

  #foldAll(value: Value): void {
    const source = value instanceof ArrayState ? value : null
    const size = isState(value) ? value.size : 0
    const lengths = source?.lengths ?? [size]
    if (this.#items.length === 0) this.reallocate(lengths)
    else if (lengths.join('×') !== this.lengths.join('×')) {
      const [left, right] = [this.lengths.join('×'), lengths.join('×')]
      fail('GSQL-2621', `arrays of ${left} and ${right} do not add up.`)
    }
    this.#items.forEach((state, i) => {
      if (source !== null) state.fold({ kind: 'merge', value: source.#items[i]! })
      else state.fold({ kind: 'scalar', value: elementsOf(value)[i]! })
    })
  }

  override elements(): readonly Value[] {
    return this.#items.map((state) => state.read())
  }

  clear(): void {
    this.lengths = []
    this.#items = []
  }

  clone(): ArrayState {
    const copy = new ArrayState(this.#make)
    copy.lengths = this.lengths
    copy.#items = this.#items.map((state) => state.clone())
    return copy
  }
}

interface Group {
  readonly keys: readonly Value[]
  readonly values: readonly State[]
}

export class GroupState extends State {
  readonly #make: () => readonly State[]
  readonly #zeroKeys: () => readonly Value[]
  #rows = new Map<string, Group>()

  constructor(make: () => readonly State[], zeroKeys: () => readonly Value[]) {
    super()
    this.#make = make
    this.#zeroKeys = zeroKeys
  }

  fold(folded: Folded): void {
    if (folded.kind === 'group') {
      const { values } = this.#ensure(folded.keys)
      folded.values.forEach((value, i) => {
        if (value !== null) values[i]!.fold(value)
      })
    } else if (folded.kind === 'merge' || folded.kind === 'elements') {
      if (!(folded.value instanceof GroupState)) throw new Unsupported('merge of no groups')
      for (const { keys, values } of folded.value.#rows.values()) {
        const own = this.#ensure(keys).values
        for (const [i, value] of values.entries()) own[i]!.fold({ kind: 'merge', value })
      }
    } else throw new Unsupported(`${folded.kind} into groups`)
  }

  #ensure(keys: readonly Value[]): Group {
    const text = keyOf(keys)
    const known = this.#rows.get(text)
    if (known !== undefined) return known
    const row = { keys, values: this.#make() }
    this.#rows.set(text, row)
    return row
  }

  get(keys: readonly Value[]): Value {
    const row = this.#rows.get(keyOf(keys))
    if (row !== undefined) return rowOf(row)
    return [...this.#zeroKeys(), ...this.#make().map((state) => state.read())]
  }

  has(keys: readonly Value[]): boolean {
    return this.#rows.has(keyOf(keys))
  }

  remove(keys: readonly Value[]): void {
    this.#rows.delete(keyOf(keys))
  }

  override elements(): readonly Value[] {
    return [...this.#rows.values()].map(rowOf)
  }

  clear(): void {
    this.#rows = new Map()
  }

  clone(): GroupState {
    const copy = new GroupState(this.#make, this.#zeroKeys)
    for (const [text, { keys, values }] of this.#rows) {
      copy.#rows.set(text, { keys, values: values.map((value) => value.clone()) })
    }
    return copy
  }
}

function rowOf({ keys, values }: Group): Value[] {
  return [...keys, ...values.map((value) => value.read())]
}

export class PercentileState extends State {
  #percent: number
  #items: number[] = []

  constructor(percent: number) {
    super()
    this.#percent = percent
  }

  fold(folded: Folded): void {
    if (folded.kind === 'scalar' || folded.kind === 'element')
      this.#items.push(Number(folded.value))
    else if (folded.kind === 'merge' && folded.value instanceof PercentileState) {
      this.#items.push(...folded.value.#items)
    } else throw new Unsupported(`${folded.kind} into a percentile`)
  }

  setPercent(percent: number): void {
    this.#percent = percent
  }

  get percent(): number {
    return this.#percent
  }

  override read(): Value {
    return percentile(this.#items, this.#percent)
  }

  clear(): void {
    this.#items = []
  }

  clone(): PercentileState {
    const copy = new PercentileState(this.#percent)
    copy.#items = [...this.#items]
    return copy
  }
}

/** Interpolates linearly between the two values beside the place; `percent` in 0 to 100. */
export function percentile(values: readonly number[], percent: number): number {
  if (values.length === 0) return 0
  const sorted = values.toSorted((a, b) => a - b)
  const at = (Math.min(100, Math.max(0, percent)) / 100) * (sorted.length - 1)
  const [low, high] = [sorted[Math.floor(at)]!, sorted[Math.ceil(at)]!]
  return low + (high - low) * (at - Math.floor(at))
}
