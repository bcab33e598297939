/** Time comes in from the top: only `main.ts` makes the real one, tests make their own. */
export interface Clock {
  /** Wall clock, milliseconds since 1970 UTC. */
  nowMs(): number
  /** Never goes back; milliseconds with fractions, origin unspecified. */
  monotonicMs(): number
}
