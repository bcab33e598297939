import { describe, expect, it } from 'vitest'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { bandEnds, heatMapOf } from './heat.ts'

const history = (cells: readonly number[]) =>
  ({
    total: { series: { completed: [1, 2, 3] } },
    heat: { boundsMs: [1, 2, 5, 10, 20], cells },
  }) as unknown as StatisticsHistory

describe('heatMapOf', () => {
  it('places counts by step and band, the strongest the greatest', () => {
    const map = heatMapOf(history([0, 2, 100, 2, 3, 1, 2, 2, 10]))
    expect(map.bands).toEqual([2, 3, 4, 5])
    expect(map.cells.map(({ step, row }) => [step, row])).toEqual([
      [0, 0],
      [2, 1],
      [2, 0],
    ])
    const [most = 0, least = 0, middle = 0] = map.cells.map(({ strength }) => strength)
    expect(most).toBe(1)
    expect(middle).toBeCloseTo((most + least) / 2)
    expect(least).toBeGreaterThan(0.1)
  })

  it('is empty without requests', () => {
    expect(heatMapOf(history([]))).toMatchObject({ bands: [], cells: [], greatest: 0 })
  })
})

it('a band lies between two bounds, the first and the last on one side only', () => {
  expect([0, 1, 5].map((band) => bandEnds([1, 2, 5, 10, 20], band))).toEqual([
    [null, 1],
    [1, 2],
    [20, null],
  ])
})
