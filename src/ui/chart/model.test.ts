import { describe, expect, it } from 'vitest'
import {
  axisOf,
  type ChartModel,
  chartRows,
  chartSummary,
  hasIsolated,
  isolated,
  markerLabels,
  movedCursor,
  niceScale,
  onScale,
  partInView,
  timeTicks,
  topOf,
  valuesAt,
} from './model.ts'

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

it('a marked part is cut off at the ends of the axis, and gone once it is outside', () => {
  const chart = (from: number, to: number) =>
    partInView({ ...model, times: [10, 20, 30], marked: { from, to } })
  expect(chart(12, 25)).toEqual({ from: 12, to: 25 })
  expect(chart(0, 99)).toEqual({ from: 10, to: 30 })
  expect(chart(0, 10)).toBeNull()
  expect(chart(30, 40)).toBeNull()
  expect(partInView({ ...model, times: [10, 20] })).toBeNull()
})

describe('the scale', () => {
  it.each([
    [0, 1],
    [0.03, 0.03],
    [1, 1],
    [1.2, 1.5],
    [7, 8],
    [101, 150],
    [220, 300],
  ])('above %d ends at %d', (value, top) => expect(niceScale(value).top).toBeCloseTo(top, 10))

  it('has even ticks from zero to its end', () => {
    expect(niceScale(220).ticks).toEqual([0, 100, 200, 300])
    expect(niceScale(4.5).ticks).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('counts bytes in powers of 1024', () => {
    const gibibyte = 1024 ** 3
    expect(niceScale(11 * gibibyte, 1024).ticks).toEqual([0, 5, 10, 15].map((n) => n * gibibyte))
    expect(niceScale(600, 1024).top).toBe(600)
  })

  it('adds up areas and takes the largest of the others', () => {
    const area = (values: number[]) => ({ id: 'x', label: 'x', values, look: 'area' as const })
    expect(topOf([area([1, 5]), area([2, 6])], 2)).toBe(11)
    expect(topOf(model.series, 3)).toBe(40)
  })

  it('begins at zero, and a log scale at the power of ten below the least value', () => {
    expect(axisOf(model).domain).toEqual([0, 40])
    expect(axisOf({ ...model, scale: 'log' })).toEqual({ domain: [1, 100], ticks: [1, 10, 100] })
  })

  it('has room for the limit, which is told in words, too', () => {
    const limited = { ...model, limit: { value: 190, text: 'Limit 190 ms' } }
    expect(axisOf(limited).domain).toEqual([0, 200])
    expect(chartSummary(limited)).toContain('. Limit 190 ms.')
  })
})

describe('rows', () => {
  it('have the values of each series, and once more those between two gaps', () => {
    const values = [1, null, 3, 4]
    const times = [100, 101, 102, 103]
    const series = [
      { id: 'a.b', label: 'a', values },
      { id: 'c', label: 'c', values: [5, null, 7], look: 'dots' },
    ] as const
    expect(chartRows({ times, series })).toEqual([
      { time: 100, series0: 1, isolated0: 1, series1: 5 },
      { time: 101, series0: null, isolated0: null, series1: null },
      { time: 102, series0: 3, isolated0: null, series1: 7 },
      { time: 103, series0: 4, isolated0: null, series1: null },
    ])
    expect(series.map(hasIsolated)).toEqual([true, true])
    expect(hasIsolated({ id: 'd', label: 'd', values: [1, 2, null] })).toBe(false)
  })

  it('have a gap where a log scale shows nothing', () => {
    expect(onScale([0, 2, null], 'log')).toEqual([null, 2, null])
    expect(onScale([0, 2], 'linear')).toEqual([0, 2])
    const series = [{ id: 'a', label: 'a', values: [0, 2], look: 'dots' }] as const
    const rows = chartRows({ times: [1, 2], series, scale: 'log' })
    expect(rows.map(({ series0 }) => series0)).toEqual([null, 2])
  })

  it('have nothing for a gap of an area, which is stacked', () => {
    const series = [{ id: 'a', label: 'a', look: 'area', values: [1, null] }] as const
    expect(chartRows({ times: [100, 101, 102], series })).toEqual([
      { time: 100, series0: 1 },
      { time: 101, series0: 0 },
      { time: 102, series0: 0 },
    ])
  })
})

describe('marker labels', () => {
  it('name one marker, count those that stand together, and keep inside', () => {
    const at = (seconds: number) => ({ at: seconds, text: `event ${seconds}` })
    expect(markerLabels([at(95), at(10), at(96)], { from: 0, to: 100, width: 600 })).toEqual([
      { at: 10, text: 'event 10', side: 'right' },
      { at: 95, text: '2 events', side: 'left' },
    ])
  })

  it('never meet, however narrow the chart and long their texts', () => {
    const texts = ['Schema of bank changed', 'Index built', 'Server started', 'Rebuild', 'x']
    for (const width of [60, 120, 230, 300, 600, 1_400]) {
      for (let seed = 1; seed <= 40; seed++) {
        const markers = texts.map((text, place) => ({ at: (seed * (place + 3) * 17) % 101, text }))
        const labels = markerLabels(markers, { from: 0, to: 100, width })
        const boxes = labels.map(({ at, text, side }) => {
          const [x, size] = [(at / 100) * width, text.length * 6]
          return side === 'right' ? [x, x + size] : [x - size, x]
        })
        for (const [place, [start = 0]] of boxes.entries()) {
          const before = boxes[place - 1]?.[1] ?? -1e9
          expect(start, `${width} px: ${JSON.stringify(labels)}`).toBeGreaterThan(before)
        }
        expect(labels.length).toBeGreaterThan(0)
      }
    }
  })
})

describe('the summary', () => {
  it('says the last value and the range of each series', () => {
    expect(chartSummary(model)).toBe(
      'Latency, 100 to 102: p50 now 3 ms, from 1 ms to 3 ms; max now 40 ms, from 0 ms to 40 ms.',
    )
  })

  it('names the events', () => {
    expect(chartSummary({ ...model, markers: [{ at: 101, text: 'schema v2' }] })).toMatch(
      / Events: 101 schema v2\.$/,
    )
  })

  it('says when there is nothing', () => {
    expect(chartSummary({ ...model, times: [], series: [] })).toBe('Latency: no data yet.')
  })
})

describe('the moment under the keyboard', () => {
  it('goes by steps within the chart, begins at its end, and is given up', () => {
    const moved = (key: string, index: number) => movedCursor(key, index, 9)
    expect([moved('ArrowLeft', -1), moved('ArrowRight', -1)]).toEqual([9, 9])
    expect([moved('ArrowLeft', 0), moved('ArrowLeft', 5), moved('ArrowRight', 9)]).toEqual([
      0, 4, 9,
    ])
    expect([moved('Home', 5), moved('End', 5), moved('Escape', 5)]).toEqual([0, 9, -1])
    expect([moved('x', 5), moved('Escape', -1)]).toEqual([5, -1])
  })

  it('tells every value there, and where there is none', () => {
    const model = {
      label: 'Latency',
      times: [10, 11],
      format: (value: number) => `${value} ms`,
      formatTime: (time: number) => `at ${time}`,
      series: [
        { id: 'a', label: 'p50', values: [1, 2] },
        { id: 'b', label: 'max', values: [null, 7] },
      ],
    }
    expect(valuesAt(model, 0)).toBe('at 10: p50 1 ms; max none')
    expect(valuesAt(model, 1)).toBe('at 11: p50 2 ms; max 7 ms')
  })
})

describe('time axis', () => {
  it('has round ticks, whatever the window begins with', () => {
    const from = Date.UTC(2024, 4, 1, 12, 0, 7) / 1000
    const minutes = timeTicks(from, from + 300, 6).map((time) =>
      new Date(time * 1000).toISOString(),
    )
    expect(minutes.map((time) => time.slice(14, 19))).toEqual([
      '01:00',
      '02:00',
      '03:00',
      '04:00',
      '05:00',
    ])
    expect(timeTicks(from, from + 60, 6).map((time) => time % 10)).toEqual([0, 0, 0, 0, 0, 0])
    expect(timeTicks(from, from, 6).length).toBeLessThanOrEqual(1)
  })

  it('shows a value between two gaps, which no line reaches', () => {
    expect(isolated([1, null, 2, null, 3, 4, null])).toEqual([1, null, 2, null, null, null, null])
    expect(isolated([])).toEqual([])
  })
})
