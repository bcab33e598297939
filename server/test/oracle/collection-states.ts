/** Lists, sets and bags. */
import { compareKeys, elementsOf, type Folded, isState, readOf, State } from './state.ts'
import { keyOf, Unsupported, type Value } from './values.ts'

export class ListState extends State {
  readonly #make: () => State | null
  #items: (Value | State)[] = []

  /** @param make an accumulator for each element; null: elements are values */
  constructor(make: () => State | null) {
    super()
    this.#make = make
  }

  fold(folded: Folded): void {
    if (folded.kind === 'element' || folded.kind === 'scalar') this.#add(folded.value)
    else if (folded.kind === 'elements' || folded.kind === 'merge') {
      for (const element of elementsOf(folded.value)) this.#add(element)
    } else throw new Unsupported(`${folded.kind} into a list`)
  }

  #add(value: Value): void {
    const state = this.#make()
    if (state === null) {
      this.#items.push(value)
      return
    }
    state.fold({ kind: isState(value) ? 'merge' : 'scalar', value })
    this.#items.push(state)
  }

  override elements(): readonly Value[] {
    return this.#items.map(readOf)
  }

  update(index: bigint, value: Value): boolean {
    if (index < 0n || index >= BigInt(this.#items.length)) return false
    this.#items[Number(index)] = value
    return true
  }

  removeAt(index: number): void {
    if (index >= 0 && index < this.#items.length) this.#items.splice(index, 1)
  }

  removeFirst(value: Value): void {
    this.removeAt(this.elements().findIndex((item) => keyOf(item) === keyOf(value)))
  }

  removeAll(value: Value): void {
    const key = keyOf(value)
    this.#items = this.#items.filter((item) => keyOf(readOf(item)) !== key)
  }

  clear(): void {
    this.#items = []
  }

  clone(): ListState {
    const copy = new ListState(this.#make)
    copy.#items = this.#items.map((item) => (isState(item) ? item.clone() : item))
    return copy
  }
}

export class SetState extends State {
  #items = new Map<string, Value>()

  fold(folded: Folded): void {
    if (folded.kind === 'element' || folded.kind === 'scalar') this.add(folded.value)
    else if (folded.kind === 'elements' || folded.kind === 'merge') {
      for (const element of elementsOf(folded.value)) this.add(element)
    } else throw new Unsupported(`${folded.kind} into a set`)
  }

  add(value: Value): void {
    const key = keyOf(value)
    if (!this.#items.has(key)) this.#items.set(key, value)
  }

  override elements(): readonly Value[] {
    return [...this.#items.values()]
  }

  has(value: Value): boolean {
    return this.#items.has(keyOf(value))
  }

  remove(value: Value): void {
    this.#items.delete(keyOf(value))
  }

  clear(): void {
    this.#items = new Map()
  }

  clone(): SetState {
    const copy = new SetState()
    copy.#items = new Map(this.#items)
    return copy
  }

  override compareWith(other: State): number {
    return compareKeys(this, other)
  }

  override key(): string {
    return `{${[...this.#items.keys()].sort().join(',')}}`
  }
}

export class BagState extends State {
  #items: Value[] = []

  fold(folded: Folded): void {
    if (folded.kind === 'element' || folded.kind === 'scalar') this.#items.push(folded.value)
    else if (folded.kind === 'elements' || folded.kind === 'merge') {
      this.#items.push(...elementsOf(folded.value))
    } else throw new Unsupported(`${folded.kind} into a bag`)
  }

  override elements(): readonly Value[] {
    return this.#items
  }

  remove(value: Value, all: boolean): void {
    const key = keyOf(value)
    if (all) this.#items = this.#items.filter((item) => keyOf(item) !== key)
    else {
      const at = this.#items.findIndex((item) => keyOf(item) === key)
      if (at >= 0) this.#items = this.#items.toSpliced(at, 1)
    }
  }

  clear(): void {
    this.#items = []
  }

  clone(): BagState {
    const copy = new BagState()
    copy.#items = [...this.#items]
    return copy
  }

  override compareWith(other: State): number {
    return compareKeys(this, other)
  }

  override key(): string {
    return `<${this.#items.map(keyOf).sort().join(',')}>`
  }
}
