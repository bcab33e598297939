/** What every route needs from the rest of the server; `app.dependencies` inside the HTTP layer. */
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { AccessControl, Principal } from '#services/auth/access.ts'
import type { AuditEvent } from '#services/auth/audit-log.ts'
import type { Sharing } from '#services/instances/sharing.ts'
import type { RequestSample } from '#services/statistics/sample.ts'
import type { Endpoint } from '../../contract/endpoint.ts'
import type { Forwarded } from './forwarded.ts'
import type { Parameters } from './input.ts'
import type { Outbox } from './outbox.ts'
import type { Shown } from './positions.ts'

/** The console's cookie: HttpOnly, so only the server reads it. */
export const SESSION_COOKIE = 'quiver_session'

/** What the cookie of a request holds; undefined: it has none. */
export function sessionToken(
  app: Pick<FastifyInstance, 'parseCookie'>,
  { cookie }: IncomingHttpHeaders,
): string | undefined {
  return cookie === undefined ? undefined : app.parseCookie(cookie)[SESSION_COOKIE]
}

/**
 * With `read-only` a request is refused whatever it would change (docs/decisions/0030); with
 * `confirmed` somebody was asked about it (docs/decisions/0050).
 */
export const WRITE_GUARD_HEADER = 'x-write-guard'

/** As the settings of the server lock it for every console. */
export type LockedWriteGuard = 'off' | 'confirm' | 'read-only'

export function isFromConsole(headers: IncomingHttpHeaders): boolean {
  return headers['x-console'] === '1'
}

/**
 * Whether a request may only look: because it asks for that, or because consoles are locked to it.
 * @param hasSession whether it carries the console's cookie
 */
export function isGuarded(
  headers: IncomingHttpHeaders,
  hasSession: boolean,
  locked: LockedWriteGuard,
): boolean {
  const asked = headers[WRITE_GUARD_HEADER]
  if (asked === 'read-only') return true
  if (locked === 'off' || !(hasSession || isFromConsole(headers))) return false
  return locked === 'read-only' || asked !== 'confirmed'
}

/** Told of every request; `observe` only of those that met an endpoint of the contract. */
export interface RequestObserver {
  started(fromConsole: boolean): void
  ended(fromConsole: boolean): void
  observe(sample: RequestSample): void
}

export interface HttpDependencies {
  readonly access: AccessControl
  /** `version.schema` of the RESTPP envelope; 0 for an unknown graph. */
  schemaVersionOf(graph: string): number
  /** Whether a query belongs to a user, who then needs no privilege for it. */
  ownsQuery(user: string, graph: string, query: string): boolean
  readonly statistics: RequestObserver
  readonly audit: { record(event: AuditEvent): void }
  readonly lockedWriteGuard: LockedWriteGuard
  /** The other instances over the same store; null or absent: the store is of this server alone. */
  readonly sharing?: Sharing | null
  /** Ceiling of the `RESPONSE-LIMIT` header, in bytes. */
  readonly responseSizeBytesMax: number
}

/** What the hooks and `serve` keep about a request while it runs. */
export interface RequestState {
  key: string | null
  /** False: `ended` was told already. */
  isCounted: boolean
  graph: string | null
  outcome: RequestSample['outcome']
  principal: Principal | null
  /** What the audit log is told that the call is about. */
  target: string | null
  /** By which other instance, and for whom; null: the client has sent it itself. */
  forwarded: Forwarded | null
  /** Of a read over a shared store: noted before it began; null: an answer shows what there is at its end. */
  shown: Shown | null
  /** Notes it again, as of now: a read may have waited for its turn. Null: the store is of this server alone. */
  noteShown: (() => void) | null
  /** Validated before the body was read; null: not yet. */
  parameters: Parameters | null
  /** A large JSON body, parsed in slices; undefined: none. */
  json: { readonly value: unknown } | undefined
  /** Returns the bytes of the body to the budget; null: there is none. */
  releaseBody: (() => void) | null
  /** What goes on behind the answer and holds the body until it settles; null: nothing. */
  bodyUse: Promise<unknown> | null
}

declare module 'fastify' {
  interface FastifyInstance {
    dependencies: HttpDependencies
    /** For what goes on behind a request. */
    newRequestId: () => string
    /** Every endpoint that is mounted, in order. */
    endpoints: Set<Endpoint>
    outbox: Outbox
  }
  interface FastifyRequest {
    state: RequestState
  }
}
