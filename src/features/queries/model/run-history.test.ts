import { beforeEach, describe, expect, it, vi } from 'vitest'
import { noteRun, type PastRun, RUNS_KEPT_MAX, readRuns } from './run-history.ts'

const past = (at: number): PastRun => ({
  at,
  texts: [['top', String(at)]],
  durationMs: 1,
  sizeBytes: 2,
  outcome: 'done',
})

describe('run history', () => {
  beforeEach(() => {
    const kept = new Map<string, string>()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, text: string) => void kept.set(key, text),
    })
  })

  it('keeps the newest first, up to its limit, for each query', () => {
    for (let at = 1; at <= RUNS_KEPT_MAX + 1; at++) noteRun('g', 'q', past(at))
    const runs = readRuns('g', 'q')
    expect([runs.length, runs[0]?.at, runs.at(-1)?.at]).toEqual([
      RUNS_KEPT_MAX,
      RUNS_KEPT_MAX + 1,
      2,
    ])
    expect(readRuns('g', 'other')).toEqual([])
  })

  it('passes over what it cannot read', () => {
    localStorage.setItem('quiver.runs.g.q', JSON.stringify([past(1), { at: 2 }, null, 'x']))
    expect(readRuns('g', 'q')).toEqual([past(1)])
    localStorage.setItem('quiver.runs.g.q', 'no json')
    expect(readRuns('g', 'q')).toEqual([])
  })
})
