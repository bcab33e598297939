/** What went wrong on the way to the server or in it, with everything needed to report it. */
export interface ApiErrorDetails {
  /** The contract's code (`REST-2001`), or one of ours: `UNREACHABLE`, `INVALID_ANSWER`. */
  readonly code: string
  /** HTTP status; 0 when no answer came. */
  readonly status: number
  readonly method: string
  /** Path with query, as sent. */
  readonly url: string
  readonly requestId?: string | undefined
  /** Seconds after which the server asks to try again: the header `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined
  /** Number of the request in this tab's log. */
  readonly logId?: number | undefined
  /** The request as a command line, without credentials. */
  readonly curl: string
  /** Whatever else the server put beside the message: missing ids, positions, diagnostics. */
  readonly body?: unknown
}

export class ApiError extends Error {
  readonly details: ApiErrorDetails

  constructor(message: string, details: ApiErrorDetails, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'ApiError'
    this.details = details
  }

  get code(): string {
    return this.details.code
  }

  get status(): number {
    return this.details.status
  }
}

export const isUnreachable = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'UNREACHABLE'

/** Known, but without the privilege. */
export const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 403

export const isUnauthenticated = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401

/** Known or not, the caller has to wait: too many failed logins, or too many at once. */
export const isThrottled = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 429
