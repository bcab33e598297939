import { expect, it } from 'vitest'
import { type PastRun, RUNS_KEPT_MAX, runsOf, withRun } from './run-history.ts'

const run = (at: number, text = '1'): PastRun => ({
  at,
  texts: [['top', text]],
  durationMs: 5,
  sizeBytes: 10,
  outcome: 'done',
})

it('keeps the newest runs, as many as there is room for', () => {
  let runs: readonly PastRun[] = []
  for (let at = 0; at <= RUNS_KEPT_MAX; at++) runs = withRun(runs, run(at))
  expect(runs).toHaveLength(RUNS_KEPT_MAX)
  expect([runs[0]?.at, runs.at(-1)?.at]).toEqual([RUNS_KEPT_MAX, 1])
})

it('lets the oldest give way to long parameters, and keeps none that are too long', () => {
  const long = withRun([run(1, 'x'.repeat(150_000)), run(0)], run(2, 'x'.repeat(150_000)))
  expect(long.map(({ at }) => at)).toEqual([2])
  expect(withRun([run(0)], run(1, 'x'.repeat(300_000)))).toEqual([])
})

it('reads nothing from what it did not write', () => {
  const odd = [{ ...run(1), outcome: 'odd' }, { ...run(1), texts: [['top', 3]] }, null, 'run']
  expect(runsOf([...odd, run(2)])).toEqual([run(2)])
  expect(runsOf({ runs: [] })).toEqual([])
})
