/** The graph, a user for each client, and a password for the first user. */
import { basic, type Call } from './caller.ts'
import {
  FIXED_COUNT,
  GRAPH,
  jobsText,
  ownKnows,
  ownSums,
  raiseOwn,
  ranking,
  schemaText,
} from './schema.ts'
import type { Identity, SoakClient } from './soak-client.ts'

const INITIAL_PASSWORD = 'tigergraph'

export async function setUp(
  admin: SoakClient,
  clients: readonly SoakClient[],
  { user, password }: Identity,
): Promise<void> {
  admin.caller.authorization = basic(user, INITIAL_PASSWORD)
  await script(admin, schemaText)
  await script(admin, `USE GRAPH ${GRAPH}\n${jobsText}`)
  for (const body of [ownSums, raiseOwn, ranking, ownKnows]) {
    await must(admin, { method: 'POST', path: `/gsql/v1/queries?graph=${GRAPH}`, body })
  }
  const owners = Object.fromEntries(clients.map(({ place }) => [place.client, {}]))
  const body = { vertices: { Fixed: fixedVertices(), Owner: owners } }
  await must(admin, { method: 'POST', path: `/restpp/graph/${GRAPH}`, body })
  for (const { identity } of clients) await addUser(admin, identity)
  // From here on every request needs credentials.
  await must(admin, { method: 'PUT', path: '/gsql/v1/users', body: { name: user, password } })
  admin.caller.authorization = basic(user, password)
}

async function addUser(admin: SoakClient, { user, password }: Identity): Promise<void> {
  const body = { username: user, password }
  await must(admin, { method: 'POST', path: '/gsql/v1/users', body })
  await script(admin, `GRANT ROLE admin ON GRAPH ${GRAPH} TO ${user}`)
}

async function script(admin: SoakClient, body: string): Promise<void> {
  await must(admin, { method: 'POST', path: '/gsql/v1/statements', body })
}

async function must(admin: SoakClient, call: Call): Promise<void> {
  if ((await admin.send('set-up', call)) === null) {
    throw new Error(`the set-up failed: ${call.method} ${call.path}`)
  }
}

function fixedVertices(): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: FIXED_COUNT }, (_, number) => [
      `fixed-${number}`,
      { n: { value: number }, name: { value: `vertex ${number}` } },
    ]),
  )
}
