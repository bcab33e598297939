import { expect, it } from 'vitest'
import type { StatisticsHistory } from '#contract/statistics.ts'
import { secondsAbove } from './limit.ts'

const history = (p95Ms: readonly (number | null)[]) =>
  ({ stepSeconds: 2, total: { series: { p95Ms } } }) as unknown as StatisticsHistory

it('counts from the first step that was above and was followed by none below', () => {
  expect(secondsAbove(history([9, 3, 7, null, 8]), 5)).toBe(6)
  expect(secondsAbove(history([9, 9, null]), 5)).toBe(6)
})

it('is nothing when the last that completed kept to the limit, or nothing did', () => {
  expect(secondsAbove(history([9, 9, 5]), 5)).toBe(0)
  expect(secondsAbove(history([9, 4, null]), 5)).toBe(0)
  expect(secondsAbove(history([null, null]), 5)).toBe(0)
  expect(secondsAbove(history([]), 5)).toBe(0)
})
