import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bytesBody, endpoint } from '#contract/endpoint.ts'
import { anyQuery, name } from '#contract/parameters.ts'
import { DbError } from '#kernel/errors.ts'
import type { AuditEvent } from '#services/auth/audit-log.ts'
import { Rights } from '#services/auth/rights.ts'
import { SharedImage } from '#storage/memory/shared-image.ts'
import { SharedMemoryStore } from '#storage/memory/shared-memory-store.ts'
import { buildApp } from './app.ts'
import { FORWARDED_HEADER, forwardedHeader } from './forwarded.ts'
import { message, reply } from './reply.ts'
import { serve } from './serve.ts'

const common = {
  response: z.unknown(),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: [],
} as const
const read = endpoint({
  ...common,
  ...{ method: 'GET', path: '/gsql/v1/read', at: 'any', summary: 'read' },
})
const write = endpoint({
  ...common,
  ...{ method: 'POST', path: '/gsql/v1/write/{what}', at: 'writer', keyed: true, summary: 'write' },
  ...{ params: z.object({ what: name }), query: anyQuery, body: bytesBody, bodyFormat: 'bytes' },
})
const change = endpoint({
  ...common,
  ...{ method: 'POST', path: '/gsql/v1/change', at: 'writer', audited: true, summary: 'change' },
  ...{ body: bytesBody, bodyFormat: 'bytes' },
})
const run = endpoint({
  ...common,
  ...{ method: 'GET', path: '/gsql/v1/run', at: 'query', keyed: true, summary: 'run' },
  query: anyQuery,
})
const state = endpoint({
  ...common,
  ...{ method: 'GET', path: '/gsql/v1/state/{request_id}', at: 'named', summary: 'state' },
  params: z.object({ request_id: name }),
})
const script = endpoint({
  ...common,
  ...{ method: 'GET', path: '/gsql/v1/script/{id}', at: 'named', isStored: true },
  ...{ summary: 'script', params: z.object({ id: name }) },
})
const running = endpoint({
  ...common,
  ...{ method: 'GET', path: '/gsql/v1/running', at: 'any', gathers: true, ofInstance: true },
  summary: 'running',
})
const slow = endpoint({
  ...common,
  ...{ method: 'GET', path: '/gsql/v1/slow', at: 'any', gathers: true, ofInstance: true },
  ...{ summary: 'slow', query: anyQuery },
})

interface Node {
  readonly store: SharedMemoryStore
  readonly app: FastifyInstance
  readonly url: string
  /** What its handlers were asked. */
  readonly asked: { readonly key: unknown; readonly address: unknown; readonly body: string }[]
  readonly audit: AuditEvent[]
  /** What happens to the next write. */
  fault: 'none' | 'lost before' | 'lost behind' | 'not writer'
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

interface NodeOptions {
  readonly writeWaitMs?: number
  readonly maxStalenessMs?: number
  readonly takesOver?: boolean
}

async function startNode(image: SharedImage, instance: string, options: NodeOptions = {}) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const { takesOver = true } = options
  const store = new SharedMemoryStore(image, { name: instance, url, takesOver })
  await store.follow({
    apply: async () => undefined,
    roleChanged: async () => undefined,
    mustStartAgain: () => undefined,
    digest: () => ({ sequence: store.position, checksum: 0 }),
    compare: () => undefined,
  })
  const audit: AuditEvent[] = []
  const app = await buildApp({
    dependencies: {
      access: { admit: () => ({ name: 'ada', graph: null, rights: new Rights(true) }) },
      schemaVersionOf: () => 0,
      ownsQuery: () => false,
      audit: { record: (event) => void audit.push(event) },
      lockedWriteGuard: 'off',
      responseSizeBytesMax: 2 ** 30,
      statistics: { started: () => undefined, ended: () => undefined, observe: () => undefined },
      sharing: {
        log: store,
        writeWaitMs: options.writeWaitMs ?? 20_000,
        maxStalenessMs: options.maxStalenessMs ?? null,
        counts: { forwarded: 0 },
        sign: (text) => `signed ${Buffer.from(text).toString('base64url')}`,
      },
    },
    logger: pino({ level: 'silent' }) as never,
    hosts: new Set(['localhost']),
    nowMs: () => 0,
  })
  const node: Node = { store, app, url, asked: [], audit, fault: 'none' }
  serve(app, read, () => instance)
  const append = async (bytes: Uint8Array) => {
    const sequence = await store.append(bytes)
    store.applied(sequence)
    return reply({ at: instance, sequence })
  }
  serve(app, write, async ({ params, body, address, idempotencyKey: key, signal }) => {
    const { fault } = node
    node.fault = 'none'
    node.asked.push({ key, address, body: `${params.what} ${Buffer.from(body).toString()}` })
    if (fault === 'not writer') throw new DbError('NOT_WRITER', 'another one writes')
    const answer = fault === 'lost before' ? null : await append(body)
    if (fault === 'none') return answer
    // As if the process had been killed.
    for (const socket of sockets(app)) socket.destroy()
    return await new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)))
  })
  serve(app, change, async ({ body, address }) => {
    node.asked.push({ key: null, address, body: Buffer.from(body).toString() })
    if (node.fault === 'none') return await append(body)
    for (const socket of sockets(app)) socket.destroy()
    return message('nobody reads it')
  })
  serve(app, run, async ({ query, headers }) => {
    if (query['changes'] === undefined) return reply([instance, headers['gsql-replica'] ?? null])
    if (store.role !== 'writer') throw new DbError('NOT_WRITER', 'nothing was run')
    return await append(Buffer.from('run'))
  })
  serve(app, state, ({ params }) => [instance, params.request_id])
  serve(app, script, ({ params }) => [instance, params.id])
  serve(app, running, () => reply([instance]))
  serve(app, slow, () => ({ thresholdMs: 1, ...slowAt(instance) }))
  await app.listen({ port, host: '127.0.0.1' })
  return node
}

/** Newest first, as an instance has them. */
function slowAt(instance: string) {
  const run = (id: string, startMs: number, elapsedMs: number) => ({ id, startMs, elapsedMs })
  return instance === 'a'
    ? { forgottenUntilMs: null, runs: [run('a2', 30, 10), run('a1', 10, 5)] }
    : { forgottenUntilMs: 7, runs: [run('b2', 20, 15), run('b1', 5, 3)] }
}

const open = new Map<FastifyInstance, Set<import('node:net').Socket>>()

function sockets(app: FastifyInstance) {
  return open.get(app) ?? new Set()
}

let image: SharedImage
let a: Node
let b: Node
const nodes: Node[] = []

async function started(instance: string, options?: NodeOptions): Promise<Node> {
  const node = await startNode(image, instance, options)
  const set = new Set<import('node:net').Socket>()
  open.set(node.app, set)
  node.app.server.on('connection', (socket) => {
    set.add(socket)
    socket.once('close', () => set.delete(socket))
  })
  nodes.push(node)
  return node
}

beforeEach(async () => {
  image = new SharedImage()
  a = await started('a')
  b = await started('b')
})
afterEach(async () => {
  for (const node of nodes.splice(0)) {
    node.store.kill()
    await node.app.close()
  }
})

const post = (node: Node, path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${node.url}${path}`, { method: 'POST', body, headers })

describe('a request that changes something', () => {
  it('is carried out by the writer, and answered where it was sent once it is applied there', async () => {
    const answer = await post(b, '/gsql/v1/write/it?a=1&a=2', 'hello', { 'x-any': 'y' })
    expect(answer.status).toBe(200)
    const { results } = (await answer.json()) as { results: { at: string; sequence: number } }
    expect(results.at).toBe('a')
    expect(Number(answer.headers.get('x-quiver-position'))).toBeGreaterThanOrEqual(results.sequence)
    expect(b.store.position).toBeGreaterThanOrEqual(results.sequence)
    expect(a.asked).toMatchObject([{ body: 'it hello', address: '127.0.0.1' }])
    expect(a.asked[0]!.key).toEqual({
      user: 'ada',
      key: expect.stringMatching(/^POST \/gsql\/v1\/write\/it [0-9a-f-]{36}$/),
    })
    expect(answer.headers.get('x-request-id')).toMatch(/RESTPP_1_1/)
    expect(b.asked).toEqual([])
  })

  it('keeps its own key, and one that is too long is refused', async () => {
    await post(b, '/gsql/v1/write/it', 'x', { 'idempotency-key': 'mine' })
    expect(a.asked[0]!.key).toEqual({ user: 'ada', key: 'POST /gsql/v1/write/it mine' })
    const answer = await post(a, '/gsql/v1/write/it', 'x', { 'idempotency-key': 'k'.repeat(129) })
    expect(answer.status).toBe(400)
  })

  it('tells the writer of the client, not of the instance between them', async () => {
    const line = { method: 'POST', url: '/gsql/v1/change' }
    const sign = (text: string) => `signed ${Buffer.from(text).toString('base64url')}`
    const facts = { instance: 'b', address: '192.0.2.7', isSecure: false }
    const header = forwardedHeader(sign, facts, line)
    await post(a, line.url, 'x', { [FORWARDED_HEADER]: header })
    expect(a.audit).toMatchObject([{ address: '192.0.2.7', outcome: 'done' }])
    for (const url of ['/gsql/v1/write/other', '/gsql/v1/change']) {
      const text = url === line.url ? `${header}x` : header
      const forged = await post(a, url, 'x', { [FORWARDED_HEADER]: text })
      expect(forged.status).toBe(403)
    }
    // Who gets it never hands it on.
    const answer = await post(b, line.url, 'x', { [FORWARDED_HEADER]: header })
    expect([answer.status, answer.headers.get('x-quiver-refused')]).toEqual([503, 'NOT_WRITER'])
    expect(((await answer.json()) as { code: string }).code).toBe('NOT_WRITER')
  })

  it('is refused when no instance writes in time: nothing was done', async () => {
    a.store.kill()
    b.store.kill()
    const c = await started('c', { writeWaitMs: 30, takesOver: false })
    const answer = await post(c, '/gsql/v1/write/it', 'x')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('1')
    expect(((await answer.json()) as { code: string }).code).toBe('NO_WRITER')
  })

  it.each(['lost before', 'lost behind'] as const)(
    'is sent again under the same key when the writer was %s it was done',
    async (fault) => {
      a.fault = fault
      const answer = await post(b, '/gsql/v1/write/it', 'x')
      expect(answer.status).toBe(200)
      expect(a.asked).toHaveLength(2)
      expect(a.asked[0]!.key).toEqual(a.asked[1]!.key)
    },
  )

  it('goes to the next writer when the one before is gone for good', async () => {
    await a.app.close()
    const answer = post(b, '/gsql/v1/write/it', 'x')
    a.store.kill()
    expect(await (await answer).json()).toMatchObject({ results: { at: 'b' } })
  })

  it('without a key has an unknown outcome when the writer is lost', async () => {
    a.fault = 'lost behind'
    const answer = await post(b, '/gsql/v1/change', 'x')
    expect(answer.status).toBe(500)
    expect(((await answer.json()) as { code: string }).code).toBe('OUTCOME_UNKNOWN')
    expect(a.asked).toHaveLength(1)
  })

  it('goes on to the new writer where the old one learns of it too late', async () => {
    a.fault = 'not writer'
    await b.store.takeOver()
    const answer = await post(a, '/gsql/v1/write/it', 'x')
    expect(await answer.json()).toMatchObject({ results: { at: 'b' } })
  })
})

describe('a query', () => {
  it('runs where it was sent, and at the writer if it changes something', async () => {
    const here = await fetch(`${b.url}/gsql/v1/run`)
    expect(await here.json()).toMatchObject({ results: ['b', null] })
    const there = await fetch(`${b.url}/gsql/v1/run?changes=1`)
    expect(await there.json()).toMatchObject({ results: { at: 'a' } })
  })

  it('runs at the instance that its header names', async () => {
    const at = async (replica: string, query = '') => {
      const headers = { 'gsql-replica': replica }
      return await (await fetch(`${b.url}/gsql/v1/run${query}`, { headers })).json()
    }
    expect(await at('1')).toMatchObject({ results: ['a', null] })
    expect(await at('2')).toMatchObject({ results: ['b', null] })
    expect(await at('7')).toMatchObject({ error: true, message: expect.stringContaining('1, 2') })
    await b.store.takeOver()
    expect(await at('1', '?changes=1')).toMatchObject({ results: { at: 'b' } })
  })
})

describe('what an instance keeps in memory', () => {
  it('is asked of the instance that the request id names', async () => {
    const of = async (id: string) => {
      const { results } = (await (await fetch(`${b.url}/gsql/v1/state/${id}`)).json()) as {
        results: unknown
      }
      return results
    }
    expect(await of('7.RESTPP_1_1.0.N')).toEqual(['a', '7.RESTPP_1_1.0.N'])
    expect(await of('7.RESTPP_1_2.0.N')).toEqual(['b', '7.RESTPP_1_2.0.N'])
    expect(await of('17')).toEqual(['a', '17'])
  })

  it('is asked of the writer where the instance is gone and it is stored', async () => {
    const url = `${b.url}/gsql/v1/script/7.RESTPP_1_1.0.N`
    const read = async () => (await (await fetch(url)).json()) as { results: unknown }
    expect(await read()).toMatchObject({ results: ['a', '7.RESTPP_1_1.0.N'] })
    await a.app.close()
    a.store.kill()
    expect(await read()).toMatchObject({ results: ['b', '7.RESTPP_1_1.0.N'] })
    const gone = await fetch(`${b.url}/gsql/v1/state/7.RESTPP_1_1.0.N`)
    expect([gone.status, ((await gone.json()) as { message: string }).message]).toEqual([
      503,
      expect.stringContaining('instance a'),
    ])
  })

  it('is listed of all instances, and who does not answer is named', async () => {
    const list = async () => await (await fetch(`${b.url}/gsql/v1/running`)).json()
    expect(await list()).toMatchObject({ results: ['b', 'a'], message: '' })
    await a.app.close()
    const left = await list()
    expect(left).toMatchObject({ results: ['b'], message: expect.stringContaining('a') })
  })
})

describe('a log of which every instance has a part', () => {
  const runsAt = async (node: Node, query = '') => {
    const { results } = (await (await fetch(`${node.url}/gsql/v1/slow${query}`)).json()) as {
      results: { runs: { id: string }[]; thresholdMs: number; forgottenUntilMs: number }
    }
    return { ...results, runs: results.runs.map(({ id }) => id) }
  }

  it('is told as one, newest first, as far as all of it is known', async () => {
    const whole = { thresholdMs: 1, forgottenUntilMs: 7, runs: ['a2', 'b2', 'a1', 'b1'] }
    expect([await runsAt(a), await runsAt(b)]).toEqual([whole, whole])
    expect((await runsAt(b, '?limit=2')).runs).toEqual(['a2', 'b2'])
  })

  it('lacks what an instance has that does not answer', async () => {
    await a.app.close()
    expect((await runsAt(b)).runs).toEqual(['b2', 'b1'])
  })
})

describe('a read', () => {
  it('says which position it shows and how old that may be', async () => {
    const { headers } = await fetch(`${b.url}/gsql/v1/read`)
    expect(Number(headers.get('x-quiver-position'))).toBe(b.store.position)
    expect(headers.get('x-quiver-staleness-ms')).toMatch(/^\d+$/)
  })

  it('waits for the position that it names, or says that it is behind', async () => {
    b.store.pause()
    const { headers } = await post(a, '/gsql/v1/write/it', 'x')
    const position = headers.get('x-quiver-position')!
    const asked = { 'x-quiver-after': position, 'gsql-timeout': '30' }
    const late = await fetch(`${b.url}/gsql/v1/read`, { headers: asked })
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1'])
    expect(((await late.json()) as { code: string }).code).toBe('BEHIND')
    const waiting = fetch(`${b.url}/gsql/v1/read`, { headers: { 'x-quiver-after': position } })
    const latest = fetch(`${b.url}/gsql/v1/read`, { headers: { 'x-quiver-after': 'latest' } })
    b.store.goOn()
    for (const answer of [await waiting, await latest]) {
      expect(answer.status).toBe(200)
      expect(Number(answer.headers.get('x-quiver-position'))).toBeGreaterThanOrEqual(+position)
    }
    const wrong = await fetch(`${b.url}/gsql/v1/read`, { headers: { 'x-quiver-after': 'soon' } })
    expect(wrong.status).toBe(400)
  })

  it('is refused beyond the bound of staleness, but for what is about the instance', async () => {
    const c = await started('c', { maxStalenessMs: 0 })
    expect((await fetch(`${c.url}/gsql/v1/read`)).status).toBe(200)
    c.store.pause()
    await expect
      .poll(async () => (await fetch(`${c.url}/gsql/v1/read`)).status, { timeout: 20_000 })
      .toBe(503)
    expect((await fetch(`${c.url}/gsql/v1/running`)).status).toBe(200)
  })
})
