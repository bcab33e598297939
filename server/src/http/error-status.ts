/**
 * Each engine error code and what the wire says for it: the contract's code and the HTTP status.
 * A new ErrorCode without an entry does not compile. 404 is kept for
 * REST-1000: clients lose code and message on a 404.
 */
import type { ErrorCode } from '#kernel/errors.ts'

export interface ErrorStatus {
  /** The code in a RESTPP envelope, unless the error's details carry a `contractCode`. */
  readonly code: string
  readonly status: number
}

export const errorStatus = {
  ENDPOINT_NOT_FOUND: { code: 'REST-1000', status: 404 },
  GRAPH_NOT_FOUND: { code: 'REST-1004', status: 400 },
  VERTEX_TYPE_NOT_FOUND: { code: 'REST-30000', status: 400 },
  EDGE_TYPE_NOT_FOUND: { code: 'REST-30000', status: 400 },
  ATTRIBUTE_NOT_FOUND: { code: 'REST-30000', status: 400 },
  VERTEX_NOT_FOUND: { code: '601', status: 200 },
  INDEX_NOT_FOUND: { code: 'REST-30000', status: 400 },
  QUERY_NOT_FOUND: { code: 'REST-1000', status: 404 },
  TUPLE_NOT_FOUND: { code: 'REST-30000', status: 400 },
  REQUEST_NOT_FOUND: { code: 'REST-30000', status: 400 },

  INVALID_JSON: { code: 'REST-2001', status: 400 },
  INVALID_PARAMETER: { code: 'REST-30000', status: 400 },
  INVALID_PAYLOAD: { code: 'REST-30200', status: 400 },
  INVALID_STATISTICS_PARAMETER: { code: 'REST-30400', status: 400 },
  BODY_TOO_LARGE: { code: 'REST-30000', status: 413 },
  RESPONSE_TOO_LARGE: { code: 'REST-4000', status: 400 },
  EDGE_ENDPOINT_MISSING: { code: 'REST-30200', status: 400 },
  DOCUMENT_CONFLICT: { code: 'REST-30000', status: 409 },
  // No client tries a 501 again, and all read its body (decision 0033).
  FEATURE_ABSENT: { code: 'REST-10001', status: 501 },

  NAME_TAKEN: { code: 'REST-30000', status: 400 },
  INVALID_NAME: { code: 'REST-30000', status: 400 },
  SCHEMA_RULE: { code: 'REST-30000', status: 400 },

  QUERY_INVALID: { code: 'REST-30000', status: 400 },
  // Runtime errors of a query are answers of the query, not of HTTP: 200 with `error: true`.
  QUERY_RUNTIME: { code: 'GSQL-8999', status: 200 },
  QUERY_TIMEOUT: { code: 'REST-3002', status: 408 },
  QUERY_ABORTED: { code: 'REST-12002', status: 200 },
  QUERY_MEMORY_LIMIT: { code: 'SYS-0002', status: 200 },

  UNAUTHENTICATED: { code: 'REST-10016', status: 401 },
  FORBIDDEN: { code: 'REST-10016', status: 403 },
  TOO_MANY_REQUESTS: { code: 'REST-12001', status: 429 },
  // Ours: TigerGraph has no such guard.
  WRITE_GUARDED: { code: 'WRITE_GUARDED', status: 403 },

  // Connectors try a 503 again; nothing of the query was written.
  WRITE_CONFLICT: { code: 'REST-12001', status: 503 },

  // Connectors retry 408, 429, 502, 503 and 504, and nothing else.
  MEMORY_LIMIT: { code: 'SYS-0002', status: 503 },
  STORE_READ_ONLY: { code: 'REST-12000', status: 503 },
  STORE_FAILED: { code: 'REST-12000', status: 503 },
  STORE_LOCKED: { code: 'REST-12001', status: 503 },
  DISK_FULL: { code: 'REST-12003', status: 503 },
  UNAVAILABLE: { code: 'REST-12001', status: 503 },

  // The first two: nothing was done. Connectors repeat a 503, so what may have been done is none.
  NOT_WRITER: { code: 'REST-12001', status: 503 },
  NO_WRITER: { code: 'REST-12001', status: 503 },
  BEHIND: { code: 'REST-12001', status: 503 },
  OUTCOME_UNKNOWN: { code: 'REST-12000', status: 500 },

  CORRUPT_LOG: { code: 'REST-10005', status: 500 },
  CORRUPT_SEGMENT: { code: 'REST-10005', status: 500 },
  UNSUPPORTED_FORMAT: { code: 'REST-10005', status: 500 },
} as const satisfies Record<ErrorCode, ErrorStatus>
