/** Roles, privileges, who holds what, and the audit log. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryInteger, queryList, queryString } from './parameters.ts'

const writeErrors = ['STORE_READ_ONLY', 'STORE_FAILED'] as const
const names = z.union([name, z.array(name).min(1)]).transform((value) => [value].flat())
const privilegeNames = z.array(z.string()).readonly()

/** What a role may do in one scope; `childPermissions` by the name of a vertex or edge type. */
export const scopePrivileges = z.object({
  privileges: privilegeNames,
  childPermissions: z.record(z.string(), z.object({ privileges: privilegeNames })).optional(),
})

const rolePrivileges = z.record(z.string(), scopePrivileges)

export const listRoles = endpoint({
  method: 'GET',
  path: '/gsql/v1/roles',
  at: 'any',
  summary: 'Built-in roles and own ones; own roles by graph, `1` for global',
  response: z.object({
    builtIn: z.object({
      global: z.array(z.string()).readonly(),
      local: z.array(z.string()).readonly(),
    }),
    userDefinedRoles: z.record(z.string(), z.array(z.string()).readonly()),
  }),
  envelope: 'gsql',
  privilege: 'READ_ROLE',
  ofSomeGraph: true,
  errors: [],
})

export const readRole = endpoint({
  method: 'GET',
  path: '/gsql/v1/roles/{role}',
  at: 'any',
  summary: 'One role and its privileges',
  params: z.object({ role: name }),
  response: z.object({
    /** The graph of a local role of one's own. */
    Graph: z.string().optional(),
    roleName: z.string(),
    isGlobal: z.boolean(),
    isBuiltIn: z.boolean(),
    /** By graph, `1` for global; of a built-in local role: what it gives where it is granted. */
    rolePrivileges,
  }),
  envelope: 'gsql',
  privilege: 'READ_ROLE',
  ofSomeGraph: true,
  errors: [],
})

export const createRoles = endpoint({
  method: 'POST',
  path: '/gsql/v1/roles',
  at: 'writer',
  summary: 'Create roles: of a graph with `graph`, global ones without',
  query: z.object({ graph: graphQuery }),
  body: z.object({ roles: names }),
  response: z.string(),
  envelope: 'gsql',
  privilege: 'WRITE_ROLE',
  errors: ['GRAPH_NOT_FOUND', 'NAME_TAKEN', 'INVALID_NAME', ...writeErrors],
})

export const dropRoles = endpoint({
  method: 'DELETE',
  path: ['/gsql/v1/roles', '/gsql/v1/roles/{role}'],
  at: 'writer',
  summary: 'Drop roles of one’s own, and take them from their users',
  params: z.object({ role: name.optional() }),
  query: z.object({
    graph: graphQuery,
    roles: queryList.optional(),
    role: queryList.optional(),
  }),
  response: z.string(),
  envelope: 'gsql',
  privilege: 'WRITE_ROLE',
  errors: writeErrors,
})

const roleGrant = {
  method: 'POST',
  query: z.object({ graph: graphQuery }),
  body: z.object({ roles: names, users: names }),
  response: z.string(),
  envelope: 'gsql',
  privilege: 'WRITE_ROLE',
  errors: ['GRAPH_NOT_FOUND', ...writeErrors],
} as const

export const grantRoles = endpoint({
  ...roleGrant,
  path: '/gsql/v1/roles/grant',
  at: 'writer',
  summary: 'Grant roles to users: on a graph with `graph`, globally without',
})

export const revokeRoles = endpoint({
  ...roleGrant,
  path: '/gsql/v1/roles/revoke',
  at: 'writer',
  summary: 'Take roles from users',
})

export const listPrivileges = endpoint({
  method: 'GET',
  path: '/gsql/v1/privileges',
  at: 'any',
  summary: 'Every privilege and what kind of object it is about',
  response: z.array(z.object({ privilege: z.string(), privilegeType: z.string() })).readonly(),
  envelope: 'gsql',
  privilege: 'READ_ROLE',
  ofSomeGraph: true,
  errors: [],
})

const privilegeGrant = {
  method: 'POST',
  query: z.object({ graph: graphQuery }),
  body: z.object({
    privileges: names,
    roles: names,
    /** Limits data privileges to one vertex type, or one edge type. */
    vertexName: name.optional(),
    edgeName: name.optional(),
  }),
  response: z.array(z.object({ role: z.string(), privileges: rolePrivileges })).readonly(),
  envelope: 'gsql',
  privilege: 'WRITE_ROLE',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'EDGE_TYPE_NOT_FOUND', ...writeErrors],
} as const

export const grantPrivileges = endpoint({
  ...privilegeGrant,
  path: '/gsql/v1/privileges/grant',
  at: 'writer',
  summary: 'Give privileges to roles of one’s own: on a graph with `graph`, globally without',
})

export const revokePrivileges = endpoint({
  ...privilegeGrant,
  path: '/gsql/v1/privileges/revoke',
  at: 'writer',
  summary: 'Take privileges from roles of one’s own',
})

/** One privilege that a user has, and what gives it. */
const effectivePrivilege = z.object({
  privilege: z.string(),
  privilegeType: z.string(),
  /** On the whole scope asked for. */
  granted: z.boolean(),
  /** Vertex and edge types it is limited to, where it is not granted whole. */
  types: z.array(z.string()).readonly(),
  /** Roles that give it, each with the scope it is granted in (`1`: global). */
  through: z.array(z.object({ role: z.string(), scope: z.string() })).readonly(),
})

export const readEffectivePrivileges = endpoint({
  method: 'GET',
  path: '/quiver/v1/access/effective',
  at: 'any',
  summary: 'What a user may do on a graph (globally without `graph`), and which roles give it',
  query: z.object({
    /** Oneself unless said; others take READ_USER. */
    user: queryString.optional(),
    graph: graphQuery,
  }),
  response: z.object({
    user: z.string(),
    graph: z.string().nullable(),
    isSuperUser: z.boolean(),
    privileges: z.array(effectivePrivilege).readonly(),
  }),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: ['GRAPH_NOT_FOUND'],
})

export const auditEntry = z.object({
  /** Ascending, without gaps. */
  number: z.number(),
  /** Epoch milliseconds. */
  timeMs: z.number(),
  /** Null: nobody was known. */
  user: z.string().nullable(),
  /** `POST /gsql/v1/users`, or the words of a script's command: `CREATE USER`. */
  action: z.string(),
  graph: z.string().nullable(),
  /** Names it is about: users, roles, aliases; never a password, secret or token. */
  target: z.string().optional(),
  outcome: z.enum(['done', 'denied', 'failed']),
  requestId: z.string(),
  /** The network address of the client; absent: unknown, or an entry of an earlier version. */
  address: z.string().optional(),
})

export const readAuditLog = endpoint({
  method: 'GET',
  path: '/quiver/v1/audit',
  at: 'any',
  ofInstance: true,
  summary: 'Logins, refusals and changes, newest first',
  query: z.object({
    limit: queryInteger(1, 1_000).default(100),
    /** Only entries with a smaller number: the next page. */
    before: queryInteger(0, Number.MAX_SAFE_INTEGER).optional(),
    user: queryString.optional(),
  }),
  response: z.array(auditEntry).readonly(),
  envelope: 'gsql',
  privilege: 'READ_USER',
  errors: [],
})
