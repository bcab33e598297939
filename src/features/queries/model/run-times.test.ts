import { expect, it } from 'vitest'
import { runTimes, totalMs } from './run-times.ts'

const told = 'prepare;dur=1.50, queue;dur=2.00, execute;dur=30.00, commit;dur=0.50'

it('splits a run into what the server says and what was measured here', () => {
  const times = runTimes({ durationMs: 40, parseMs: 3, serverTiming: told }, 7)
  expect(times).toEqual([
    { part: 'queue', ms: 2 },
    { part: 'execute', ms: 32 },
    { part: 'transfer', ms: 6 },
    { part: 'parse', ms: 3 },
    { part: 'render', ms: 7 },
  ])
  expect(totalMs(times)).toBe(50)
})

it('leaves out what nobody knows', () => {
  expect(runTimes({ durationMs: 40, parseMs: 3, serverTiming: null }, null)).toEqual([
    { part: 'transfer', ms: 40 },
    { part: 'parse', ms: 3 },
  ])
  const proxied = 'cdn-cache;desc="HIT", edge;desc="x";dur=4, queue;dur=oops, execute;dur=9'
  expect(runTimes({ durationMs: 20, parseMs: 0, serverTiming: proxied }, null)).toMatchObject([
    { part: 'queue', ms: 0 },
    { part: 'execute', ms: 13 },
    { part: 'transfer', ms: 7 },
    { part: 'parse' },
  ])
})

it('is never less than nothing: clocks differ by a little', () => {
  const times = runTimes({ durationMs: 33, parseMs: 0, serverTiming: told }, 0)
  expect(times.find(({ part }) => part === 'transfer')?.ms).toBe(0)
})
