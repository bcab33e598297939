/** Programmer errors: what cannot happen stops here, with the reason, before it spreads. */

/** @throws Error naming the broken invariant. Never used for bad input: that is a `DbError`. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(`assertion failed: ${message}`)
}

/** The end of a `switch` over a union: a new member does not compile until it is handled. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`)
}
