import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/auth.ts'
import { type AccountService, dateText } from '#services/auth/account-service.ts'
import type { AuthService } from '#services/auth/auth-service.ts'
import { secretHash } from '#services/auth/secret-hash.ts'
import { message } from '../reply.ts'
import { present, serve } from '../serve.ts'

export function mountAuthRoutes(
  app: FastifyInstance,
  auth: AuthService,
  accounts: AccountService,
): void {
  mountTokens(app, auth)
  mountUsers(app, accounts)
  mountSecrets(app, accounts)
  serve(app, contract.readSecretUsage, ({ principal }) =>
    accounts.listSecrets(present(principal), undefined).map(({ alias, value }) => ({
      alias,
      lastUsedAt: auth.uses.lastMs(secretHash(value)),
    })),
  )
}

function mountTokens(app: FastifyInstance, auth: AuthService): void {
  serve(app, contract.createToken, async ({ principal, body, address }) => {
    const wanted = { ...body, address }
    const { token, expiresAtSeconds } = await auth.createToken(principal, wanted)
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
  serve(app, contract.listTokens, ({ principal, query }) => {
    const caller = present(principal)
    return auth.listTokens(caller, query.user ?? caller.name).map((token) => ({
      ...{ id: token.id, graph: token.graph, revoked: token.isRevoked },
      ...{ issuedAt: token.issuedAtSeconds, expiresAt: token.expiresAtSeconds },
      lastUsedAt: auth.uses.lastMs(token.id),
    }))
  })
  serve(app, contract.revokeToken, async ({ principal, params }) => {
    await auth.revokeToken(present(principal), params.id)
    return message(`Successfully revoked the token ${params.id}.`)
  })
  serve(app, contract.revokeAllTokens, async ({ principal, query, note }) => {
    const caller = present(principal)
    const user = query.user ?? caller.name
    note(user)
    await auth.revokeAllTokens(caller, user)
    return message(`Successfully revoked all tokens of user ${user}.`)
  })
  // Tokens belong to users, whichever secret they were made by.
  serve(app, contract.dropExpiredTokens, async ({ principal, body }) => {
    const count = await auth.dropExpiredTokens(present(principal), body?.user ?? [])
    return message(`Successfully removed ${count} expired tokens.`, { code: 'REST-0000' })
  })
}

function mountUsers(app: FastifyInstance, accounts: AccountService): void {
  serve(app, contract.readLogin, ({ principal }) =>
    accounts.read(present(principal), present(principal).name),
  )
  serve(app, contract.listUsers, ({ principal, query }) =>
    accounts.list(present(principal), query.graph ?? null),
  )
  serve(app, contract.readUser, ({ principal, params }) =>
    accounts.read(present(principal), params.user),
  )
  serve(app, contract.createUser, async ({ principal, query, body, note }) => {
    note((body.userNames ?? [body.username ?? body.name ?? '']).join(', '))
    if (query.action === 'delete') {
      const names = body.userNames ?? []
      await accounts.drop(present(principal), names)
      return message(`Successfully dropped users: [${names.join(', ')}]`)
    }
    return message(await accounts.create(body.username ?? body.name, body.password))
  })
  serve(app, contract.updateUser, async ({ principal, body, note }) => {
    note(body.name)
    return message(await accounts.setPassword(present(principal), body))
  })
  serve(app, contract.dropUser, async ({ principal, params }) => {
    await accounts.drop(present(principal), [params.user])
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

function listOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
