/** The `Idempotency-Key` of a request: under the same key of a user a change is made once. */
import { commitKey } from '#graph/recent-keys.ts'

export interface RequestKey {
  readonly user: string
  readonly key: string
}

/** @param part of a request that takes several commits: its number */
export function keyOption(given: RequestKey | undefined, part = 0): { readonly key?: string } {
  return given === undefined ? {} : { key: commitKey(given.user, given.key, part) }
}
