/**
 * What cytoscape's sources import from two other libraries, in the little they use of them; see
 * scripts/lean-cytoscape.mjs. The queue orders the textures that are still to be drawn.
 */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #compare: (a: T, b: T) => number

  /** @param compare below zero when the first comes before the second */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  size(): number {
    return this.#items.length
  }

  peek(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    this.#items.push(item)
    this.#rise(this.#items.length - 1)
  }

  pop(): T | undefined {
    const first = this.#items[0]
    const last = this.#items.pop()
    if (this.#items.length > 0) {
      this.#items[0] = last as T
      this.#sink(0)
    }
    return first
  }

  /** To be called when an item that is in the queue has come to stand elsewhere in the order. */
  updateItem(item: T): void {
    const place = this.#items.indexOf(item)
    if (place === -1) return
    this.#rise(place)
    this.#sink(this.#items.indexOf(item))
  }

  #rise(start: number): void {
    let place = start
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }

  #sink(start: number): void {
    let place = start
    while (true) {
      const left = 2 * place + 1
      if (left >= this.#items.length) return
      const right = left + 1
      const child = right < this.#items.length && this.#isBefore(right, left) ? right : left
      if (!this.#isBefore(child, place)) return
      this.#swap(place, child)
      place = child
    }
  }

  #isBefore(a: number, b: number): boolean {
    return this.#compare(this.#items[a]!, this.#items[b]!) < 0
  }

  #swap(a: number, b: number): void {
    const item = this.#items[a]!
    this.#items[a] = this.#items[b]!
    this.#items[b] = item
  }
}

/** Calls once the calls have rested for so long, with the last `this` and the last values. */
export function debounce<This, V extends unknown[]>(
  call: (this: This, ...values: V) => void,
  waitMs = 0,
): (this: This, ...values: V) => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  return function (...values) {
    clearTimeout(timer)
    timer = setTimeout(() => call.apply(this, values), waitMs)
  }
}

/** Names of data may have dots; ours have none. */
export const toPath = (name: string): readonly string[] => name.split('.')

export function getIn(from: unknown, path: readonly string[]): unknown {
  let value = from
  for (const name of path) value = (value as Record<string, unknown> | null | undefined)?.[name]
  return value
}

export function setIn(to: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let part = to
  for (const name of path.slice(0, -1)) {
    part[name] ??= {}
    part = part[name] as Record<string, unknown>
  }
  part[path.at(-1)!] = value
}
