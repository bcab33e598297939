import { describe, expect, it } from 'vitest'
import { appendMetrics, emptyTrend } from '#lib/metric-trend.ts'
import { parseOpenMetrics } from '#lib/open-metrics.ts'
import { diskUses, labelledSeries, plainRate, rateSeries, sumOf } from './machine.ts'

const snapshotOf = (...texts: string[]) => {
  let trend = emptyTrend
  for (const [index, text] of texts.entries()) {
    trend = appendMetrics(trend, parseOpenMetrics(text), index * 1000)
  }
  const text = texts.at(-1) ?? ''
  return { text, parsed: parseOpenMetrics(text), takenAt: 0, trend }
}

describe('the machine', () => {
  it('names the series without a service after the whole', () => {
    const snapshot = snapshotOf('cpu{service_name=""} 10\ncpu{service_name="GPE"} 4')
    expect(labelledSeries(snapshot, 'cpu', 'service_name', 'node')).toEqual([
      { id: 'cpu{service_name=}', label: 'node', values: [10] },
      { id: 'cpu{service_name=GPE}', label: 'GPE', values: [4] },
    ])
  })

  it('turns counters into rates', () => {
    const snapshot = snapshotOf('net{direction="incoming"} 5', 'net{direction="incoming"} 12')
    expect(rateSeries(snapshot, 'net', 'direction')[0]?.values).toEqual([null, 7])
  })

  it('adds up the samples of a metric, and tells absence from zero', () => {
    const metrics = parseOpenMetrics('qps{endpoint="a"} 1.5\nqps{endpoint="b"} 2')
    expect(sumOf(metrics, 'qps')).toBe(3.5)
    expect(sumOf(metrics, 'other')).toBeUndefined()
  })

  it('reads the rate of a counter without labels', () => {
    const snapshot = snapshotOf('commits_total 4', 'commits_total 9')
    expect(plainRate(snapshot, 'commits_total', 'commits').values).toEqual([null, 5])
  })

  it('marks a disk amber above four fifths and red above nine tenths', () => {
    const disk = (name: string, free: number, used: number) =>
      `tigergraph_diskspace_free{path_name="${name}"} ${free}\ntigergraph_diskspace_usage{path_name="${name}"} ${used}`
    const uses = diskUses(
      parseOpenMetrics([disk('a', 50, 50), disk('b', 15, 85), disk('c', 5, 95)].join('\n')),
    )
    expect(uses.map(({ status }) => status)).toEqual(['success', 'warning', 'danger'])
    expect(uses[1]?.share).toBeCloseTo(0.85)
  })
})
