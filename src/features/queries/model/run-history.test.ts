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

it('keeps the text of a draft with its run, as long as there is room', () => {
  const draft = 'INTERPRET QUERY () { PRINT 1; }'
  expect(withRun([run(1)], { ...run(2), draft })[0]).toEqual({ ...run(2), draft })
  expect(runsOf([{ ...run(2), draft }])).toEqual([{ ...run(2), draft }])
  const long = { ...run(1), draft: 'x'.repeat(150_000) }
  expect(withRun([long, run(0)], { ...long, at: 2 }).map(({ at }) => at)).toEqual([2])
})

it('reads nothing from what it did not write', () => {
  const odd = [
    { ...run(1), outcome: 'odd' },
    { ...run(1), texts: [['top', 3]] },
    { ...run(1), draft: 1 },
    null,
    'run',
  ]
  expect(runsOf([...odd, run(2)])).toEqual([run(2)])
  expect(runsOf({ runs: [] })).toEqual([])
})
