/** The parts of the server that know its users: accounts, roles, sessions, their documents, and their routes. */
import type { FastifyInstance } from 'fastify'
import { mountAuthRoutes } from '#http/routes/auth.ts'
import { mountDocumentRoutes } from '#http/routes/documents.ts'
import { mountRoleRoutes } from '#http/routes/roles.ts'
import { mountSessionRoutes } from '#http/routes/session.ts'
import { AccountService } from '#services/auth/account-service.ts'
import type { AuditLog } from '#services/auth/audit-log.ts'
import type { AuthService } from '#services/auth/auth-service.ts'
import type { RoleService } from '#services/auth/role-service.ts'
import type { QueryService } from '#services/queries/query-service.ts'
import { DocumentService } from '#services/system/document-service.ts'
import type { Documents } from '#storage/documents.ts'
import type { ServerOptions } from './server-options.ts'

interface AccessParts {
  readonly auth: AuthService
  readonly roles: RoleService
  readonly audit: AuditLog
  readonly documents: Documents
  readonly queries: QueryService
}

export function mountAccess(
  app: FastifyInstance,
  { auth, roles, audit, documents, queries }: AccessParts,
  options: ServerOptions,
): AccountService {
  const ofUsers = new DocumentService(documents, options.clock)
  const forget = async (user: string) => {
    await ofUsers.forgetUser(user)
    await queries.forgetOwner(user)
  }
  const accounts = new AccountService(auth, options.clock, forget)
  mountAuthRoutes(app, auth, accounts)
  mountRoleRoutes(app, roles, audit)
  const version = `${options.build.version} (${options.build.gitHash.slice(0, 12)})`
  mountSessionRoutes(app, { auth, accounts, version })
  mountDocumentRoutes(app, ofUsers)
  return accounts
}
