import { expect, it } from 'vitest'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { ranRows } from './what-ran.ts'

const nothing = {
  ...{ completed: 0, errors: 0, timeouts: 0, averageMs: null, minMs: null, maxMs: null },
  ...{ p50Ms: null, p95Ms: null, p99Ms: null },
}

function historyOf(endpoints: Readonly<Record<string, object>>): StatisticsHistory {
  const all = Object.entries(endpoints).map(([endpoint, figures]) => ({
    endpoint,
    summary: { ...nothing, ...figures },
  }))
  return { endpoints: all } as unknown as StatisticsHistory
}

it('what took the most time comes first, with its share of the whole', () => {
  const rows = ranRows(
    historyOf({
      'GET /graph/vertices/{vertex_type}': { completed: 100, averageMs: 1, errors: 3 },
      'GET /query/acme/rank': { completed: 2, averageMs: 450, p95Ms: 800 },
    }),
  )
  expect(rows).toMatchObject([
    { endpoint: 'GET /query/acme/rank', query: 'rank', share: 0.9, p95Ms: 800, errors: 0 },
    { endpoint: 'GET /graph/vertices/{vertex_type}', query: null, share: 0.1, errors: 3 },
  ])
})

it('only runs of an installed query have its name', () => {
  const endpoints = ['POST /query/{graph}/{name}', 'GET /query_status', 'POST /graph', 'OTHER']
  const rows = ranRows(historyOf(Object.fromEntries(endpoints.map((key) => [key, {}]))))
  expect(rows.map(({ query }) => query)).toEqual([null, null, null, null])
})

it('where nothing was answered nothing has a share, and what timed out comes first', () => {
  const rows = ranRows(historyOf({ quiet: {}, 'GET /query/acme/slow': { timeouts: 2 } }))
  expect(rows.map(({ endpoint, share }) => [endpoint, share])).toEqual([
    ['GET /query/acme/slow', 0],
    ['quiet', 0],
  ])
})
