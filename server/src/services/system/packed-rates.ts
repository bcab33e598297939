/**
 * Rates of requests of one sample as columns of numbers. The samples of an hour refer to one list of
 * names, so that a sample has no object for an endpoint.
 */

import { Numbering } from '#kernel/numbering.ts'

export interface Rate {
  readonly key: string
  /** Requests of a minute, divided by 60. */
  readonly qps: number
}

/** Names of queries and graphs change over time: with so many, later samples begin a new list. */
export const RATE_NAMES_MAX = 2_000

export class RateNames {
  readonly #names = new Numbering<string>()

  get isFull(): boolean {
    return this.#names.values.length >= RATE_NAMES_MAX
  }

  pack(rates: readonly Rate[]): PackedRates {
    const pairs = new Uint32Array(2 * rates.length)
    rates.forEach(({ key, qps }, index) => {
      pairs[2 * index] = this.#names.numberOf(key)
      pairs[2 * index + 1] = Math.round(qps * 60)
    })
    return new PackedRates(this.#names.values, pairs)
  }
}

export class PackedRates {
  readonly #names: readonly string[]
  /** Number of the name, requests of the minute, and so on. */
  readonly #pairs: Uint32Array

  constructor(names: readonly string[], pairs: Uint32Array) {
    this.#names = names
    this.#pairs = pairs
  }

  unpacked(): Rate[] {
    return Array.from({ length: this.#pairs.length / 2 }, (_, index) => ({
      key: this.#names[this.#pairs[2 * index]!]!,
      qps: this.#pairs[2 * index + 1]! / 60,
    }))
  }
}
