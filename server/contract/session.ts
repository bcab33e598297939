/**
 * Who is at the console: its login, by an HttpOnly cookie, and the password of the first user.
 *
 * While the first user's password is the given one, requests without credentials count as that
 * user (on loopback only), and `passwordIsDefault` lets the console say so.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

const session = z.object({
  /** The user that requests of this browser count as; null where a login is needed. */
  user: z.string().nullable(),
  /** The first user still has the password that everyone knows. */
  passwordIsDefault: z.boolean(),
  /** The user may do everything: what they may do in detail need not be asked. */
  isSuperUser: z.boolean(),
  /** Release and hash of the server, shown before login. */
  version: z.string(),
})

export const readSession = endpoint({
  method: 'GET',
  path: '/quiver/v1/session',
  at: 'any',
  ofInstance: true,
  summary: 'Who this browser is signed in as, and whether a login is needed',
  response: session,
  envelope: 'gsql',
  privilege: 'PUBLIC',
  errors: [],
})

export const logIn = endpoint({
  method: 'POST',
  path: '/quiver/v1/session',
  at: 'writer',
  summary: 'Sign in; answers with a cookie that scripts cannot read',
  body: z.object({ user: z.string().min(1).max(2_560), password: z.string().max(2_560) }),
  response: session,
  envelope: 'gsql',
  privilege: 'PUBLIC',
  audited: true,
  errors: ['UNAUTHENTICATED'],
})

export const logOut = endpoint({
  method: 'DELETE',
  path: '/quiver/v1/session',
  at: 'writer',
  summary: 'Sign out: the session ends, and the cookie is taken back',
  response: session,
  envelope: 'gsql',
  privilege: 'PUBLIC',
  errors: ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'],
})

export const PASSWORD_LENGTH_MIN = 8

export const changePassword = endpoint({
  method: 'PUT',
  path: '/quiver/v1/session/password',
  at: 'writer',
  summary: 'Change the password of the user that is signed in',
  body: z.object({
    current: z.string().max(2_560),
    next: z.string().min(PASSWORD_LENGTH_MIN).max(2_560),
    /** Refuses all tokens that were made for the user so far, too. */
    revokeTokens: z.boolean().optional(),
  }),
  response: session,
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  changes: true,
  audited: true,
  errors: ['UNAUTHENTICATED', 'INVALID_PARAMETER', 'STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'],
})
