/** The k nearest of all that are offered: a heap with the farthest of them at its root. */

export class Nearest {
  readonly #distances: Float64Array
  readonly #numbers: Uint32Array
  #count = 0

  /** @param capacity how many are kept, at least 1 */
  constructor(capacity: number) {
    this.#distances = new Float64Array(capacity)
    this.#numbers = new Uint32Array(capacity)
  }

  /**
   * Of equally near ones those with the smaller numbers are kept, whatever order they come in.
   * What has no distance (sums beyond what numbers can hold) is as far away as can be.
   */
  offer(given: number, number: number): void {
    const distance = Number.isNaN(given) ? Number.POSITIVE_INFINITY : given
    if (this.#count < this.#numbers.length) {
      this.#rise(this.#count++, distance, number)
    } else if (this.#isBefore(distance, number, 0)) {
      this.#sink(distance, number)
    }
  }

  /** Nearest first. */
  sorted(): { readonly numbers: Uint32Array; readonly distances: Float64Array } {
    const order = Uint32Array.from({ length: this.#count }, (_, slot) => slot)
    order.sort((a, b) => (this.#isBefore(this.#distances[a]!, this.#numbers[a]!, b) ? -1 : 1))
    return {
      numbers: order.map((slot) => this.#numbers[slot]!),
      distances: Float64Array.from(order, (slot) => this.#distances[slot]!),
    }
  }

  #isBefore(distance: number, number: number, slot: number): boolean {
    const other = this.#distances[slot]!
    return distance < other || (distance === other && number < this.#numbers[slot]!)
  }

  #rise(from: number, distance: number, number: number): void {
    let slot = from
    while (slot > 0) {
      const parent = (slot - 1) >>> 1
      if (this.#isBefore(distance, number, parent)) break
      this.#move(parent, slot)
      slot = parent
    }
    this.#put(slot, distance, number)
  }

  #sink(distance: number, number: number): void {
    let slot = 0
    for (;;) {
      const left = 2 * slot + 1
      if (left >= this.#count) break
      const right = left + 1
      const isRightFarther =
        right < this.#count && this.#isBefore(this.#distances[left]!, this.#numbers[left]!, right)
      const child = isRightFarther ? right : left
      if (!this.#isBefore(distance, number, child)) break
      this.#move(child, slot)
      slot = child
    }
    this.#put(slot, distance, number)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#distances[from]!, this.#numbers[from]!)
  }

  #put(slot: number, distance: number, number: number): void {
    this.#distances[slot] = distance
    this.#numbers[slot] = number
  }
}
