/**
 * Every route of the contract with every built-in role, generated from the contract itself: who
 * lacks the declared privilege is refused by the real server in the declared shape, and who has it
 * is let in. The second half runs against handlers that do nothing, since the real ones would drop
 * the very graph that the roles are about.
 */
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { buildApp } from '#http/app.ts'
import { message, replyJson } from '#http/reply.ts'
import { serve } from '#http/serve.ts'
import { type Call, callsOf, namesGraphInQuery } from '../fixtures/endpoint-calls.ts'
import { neededBody } from '../fixtures/needed-input.ts'
import {
  globalRoles as global,
  localRoles as local,
  roleNames as roles,
} from '../fixtures/role-table.ts'
import { type Answer, createAcme, startServer, type TestServer } from '../fixtures/server.ts'

let server: TestServer
let idle: FastifyInstance

const credentials = (user: string) => ({
  authorization: `Basic ${Buffer.from(`${user}:${user} password`).toString('base64')}`,
})

beforeAll(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
  for (const role of roles) {
    const user = { username: role, password: `${role} password` }
    expect((await server.request('POST', '/gsql/v1/users', user)).body.error).toBe(false)
    if (role === 'nobody') continue
    const url = `/gsql/v1/roles/grant${role in local ? '?graph=acme' : ''}`
    const granted = await server.request('POST', url, { roles: [role], users: [role] })
    expect(granted.body, granted.text).toMatchObject({ error: false })
  }
  idle = await idleApp(server)
})
afterAll(async () => {
  await idle?.close()
  await server?.close()
})

/** The same contract and the same access control, over handlers that only say that they ran. */
async function idleApp({ app: real }: TestServer): Promise<FastifyInstance> {
  const app = await buildApp({
    dependencies: real.dependencies,
    logger: pino({ level: 'silent' }) as never,
    hosts: new Set(['localhost']),
    nowMs: () => 0,
  })
  for (const endpoint of real.endpoints) {
    // Bodies differ; whether one fits is not the question here.
    const open = { ...endpoint, body: undefined } as Endpoint
    serve(app, open, () => (endpoint.envelope === 'bare' ? replyJson('{}') : message('let in')))
  }
  return app
}

/** By the contract alone: the privilege, and whether the call is about graph `acme`. */
function isAllowed(role: string, { endpoint, path }: Call): boolean {
  const { privilege, ofAllGraphs = false, ofSomeGraph = false } = endpoint
  if (privilege === 'PUBLIC' || privilege === 'AUTHENTICATED') return true
  const granted = (global[role] ?? local[role] ?? '').split(' ')
  if (granted.includes('*')) return true
  if (!granted.includes(privilege)) return false
  if (role in global) return true
  const isOfGraph = path.includes('{graph}') || namesGraphInQuery(endpoint)
  return (isOfGraph && !ofAllGraphs) || ofSomeGraph
}

function expectRefusal({ endpoint, method, url }: Call, answer: Answer): void {
  const what = `${method} ${url}: ${answer.status} ${answer.text}`
  expect(answer.status, what).toBe(403)
  const isRestpp = endpoint.envelope === 'restpp' || endpoint.paths[0]?.startsWith('/restpp/')
  expect(answer.body, what).toMatchObject({
    error: true,
    code: isRestpp ? 'REST-10016' : 'FORBIDDEN',
    message: expect.stringContaining(endpoint.privilege),
    ...(isRestpp && { version: { edition: 'enterprise', api: 'v2', schema: expect.any(Number) } }),
  })
}

describe('every route of the contract', () => {
  it.each(roles)(
    'refuses %s where its privilege is missing, in the declared shape',
    async (role) => {
      let refused = 0
      for (const endpoint of server.app.endpoints) {
        for (const call of callsOf(endpoint)) {
          if (isAllowed(role, call)) continue
          const body = neededBody[call.path] ?? {}
          expectRefusal(call, await server.request(call.method, call.url, body, credentials(role)))
          refused++
        }
      }
      expect(refused > 0).toBe(role !== 'superuser')
    },
  )

  it.each(roles)('lets %s in where it has the privilege', async (role) => {
    let allowed = 0
    for (const endpoint of server.app.endpoints) {
      for (const call of callsOf(endpoint)) {
        if (!isAllowed(role, call)) continue
        const { method, url } = call
        const answer = await idle.inject({ method, url, headers: credentials(role) })
        expect(answer.statusCode, `${method} ${url}: ${answer.body}`).not.toBe(401)
        expect(answer.statusCode, `${method} ${url}: ${answer.body}`).not.toBe(403)
        allowed++
      }
    }
    expect(allowed).toBeGreaterThan(20)
  })

  it('does not take a graph for its own that it never reads', async () => {
    const designerHere = credentials('designer')
    for (const endpoint of server.app.endpoints) {
      for (const call of callsOf(endpoint)) {
        if (isAllowed('designer', call)) continue
        const url = `${call.url}${call.url.includes('?') ? '&' : '?'}graph=acme&graphName=acme&graph_name=acme`
        const body = neededBody[call.path] ?? {}
        const { status, text } = await server.request(call.method, url, body, designerHere)
        expect(status, `${call.method} ${url}: ${text}`).toBe(403)
      }
    }
  })
})
