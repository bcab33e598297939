import { describe, expect, it } from 'vitest'
import { type ChartModel, chartRows, chartSummary, domainOf, niceCeiling, topOf } from './model.ts'

const model: ChartModel = {
  label: 'Latency',
  times: [100, 101, 102],
  series: [
    { id: 'a', label: 'p50', values: [1, null, 3] },
    { id: 'b', label: 'max', values: [0, 40, null], look: 'dots' },
  ],
  format: (value) => `${value} ms`,
  formatTime: String,
}

describe('the scale', () => {
  it.each([
    [0, 1],
    [0.03, 0.05],
    [1, 1],
    [1.2, 2],
    [7, 10],
    [101, 200],
  ])('above %d ends at %d', (value, top) => expect(niceCeiling(value)).toBeCloseTo(top, 10))

  it('adds up areas and takes the largest of the others', () => {
    const area = (values: number[]) => ({ id: 'x', label: 'x', values, look: 'area' as const })
    expect(topOf([area([1, 5]), area([2, 6])], 2)).toBe(11)
    expect(topOf(model.series, 3)).toBe(40)
  })

  it('begins at zero, and a log scale at the power of ten below the least value', () => {
    expect(domainOf(model)).toEqual([0, 50])
    expect(domainOf({ ...model, scale: 'log' })).toEqual([1, 50])
  })
})

describe('rows', () => {
  it('keep gaps as gaps', () => {
    expect(chartRows(model)).toEqual([
      { time: 100, a: 1, b: 0 },
      { time: 101, a: null, b: 40 },
      { time: 102, a: 3, b: null },
    ])
  })

  it('turn zero into a gap on a log scale', () => {
    expect(chartRows({ ...model, scale: 'log' })[0]).toEqual({ time: 100, a: 1, b: null })
  })
})

describe('the summary', () => {
  it('says the last value and the range of each series', () => {
    expect(chartSummary(model)).toBe(
      'Latency, 100 to 102: p50 now 3 ms, from 1 ms to 3 ms; max now 40 ms, from 0 ms to 40 ms.',
    )
  })

  it('says when there is nothing', () => {
    expect(chartSummary({ ...model, times: [], series: [] })).toBe('Latency: no data yet.')
  })
})
