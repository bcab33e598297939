/** A binary heap: `push` and `pop` take O(log n) comparisons. */
export class Heap<T> {
  readonly #items: T[] = []
  readonly #compare: (a: T, b: T) => number

  /** @param compare below zero when `a` comes out before `b` */
  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  size(): number {
    return this.#items.length
  }

  push(item: T): void {
    this.#items.push(item)
    this.#siftUp(this.#items.length - 1)
  }

  /** Removes and returns the first item; undefined when the heap is empty. */
  pop(): T | undefined {
    const first = this.#items[0]
    const last = this.#items.pop()
    if (this.#items.length > 0) {
      this.#items[0] = last as T
      this.#siftDown(0)
    }
    return first
  }

  #siftUp(start: number): void {
    let place = start
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#isBefore(place, parent)) return
      this.#swap(place, parent)
      place = parent
    }
  }

  #siftDown(start: number): void {
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
