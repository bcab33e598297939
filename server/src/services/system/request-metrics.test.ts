import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import type { RequestSample } from '../statistics/sample.ts'
import { ENDPOINTS_MAX, RequestMetrics } from './request-metrics.ts'

function counted(...samples: readonly Partial<RequestSample>[]): Promise<string> {
  const metrics = new RequestMetrics()
  const registry = new Registry()
  metrics.register(registry)
  const plain = { graph: null, latencyMs: 1, outcome: 'ok', fromConsole: false } as const
  for (const sample of samples) metrics.observe({ key: 'GET /echo', ...plain, ...sample })
  return registry.metrics()
}

it('counts requests by endpoint and outcome', async () => {
  const text = await counted({}, {}, { outcome: 'error' }, { outcome: 'timeout' })
  expect(text).toContain('quiver_requests_total{endpoint="GET /echo",outcome="ok"} 2')
  expect(text).toContain('quiver_requests_total{endpoint="GET /echo",outcome="error"} 1')
  expect(text).toContain('quiver_requests_total{endpoint="GET /echo",outcome="timeout"} 1')
})

it('puts the time to the answer under the kind of the endpoint', async () => {
  const text = await counted(
    { key: 'GET /query/acme/q1', latencyMs: 3 },
    { key: 'POST /gsql/v1/queries/interpret', latencyMs: 300 },
    { key: 'GET /query_status' },
    { key: 'POST /graph' },
    { key: 'POST /gsql/v1/statements' },
    { key: 'GET /informant/metrics' },
    { key: 'GET /quiver/v1/ready' },
  )
  const count = (kind: string, le: string) =>
    new RegExp(`_bucket\\{le="${le}",kind="${kind}"\\} (\\d+)`).exec(text)?.[1]
  expect(count('query', '0.0025')).toBe('0')
  expect(count('query', '0.005')).toBe('1')
  expect(count('query', '\\+Inf')).toBe('2')
  expect(count('data', '\\+Inf')).toBe('2')
  expect(count('management', '\\+Inf')).toBe('2')
  expect(count('console', '\\+Inf')).toBe('1')
  expect(text).toMatch(/duration_seconds_sum\{kind="query"\} 0\.303/)
})

it('keeps to so many endpoints', async () => {
  const keys = Array.from({ length: ENDPOINTS_MAX + 3 }, (_, i) => ({ key: `GET /query/g/q${i}` }))
  const text = await counted(...keys)
  expect(text).toContain(`endpoint="GET /query/g/q${ENDPOINTS_MAX - 1}"`)
  expect(text).not.toContain(`endpoint="GET /query/g/q${ENDPOINTS_MAX}"`)
  expect(text).toContain('quiver_requests_total{endpoint="other",outcome="ok"} 3')
})
