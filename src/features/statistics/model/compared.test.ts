import { describe, expect, it } from 'vitest'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { beforeOf, changeText, comparedWords, countChangeText } from './compared.ts'

const summary = (completed: number, p95Ms: number | null, errors = 0) => ({
  ...{ completed, errors, timeouts: 0, p95Ms },
  ...{ averageMs: p95Ms, minMs: p95Ms, maxMs: p95Ms, p50Ms: p95Ms, p99Ms: p95Ms },
})

const none = { completed: [], errors: [], timeouts: [], averageMs: [], minMs: [], maxMs: [] }
const series = { ...none, p50Ms: [], p95Ms: [], p99Ms: [] }

const history: StatisticsHistory = {
  from: 400,
  to: 700,
  stepSeconds: 1,
  inFlight: 0,
  total: { series, summary: summary(3_600, 15, 3) },
  endpoints: [
    { endpoint: 'GET /a', series, summary: summary(3_000, 12, 3) },
    { endpoint: 'GET /new', series, summary: summary(600, 15) },
  ],
  markers: [],
  before: {
    from: 100,
    to: 400,
    since: 40,
    total: summary(3_000, 10),
    endpoints: [
      { endpoint: 'GET /a', summary: summary(3_000, 24, 5) },
      { endpoint: 'GET /gone', summary: summary(30, 2) },
    ],
  },
}

const words = (of: StatisticsHistory, endpoint: string | null) =>
  comparedWords(of, endpoint, (seconds) => `second ${seconds}`)

describe('the time before', () => {
  it('is of the endpoint, with nothing where it was not called', () => {
    expect(beforeOf(history, null)).toEqual({ rate: 10, p95Ms: 10, errors: 0 })
    expect(beforeOf(history, 'GET /a')).toEqual({ rate: 10, p95Ms: 24, errors: 5 })
    expect(beforeOf(history, 'GET /new')).toEqual({ rate: 0, p95Ms: null, errors: 0 })
  })

  it('is not told where requests were not counted all that time', () => {
    const before = { ...history.before!, since: 101 }
    expect(beforeOf({ before }, null)).toBeNull()
    expect(beforeOf({}, null)).toBeNull()
    expect(beforeOf({ before: { ...before, since: 100 } }, null)).not.toBeNull()
  })

  it('is told as signs', () => {
    expect(changeText(12, 10)).toBe('+20 %')
    expect(changeText(9.5, 10)).toBe('−5 %')
    expect(changeText(10.001, 10)).toBe('=')
    expect([changeText(1, 0), changeText(0, 0)]).toEqual(['new', '='])
    expect([changeText(null, 3), changeText(3, null)]).toEqual(['', ''])
    expect([countChangeText(5, 2), countChangeText(2, 5), countChangeText(2, 2)]).toEqual([
      ...['+3', '−3', ''],
    ])
  })

  it('is told in words', () => {
    expect(words(history, null)).toBe(
      'All endpoints against the 5 min before: 20 % more requests (10/s, now 12/s), p95 50 % slower (10 ms, now 15 ms), 3 errors (0 before).',
    )
    expect(words(history, 'GET /a')).toBe(
      'GET /a against the 5 min before: as many requests (10/s, now 10/s), p95 50 % faster (24 ms, now 12 ms), 3 errors (5 before).',
    )
    expect(words(history, 'GET /new')).toBe(
      'GET /new against the 5 min before: requests where there were none (0/s, now 2/s), no errors.',
    )
  })

  it('says so where the history does not reach back', () => {
    const since = { ...history, before: { ...history.before!, since: 250 } }
    expect(words(since, null)).toBe(
      'There is nothing to compare with: the time before this window, 5 min, begins at second 100, and requests are counted since second 250.',
    )
  })
})
