import type { FastifyInstance } from 'fastify'
import { changePassword, logIn, logOut, readSession } from '#contract/session.ts'
import { DbError } from '#kernel/errors.ts'
import type { AccountService } from '#services/auth/account-service.ts'
import { type AuthService, SESSION_SECONDS } from '#services/auth/auth-service.ts'
import { SESSION_COOKIE, sessionToken } from '../dependencies.ts'
import { reply } from '../reply.ts'
import { serve } from '../serve.ts'

export interface SessionRoutesOptions {
  readonly auth: AuthService
  readonly accounts: AccountService
  /** Release and hash, shown before login. */
  readonly version: string
}

export function mountSessionRoutes(app: FastifyInstance, options: SessionRoutesOptions): void {
  const { auth, accounts, version } = options
  const stateFor = (user: string | null) => ({
    user,
    passwordIsDefault: auth.users.passwordIsDefault,
    isSuperUser: user !== null && auth.isSuperUser(user),
    version,
  })
  serve(app, readSession, ({ principal }) => stateFor(principal?.name ?? null))
  serve(app, logIn, async ({ body, note, address, isSecure }) => {
    const { name } = await auth.logIn(body.user, body.password, address)
    note(name)
    return reply(stateFor(name), { headers: await sessionCookie(auth, name, isSecure) })
  })
  serve(app, logOut, async ({ headers, isSecure }) => {
    const token = sessionToken(app, headers)
    if (token !== undefined) await auth.endSession(token)
    const remaining = auth.isOpen ? 'tigergraph' : null
    return reply(stateFor(remaining), { headers: cookieHeader('', 0, isSecure) })
  })
  serve(app, changePassword, async ({ principal, body, address, isSecure }) => {
    if (principal === null) throw new DbError('UNAUTHENTICATED', 'Sign in first.')
    await accounts.changeOwnPassword(principal, { ...body, address })
    const headers = await sessionCookie(auth, principal.name, isSecure)
    return reply(stateFor(principal.name), { headers })
  })
}

async function sessionCookie(
  auth: AuthService,
  user: string,
  isSecure: boolean,
): Promise<Record<string, string>> {
  return cookieHeader(await auth.startSession(user), SESSION_SECONDS, isSecure)
}

/** @param isSecure browsers then never send the cookie without encryption */
function cookieHeader(
  token: string,
  maxAgeSeconds: number,
  isSecure: boolean,
): Record<string, string> {
  const secure = isSecure ? '; Secure' : ''
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`
  return { 'set-cookie': `${SESSION_COOKIE}=${token}; ${attributes}` }
}
