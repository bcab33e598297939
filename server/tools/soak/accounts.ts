/** Logins as programs make them: a secret of one's own, a token from it, and wrong passwords. */
import { basic, Caller } from './caller.ts'
import { valueAt } from './read-state.ts'
import type { Task } from './reads.ts'
import { GRAPH } from './schema.ts'
import type { SoakClient } from './soak-client.ts'

export const TOKEN_SECONDS = 300
const SECRETS_MAX = 4

/** As the Python client's getToken(): a new secret, then a token from it. */
export const login: Task = async (client, ledger) => {
  const { identity, caller } = client
  const password = basic(identity.user, identity.password)
  const headers = { authorization: password }
  const secret = await client.send('login', { method: 'POST', path: '/gsql/v1/secrets', headers })
  if (secret === null) return
  const value = String(valueAt(secret.body, 'results.value'))
  client.secrets.push(value)
  const body = { secret: value, lifetime: TOKEN_SECONDS }
  const answer = await client.send('login', { method: 'POST', path: '/gsql/v1/tokens', body })
  if (answer === null) return
  const token = String(valueAt(answer.body, 'token'))
  const authorization = `Bearer ${token}`
  const check = { method: 'GET', path: '/gsql/v1/auth/simple', headers: { authorization } } as const
  const who = await client.send('login', check)
  if (who !== null) {
    ledger.expectEqual('login', 'user of a token', [
      valueAt(who.body, 'results.name'),
      identity.user,
    ])
  }
  if (client.tokenUntilMs > 0) useToken(client, authorization)
  else caller.authorization = password
  await dropOldSecrets(client, headers)
}

/** A client with a token takes a new one in time; others keep to their password. */
export function needsLogin(client: SoakClient): boolean {
  return client.tokenUntilMs > 0 && Date.now() > client.tokenUntilMs
}

function useToken(client: SoakClient, authorization: string): void {
  client.caller.authorization = authorization
  client.tokenUntilMs = Date.now() + TOKEN_SECONDS * 500
}

async function dropOldSecrets(
  client: SoakClient,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  while (client.secrets.length > SECRETS_MAX) {
    const body = { secrets: [client.secrets[0]!] }
    const call = { method: 'DELETE', path: '/gsql/v1/secrets', headers, body } as const
    if ((await client.send('drop-secret', call)) === null) return
    client.secrets.shift()
  }
}

/** Somebody who guesses: refused each time, and after some tries told to wait. */
export const wrongLogin: Task = async (client, ledger) => {
  const user = `stranger${client.random.below(1_000)}`
  const stranger = new Caller(basic(user, `guess ${client.random.below(1e6)}`))
  stranger.connectTo(client.caller.port)
  const path = `/restpp/graph/${GRAPH}/vertices/Fixed/fixed-1`
  try {
    const answer = await stranger.send({ method: 'GET', path })
    ledger.answered('wrong-login', answer.durationMs)
    if (answer.status === 429) ledger.refused('wrong-login', 429, 'told to wait')
    else ledger.expectEqual('wrong-login', 'status', [answer.status, 401])
  } finally {
    stranger.close()
  }
}

/** Writes a query anew with another number in its text, and runs it. */
export const installQuery: Task = async (client, ledger) => {
  const { place, random, ownQuery } = client
  const value = random.below(1e6)
  const body = `CREATE OR REPLACE QUERY own_${place.client}() FOR GRAPH ${GRAPH} { PRINT ${value} AS own; }`
  ownQuery.pending = value
  const call = { method: 'POST', path: `/gsql/v1/queries?graph=${GRAPH}`, body } as const
  const answer = await client.send('install-query', call)
  if (answer === null) return
  ownQuery.value = value
  ownQuery.pending = null
  await runOwnQuery(client, ledger)
}

/** After a kill the number of a request without an answer is right as well. */
export const runOwnQuery: Task = async (client, ledger) => {
  const { place, ownQuery } = client
  const allowed = [ownQuery.value, ownQuery.pending].filter((value) => value !== null)
  if (ownQuery.value === null) return
  const path = `/restpp/query/${GRAPH}/own_${place.client}`
  const answer = await client.send('own-query', { method: 'GET', path })
  if (answer === null) return
  const found = valueAt(answer.body, 'results.0.own') as number
  ledger.expectEqual('own-query', `${found}, one of ${allowed}`, [allowed.includes(found), true])
  ownQuery.value = found
  ownQuery.pending = null
}
