/** Which calls the audit log is told of, and what it is told: never a query string or a body. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint } from '#contract/endpoint.ts'
import type { AuditEvent } from '#services/auth/audit-log.ts'
import { clientAddress } from './client-address.ts'

/** Changes of what the server is; those of data are too many, and lie in the commit log. */
const changes = /^(WRITE_|DROP_|CLEAR_|EXPORT_|INSTALL_QUERY|CREATE_QUERY|UPDATE_QUERY)/

export function isAudited({ audited, privilege }: Endpoint): boolean {
  return audited ?? changes.test(privilege)
}

export interface AuditedCall {
  readonly endpoint: Endpoint
  readonly request: FastifyRequest
  /** Where the call was refused before it had a caller. */
  readonly user?: string | undefined
}

export function auditCall(
  app: FastifyInstance,
  { endpoint, request, user }: AuditedCall,
  outcome: AuditEvent['outcome'],
): void {
  const { principal, graph, target } = request.state
  const address = clientAddress(request)
  const named = target ?? namesIn(request.params)
  app.dependencies.audit.record({
    // Whom the credentials named, before the one that a call without credentials counts as.
    user: user ?? principal?.name ?? null,
    action: `${request.method} ${endpoint.paths[0]}`,
    graph,
    outcome,
    requestId: request.id,
    ...(address !== undefined && { address }),
    ...(named !== '' && { target: named }),
  })
}

/** A secret may stand where its alias is expected. */
const unnamed = new Set(['graph', 'alias'])

/** Of the path. */
function namesIn(params: unknown): string {
  return Object.entries(params as Readonly<Record<string, string | undefined>>)
    .flatMap(([key, value]) => (unnamed.has(key) || value === undefined ? [] : [value]))
    .join(', ')
}
