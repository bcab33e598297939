/**
 * A user of few rights calls every endpoint at a follower and at the writer, and is told the same: what is
 * refused is refused in the same words, whether the follower answers or hands the request on.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SharedImage } from '#storage/memory/shared-image.ts'
import { type Call, callsOf } from '../fixtures/endpoint-calls.ts'
import { neededBody } from '../fixtures/needed-input.ts'
import { localRoles } from '../fixtures/role-table.ts'
import { type Answer, createAcme } from '../fixtures/server.ts'
import { caughtUp, type SharedServer, startListening } from '../fixtures/shared-servers.ts'

const roles = ['nobody', 'observer', 'queryreader']

let image: SharedImage
let writer: SharedServer
let follower: SharedServer

const credentials = (user: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${user} password`).toString('base64')}`,
})

function start(name: string): Promise<SharedServer> {
  return startListening(image, name, { queryWorkerCount: 0 })
}

beforeAll(async () => {
  image = new SharedImage()
  writer = await start('a')
  follower = await start('b')
  await createAcme(writer)
  for (const role of roles) {
    const user = { username: role, password: `${role} password` }
    expect((await follower.request('POST', '/gsql/v1/users', user)).body.error).toBe(false)
    if (!(role in localRoles)) continue
    const grant = { roles: [role], users: [role] }
    const granted = await follower.request('POST', '/gsql/v1/roles/grant?graph=acme', grant)
    expect(granted.body, granted.text).toMatchObject({ error: false })
  }
}, 120_000)
afterAll(async () => {
  await follower?.close()
  await writer?.close()
})

/** Status, code and message; of a refusal all of it. Ids and secrets are others with each request. */
function told({ status, text, body }: Answer): string {
  const { error, code, message } = body ?? {}
  const isRefused = status >= 400 || error === true
  const words = isRefused ? text : JSON.stringify({ code, message })
  return `${status} ${words.replace(/\d+\.RESTPP_1_\d\.\d+\.N/g, 'ID').replace(/\w{24,}/g, 'SECRET')}`
}

async function expectSame(call: Call, role: string | null): Promise<void> {
  const { method, path } = call
  const url = path.endsWith('/stream') ? `${call.url}?rounds=1` : call.url
  const body = neededBody[path] ?? {}
  const headers = role === null ? { authorization: 'Bearer no.such.token' } : credentials(role)
  const atFollower = await follower.request(method, url, body, headers)
  await caughtUp(follower, image)
  const atWriter = await writer.request(method, url, body, headers)
  expect(told(atFollower), `${method} ${url}`).toBe(told(atWriter))
  await caughtUp(follower, image)
}

describe('every endpoint', () => {
  it.each([null, ...roles])(
    'tells %s the same at a follower',
    async (role) => {
      for (const endpoint of follower.app.endpoints) {
        for (const call of callsOf(endpoint)) await expectSame(call, role)
      }
    },
    120_000,
  )
})
