/**
 * Two whole servers over one store in memory, called by HTTP: whichever is asked, a change is made once
 * by the writer, and what only reads leaves the log as it was.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SharedImage } from '#storage/memory/shared-image.ts'
import { endpointAt } from '../fixtures/endpoint-at.ts'
import { goodCalls } from '../fixtures/good-calls.ts'
import { neededBody, neededQuery } from '../fixtures/needed-input.ts'
import { createAcme } from '../fixtures/server.ts'
import { caughtUp, type SharedServer, startListening } from '../fixtures/shared-servers.ts'

let image: SharedImage
let a: SharedServer
let b: SharedServer

function start(name: string): Promise<SharedServer> {
  return startListening(image, name, { writeWaitMs: 60_000 })
}

const counter = `CREATE QUERY count_up() { UPDATE p FROM Person:p SET p.score = p.score + 1; PRINT "up"; }
  CREATE QUERY people() { S = {Person.*}; PRINT S.size() AS size; }
  CREATE QUERY endless() { WHILE true DO INT i = 0; END; }`

beforeAll(async () => {
  image = new SharedImage()
  a = await start('a')
  b = await start('b')
  await createAcme(a)
  await a.request('POST', '/gsql/v1/queries?graph=acme', counter)
  await a.request('POST', '/restpp/graph/acme', { vertices: { Person: { 7: {}, 8: {} } } })
  await caughtUp(b, image)
}, 120_000)
afterAll(async () => {
  await b?.close()
  await a?.close()
})

const score = async (server: SharedServer) => {
  const { body } = await server.request('GET', '/restpp/graph/acme/vertices/Person/7')
  return body.results[0].attributes.score
}
const add = { vertices: { Person: { 7: { score: { value: 1, op: '+' } } } } }

describe('a follower', () => {
  it('answers what it may answer itself without a change of the log', async () => {
    const { end } = image
    const before = { ...a.store.counts }
    const called = new Set<string>()
    const call = async (method: string, url: string, body?: unknown) => {
      const answer = await b.request(method as 'GET', url, body)
      expect(answer.status, `${method} ${url}: ${answer.text}`).not.toBe(500)
      expect(image.end, `${method} ${url} is at 'any' and has changed the log`).toBe(end)
      expect(Number(answer.headers['x-quiver-position']), `${method} ${url}`).toBe(end)
    }
    for (const [method, url, body] of goodCalls) {
      const at = endpointAt(b.app.endpoints, method, url)
      if (at?.endpoint.at !== 'any' || /logIn/.test(url)) continue
      called.add(at.endpoint.paths[0]!)
      await call(method, url, body)
    }
    for (const { at, methods, paths, query } of b.app.endpoints) {
      const [path = ''] = paths
      // It goes on until its client goes.
      if (at !== 'any' || called.has(path) || path.endsWith('/stream')) continue
      const filled = path
        .replace('{graph}', 'acme')
        .replace('{vertex_type}', 'Person')
        .replace('{kind}', 'scene')
        .replace('{category}', 'qps')
        .replace(/\{\w+\}/g, '7')
      const shape = (query as { readonly shape?: object } | undefined)?.shape ?? {}
      const graph = 'graph' in shape ? ['graph=acme'] : []
      const text = [neededQuery[path], ...graph].filter(Boolean).join('&')
      called.add(path)
      await call(methods[0]!, `${filled}?${text}`, neededBody[path])
    }
    expect(called.size).toBeGreaterThan(80)
    expect(a.store.counts).toEqual(before)
  }, 240_000)

  it('has an upsert made by the writer, and shows it with its answer', async () => {
    const body = { vertices: { Person: { 9: { name: { value: 'Nia' } } } } }
    const answer = await b.request('POST', '/restpp/graph/acme', body)
    expect(answer.body, answer.text).toMatchObject({ results: [{ accepted_vertices: 1 }] })
    const read = await b.request('GET', '/restpp/graph/acme/vertices/Person/9')
    expect(read.body.results[0].attributes.name).toBe('Nia')
    const gone = await b.request('DELETE', '/restpp/graph/acme/vertices/Person/9')
    expect(gone.body.results).toMatchObject({ deleted_vertices: 1 })
  })

  it('makes a change under one key once, whoever is asked', async () => {
    const before = await score(a)
    const headers = { 'idempotency-key': 'once' }
    for (const server of [a, b, b, a]) {
      const answer = await server.request('POST', '/restpp/graph/acme', add, headers)
      expect(answer.body, answer.text).toMatchObject({ results: [{ accepted_vertices: 1 }] })
    }
    await caughtUp(b, image)
    expect([await score(a), await score(b)]).toEqual([before + 1, before + 1])
    // Another user's key of the same text is another key; so is another text.
    await b.request('POST', '/restpp/graph/acme', add, { 'idempotency-key': 'twice' })
    expect(await score(b)).toBe(before + 2)
  })

  it('makes deletes, queries and fed loading jobs under one key once', async () => {
    const key = { 'idempotency-key': 'again' }
    await b.request('POST', '/restpp/graph/acme', { vertices: { Person: { 20: {} } } })
    for (const server of [b, a]) {
      const url = '/restpp/graph/acme/vertices/Person/20'
      const { body, text } = await server.request('DELETE', url, undefined, key)
      expect(body.results, text).toMatchObject({ deleted_vertices: 1 })
    }
    const before = await score(a)
    for (const server of [b, a, b]) {
      const run = await server.request('GET', '/restpp/query/acme/count_up', undefined, key)
      expect(run.body, run.text).toMatchObject({ error: false, results: [{ '"up"': 'up' }] })
    }
    await caughtUp(b, image)
    expect(await score(b)).toBe(before + 1)
    const job = `USE GRAPH acme CREATE LOADING JOB more FOR GRAPH acme {
      DEFINE FILENAME f; LOAD f TO VERTEX Person VALUES ($0, _, _, REDUCE(add($1))); }`
    const made = await b.request('POST', '/gsql/v1/statements', job)
    expect(made.text).toContain('more')
    for (const server of [b, a]) {
      const url = '/restpp/ddl/acme?tag=more&filename=f&sep=,'
      const fed = await server.request('POST', url, '7,5\n', key)
      expect(fed.body, fed.text).toMatchObject({ error: false })
    }
    await caughtUp(b, image)
    expect(await score(b)).toBe(before + 1 + 5)
  })

  it('runs what only reads, and hands on what writes', async () => {
    const people = await b.request('GET', '/restpp/query/acme/people')
    expect(people.body.results, people.text).toEqual([{ size: 2 }])
    expect(people.headers['x-request-id']).toMatch(/RESTPP_1_2\./)
    const up = await b.request('GET', '/restpp/query/acme/count_up')
    expect(up.headers['x-request-id']).toMatch(/RESTPP_1_1\./)
    const text = 'INTERPRET QUERY () FOR GRAPH acme { INSERT INTO Person VALUES (31); PRINT 1; }'
    const written = await b.request('POST', '/gsql/v1/queries/interpret?graph=acme', text)
    expect(written.headers['x-request-id'], written.text).toMatch(/RESTPP_1_1\./)
    const replica = { 'gsql-replica': '1' }
    const there = await b.request('GET', '/restpp/query/acme/people', undefined, replica)
    expect(there.headers['x-request-id']).toMatch(/RESTPP_1_1\./)
  })

  it('finds and ends a run wherever it is', async () => {
    const detached = { 'gsql-async': 'true' }
    const { body } = await b.request('GET', '/restpp/query/acme/endless', undefined, detached)
    const id = body.request_id as string
    expect(id).toMatch(/RESTPP_1_2\./)
    const listed = await a.request('GET', '/gsql/v1/queries/running')
    expect(listed.body.results.map((one: { requestid: string }) => one.requestid)).toEqual([id])
    const status = await a.request('GET', `/restpp/query_status?graph_name=acme&requestid=${id}`)
    expect(status.body.results[0], status.text).toMatchObject({ requestid: id, status: 'running' })
    const ended = await a.request('GET', '/restpp/abortquery/acme?requestid=all')
    expect(ended.body.results[0].aborted_queries, ended.text).toMatchObject([{ requestid: id }])
  })

  it('logs in for both, and ends a session for both', async () => {
    const user = { username: 'eve', password: 'the password of eve' }
    expect((await b.request('POST', '/gsql/v1/users', user)).body.error).toBe(false)
    const login = { user: 'eve', password: user.password }
    const { headers } = await b.request('POST', '/quiver/v1/session', login)
    const cookie = String(headers['set-cookie']).split(';')[0]!
    const who = async (server: SharedServer) =>
      (await server.request('GET', '/quiver/v1/session', undefined, { cookie })).body.results?.user
    expect([await who(a), await who(b)]).toEqual(['eve', 'eve'])
    await b.request('DELETE', '/quiver/v1/session', undefined, { cookie })
    await caughtUp(b, image)
    expect([await who(a), await who(b)]).not.toContain('eve')
  })
})

describe('what a client does through a follower', () => {
  it('is on the time axis of its statistics', async () => {
    b.clock.advance(1_000)
    const { body } = await b.request('GET', '/quiver/v1/statistics/acme/history')
    const kinds = body.results.markers.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toContain('schema')
  })

  it('is in the list of maintenance', async () => {
    await b.request('GET', '/restpp/deleted_vertex_check/acme')
    expect((await b.request('GET', '/restpp/rebuildnow/acme')).status).toBe(200)
    for (const server of [a, b]) {
      const { body, text } = await server.request('GET', '/quiver/v1/maintenance/runs')
      const runs = body.results.map(({ kind }: { kind: string }) => kind)
      // One of either server.
      expect(runs, text).toEqual(expect.arrayContaining(['deleted-vertex-check', 'rebuild']))
    }
  })
})

describe('what tells of the instances', () => {
  it('lists them, with the distance to the end of the log', async () => {
    const { results } = (await b.request('GET', '/quiver/v1/instances')).body
    expect(results).toMatchObject({ role: 'follower', self: 'b', writer: 'a', connected: true })
    const rows = results.instances.map(
      ({ name, ordinal, role, self, lag }: Record<string, unknown>) => [
        ...[name, ordinal, role, self, lag],
      ],
    )
    expect(rows).toEqual([
      ['a', 1, 'writer', false, 0],
      ['b', 2, 'follower', true, 0],
    ])
    const { body } = await b.request('GET', '/gsql/v1/replication')
    expect(body).toMatchObject({ numChangesToBeReplicated: 0, lastSeqId: image.end })
  })

  it('calls them the replicas of each service', async () => {
    const { body } = await b.request('POST', '/informant/current-service-status', {})
    const replicas = body.ServiceStatusEvents.filter(
      (one: { ServiceDescriptor: { ServiceName: string } }) =>
        one.ServiceDescriptor.ServiceName === 'GPE',
    )
    expect(
      replicas.map((one: { ServiceDescriptor: { Replica: number }; ServiceStatus: string }) => [
        one.ServiceDescriptor.Replica,
        one.ServiceStatus,
      ]),
    ).toEqual([
      [1, 'Online'],
      [2, 'Online'],
    ])
  })

  it('keeps what it has counted of an index when the attribute gets a wider type', async () => {
    const alter = async (alteration: object) => {
      const url = '/gsql/v1/schema/vertices/Person?graph=acme'
      const { body, text } = await b.request('PUT', url, alteration)
      expect(body, text).toMatchObject({ error: false })
    }
    await alter({ addIndexAttributes: [{ indexName: 'by_age', attributeName: 'age' }] })
    await b.request('GET', '/restpp/graph/acme/vertices/Person?filter=age=7')
    await alter({ changeAttributes: [{ name: 'age', AttributeType: { Name: 'INT' } }] })
    const { body } = await b.request('GET', '/quiver/v1/indexes/usage?graph=acme')
    expect(body.results.indexes).toMatchObject([{ attribute: 'age', uses: 1 }])
  })

  it('has metrics of role, position and what was handed on', async () => {
    const { text } = await b.request('GET', '/informant/metrics')
    for (const line of [
      'quiver_role{role="writer"} 0',
      'quiver_role{role="follower"} 1',
      `quiver_position ${image.end}`,
      'quiver_follow_lag_entries 0',
      'quiver_store_connected 1',
      'quiver_takeovers_total 0',
      'quiver_staleness_seconds 0',
    ]) {
      expect(text).toContain(`\n${line}\n`)
    }
    expect(text).toMatch(/\nquiver_forwarded_requests_total [1-9]/)
    expect(text).toMatch(/\nquiver_epoch \d/)
    expect(text).toMatch(/\nquiver_outcomes_resolved_total \d/)
  })

  it('is ready for writes while somebody writes', async () => {
    const { body } = await b.request('GET', '/quiver/v1/ready?writable=true')
    expect(body.results).toEqual({ ready: true, store: 'ready', role: 'follower', stalenessMs: 0 })
  })

  it('lets the writer hand over, from whichever instance', async () => {
    const { body } = await b.request('POST', '/quiver/v1/instances/hand-over')
    expect(body, JSON.stringify(body)).toMatchObject({ error: false })
    await expect.poll(() => b.store.role, { timeout: 60_000 }).toBe('writer')
    expect((await a.request('POST', '/restpp/graph/acme', add)).status).toBe(200)
    const { results } = (await a.request('GET', '/quiver/v1/instances')).body
    expect(results).toMatchObject({ role: 'follower', writer: 'b' })
  })
})
