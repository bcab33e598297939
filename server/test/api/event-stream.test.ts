/** Statistics and running queries as a client reads them from the stream, over a real connection. */
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EVENT_STREAMS_PER_USER_MAX } from '#kernel/limits.ts'
import { createAcme, startServer, type TestServer } from '../fixtures/server.ts'

const path = '/quiver/v1/statistics/acme/stream'
let server: TestServer

beforeEach(async () => {
  server = await startServer()
  await createAcme(server)
})
afterEach(() => server.close())

/** The events of a whole answer, in order. */
function eventsIn(text: string): { event: string; data: unknown }[] {
  return [...text.matchAll(/^event: (\w+)\ndata: (.*)\n\n/gm)].map(([, event = '', data = '']) => ({
    ...{ event, data: JSON.parse(data) },
  }))
}

/** @param user with the password `password`; the first one without any unless said */
async function opened(query = '', user?: string): Promise<IncomingMessage> {
  const { port } = server.app.server.address() as { port: number }
  return await new Promise((resolve, reject) => {
    const auth = user === undefined ? {} : { auth: `${user}:password` }
    get({ port, path: `${path}${query}`, agent: false, ...auth }, resolve).once('error', reject)
  })
}

/** Reads until the text so far will do. */
async function until(response: IncomingMessage, enough: (text: string) => boolean) {
  let text = ''
  for await (const chunk of response.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    text += chunk
    if (enough(text)) return text
  }
  return text
}

describe('the stream', () => {
  it('tells each round what the endpoints did, the console’s calls left out', async () => {
    await server.request('GET', '/restpp/graph/acme/vertices/Person')
    const console = { 'x-console': '1' }
    await server.request('GET', '/restpp/graph/acme/edges/Person/1', undefined, console)
    const { headers, text } = await server.request('GET', `${path}?rounds=2`)
    expect(headers['content-type']).toBe('text/event-stream; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(text.startsWith('retry: 2000\n\nevent: statistics\n')).toBe(true)
    const events = eventsIn(text)
    expect(events.map(({ event }) => event)).toEqual([
      ...['statistics', 'running', 'statistics', 'running'],
    ])
    expect(events[0]?.data).toMatchObject({
      endpoints: { 'GET /graph/vertices/{vertex_type}': { CompletedRequests: 1 } },
    })
    expect(JSON.stringify(events)).not.toContain('GET /graph/edges')
    expect(events[1]).toEqual({ event: 'running', data: [] })
    const all = eventsIn((await server.request('GET', `${path}?rounds=1&console=true`)).text)
    expect(JSON.stringify(all[0])).toContain('GET /graph/edges')
  })

  it('shows a query while it runs, to those who may see it', async () => {
    await server.listen()
    const text = 'INTERPRET QUERY () FOR GRAPH acme { WHILE true DO INT i = 0; END; }'
    const run = server.request('POST', '/gsql/v1/queries/interpret', text)
    const response = await opened()
    const seen = await until(response, (sofar) => sofar.includes('"requestid"'))
    const running = eventsIn(seen).findLast(({ event }) => event === 'running')
    expect(running?.data).toMatchObject([{ url: '/gsql/v1/queries/interpret', graph: 'acme' }])
    response.destroy()
    await server.request('GET', '/restpp/abortquery/acme?requestid=all')
    expect((await run).body.code).toBe('REST-12002')
  })

  it('counts in no statistics: neither how long it lasts nor as a request in flight', async () => {
    await server.listen()
    const response = await opened('?interval=60')
    const text = await until(response, (sofar) => sofar.includes('event: running'))
    expect(eventsIn(text)[0]?.data).toMatchObject({ inFlight: 0 })
    const history = '/quiver/v1/statistics/acme/history'
    expect((await server.request('GET', history)).body.results.inFlight).toBe(1)
    response.destroy()
    const later = await server.request('GET', `${path}?rounds=1&console=true`)
    expect(later.text).not.toContain('/stream')
    expect((await server.request('GET', history)).body.results.inFlight).toBe(1)
  })

  it('ends with its graph, and with the server', async () => {
    await server.listen()
    const [one, other] = [await opened(), await opened()]
    await until(one, (sofar) => sofar.includes('event: running'))
    await server.request('DELETE', '/gsql/v1/schema/graphs/acme?cascade=true')
    await until(one, () => false)
    await until(other, () => false)
    expect(one.complete && other.complete).toBe(true)
    expect((await server.request('GET', path)).body).toMatchObject({
      ...{ error: true, code: 'GRAPH_NOT_FOUND' },
    })
    await server.request('POST', '/gsql/v1/schema/graphs?graphName=acme', {})
    const last = await opened('?interval=60')
    await until(last, (sofar) => sofar.includes('event: running'))
    const start = performance.now()
    await server.close()
    expect(performance.now() - start).toBeLessThan(5_000)
    await until(last, () => false)
    expect(last.complete).toBe(true)
  })

  it('of one reader keeps nobody else out: users have shares, which are free again later', async () => {
    for (const username of ['ada', 'bob']) {
      await server.request('POST', '/gsql/v1/users', { username, password: 'password' })
      const grant = { roles: ['globalobserver'], users: [username] }
      expect((await server.request('POST', '/gsql/v1/roles/grant', grant)).status).toBe(200)
    }
    await server.listen()
    const many = await Promise.all(Array.from({ length: 64 }, () => opened('?interval=60', 'ada')))
    const open = many.filter(({ statusCode }) => statusCode === 200)
    expect(open).toHaveLength(EVENT_STREAMS_PER_USER_MAX)
    const refused = many.find(({ statusCode }) => statusCode === 503)!
    expect(await text(refused)).toContain('The user ada has 16 event streams open')
    const other = await opened('?interval=60', 'bob')
    expect(other.statusCode).toBe(200)
    for (const one of [...many, other]) one.destroy()
    await expect.poll(async () => (await opened('?rounds=1', 'ada')).statusCode).toBe(200)
  })

  it('is refused to who may not see the graph, and for parameters that do not fit', async () => {
    await server.request('POST', '/gsql/v1/users', { username: 'eve', password: 'evesecret' })
    const eve = { authorization: `Basic ${Buffer.from('eve:evesecret').toString('base64')}` }
    expect((await server.request('GET', path, undefined, eve)).status).toBe(403)
    for (const query of ['interval=0', 'seconds=61', 'rounds=0', 'interval=x']) {
      const { body } = await server.request('GET', `${path}?${query}`)
      expect(body, query).toMatchObject({ error: true, code: 'INVALID_PARAMETER' })
    }
  })
})
