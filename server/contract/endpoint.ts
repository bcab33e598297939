/**
 * One object per endpoint: the server mounts its route from it, the console calls through it, and
 * the OpenAPI document is generated from it. Types are inferred and never restated.
 *
 * ```ts
 * // server/contract/indexes.ts
 * export const createIndexes = endpoint({
 *   method: 'POST',
 *   path: '/gsql/v1/schema/indexes',
 *   at: 'writer',
 *   summary: 'Add secondary indexes to a vertex type',
 *   query: z.object({ graph: name.optional() }),
 *   body: indexDefinitions,
 *   response: z.undefined(), // what `results` holds; here the outcome is the message alone
 *   envelope: 'gsql',
 *   privilege: 'WRITE_SCHEMA',
 *   errors: ['GRAPH_NOT_FOUND', 'NAME_TAKEN'],
 * })
 *
 * // server/src/http/routes/indexes.ts
 * serve(app, createIndexes, async ({ query, body }) =>
 *   message(await indexes.create(query.graph ?? null, body)))
 *
 * // console
 * await call(createIndexes, { query: { graph: 'acme' }, body: { … } })
 * ```
 *
 * Paths are written with `{parameter}`. A path that begins with `/restpp/` also answers without
 * that prefix and under `/api/restpp/`. Several paths or methods may share one endpoint (optional
 * tails, aliases of 3.x): parameters that a path lacks are absent, so declare them optional.
 */

import { z } from 'zod'
import type { ErrorCode } from '#kernel/errors.ts'
import type { Privilege } from './privileges.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * What stands around the response on the wire.
 * - `restpp`: `{version, error, message, results, code?}`; the response schema describes `results`
 * - `gsql`: `{error, message, results?}`; the response schema describes `results`
 * - `gsql-top`: `{error, message, ...response}`: the data stands beside error and message
 * - `bare`: the response is the whole JSON body
 * - `text`: the response is the whole body, as plain text
 */
export type Envelope = 'restpp' | 'gsql' | 'gsql-top' | 'bare' | 'text'

/**
 * `json` is parsed losslessly (integers beyond 2^53 arrive as bigint), and so is `json-or-form`,
 * which takes `a=1&b=2`, too, and `text-or-json` where it begins with a brace; the others arrive raw,
 * `bytes` (JSON) and `lines` (text) as bytes.
 */
export type BodyFormat = 'json' | 'json-or-form' | 'text' | 'text-or-json' | 'bytes' | 'lines'

/**
 * How large a body may be: elements to load, parameters, lists of ids, text of statements, or a
 * document of the console. A route that anybody may call, or that takes no body, has a small limit of
 * its own.
 */
export type BodySize = 'data' | 'parameters' | 'ids' | 'script' | 'document' | 'default'

/**
 * Which of several instances answers (docs/decisions/0128).
 * - `any`: the one that is asked; it changes nothing that they share
 * - `writer`: it changes the store, or reads files that lie at the writer
 * - `named`: the one that the request id in the call names; it keeps the state in memory
 * - `query`: the one that is asked, unless the query changes the graph or writes files
 */
export type Place = 'any' | 'writer' | 'named' | 'query'

type Nothing = z.ZodObject<Record<never, never>>

interface EndpointBase {
  /** Where a request may be answered, if several servers share a store. One without does not compile. */
  readonly at: Place
  /** One line for the API reference. */
  readonly summary: string
  readonly envelope: Envelope
  /**
   * Who may call; checked for the graph named by `params.graph` or `query.graph`, and globally
   * without one. Every route declares it: one without does not compile.
   */
  readonly privilege: Privilege
  /**
   * A call that names no graph is let in by the privilege on some graph; what it then touches the
   * handler checks. Otherwise such a call takes the privilege everywhere.
   */
  readonly ofSomeGraph?: boolean
  /** The privilege is wanted everywhere, though the call names a graph: one that it makes. */
  readonly ofAllGraphs?: boolean
  /**
   * The privilege on some vertex or edge type of the graph lets a call in; the handler checks each
   * type that it touches. Otherwise a call takes the privilege on the whole graph.
   */
  readonly byType?: boolean
  /**
   * It changes something though it asks for no privilege to change: the write guard refuses it. Where
   * the privilege is one to change, the guard needs no word.
   */
  readonly changes?: boolean
  /** The owner of the query that the call names is let in without the privilege. */
  readonly byOwner?: boolean
  /** Told to the audit log; by its privilege unless said (changes of schema, queries, access). */
  readonly audited?: boolean
  /**
   * Its GET changes something, or destroys what cannot be had back: the visit of a browser is refused,
   * and HEAD does nothing.
   */
  readonly getChanges?: 'some' | 'all'
  /**
   * It takes an `Idempotency-Key`: under the same key it is carried out once, so that it can be sent
   * again when nobody knows whether it was.
   */
  readonly keyed?: boolean
  /** It is about the instance that answers, which may be behind the log for as long as it likes. */
  readonly ofInstance?: boolean
  /** Of a `named` endpoint: the state is stored, too, so that the writer knows it where the instance is gone. */
  readonly isStored?: boolean
  /** Every instance has a part of the list. */
  readonly gathers?: boolean
  /** `default` unless said. */
  readonly bodySize?: BodySize
  /** What it may answer beyond the errors of every endpoint (`errorsOfEveryEndpoint`). */
  readonly errors: readonly ErrorCode[]
  /** The code for query parameters that do not fit; INVALID_PARAMETER unless said. */
  readonly invalidQuery?: ErrorCode
  /** The code for a body that does not fit; INVALID_PARAMETER unless said. */
  readonly invalidBody?: ErrorCode
  /** Media type of a `text` answer; `text/plain; charset=utf-8` unless said. */
  readonly contentType?: string
}

export interface EndpointSpec<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
> extends EndpointBase {
  readonly method: Method | readonly Method[]
  readonly path: string | readonly string[]
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly bodyFormat?: BodyFormat
  readonly response: R
}

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends z.ZodType = z.ZodType,
> extends EndpointBase {
  readonly methods: readonly Method[]
  readonly paths: readonly string[]
  readonly params: P | undefined
  readonly query: Q | undefined
  /** Absent: the endpoint takes no body and ignores one. */
  readonly body: B | undefined
  readonly bodyFormat: BodyFormat
  readonly response: R
}

export function endpoint<
  P extends z.ZodType = Nothing,
  Q extends z.ZodType = Nothing,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodType,
>(spec: EndpointSpec<P, Q, B, R>): Endpoint<P, Q, B, R> {
  const { method, path, params, query, body, bodyFormat = 'json', ...rest } = spec
  return {
    ...rest,
    methods: typeof method === 'string' ? [method] : method,
    paths: typeof path === 'string' ? [path] : path,
    params,
    query,
    body,
    bodyFormat,
  }
}

/** What a handler is given, after validation. */
export type ParamsOf<E extends Endpoint> = z.output<NonNullable<E['params']>>
export type QueryOf<E extends Endpoint> = z.output<NonNullable<E['query']>>
export type BodyOf<E extends Endpoint> = z.output<NonNullable<E['body']>>
/** What a handler answers: the `results` of an envelope, or the whole body. */
export type ResponseOf<E extends Endpoint> = z.input<E['response']>

/** What a caller passes, before validation. */
export type ParamsInputOf<E extends Endpoint> = z.input<NonNullable<E['params']>>
export type QueryInputOf<E extends Endpoint> = z.input<NonNullable<E['query']>>
export type BodyInputOf<E extends Endpoint> = z.input<NonNullable<E['body']>>
/** What a caller receives. */
export type ResultOf<E extends Endpoint> = z.output<E['response']>

/** These need no mention in `errors`: any request may meet them. */
export const errorsOfEveryEndpoint: readonly ErrorCode[] = [
  'ENDPOINT_NOT_FOUND',
  'INVALID_JSON',
  'INVALID_PARAMETER',
  'BODY_TOO_LARGE',
  'RESPONSE_TOO_LARGE',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'TOO_MANY_REQUESTS',
  'WRITE_GUARDED',
  'UNAVAILABLE',
  'NO_WRITER',
  'BEHIND',
  'OUTCOME_UNKNOWN',
]

/** A request body taken as it came, whatever its `Content-Type`. Use with `bodyFormat: 'bytes'` or `'lines'`. */
export const bytesBody: z.ZodType<Uint8Array, Uint8Array> = z.custom<Uint8Array>(
  (value) => value instanceof Uint8Array,
)
