import { describe, expect, it } from 'vitest'
import { appendMetrics, emptyTrend, ratePerSecond, TREND_POINTS_MAX } from './metric-trend.ts'
import { parseOpenMetrics } from './open-metrics.ts'

const at = (text: string, trend = emptyTrend, seconds = 1) =>
  appendMetrics(trend, parseOpenMetrics(text), seconds * 1000)

describe('appendMetrics', () => {
  it('keeps columns of equal length while series come and go', () => {
    let trend = at('a 1\nb{x="1"} 5', emptyTrend, 1)
    trend = at('a 2', trend, 2)
    trend = at('a 3\nc NaN', trend, 3)
    expect(trend.times).toEqual([1, 2, 3])
    expect(Object.fromEntries(trend.series)).toEqual({
      a: [1, 2, 3],
      'b{x=1}': [5, null, null],
      c: [null, null, null],
    })
  })

  it('forgets the oldest beyond its limit', () => {
    let trend = emptyTrend
    for (let second = 1; second <= TREND_POINTS_MAX + 5; second++) {
      trend = at(`a ${second}`, trend, second)
    }
    expect(trend.times).toHaveLength(TREND_POINTS_MAX)
    expect(trend.series.get('a')?.[0]).toBe(6)
    expect(trend.series.get('a')).toHaveLength(TREND_POINTS_MAX)
  })
})

describe('ratePerSecond', () => {
  it('divides by the time between, and leaves a gap at a restart', () => {
    expect(ratePerSecond([0, 2, 4, 6], [10, 30, 5, 6])).toEqual([null, 10, null, 0.5])
  })
})
