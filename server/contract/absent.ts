/**
 * What the contract knows and this server does not have: directories of users, object stores, C++.
 * Each is declared with its privilege and refused by its name, so that a client learns what is
 * missing and not that a path is wrong (docs/decisions/0033).
 */
import { z } from 'zod'
import { endpoint, type Method } from './endpoint.ts'
import { graphQuery, name } from './parameters.ts'

const refused = { response: z.undefined(), envelope: 'gsql', errors: ['FEATURE_ABSENT'] } as const
const some = z.object({ id: name.optional() })
const changes: readonly Method[] = ['POST', 'PUT', 'DELETE']

export const readProxyGroups = endpoint({
  ...refused,
  method: 'GET',
  path: ['/gsql/v1/groups', '/gsql/v1/groups/{id}'],
  at: 'any',
  summary: 'Refused: this server has no proxy groups',
  params: some,
  query: z.object({ graph: graphQuery }),
  privilege: 'READ_PROXYGROUP',
})

export const changeProxyGroups = endpoint({
  ...refused,
  method: changes,
  path: ['/gsql/v1/groups', '/gsql/v1/groups/{id}'],
  at: 'any',
  summary: 'Refused: this server has no proxy groups',
  params: some,
  privilege: 'WRITE_PROXYGROUP',
})

export const readScimUsers = endpoint({
  ...refused,
  method: 'GET',
  path: ['/gsql/scim/v2/Users', '/gsql/scim/v2/Users/{id}'],
  at: 'any',
  summary: 'Refused: this server has no SCIM; users stand under /gsql/v1/users',
  params: some,
  privilege: 'READ_USER',
})

export const changeScimUsers = endpoint({
  ...refused,
  method: [...changes, 'PATCH'],
  path: ['/gsql/scim/v2/Users', '/gsql/scim/v2/Users/{id}'],
  at: 'any',
  summary: 'Refused: this server has no SCIM; users stand under /gsql/v1/users',
  params: some,
  privilege: 'WRITE_USER',
})

export const readScimGroups = endpoint({
  ...refused,
  method: 'GET',
  path: ['/gsql/scim/v2/Groups', '/gsql/scim/v2/Groups/{id}'],
  at: 'any',
  summary: 'Refused: this server has no SCIM and no groups',
  params: some,
  privilege: 'READ_PROXYGROUP',
})

export const changeScimGroups = endpoint({
  ...refused,
  method: [...changes, 'PATCH'],
  path: ['/gsql/scim/v2/Groups', '/gsql/scim/v2/Groups/{id}'],
  at: 'any',
  summary: 'Refused: this server has no SCIM and no groups',
  params: some,
  privilege: 'WRITE_PROXYGROUP',
})

/** A browser comes here before it has credentials. */
export const readSingleSignOn = endpoint({
  ...refused,
  method: 'GET',
  path: ['/gsqlserver/gsql/saml/meta', '/api/auth/oidc/callback'],
  at: 'any',
  summary: 'Refused: this server has no single sign-on',
  privilege: 'PUBLIC',
})

export const enterBySingleSignOn = endpoint({
  ...refused,
  method: 'POST',
  path: '/api/auth/saml/acs',
  at: 'any',
  summary: 'Refused: this server has no single sign-on',
  privilege: 'PUBLIC',
})

export const refreshDirectoryGroups = endpoint({
  ...refused,
  method: ['GET', 'POST'],
  path: '/gsqlserver/gsql/ldap/refresh-group',
  at: 'any',
  summary: 'Refused: this server asks no LDAP directory',
  privilege: 'WRITE_USER',
})

export const listBuckets = endpoint({
  ...refused,
  method: 'GET',
  path: '/gsql/v1/list-buckets/{source}',
  at: 'any',
  summary: 'Refused: this server reads no object store; list-files shows a folder',
  params: z.object({ source: name }),
  query: z.object({ graph: graphQuery }),
  privilege: 'READ_LOADINGJOB',
})

export const changeFunctionFiles = endpoint({
  ...refused,
  method: ['PUT', 'DELETE'],
  path: ['/gsql/v1/udt/files', '/gsql/v1/udt/files/{file}'],
  at: 'any',
  summary: 'Refused: this server runs no C++, so no source can be put or removed',
  params: z.object({ file: name.optional() }),
  privilege: 'WRITE_FILE',
})
