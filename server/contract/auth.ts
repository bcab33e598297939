/** Tokens, secrets, users. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryBoolean, queryString } from './parameters.ts'
import { scopePrivileges } from './roles.ts'

const secretView = z.object({ alias: z.string(), value: z.string() })

/** Tokens that one call refuses. */
const TOKENS_MAX = 1_000

export const createToken = endpoint({
  method: 'POST',
  path: ['/gsql/v1/tokens', '/gsqlserver/requestjwttoken'],
  at: 'writer',
  summary: 'Make a JWT for the caller, or for the owner of a secret',
  body: z
    .object({
      secret: z.string().optional(),
      graph: z.string().optional(),
      /** Seconds; clients send a number or a numeric text. */
      lifetime: z.union([z.number(), z.string()]).optional(),
    })
    .optional(),
  response: z.object({ token: z.string(), expiration: z.string(), message: z.string() }),
  envelope: 'gsql-top',
  privilege: 'PUBLIC',
  changes: true,
  audited: true,
  errors: ['GRAPH_NOT_FOUND'],
})

export const checkToken = endpoint({
  method: 'POST',
  path: '/gsql/v1/tokens/check',
  at: 'any',
  summary: 'Verify a JWT',
  body: z.object({ token: z.string() }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'PUBLIC',
  errors: [],
})

export const dropTokens = endpoint({
  method: 'DELETE',
  path: '/gsql/v1/tokens',
  at: 'writer',
  summary: 'Refuse tokens from now on; `clear=true` empties the block list',
  query: z.object({ clear: queryBoolean.optional() }),
  body: z
    .object({
      /** A comma list in one text, or a list: each token takes a check of its signature. */
      tokens: z
        .union([
          z.string().refine((text) => text.split(',', TOKENS_MAX + 1).length <= TOKENS_MAX),
          z.array(z.string()).max(TOKENS_MAX),
        ])
        .optional(),
    })
    .optional(),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: [],
})

export const listTokens = endpoint({
  method: 'GET',
  path: '/quiver/v1/tokens',
  at: 'any',
  summary:
    'Tokens that were made for the caller, or as superuser for another, and have not expired',
  query: z.object({ user: queryString.optional() }),
  response: z.array(
    z.object({
      id: z.string(),
      /** The graph that it is limited to; null: none. */
      graph: z.string().nullable(),
      /** Epoch seconds. */
      issuedAt: z.number(),
      expiresAt: z.number(),
      revoked: z.boolean(),
      /** Epoch milliseconds; null: never, or not since this is kept. */
      lastUsedAt: z.number().nullable(),
    }),
  ),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const revokeToken = endpoint({
  method: 'DELETE',
  path: '/quiver/v1/tokens/{id}',
  at: 'writer',
  summary: 'Refuse a token from now on, by its id in the list',
  params: z.object({ id: name }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: ['REQUEST_NOT_FOUND', 'STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'],
})

export const revokeAllTokens = endpoint({
  method: 'DELETE',
  path: '/quiver/v1/tokens',
  at: 'writer',
  summary: 'Refuse all tokens that were made for the caller so far, or as superuser for another',
  query: z.object({ user: queryString.optional() }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'],
})

export const dropExpiredTokens = endpoint({
  method: 'DELETE',
  path: '/restpp/expiredtoken',
  at: 'writer',
  summary: 'Forget expired tokens of the caller, or as superuser of others',
  body: z
    .object({ user: z.array(name).optional(), secret: z.array(z.string()).optional() })
    .optional(),
  response: z.undefined(),
  envelope: 'restpp',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'],
})

const userView = z.object({
  name: z.string(),
  isSuperUser: z.boolean(),
  disabled: z.boolean(),
  failedAttempts: z.number(),
  showAlterPasswordWarning: z.boolean(),
  secrets: z.array(secretView).readonly(),
  lastSuccessLogin: z.string(),
  nextValidLogin: z.string(),
  /** By graph, `1` for global. */
  roles: z.record(z.string(), z.array(z.string()).readonly()),
  privileges: z.record(z.string(), scopePrivileges),
})

export const readLogin = endpoint({
  method: 'GET',
  path: ['/gsql/v1/auth/simple', '/gsqlserver/gsql/simpleauth'],
  at: 'any',
  summary: 'Who the credentials of this request belong to',
  response: userView,
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const listUsers = endpoint({
  method: 'GET',
  path: '/gsql/v1/users',
  at: 'any',
  summary: 'List users; with `graph` those who have a role on it',
  query: z.object({ graph: graphQuery }),
  response: z.array(userView).readonly(),
  envelope: 'gsql',
  privilege: 'READ_USER',
  errors: [],
})

export const readUser = endpoint({
  method: 'GET',
  path: '/gsql/v1/users/{user}',
  at: 'any',
  summary: 'Read one user',
  params: z.object({ user: name }),
  response: userView,
  envelope: 'gsql',
  privilege: 'READ_USER',
  errors: ['INVALID_PARAMETER'],
})

const userAction = queryString.pipe(z.enum(['create', 'delete']))

export const createUser = endpoint({
  method: 'POST',
  path: '/gsql/v1/users',
  at: 'writer',
  summary: 'Create a user; `action=delete` drops several',
  query: z.object({ action: userAction.optional() }),
  body: z.object({
    username: z.string().optional(),
    name: z.string().optional(),
    password: z.string().optional(),
    userNames: z.array(z.string()).optional(),
  }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_USER',
  errors: ['NAME_TAKEN', 'INVALID_NAME', 'STORE_READ_ONLY', 'STORE_FAILED'],
})

export const updateUser = endpoint({
  method: 'PUT',
  path: '/gsql/v1/users',
  at: 'writer',
  summary: 'Change a password: of oneself, or with WRITE_USER of others',
  body: z.object({
    name,
    password: z.string().min(1).max(2_560),
    /** Refuses all tokens that were made for the user so far, too. */
    revokeTokens: z.boolean().optional(),
  }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: ['STORE_READ_ONLY', 'STORE_FAILED'],
})

export const dropUser = endpoint({
  method: 'DELETE',
  path: '/gsql/v1/users/{user}',
  at: 'writer',
  summary: 'Drop a user',
  params: z.object({ user: name }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'WRITE_USER',
  errors: ['STORE_READ_ONLY', 'STORE_FAILED'],
})

export const createSecret = endpoint({
  method: 'POST',
  path: '/gsql/v1/secrets',
  at: 'writer',
  summary: 'Make a secret, by which its owner logs in',
  query: z.object({
    userName: queryString.optional(),
    alias: queryString.optional(),
    value: queryString.optional(),
  }),
  response: secretView,
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: ['NAME_TAKEN', 'STORE_READ_ONLY', 'STORE_FAILED'],
})

export const listSecrets = endpoint({
  method: 'GET',
  path: '/gsql/v1/secrets',
  at: 'any',
  summary: 'List secrets with their values',
  query: z.object({ userName: queryString.optional() }),
  response: z.array(secretView).readonly(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const readSecret = endpoint({
  method: 'GET',
  path: '/gsql/v1/secrets/{alias}',
  at: 'any',
  summary: 'Read one secret',
  params: z.object({ alias: name }),
  query: z.object({ userName: queryString.optional() }),
  response: secretView,
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const dropSecrets = endpoint({
  method: 'DELETE',
  path: ['/gsql/v1/secrets', '/gsql/v1/secrets/{alias}'],
  at: 'writer',
  summary: 'Remove secrets by alias or value',
  params: z.object({ alias: name.optional() }),
  query: z.object({ userName: queryString.optional() }),
  body: z.object({ secrets: z.union([z.string(), z.array(z.string())]).optional() }).optional(),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: ['STORE_READ_ONLY', 'STORE_FAILED'],
})

/** Beside the list of the contract, whose entries clients compare. */
export const readSecretUsage = endpoint({
  method: 'GET',
  path: '/quiver/v1/secrets/usage',
  at: 'any',
  summary: "When each of the caller's secrets was last used",
  response: z.array(
    z.object({
      alias: z.string(),
      /** Epoch milliseconds; null: never, or not since this is kept. */
      lastUsedAt: z.number().nullable(),
    }),
  ),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})
