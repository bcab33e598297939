import { describe, expect, it } from 'vitest'
import type { Instance, Instances } from '#api/instances.ts'
import { handOverProblem, noticesOf, SILENT_MS, stateOf } from './instances.ts'

const instance = (name: string, part: Partial<Instance> = {}): Instance => ({
  ...{ name, ordinal: 1, role: 'follower', self: false, url: `http://${name}`, version: '1.2.0' },
  ...{ position: 10, lag: 0, memoryLimitBytes: 1e9, silentMs: 400 },
  ...part,
})

const writer = instance('one', { role: 'writer' })
const follower = instance('two', { self: true })

const view = (part: Partial<Instances> = {}): Instances => ({
  ...{ role: 'follower', self: 'two', writer: 'one', epoch: 3, position: 10, stalenessMs: 900 },
  ...{ maxStalenessMs: 300_000, connected: true, durableCopies: 2, instances: [writer, follower] },
  ...part,
})

const texts = (part: Partial<Instances>) => noticesOf(view(part)).map(({ text }) => text)

describe('instances of one store', () => {
  it('are what they are while they beat, and silent afterwards', () => {
    expect(stateOf(writer)).toBe('writer')
    expect(stateOf(instance('a', { silentMs: SILENT_MS }))).toBe('follower')
    expect(stateOf(instance('a', { silentMs: SILENT_MS + 1 }))).toBe('silent')
    expect(stateOf(instance('a', { silentMs: null }))).toBe('silent')
    expect(stateOf(instance('a', { silentMs: null, self: true }))).toBe('follower')
  })

  it('need no word while all is well', () => {
    expect(noticesOf(view())).toEqual([])
  })

  it('say what is wrong, the worst first', () => {
    const gone = { ...writer, silentMs: 9_000 }
    const old = instance('three', { version: '1.1.0' })
    expect(texts({ connected: false, durableCopies: 1, instances: [gone, follower, old] })).toEqual(
      [
        'The store does not answer this instance. What it shows is at most 900 ms old. Reads are refused when it is 5 min old.',
        'No instance writes at present. Writes wait until one has taken over.',
        'An acknowledged write lies on one machine only, and is lost with it: the database has no synchronous standby.',
        '1 instance is silent: stopped, or cut off from the store.',
        'Instances have 2 versions. Upgrade the writer last.',
      ],
    )
    expect(texts({ instances: [{ ...writer, self: true }] })).toEqual([
      'There is one instance. No other can take over from it.',
    ])
    expect(texts({ durableCopies: null })).toEqual([])
  })

  it('hand over where one writes and another lives', () => {
    expect(handOverProblem(view())).toBeNull()
    expect(handOverProblem(view({ instances: [writer] }))).toContain('No other instance')
    const silent = instance('two', { silentMs: 60_000 })
    expect(handOverProblem(view({ instances: [writer, silent] }))).toContain('No other instance')
    expect(handOverProblem(view({ instances: [follower] }))).toContain('No instance writes')
  })
})
