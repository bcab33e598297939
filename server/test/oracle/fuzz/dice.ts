/** Decisions of the generators, all from one seed. */
import { createRandom, type Random } from '#kernel/prng.ts'

export class Dice {
  readonly #random: Random

  constructor(seed: number) {
    this.#random = createRandom(seed)
  }

  /** Uniform in 0 .. bound-1. */
  below(bound: number): number {
    return this.#random.below(bound)
  }

  /** Uniform in low .. high, both inclusive. */
  between(low: number, high: number): number {
    return low + this.#random.below(high - low + 1)
  }

  /** @param percent how often of a hundred times it is true */
  chance(percent: number): boolean {
    return this.#random.below(100) < percent
  }

  pick<T>(items: readonly T[]): T {
    return items[this.#random.below(items.length)]!
  }

  /** Each item with this chance, in order. */
  some<T>(items: readonly T[], percent: number): T[] {
    return items.filter(() => this.chance(percent))
  }

  times<T>(low: number, high: number, make: (index: number) => T): T[] {
    return Array.from({ length: this.between(low, high) }, (_, index) => make(index))
  }
}
