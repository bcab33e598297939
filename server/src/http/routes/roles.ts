import type { FastifyInstance } from 'fastify'
import { privileges } from '#contract/privileges.ts'
import * as contract from '#contract/roles.ts'
import { DbError } from '#kernel/errors.ts'
import type { AuditLog } from '#services/auth/audit-log.ts'
import { requirePrivilege } from '#services/auth/authorise.ts'
import { globalRoles, localRoles } from '#services/auth/built-in-roles.ts'
import type { PrivilegeScope, RoleService } from '#services/auth/role-service.ts'
import { reply } from '../reply.ts'
import { present, serve } from '../serve.ts'

export function mountRoleRoutes(app: FastifyInstance, roles: RoleService, audit: AuditLog): void {
  mountRoles(app, roles)
  mountPrivileges(app, roles)
  serve(app, contract.readEffectivePrivileges, ({ principal, query }) => {
    const caller = present(principal)
    const graph = query.graph ?? null
    const user = query.user || caller.name
    if (user !== caller.name) requirePrivilege(caller, 'READ_USER', graph)
    return roles.effective(user, graph)
  })
  serve(app, contract.readAuditLog, ({ query }) =>
    audit.read({ limit: query.limit, before: query.before ?? null, user: query.user ?? null }),
  )
}

function mountRoles(app: FastifyInstance, roles: RoleService): void {
  serve(app, contract.listRoles, ({ principal }) => ({
    builtIn: { global: [...globalRoles.keys()], local: [...localRoles.keys()] },
    userDefinedRoles: roles.list(present(principal)),
  }))
  serve(app, contract.createRoles, ({ query, body, note }) => {
    note(body.roles.join(', '))
    return roles.create(body.roles, query.graph ?? null)
  })
  serve(app, contract.grantRoles, ({ principal, query, body, note }) => {
    note(`${body.roles.join(', ')}: ${body.users.join(', ')}`)
    return roles.grant(present(principal), { ...body, graph: query.graph ?? null })
  })
  serve(app, contract.revokeRoles, ({ principal, query, body, note }) => {
    note(`${body.roles.join(', ')}: ${body.users.join(', ')}`)
    return roles.revoke(present(principal), { ...body, graph: query.graph ?? null })
  })
  serve(app, contract.readRole, ({ principal, params }) =>
    roles.read(present(principal), params.role),
  )
  serve(app, contract.dropRoles, ({ principal, params, query }) => {
    const fromQuery = [...(query.roles ?? []), ...(query.role ?? [])]
    const names = params.role === undefined ? fromQuery : [params.role]
    if (names.length > 0) return roles.drop(present(principal), names)
    throw new DbError('INVALID_PARAMETER', 'The parameter roles is required.')
  })
}

function mountPrivileges(app: FastifyInstance, roles: RoleService): void {
  serve(app, contract.listPrivileges, () =>
    Object.entries(privileges).flatMap(([privilegeType, names]) =>
      names.map((privilege) => ({ privilege, privilegeType })),
    ),
  )
  serve(app, contract.grantPrivileges, async ({ principal, query, body, note }) => {
    note(`${body.privileges.join(', ')}: ${body.roles.join(', ')}`)
    const scope = scopeOf(query.graph ?? null, body)
    const text = await roles.grantPrivileges(present(principal), { ...body, scope })
    return reply(roles.rolesWithPrivileges(body.roles), { message: text })
  })
  serve(app, contract.revokePrivileges, async ({ principal, query, body, note }) => {
    note(`${body.privileges.join(', ')}: ${body.roles.join(', ')}`)
    const scope = scopeOf(query.graph ?? null, body)
    const text = await roles.revokePrivileges(present(principal), { ...body, scope })
    return reply(roles.rolesWithPrivileges(body.roles), { message: text })
  })
}

function scopeOf(
  graph: string | null,
  { vertexName, edgeName }: { vertexName?: string | undefined; edgeName?: string | undefined },
): PrivilegeScope {
  if (vertexName !== undefined && edgeName !== undefined) {
    throw new DbError('INVALID_PARAMETER', 'Name a vertex type or an edge type, not both.')
  }
  if (vertexName !== undefined) return { graph, type: { kind: 'vertex', name: vertexName } }
  if (edgeName !== undefined) return { graph, type: { kind: 'edge', name: edgeName } }
  return { graph, type: null }
}
