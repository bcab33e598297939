import { expect, it } from 'vitest'
import { spanOf, windowAt, windowPlace } from './overview.ts'
import type { StatisticsView } from './view.ts'

const view = (seconds: number, end: number | null): StatisticsView => ({
  seconds,
  end,
  scale: 'linear',
  endpoint: null,
  marked: null,
})
const now = 1_000_000

it('spans as much as it takes to have the window in it', () => {
  expect(spanOf(view(300, null), now).label).toBe('Last 30 minutes')
  expect(spanOf(view(3_600, null), now).label).toBe('Last 6 hours')
  expect(spanOf(view(60, now - 20 * 3_600), now).label).toBe('Last 24 hours')
  expect(spanOf(view(60, 5), now).label).toBe('Last 7 days')
})

it('tells where the window stands', () => {
  const range = { from: now - 1_000, to: now }
  expect(windowPlace(view(100, null), range)).toEqual({ left: 0.9, width: expect.closeTo(0.1) })
  expect(windowPlace(view(100, now - 500), range)).toEqual({
    left: 0.4,
    width: expect.closeTo(0.1),
  })
  expect(windowPlace(view(100, now - 5_000), range)).toEqual({ left: 0, width: 0 })
})

it('moves the window, which follows the present again at the end', () => {
  const range = { from: now - 1_000, to: now }
  expect(windowAt(view(100, null), range, 0.5).end).toBe(now - 450)
  expect(windowAt(view(100, now - 500), range, 0.99).end).toBeNull()
  expect(windowAt(view(100, null), range, 0).end).toBe(now - 900)
})
