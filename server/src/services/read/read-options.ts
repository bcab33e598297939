/** What the parameters and headers of a read come to. Texts are parsed later. */
import { RESPONSE_SIZE_BYTES_DEFAULT } from '#kernel/limits.ts'
import type { ReadLimits } from './read-scope.ts'

export interface ReadOptions extends ReadLimits {
  readonly select?: string | undefined
  readonly filter?: string | undefined
  readonly sort?: string | undefined
  readonly limit?: number | undefined
  readonly countOnly?: boolean | undefined
  /** False: every row is looked at. */
  readonly useIndex?: boolean | undefined
  /** `RESPONSE-LIMIT` header, in bytes. */
  readonly responseLimitBytes?: number | undefined
}

export function responseLimitOf(options: ReadOptions): number {
  return options.responseLimitBytes || RESPONSE_SIZE_BYTES_DEFAULT
}

/** Rows wanted; without a limit all. */
export function limitOf(options: ReadOptions): number {
  return options.limit ?? Number.POSITIVE_INFINITY
}
