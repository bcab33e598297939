/** Users, roles, secrets, tokens and the log of what was done with them. */
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/client.ts'
import { mayCall } from '#api/rights.ts'
import {
  createSecret,
  createToken,
  createUser,
  dropSecrets,
  dropTokens,
  dropUser,
  listSecrets,
  listTokens,
  listUsers,
  readSecretUsage,
  revokeAllTokens,
  revokeToken,
  updateUser,
} from '#contract/auth.ts'
import type { ResultOf } from '#contract/endpoint.ts'
import {
  createRoles,
  dropRoles,
  grantPrivileges,
  grantRoles,
  listPrivileges,
  listRoles,
  readAuditLog,
  readEffectivePrivileges,
  readRole,
  revokePrivileges,
  revokeRoles,
} from '#contract/roles.ts'
import { listGraphs } from '#contract/schema.ts'
import { EVERYWHERE } from '../model/scopes.ts'

export type User = ResultOf<typeof listUsers>[number]
export type EffectivePrivilege = ResultOf<typeof readEffectivePrivileges>['privileges'][number]
export type AuditEntry = ResultOf<typeof readAuditLog>[number]
export type Role = ResultOf<typeof readRole>
export type Secret = ResultOf<typeof listSecrets>[number]
export type Token = ResultOf<typeof listTokens>[number]

/** One prefix: a grant changes what users, roles and effective privileges say. */
const accessKey = ['access'] as const

export interface UserList {
  readonly users: readonly User[]
  /** Null: these are all. Else those who have a role on the graph, for whom may see no more. */
  readonly graph: string | null
  /** Users may be made, changed and dropped. */
  readonly mayChange: boolean
}

/** @param graph asked for by whom may not see every user, so that no refusal is logged */
export const usersQuery = (graph: string) =>
  queryOptions({
    queryKey: [...accessKey, 'users', graph],
    queryFn: async ({ signal, client }): Promise<UserList> => {
      const mayReadAll = await mayCall(client, listUsers, '')
      const limit = mayReadAll || graph === '' ? null : graph
      const users = await call(listUsers, { query: { graph: limit ?? undefined }, signal })
      return { users, graph: limit, mayChange: await mayCall(client, createUser, '') }
    },
  })

/** Scopes in which one may grant roles: every one, or the graph that is looked at. */
export const roleScopesQuery = (graph: string) =>
  queryOptions({
    queryKey: [...accessKey, 'scopes', graph],
    queryFn: async ({ signal, client }): Promise<readonly string[]> => {
      if (graph !== '' && !(await mayCall(client, grantRoles, ''))) return [graph]
      const { graphs } = await call(listGraphs, { signal })
      return [EVERYWHERE, ...graphs.map(({ graphName }) => graphName)]
    },
  })

export const rolesQuery = queryOptions({
  queryKey: [...accessKey, 'roles'],
  queryFn: ({ signal }) => call(listRoles, { signal }),
})

export const roleQuery = (role: string) =>
  queryOptions({
    queryKey: [...accessKey, 'role', role],
    queryFn: ({ signal }) => call(readRole, { params: { role }, signal }),
  })

export const privilegesQuery = queryOptions({
  queryKey: [...accessKey, 'privileges'],
  queryFn: ({ signal }) => call(listPrivileges, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const effectiveQuery = (user: string, scope: string) =>
  queryOptions({
    queryKey: [...accessKey, 'effective', user, scope],
    queryFn: ({ signal }) =>
      call(readEffectivePrivileges, { query: { user, ...graphOf(scope) }, signal }),
    placeholderData: keepPreviousData,
  })

export const secretsQuery = queryOptions({
  queryKey: [...accessKey, 'secrets'],
  queryFn: ({ signal }) => call(listSecrets, { signal }),
})

/** When each was last used, by its alias. */
export const secretUsageQuery = queryOptions({
  queryKey: [...accessKey, 'secrets', 'usage'],
  queryFn: async ({ signal }) => {
    const uses = await call(readSecretUsage, { signal })
    return new Map(uses.map(({ alias, lastUsedAt }) => [alias, lastUsedAt]))
  },
})

export const AUDIT_PAGE_ROWS = 100

/** @param before the number of the oldest entry known; null: the newest page */
export const auditQuery = (before: number | null) =>
  queryOptions({
    queryKey: [...accessKey, 'audit', before],
    queryFn: ({ signal }) =>
      call(readAuditLog, {
        query: { limit: AUDIT_PAGE_ROWS, ...(before !== null && { before }) },
        signal,
      }),
    placeholderData: keepPreviousData,
  })

/** A change after which everything about access is read anew. */
function useAccessChange<V, R>(change: (variables: V) => Promise<R>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    // Passwords and secrets are not found in the memory of the page later.
    gcTime: 0,
    onSettled: () => client.invalidateQueries({ queryKey: accessKey }),
  })
}

const graphOf = (scope: string) => (scope === EVERYWHERE ? {} : { graph: scope })

export const useCreateUser = () =>
  useAccessChange((body: { readonly name: string; readonly password: string }) =>
    call(createUser, { body }),
  )

export const useSetPassword = () =>
  useAccessChange((body: { readonly name: string; readonly password: string }) =>
    call(updateUser, { body }),
  )

export const useDropUser = () =>
  useAccessChange((user: string) => call(dropUser, { params: { user } }))

export interface RoleGrant {
  readonly user: string
  readonly role: string
  readonly scope: string
  readonly granted: boolean
}

export const useGrantRole = () =>
  useAccessChange(({ user, role, scope, granted }: RoleGrant) =>
    call(granted ? grantRoles : revokeRoles, {
      query: graphOf(scope),
      body: { roles: [role], users: [user] },
    }),
  )

export const useCreateRole = () =>
  useAccessChange(({ role, scope }: { readonly role: string; readonly scope: string }) =>
    call(createRoles, { query: graphOf(scope), body: { roles: [role] } }),
  )

export const useDropRole = () =>
  useAccessChange(({ role, scope }: { readonly role: string; readonly scope: string }) =>
    call(dropRoles, { params: { role }, query: graphOf(scope) }),
  )

export interface PrivilegeGrant {
  readonly role: string
  readonly privilege: string
  readonly scope: string
  readonly granted: boolean
}

export const useGrantPrivilege = () =>
  useAccessChange(({ role, privilege, scope, granted }: PrivilegeGrant) =>
    call(granted ? grantPrivileges : revokePrivileges, {
      query: graphOf(scope),
      body: { privileges: [privilege], roles: [role] },
    }),
  )

export const useCreateSecret = () =>
  useAccessChange((alias: string) => call(createSecret, { query: { alias } }))

export const useDropSecret = () =>
  useAccessChange((alias: string) => call(dropSecrets, { params: { alias } }))

export const tokensQuery = queryOptions({
  queryKey: [...accessKey, 'tokens'],
  queryFn: ({ signal }) => call(listTokens, { signal }),
})

export const useCreateToken = () =>
  useAccessChange(({ lifetime, secret }: { readonly lifetime: number; readonly secret: string }) =>
    call(createToken, { body: { lifetime, secret } }),
  )

/** By its text, as whoever found it has it. */
export const useRevokeToken = () =>
  useAccessChange((token: string) => call(dropTokens, { body: { tokens: [token] } }))

export const useRevokeTokenById = () =>
  useAccessChange((id: string) => call(revokeToken, { params: { id } }))

/** All of one's own, those too old to be listed with them. */
export const useRevokeAllTokens = () => useAccessChange((_none: undefined) => call(revokeAllTokens))
