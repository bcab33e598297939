/** Endpoints of features that this server does not have: each says which (docs/decisions/0033). */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/absent.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { DbError } from '#kernel/errors.ts'
import { serve } from '../serve.ts'

const groups = 'This server has no proxy groups: roles are granted to users, see /gsql/v1/roles.'
const scim = 'This server has no SCIM: users are kept here, see /gsql/v1/users and /gsql/v1/roles.'
const signOn =
  'This server has no single sign-on (SAML, OIDC): log in with a password, a secret or a token.'

const absent: readonly (readonly [endpoint: Endpoint, text: string])[] = [
  [contract.readProxyGroups, groups],
  [contract.changeProxyGroups, groups],
  [contract.readScimUsers, scim],
  [contract.changeScimUsers, scim],
  [contract.readScimGroups, scim],
  [contract.changeScimGroups, scim],
  [contract.readSingleSignOn, signOn],
  [contract.enterBySingleSignOn, signOn],
  [
    contract.refreshDirectoryGroups,
    'This server asks no LDAP directory: users are kept here, see /gsql/v1/users.',
  ],
  [
    contract.listBuckets,
    'This server reads no object store (S3, GCS, ABS): data sources are folders, see /gsql/v1/list-files.',
  ],
  [
    contract.changeFunctionFiles,
    'This server runs no C++: sources of user-defined functions cannot be put or removed.',
  ],
]

export function mountAbsentRoutes(app: FastifyInstance): void {
  for (const [endpoint, text] of absent) {
    serve(app, endpoint, () => {
      throw new DbError('FEATURE_ABSENT', text)
    })
  }
}
