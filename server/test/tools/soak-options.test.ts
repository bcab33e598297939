import { describe, expect, it } from 'vitest'
import { Ledger } from '../../tools/soak/ledger.ts'
import { parseSoakOptions } from '../../tools/soak/options.ts'
import { brokenAnswers, reportOf } from '../../tools/soak/report.ts'
import type { SoakResult } from '../../tools/soak/soak.ts'

const clean: SoakResult = {
  ledger: new Ledger(),
  probes: [{ count: 1, p50Ms: 1, p99Ms: 50, maxMs: 900, wrong: [] }],
  samples: [],
  killCount: 1,
  quietChecks: 0,
  startMs: [1],
  crashes: [],
  stopCodes: [0],
}

describe('the options of the soak', () => {
  it('have defaults, and a seed that can be given again', () => {
    expect(parseSoakOptions([])).toMatchObject({
      durationMs: 1_800_000,
      clientCount: 64,
      killCount: 1,
      mix: null,
    })
    expect(parseSoakOptions(['--seed', '7', '--memory', '2g'])).toMatchObject({
      seed: 7,
      serverOptions: ['--memory', '2g'],
    })
    expect(parseSoakOptions(['--help'])).toBeNull()
  })

  it('refuse what is no number and kinds that there are not', () => {
    expect(() => parseSoakOptions(['--clients', 'many'])).toThrow(RangeError)
    expect(() => parseSoakOptions(['--clients', '1.5'])).toThrow(RangeError)
    expect(() => parseSoakOptions(['--mix', 'no-such-kind'])).toThrow('no-such-kind')
  })

  it('take kinds with and without a weight', () => {
    const { mix } = parseSoakOptions(['--mix', 'point-read=3,upsert'])!
    expect([...mix!]).toEqual([
      ['point-read', 3],
      ['upsert', 1],
    ])
  })
})

describe('the report of a soak', () => {
  const options = parseSoakOptions(['--seed', '7'])!

  it('says that everything was held', () => {
    const { lines, broken } = reportOf(clean, options)
    expect(broken).toEqual([])
    expect(lines.join('\n')).toContain('Every promise was held.')
    expect(lines.join('\n')).toContain('seed 7')
  })

  it('breaks with a wrong answer, an error, a crash and a bad stop', () => {
    const ledger = new Ledger()
    ledger.expectEqual('count', 'vertices', [1, 2])
    ledger.failed('upsert', 500, 'broken')
    expect(brokenAnswers({ ...clean, ledger, crashes: ['SIGABRT'], stopCodes: [0, 1] })).toEqual([
      '1 wrong answers',
      '1 requests failed',
      'the server ended by itself: SIGABRT',
      'a clean stop ended with 1',
    ])
  })

  it('does not break with refusals under load', () => {
    const ledger = new Ledger()
    ledger.refused('login', 429, 'wait')
    expect(brokenAnswers({ ...clean, ledger })).toEqual([])
  })

  it('breaks with slow point reads and with growing memory', () => {
    const probes = [{ ...clean.probes[0]!, p99Ms: 50.1 }]
    const samples = Array.from({ length: 1_201 }, (_, second) => ({
      second,
      start: 1,
      residentBytes: 1_000 + second,
      engineBytes: 0,
      heapBytes: 0,
      externalBytes: 0,
      arrayBufferBytes: 0,
      loopDelayMsP99: 0,
      loopDelayMsMax: 0,
    }))
    expect(reportOf({ ...clean, probes, samples }, options).broken).toEqual([
      'p99 of point reads is 50.1 ms, more than 50 ms',
      'resident memory grew by 28.9 %, more than 5.0 %',
    ])
  })
})
