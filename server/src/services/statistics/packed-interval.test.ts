import { describe, expect, it } from 'vitest'
import { type Cell, countInto, mergeInto, newCell, type SeriesKey } from './cell.ts'
import { LISTED_SERIES_MAX, type PackedInterval, PackedIntervals } from './packed-interval.ts'
import type { RequestSample } from './sample.ts'
import { Timeline } from './timeline.ts'

const series: SeriesKey = { key: 'GET /echo', graph: null, fromConsole: false }
const sample: RequestSample = { ...series, latencyMs: 1, outcome: 'ok' }

function cellOf(latencies: readonly number[], outcome: RequestSample['outcome'] = 'ok'): Cell {
  const cell = newCell()
  for (const latencyMs of latencies) countInto(cell, { ...sample, latencyMs, outcome })
  return cell
}

/** As `mergeInto` sees it. */
function merged(interval: PackedInterval): Cell[] {
  return [...interval.cells()].map(({ cell }) => {
    const sum = newCell()
    mergeInto(sum, cell)
    return sum
  })
}

const sorted = (cell: Cell) => ({
  ...cell,
  latencies: [...cell.latencies].sort(([one], [other]) => one - other),
})

describe('PackedInterval', () => {
  it('gives back what was counted, to the microsecond', () => {
    const longest = 3_600_000
    const cells = [
      newCell(),
      cellOf([0]),
      cellOf([0.127, 0.128, 0.129, 16.383, 16.384, longest, longest * 2]),
      cellOf([5], 'error'),
      cellOf([16_000], 'timeout'),
      cellOf(Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 3_600_000)),
    ]
    const packed = new PackedIntervals().pack(cells.map((cell) => ({ series, cell })))
    expect(merged(packed).map(sorted)).toEqual(cells.map(sorted))
  })

  it('takes some three bytes a latency that differs', () => {
    const packedOf = (latencies: readonly number[]) => {
      const intervals = new PackedIntervals()
      intervals.pack([{ series, cell: cellOf(latencies) }])
      return intervals.usedBytes
    }
    expect(packedOf([3])).toBeLessThanOrEqual(6)
    expect(packedOf([1, 2, 3, 5, 8, 13, 21])).toBeLessThanOrEqual(7 * 3 + 12)
    expect(packedOf(Array.from({ length: 10_000 }, (_, index) => index / 7))).toBeLessThan(5_000)
  })

  it('shares its block and its list of series with others, and reads its own part', () => {
    const intervals = new PackedIntervals()
    const counts = Array.from({ length: LISTED_SERIES_MAX + 5 }, (_, index) => index % 60)
    const cells = counts.map((count, index) => ({
      series: { ...series, key: `${index}` },
      cell: cellOf(Array.from({ length: count }, (_, latency) => latency)),
    }))
    // Together more than a block; the last one alone, too.
    const packed = [
      ...cells.map((cell) => intervals.pack([cell])),
      intervals.pack([...cells, ...cells]),
    ]
    const read = packed.map((interval) =>
      [...interval.cells()].map(({ series: { key }, cell }) => [key, cell.completed]),
    )
    const wanted = counts.map((count, index) => [`${index}`, count])
    expect(read).toEqual([...wanted.map((one) => [one]), [...wanted, ...wanted]])
  })

  it('rounds sums of fractions of a microsecond', () => {
    const packed = new PackedIntervals().pack([{ series, cell: cellOf([0.000_4, 1.000_4]) }])
    expect(merged(packed)[0]).toMatchObject({ sumMs: 1.001, minMs: 0, maxMs: 1 })
  })
})

describe('a timeline whose intervals are packed', () => {
  const count = (timeline: Timeline, second: number, key: string) =>
    countInto(timeline.cellAt(second, { ...series, key }), { ...sample, key })
  const read = (timeline: Timeline) =>
    [...timeline.cells(0, 1_000)].map(({ start, series: { key }, cell }) => [
      ...[start, key, cell.completed],
    ])

  it('counts on in an interval that a clock went back to', () => {
    const timeline = new Timeline(1, 100)
    count(timeline, 10, 'a')
    count(timeline, 11, 'a')
    count(timeline, 10, 'a')
    count(timeline, 10, 'b')
    count(timeline, 11, 'a')
    expect(read(timeline)).toEqual([
      [10, 'a', 2],
      [10, 'b', 1],
      [11, 'a', 2],
    ])
  })

  it('exports and imports packed intervals and the one that counts', () => {
    const timeline = new Timeline(1, 100)
    for (const second of [1, 2, 2, 3]) count(timeline, second, 'a')
    const other = new Timeline(1, 100)
    other.import(timeline.export(0, 1_000))
    expect(read(other)).toEqual(read(timeline))
    expect(read(other)).toEqual([
      [1, 'a', 1],
      [2, 'a', 2],
      [3, 'a', 1],
    ])
  })
})
