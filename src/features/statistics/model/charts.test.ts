import { describe, expect, it } from 'vitest'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { endpointRows, latencySeries, rangePosition, rateSeries, stepTimes } from './charts.ts'

const columns = (completed: readonly number[], latency: number | null = 4) => ({
  completed: [...completed],
  errors: completed.map(() => 0),
  timeouts: completed.map(() => 0),
  averageMs: completed.map((count) => (count === 0 ? null : latency)),
  minMs: completed.map((count) => (count === 0 ? null : latency)),
  maxMs: completed.map((count) => (count === 0 ? null : latency)),
  p50Ms: completed.map((count) => (count === 0 ? null : latency)),
  p95Ms: completed.map((count) => (count === 0 ? null : latency)),
  p99Ms: completed.map((count) => (count === 0 ? null : latency)),
})

const summary = (completed: number) => ({
  completed,
  errors: 0,
  timeouts: 0,
  averageMs: 4,
  minMs: 4,
  maxMs: 4,
  p50Ms: 4,
  p95Ms: 4,
  p99Ms: 4,
})

const history: StatisticsHistory = {
  from: 100,
  to: 106,
  stepSeconds: 2,
  inFlight: 0,
  total: { series: columns([28, 0, 14]), summary: summary(42) },
  endpoints: Array.from({ length: 7 }, (_, index) => ({
    endpoint: `GET /e${index}`,
    series: columns([4, 0, 2], index + 1),
    summary: summary(6),
  })),
  markers: [],
}

describe('rates', () => {
  it('show the five busiest and the others as one, per second', () => {
    const series = rateSeries(history)
    expect(series.map(({ label }) => label)).toEqual([
      'GET /e0',
      'GET /e1',
      'GET /e2',
      'GET /e3',
      'GET /e4',
      '2 other',
    ])
    expect(series[0]?.values).toEqual([2, 0, 1])
    expect(series[5]?.values).toEqual([4, 0, 2])
  })

  it('show no others where there are none', () => {
    expect(rateSeries({ ...history, endpoints: history.endpoints.slice(0, 2) })).toHaveLength(2)
  })

  it('stand at the start of their step', () => {
    expect(stepTimes(history)).toEqual([100, 102, 104])
  })
})

describe('latencies', () => {
  it('are a gap where nothing was completed, never zero', () => {
    expect(latencySeries(history, null)[0].values).toEqual([4, null, 4])
  })

  it('narrow to one endpoint', () => {
    expect(latencySeries(history, 'GET /e2')[1].values).toEqual([3, null, 3])
  })
})

describe('the endpoint table', () => {
  it('divides by the length of the window', () => {
    expect(endpointRows(history)[0]?.rate).toBe(1)
  })

  it('places latencies on a logarithmic bar', () => {
    expect(rangePosition(100, 100)).toBe(1)
    expect(rangePosition(0, 100)).toBe(0)
    expect(rangePosition(1, 100)).toBeCloseTo(0.5)
  })
})
