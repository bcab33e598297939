import { describe, expect, it } from 'vitest'
import { LocalDocuments } from '#storage/documents.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { testClock } from '../../../test/fixtures/server.ts'
import { StatisticsService } from './statistics-service.ts'

const sample = {
  key: 'GET /query/acme/q',
  graph: 'acme',
  latencyMs: 1,
  outcome: 'ok',
  fromConsole: false,
} as const

async function open(clock = testClock()) {
  const isGraph = (name: string) => name === 'acme'
  const service = await StatisticsService.open({
    documents: new LocalDocuments(new MemoryStore()),
    clock,
    isGraph,
  })
  return { clock, service }
}

const lookBack = (service: StatisticsService, segments = 10) =>
  service.lookBack('acme', 10, { segments, withConsole: true })[sample.key]

describe('StatisticsService', () => {
  it('cuts the latencies into slices, rounded up to tens of milliseconds', async () => {
    const { service } = await open()
    for (let ms = 1; ms <= 100; ms++) service.observe({ ...sample, latencyMs: ms })
    expect(lookBack(service)).toEqual({
      CompletedRequests: 100,
      QPS: 10,
      TimeoutRequests: 0,
      AverageLatency: 50.5,
      MaxLatency: 100,
      MinLatency: 1,
      LatencyPercentile: [10, 20, 30, 40, 50, 60, 70, 80, 90, 100],
    })
  })

  it('finds percentiles within one per cent in the history', async () => {
    const { service, clock } = await open()
    for (let ms = 1; ms <= 1_000; ms++) service.observe({ ...sample, latencyMs: ms })
    clock.advance(1_000)
    const { summary } = service.history('acme', { withConsole: true }).total
    expect(summary.completed).toBe(1_000)
    expect(Math.abs((summary.p50Ms ?? 0) - 500)).toBeLessThanOrEqual(5)
    expect(Math.abs((summary.p95Ms ?? 0) - 950)).toBeLessThanOrEqual(9.5)
    expect(Math.abs((summary.p99Ms ?? 0) - 990)).toBeLessThanOrEqual(9.9)
    expect([summary.minMs, summary.maxMs]).toEqual([1, 1_000])
  })

  it('counts timeouts apart and errors as answered', async () => {
    const { service } = await open()
    service.observe({ ...sample, outcome: 'timeout', latencyMs: 16_000 })
    service.observe({ ...sample, outcome: 'error' })
    expect(lookBack(service)).toMatchObject({
      CompletedRequests: 1,
      TimeoutRequests: 1,
      MaxLatency: 1,
    })
  })

  it('counts names of graphs that do not exist without a graph', async () => {
    const { service } = await open()
    for (let count = 0; count < 1_000; count++) service.observe({ ...sample, graph: `g${count}` })
    expect(lookBack(service)?.CompletedRequests).toBe(1_000)
  })

  it('counts the series beyond the limit of an interval together', async () => {
    const { service } = await open()
    for (let count = 0; count < 600; count++) service.observe({ ...sample, key: `GET /k${count}` })
    const keys = Object.keys(service.lookBack('acme', 10, { segments: 1, withConsole: true }))
    expect(keys).toHaveLength(501)
    expect(keys).toContain('OTHER')
  })

  it('sums up the time before, by endpoint, and says since when it counts', async () => {
    const { service, clock } = await open()
    const second = () => Math.floor(clock.nowMs() / 1_000)
    const begun = second()
    await service.mark('start', null, 'The server started.')
    const other = { ...sample, key: 'GET /query/acme/other' }
    for (let ms = 1; ms <= 100; ms++) service.observe({ ...sample, latencyMs: ms })
    service.observe({ ...other, outcome: 'error' })
    service.observe({ ...sample, graph: 'elsewhere' })
    service.observe({ ...sample, fromConsole: true })
    clock.advance(60_000)
    service.observe({ ...sample, latencyMs: 7 })
    clock.advance(1_000)
    const look = (from: number, to: number) =>
      service.history('acme', { from, to, withConsole: false, withBefore: true })
    const { before, total } = look(begun + 30, begun + 61)
    expect(total.summary.completed).toBe(1)
    expect(before).toMatchObject({ from: begun - 1, to: begun + 30, since: begun })
    expect(before?.total).toMatchObject({ completed: 102, errors: 1 })
    const { summary } = before!.endpoints.find(({ endpoint }) => endpoint === sample.key)!
    expect(summary).toMatchObject({ completed: 101, errors: 0 })
    expect(Math.abs((summary.p95Ms ?? 0) - 95)).toBeLessThanOrEqual(1)
    // Nothing of the window itself, and nothing where it was not asked for.
    expect(look(begun + 59, begun + 61).before?.total.completed).toBe(0)
    expect(service.history('acme', { withConsole: false }).before).toBeUndefined()
    // What is older than the seconds is added up from minutes.
    clock.advance(2 * 3_600_000)
    const old = look(second() - 3_600, second()).before
    expect([old?.total.completed, old?.to]).toEqual([0, second() - 3_600])
    const whole = look(begun + 120, begun + 120 + 600)
    expect(whole.before?.total.completed).toBe(103)
    expect(whole.before?.since).toBe(begun)
  })

  it('counts since the minute after the first, where no start was noted', async () => {
    const { service, clock } = await open()
    const begun = Math.floor(clock.nowMs() / 1_000)
    service.observe(sample)
    clock.advance(600_000)
    const { before } = service.history('acme', { withConsole: false, withBefore: true })
    expect(before?.since).toBe(begun - (begun % 60) + 60)
  })
})
