/**
 * Expected failures: everything a caller can do wrong or a machine can suffer.
 *
 * One closed list of codes. `http/error-status.ts` gives each the contract's code and status, so a
 * new code does not compile until it has one. Corruption codes say what and where; they are never
 * answered by skipping the damaged part.
 */
export const errorCodes = [
  // names that do not resolve
  'ENDPOINT_NOT_FOUND',
  'GRAPH_NOT_FOUND',
  'VERTEX_TYPE_NOT_FOUND',
  'EDGE_TYPE_NOT_FOUND',
  'ATTRIBUTE_NOT_FOUND',
  'VERTEX_NOT_FOUND',
  'INDEX_NOT_FOUND',
  'QUERY_NOT_FOUND',
  'TUPLE_NOT_FOUND',
  'REQUEST_NOT_FOUND',
  // requests that do not fit the contract
  'INVALID_JSON',
  'INVALID_PARAMETER',
  'INVALID_PAYLOAD',
  'INVALID_STATISTICS_PARAMETER',
  'BODY_TOO_LARGE',
  'RESPONSE_TOO_LARGE',
  'EDGE_ENDPOINT_MISSING',
  'DOCUMENT_CONFLICT',
  // what the contract knows and this server does not have
  'FEATURE_ABSENT',
  // schema rules
  'NAME_TAKEN',
  'INVALID_NAME',
  'SCHEMA_RULE',
  // queries
  'QUERY_INVALID',
  'QUERY_RUNTIME',
  'QUERY_TIMEOUT',
  'QUERY_ABORTED',
  'QUERY_MEMORY_LIMIT',
  'WRITE_CONFLICT',
  // access
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'WRITE_GUARDED',
  // the machine
  'MEMORY_LIMIT',
  'STORE_READ_ONLY',
  'STORE_FAILED',
  'STORE_LOCKED',
  'DISK_FULL',
  'UNAVAILABLE',
  // several servers over one store
  'NOT_WRITER',
  'NO_WRITER',
  'BEHIND',
  'OUTCOME_UNKNOWN',
  // damage
  'CORRUPT_LOG',
  'CORRUPT_SEGMENT',
  'UNSUPPORTED_FORMAT',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export interface DbErrorOptions {
  /** What a client may need besides the text: a contract code such as `GSQL-2500`, missing ids. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly cause?: unknown
}

export class DbError extends Error {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>

  constructor(code: ErrorCode, message: string, options: DbErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'DbError'
    this.code = code
    this.details = options.details ?? {}
  }
}

/**
 * Data that a later release wrote.
 * @param what begins the sentence: `the segments of the graph have`
 */
export function newerFormat(what: string, version: number, known: number): DbError {
  return new DbError(
    'UNSUPPORTED_FORMAT',
    `${what} format version ${version}; this program knows versions up to ${known}. Start a newer Quiver`,
    { details: { version, known } },
  )
}

export function isDbError(error: unknown, code?: ErrorCode): error is DbError {
  return error instanceof DbError && (code === undefined || error.code === code)
}
