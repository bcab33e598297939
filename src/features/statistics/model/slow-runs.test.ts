import { expect, it } from 'vitest'
import { isForgotten, isRunIn } from './slow-runs.ts'

it('takes a run for part of a time that it was under way in', () => {
  const run = { startMs: 10_000, elapsedMs: 5_000 }
  const isIn = (from: number, to: number) => isRunIn(run, { from, to })
  expect([isIn(0, 9), isIn(0, 10), isIn(12, 13), isIn(15, 20), isIn(16, 20)]).toEqual([
    ...[false, true, true, true, false],
  ])
})

it('says that runs of a time are forgotten only where some may be', () => {
  expect([null, undefined, 9_999, 10_000].map((until) => isForgotten(until, 10))).toEqual([
    ...[false, false, false, true],
  ])
})
