import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryImage } from '#storage/memory/memory-store.ts'
import { createAcme, startServer, type TestServer, testClock } from '../fixtures/server.ts'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ queryWorkerCount: 0 })
  await createAcme(server)
})
afterEach(() => server.close())

const statistics = (query = '') => server.request('GET', `/restpp/statistics/acme${query}`)

describe('GET /restpp/statistics/{graph}', () => {
  it('counts the endpoints of the graph and those without a graph, in the given shape', async () => {
    server.clock.advance(100_000)
    expect((await statistics()).body).toEqual({})
    await server.request('GET', '/restpp/graph/acme/vertices/Person')
    await server.request('GET', '/restpp/graph/acme/vertices/Person?limit=x')
    const { body } = await statistics('?seconds=10&segments=4')
    const read = body['GET /graph/vertices/{vertex_type}']
    expect(read ?? body).toMatchObject({ CompletedRequests: 2, QPS: 0.2, TimeoutRequests: 0 })
    expect(read.LatencyPercentile).toHaveLength(4)
    expect(read.MinLatency).toBeLessThanOrEqual(read.AverageLatency)
    expect(read.AverageLatency).toBeLessThanOrEqual(read.MaxLatency)
    expect(body['GET /statistics'].CompletedRequests).toBe(1)
  })

  it('forgets what is older than the window', async () => {
    server.clock.advance(100_000)
    await statistics()
    server.clock.advance(9_000)
    expect(Object.keys((await statistics('?seconds=10')).body)).toEqual(['GET /statistics'])
    server.clock.advance(11_000)
    expect((await statistics('?seconds=10')).body).toEqual({})
  })

  it('leaves the console out when asked', async () => {
    server.clock.advance(100_000)
    await server.request('GET', '/restpp/statistics/acme', undefined, { 'x-console': '1' })
    expect((await statistics('?console=false')).body).toEqual({})
    expect((await statistics()).body['GET /statistics'].CompletedRequests).toBe(2)
  })

  it('refuses windows and segments out of range with REST-30400', async () => {
    for (const query of ['seconds=0', 'seconds=61', 'seconds=x', 'segments=0', 'segments=101']) {
      const { status, body } = await statistics(`?${query}`)
      expect([status, body.code], query).toEqual([400, 'REST-30400'])
    }
    const ghost = await server.request('GET', '/restpp/statistics/ghost')
    expect(ghost.body).toMatchObject({ error: true, code: 'REST-1004' })
  })
})

describe('GET /quiver/v1/statistics/{graph}/history', () => {
  const history = async (query = '') =>
    (await server.request('GET', `/quiver/v1/statistics/acme/history${query}`)).body.results

  it('answers a minute in seconds, with gaps where nothing was called', async () => {
    server.clock.advance(100_000)
    await statistics()
    server.clock.advance(2_000)
    await statistics()
    await statistics()
    server.clock.advance(1_000)
    const { total, endpoints, stepSeconds, from, to, inFlight } = await history()
    expect([stepSeconds, to - from, inFlight]).toEqual([1, 60, 1])
    expect(total.series.completed.slice(-3)).toEqual([1, 0, 2])
    expect(total.series.p95Ms.at(-2)).toBeNull()
    expect(total.series.p95Ms.at(-1)).toBeGreaterThan(0)
    expect(total.summary).toMatchObject({ completed: 3, timeouts: 0 })
    expect(endpoints[0]).toMatchObject({ endpoint: 'GET /statistics', summary: { completed: 3 } })
  })

  it('tells how many of the answers were errors', async () => {
    server.clock.advance(100_000)
    await server.request('GET', '/restpp/graph/acme/vertices/Person')
    await server.request('GET', '/restpp/graph/acme/vertices/Person?limit=x')
    server.clock.advance(1_000)
    const { total, endpoints } = await history()
    expect(total.summary).toMatchObject({ completed: 2, errors: 1, timeouts: 0 })
    expect(total.series.errors.at(-1)).toBe(1)
    expect(endpoints[0].summary.errors).toBe(1)
  })

  it('compares with the time before when asked', async () => {
    server.clock.advance(100_000)
    await statistics()
    server.clock.advance(61_000)
    await statistics()
    server.clock.advance(1_000)
    const { before, total } = await history('?before=true')
    expect([total.summary.completed, before.total.completed]).toEqual([1, 1])
    expect(before.endpoints[0].endpoint).toBe('GET /statistics')
    expect(before.since).toBeLessThanOrEqual(before.from)
    expect(await history()).not.toHaveProperty('before')
  })

  it('keeps the number of steps, and answers older ranges from minutes', async () => {
    server.clock.advance(100_000)
    await statistics()
    server.clock.advance(3 * 3_600_000)
    const now = Math.floor(server.clock.nowMs() / 1000)
    const { stepSeconds, endpoints } = await history(`?from=${now - 4 * 3_600}&to=${now}`)
    expect(stepSeconds).toBe(60)
    const read = endpoints.find((one: { endpoint: string }) => one.endpoint === 'GET /statistics')
    expect(read.summary.completed).toBe(1)
    const week = await history(`?from=${now - 7 * 86_400}&to=${now}`)
    expect(week.total.series.completed.length).toBeLessThanOrEqual(300)
    expect(
      (await server.request('GET', '/quiver/v1/statistics/acme/history?from=9&to=9')).status,
    ).toBe(400)
  })

  it('marks schema changes and the start', async () => {
    server.clock.advance(1_000)
    const { markers } = await history()
    const kinds = markers.map((marker: { kind: string }) => marker.kind)
    expect(kinds).toContain('start')
    expect(kinds).toContain('schema')
  })

  it('marks what concerns another graph on that graph alone', async () => {
    await server.request('POST', '/gsql/v1/schema/graphs?graphName=other', '{"VertexTypes":[]}')
    server.clock.advance(1_000)
    const texts = async (graph: string) => {
      const { body } = await server.request('GET', `/quiver/v1/statistics/${graph}/history`)
      return body.results.markers.map((marker: { graph: string | null }) => marker.graph)
    }
    expect(await texts('other')).toContain('other')
    expect(await texts('acme')).not.toContain('other')
  })

  it('is found again after a restart', async () => {
    const image = createMemoryImage()
    const clock = testClock()
    const first = await startServer({ image, clock, queryWorkerCount: 0 })
    await createAcme(first)
    await first.request('GET', '/restpp/statistics/acme')
    await first.close()
    clock.advance(5_000)
    const second = await startServer({ image, clock, queryWorkerCount: 0 })
    const { body } = await second.request('GET', '/quiver/v1/statistics/acme/history')
    const found = body.results.endpoints.find(
      (one: { endpoint: string }) => one.endpoint === 'GET /statistics',
    )
    expect(found.summary.completed).toBe(1)
    const lookBack = await second.request('GET', '/restpp/statistics/acme?seconds=60')
    expect(lookBack.body['GET /statistics'].CompletedRequests).toBe(1)
    await second.close()
  })
})
