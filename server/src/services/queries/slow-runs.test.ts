import { describe, expect, it } from 'vitest'
import { DbError } from '#kernel/errors.ts'
import { SLOW_RUN_MS_MIN, SLOW_RUN_TEXT_CHARS_MAX, SLOW_RUNS_KEPT_MAX } from '#kernel/limits.ts'
import type { RunResult } from '#query/workers/runs.ts'
import { SlowRuns, type WatchedRun } from './slow-runs.ts'

const done = { counters: { rows: 7, edges: 9 }, peakMemoryBytes: 512 } as RunResult

function logWithClock() {
  let now = 1_000
  const runs = new SlowRuns({ nowMs: () => now, monotonicMs: () => now })
  const run = (requestId: string, given: Partial<WatchedRun> = {}): WatchedRun => ({
    requestId,
    traceId: null,
    graph: 'social',
    query: 'ring',
    user: 'ada',
    url: '/query/social/ring',
    text: 'CREATE QUERY ring() { PRINT 1; }',
    source: { url: {}, body: { id: 18446744073709551615n } },
    plan: async () => [],
    ...given,
  })
  const takes = async (watched: WatchedRun, ms: number, result: () => RunResult = () => done) => {
    const ending = Promise.withResolvers<RunResult>()
    const watching = runs.watch(watched, ending.promise)
    now += ms
    try {
      ending.resolve(result())
    } catch (error) {
      ending.reject(error)
    }
    return await watching
  }
  return { runs, run, takes }
}

describe('the log of slow runs', () => {
  it('has what was slow, newest first, exact, and nothing that was fast', async () => {
    const { runs, run, takes } = logWithClock()
    let plans = 0
    const counted = {
      plan: async () => {
        plans++
        return []
      },
    }
    expect(await takes(run('1', counted), SLOW_RUN_MS_MIN - 1)).toBe(done)
    await takes(run('2', counted), SLOW_RUN_MS_MIN)
    await takes(run('3', { ...counted, graph: 'other' }), 2_000)
    expect(runs.list(null).map(({ requestId }) => requestId)).toEqual(['3', '2'])
    expect(plans).toBe(2)
    expect(runs.list('social')).toMatchObject([
      {
        requestId: '2',
        startMs: 1_000 + SLOW_RUN_MS_MIN - 1,
        elapsedMs: SLOW_RUN_MS_MIN,
        outcome: 'done',
        counters: { rows: 7, edges: 9 },
        parameters: '{"id":18446744073709551615}',
      },
    ])
    expect([runs.find('3')?.graph, runs.find('1')]).toEqual(['other', undefined])
  })

  it('tells what ended a run early, and lets the caller know it, too', async () => {
    const { runs, run, takes } = logWithClock()
    const endings = [
      ['QUERY_TIMEOUT', 'timeout'],
      ['QUERY_ABORTED', 'aborted'],
      ['QUERY_FAILED', 'failed'],
    ] as const
    for (const [code, outcome] of endings) {
      const error = new DbError(code as 'QUERY_TIMEOUT', `it was ${outcome}`)
      const ended = takes(run(code), 5_000, () => {
        throw error
      })
      await expect(ended).rejects.toBe(error)
      expect(runs.find(code)).toMatchObject({ outcome, message: error.message, counters: null })
    }
  })

  it('keeps so many runs, and so much of a text', async () => {
    const { runs, run, takes } = logWithClock()
    const text = 'x'.repeat(SLOW_RUN_TEXT_CHARS_MAX + 5)
    expect(runs.forgottenUntilMs).toBe(null)
    for (let count = 0; count <= SLOW_RUNS_KEPT_MAX; count++) {
      await takes(run(String(count), { text }), 1_000)
    }
    expect(runs.forgottenUntilMs).toBe(2_000)
    expect(runs.list(null)).toHaveLength(SLOW_RUNS_KEPT_MAX)
    expect([runs.find('0'), runs.find('1')?.text.length]).toEqual([
      undefined,
      SLOW_RUN_TEXT_CHARS_MAX + 1,
    ])
  })
})
