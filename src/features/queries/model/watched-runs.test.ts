import { describe, expect, it } from 'vitest'
import {
  fitsFilter,
  LOOK_MS,
  lookAgainMs,
  needsTelling,
  noteAborting,
  timeLimitMs,
  watchRuns,
  withOutcomes,
} from './watched-runs.ts'

const run = (requestid: string, elapsedTime = 100) => ({
  requestid,
  elapsedTime,
  startTime: '2026-01-02 03:04:05.000',
  expirationTime: '2026-01-02 03:04:21.000',
  graph: 'g',
  user: 'ada',
})

describe('the running list from look to look', () => {
  it('tells for a minute of runs that left it, newest first', () => {
    const first = watchRuns(undefined, [run('a'), run('b'), run('c')], 0)
    const second = watchRuns(first, [run('a'), run('b')], 1_000)
    const third = watchRuns(second, [run('b')], 2_000)
    expect(third.ended.map((one) => [one.run.requestid, one.endedAt, one.ending])).toEqual([
      ['a', 2_000, 'ended'],
      ['c', 1_000, 'ended'],
    ])
    expect(watchRuns({ ...third, at: 60_500 }, [run('b')], 61_000).ended).toHaveLength(1)
    expect(watchRuns({ ...third, at: 61_500 }, [run('b')], 62_000).ended).toEqual([])
  })

  it('knows of no end that it did not watch', () => {
    const first = watchRuns(undefined, [run('a')], 0)
    expect(watchRuns(first, [], 20_000).ended).toEqual([])
  })

  it('tells what was aborted and what timed out', () => {
    const first = noteAborting(watchRuns(undefined, [run('a'), run('b', 15_500)], 0), ['a'], true)
    const { ended, aborting } = watchRuns(first, [], 600)
    expect(ended.map(({ ending }) => ending)).toEqual(['aborted', 'timed out'])
    expect(aborting).toEqual([])
    const again = noteAborting({ running: [], ended, aborting, at: 600 }, ['a'], false)
    expect(again.ended[0]?.ending).toBe('ended')
  })

  it('takes from the server how a run ended, and asks no longer than it may take to say', () => {
    const told = (requestId: string, outcome: 'done' | 'failed' | 'aborted' | 'timeout') => ({
      requestId,
      outcome,
      message: '',
      elapsedMs: 5,
      peakMemoryBytes: 7,
    })
    const first = watchRuns(
      undefined,
      ['a', 'b', 'c', 'd', 'e'].map((id) => run(id)),
      0,
    )
    expect(needsTelling(first)).toBe(false)
    const gone = watchRuns(noteAborting(first, ['a'], true), [], 500)
    expect(needsTelling(gone)).toBe(true)
    const known = withOutcomes(gone, [
      // It was over before it could be aborted.
      told('a', 'done'),
      told('b', 'failed'),
      told('c', 'aborted'),
      told('d', 'timeout'),
      told('z', 'done'),
    ])
    expect(known.ended.map(({ ending }) => ending)).toEqual([
      'done',
      'failed',
      'aborted',
      'timed out',
      'ended',
    ])
    expect(noteAborting(known, ['a'], true).ended[0]?.ending).toBe('done')
    // Of the last one nobody says more.
    expect(needsTelling(watchRuns(known, [], 1_000))).toBe(true)
    expect(needsTelling(watchRuns(known, [], 3_600))).toBe(false)
  })

  it('keeps a run marked while it is being aborted', () => {
    const first = noteAborting(watchRuns(undefined, [run('a')], 0), ['a'], true)
    expect(watchRuns(first, [run('a', 600)], 500).aborting).toEqual(['a'])
  })

  it('reads the limit of a run, and none', () => {
    expect(timeLimitMs(run('a'))).toBe(16_000)
    expect(timeLimitMs({ ...run('a'), expirationTime: '' })).toBe(0)
  })

  it('is narrowed to a graph, a user, and what runs long', () => {
    expect(fitsFilter(run('a'), { leastMs: 0 })).toBe(true)
    expect(fitsFilter(run('a'), { leastMs: 101 })).toBe(false)
    expect(fitsFilter(run('a'), { leastMs: 0, graph: 'h' })).toBe(false)
    expect(fitsFilter(run('a'), { leastMs: 0, user: 'bo' })).toBe(false)
    expect(fitsFilter(run('a'), { leastMs: 100, user: 'ada', graph: 'g' })).toBe(true)
  })
})

it('the list is looked at often while a run is young, and less often while all are old', () => {
  const runs = (...ages: number[]) => ages.map((elapsedTime) => ({ elapsedTime }))
  expect(lookAgainMs(undefined)).toBe(LOOK_MS.none)
  expect(lookAgainMs([])).toBe(LOOK_MS.none)
  expect(lookAgainMs(runs(60_000, 10))).toBe(LOOK_MS.young)
  expect(lookAgainMs(runs(5_000, 60_000))).toBe(LOOK_MS.old)
})
