/** What one request may ask for, as the options of the server have it. */
import {
  QUERY_TIMEOUT_MS_DEFAULT,
  QUERY_TIMEOUT_MS_MAX_DEFAULT,
  RESPONSE_SIZE_BYTES_DEFAULT,
  RESPONSE_SIZE_BYTES_MAX_DEFAULT,
} from '#kernel/limits.ts'

export interface QueryLimits {
  /** Of a run whose request says nothing. */
  readonly timeoutMs: number
  readonly timeoutMsMax: number
  readonly responseSizeBytesMax: number
}

export const QUERY_LIMITS_DEFAULT: QueryLimits = {
  timeoutMs: QUERY_TIMEOUT_MS_DEFAULT,
  timeoutMsMax: QUERY_TIMEOUT_MS_MAX_DEFAULT,
  responseSizeBytesMax: RESPONSE_SIZE_BYTES_MAX_DEFAULT,
}

/** More than the ceiling is cut to it; undefined and 0 mean: nothing was asked for. */
export function timeoutWithin(
  limits: QueryLimits = QUERY_LIMITS_DEFAULT,
  askedMs?: number,
): number {
  return Math.min(askedMs || limits.timeoutMs, limits.timeoutMsMax)
}

export function responseSizeWithin(
  limits: QueryLimits = QUERY_LIMITS_DEFAULT,
  askedBytes?: number,
): number {
  return Math.min(askedBytes || RESPONSE_SIZE_BYTES_DEFAULT, limits.responseSizeBytesMax)
}
