/**
 * Seeded random numbers: the same seed gives the same sequence on every machine, so that a failing
 * random test or a generated graph can be made again. Not for secrets.
 */
export interface Random {
  /** Uniform in [0, 1), 32 bits of randomness. */
  next(): number
  /** Uniform integer in 0 .. bound-1; bound is at most 2^32. */
  below(bound: number): number
}

/** Mulberry32: one 32-bit state word, period 2^32, passes gjrand's small tests. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return { next, below: (bound) => Math.floor(next() * bound) }
}
