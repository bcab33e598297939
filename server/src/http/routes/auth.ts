import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/auth.ts'
import { DbError } from '#kernel/errors.ts'
import type { Principal } from '#services/auth/access.ts'
import { type AccountService, dateText } from '#services/auth/account-service.ts'
import type { AuthService } from '#services/auth/auth-service.ts'
import { message } from '../reply.ts'
import { serve } from '../serve.ts'

export function mountAuthRoutes(
  app: FastifyInstance,
  auth: AuthService,
  accounts: AccountService,
): void {
  mountTokens(app, auth)
  mountUsers(app, accounts)
  mountSecrets(app, accounts)
}

function mountTokens(app: FastifyInstance, auth: AuthService): void {
  serve(app, contract.createToken, async ({ principal, body }) => {
    const { token, expiresAtSeconds } = await auth.createToken(principal?.name ?? null, body ?? {})
    return {
      token,
      expiration: dateText(expiresAtSeconds * 1000),
      message: 'Generate new JWT token successfully.',
    }
  })
  serve(app, contract.checkToken, async ({ body }) => {
    await auth.checkToken(body.token)
    return message(`The token ${body.token} verification succeed.`)
  })
  serve(app, contract.dropTokens, async ({ principal, query, body }) => {
    const caller = present(principal)
    if (query.clear) await auth.clearBlockedTokens(caller)
    else await auth.blockTokens(caller, [body?.tokens ?? []].flat().flatMap(listOf))
    return message('Successfully dropped the specified JWT tokens')
  })
}

function mountUsers(app: FastifyInstance, accounts: AccountService): void {
  serve(app, contract.readLogin, ({ principal }) => accounts.read(present(principal).name))
  serve(app, contract.listUsers, () => accounts.list())
  serve(app, contract.readUser, ({ params }) => accounts.read(params.user))
  serve(app, contract.createUser, async ({ query, body }) => {
    if (query.action === 'delete') {
      const names = body.userNames ?? []
      await accounts.drop(names)
      return message(`Successfully dropped users: [${names.join(', ')}]`)
    }
    return message(await accounts.create(body.username ?? body.name, body.password))
  })
  serve(app, contract.updateUser, async ({ principal, body }) =>
    message(await accounts.setPassword(present(principal), body.name, body.password)),
  )
  serve(app, contract.dropUser, async ({ params }) => {
    await accounts.drop([params.user])
    return message(`Successfully dropped user ${params.user}`)
  })
}

function mountSecrets(app: FastifyInstance, accounts: AccountService): void {
  serve(app, contract.createSecret, ({ principal, query }) =>
    accounts.createSecret(present(principal), query),
  )
  serve(app, contract.listSecrets, ({ principal, query }) =>
    accounts.listSecrets(present(principal), query.userName),
  )
  serve(app, contract.readSecret, ({ principal, params, query }) =>
    accounts.readSecret(present(principal), query.userName, params.alias),
  )
  serve(app, contract.dropSecrets, async ({ principal, params, query, body }) => {
    const named = body?.secrets ?? []
    const secrets = params.alias === undefined ? [named].flat() : [params.alias]
    return message(await accounts.dropSecrets(present(principal), query.userName, secrets))
  })
}

/** An endpoint that is not PUBLIC always has a caller. */
function present(principal: Principal | null): Principal {
  if (principal) return principal
  throw new DbError('UNAUTHENTICATED', 'Access Denied because input token is empty')
}

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
