import { describe, expect, it } from 'vitest'
import type { Catalog } from '#catalog/types.ts'
import { SLOW_PLAN_REUSE_MS, SLOW_PLANS_WAITING_MAX } from '#kernel/limits.ts'
import type { PlanStep } from '#query/explain/explain.ts'
import { SlowPlans } from './slow-plans.ts'

const catalog = { name: 'before' } as unknown as Catalog
const changed = { name: 'after' } as unknown as Catalog
const stepsOf = (text: string) => [{ statement: text }] as unknown as readonly PlanStep[]

/** Plans that are made when the test says so. */
function open() {
  let now = 0
  const plans = new SlowPlans({ nowMs: () => now, monotonicMs: () => now })
  const begun: string[] = []
  const ends: PromiseWithResolvers<readonly PlanStep[]>[] = []
  const get = (key: string, of: Catalog = catalog) =>
    plans.get(key, of, () => {
      begun.push(key)
      const end = Promise.withResolvers<readonly PlanStep[]>()
      ends.push(end)
      return end.promise
    })
  const pass = (ms: number) => {
    now += ms
  }
  return { get, begun, ends, pass }
}

describe('plans of slow runs', () => {
  it('are made one at a time, one for all runs of a text that wait for it', async () => {
    const { get, begun, ends } = open()
    const [a, sameA, b] = [get('a'), get('a'), get('b')]
    expect(begun).toEqual(['a'])
    ends[0]!.resolve(stepsOf('a'))
    expect(await a).toEqual(stepsOf('a'))
    expect(await sameA).toEqual(stepsOf('a'))
    expect(begun).toEqual(['a', 'b'])
    ends[1]!.reject(new Error('no room'))
    await expect(b).rejects.toThrow('no room')
    const c = get('c')
    ends[2]!.resolve(stepsOf('c'))
    expect(await c).toEqual(stepsOf('c'))
  })

  it('are left out when too many others wait', async () => {
    const { get, begun, ends } = open()
    const all = Array.from({ length: SLOW_PLANS_WAITING_MAX }, (_, n) => get(`q${n}`))
    expect(await get('one too many')).toEqual([])
    for (let n = 0; n < all.length; n++) {
      ends[n]!.resolve(stepsOf(`q${n}`))
      expect(await all[n]).toEqual(stepsOf(`q${n}`))
    }
    expect(begun).toHaveLength(SLOW_PLANS_WAITING_MAX)
  })

  it('are used again for a while, until the schema changes', async () => {
    const { get, begun, ends, pass } = open()
    const first = get('a')
    ends[0]!.resolve(stepsOf('first'))
    await first
    pass(SLOW_PLAN_REUSE_MS)
    expect(await get('a')).toEqual(stepsOf('first'))
    const other = get('a', changed)
    expect(begun).toHaveLength(2)
    ends[1]!.resolve(stepsOf('other'))
    expect(await other).toEqual(stepsOf('other'))
    pass(SLOW_PLAN_REUSE_MS + 1)
    const later = get('a', changed)
    expect(begun).toHaveLength(3)
    ends[2]!.resolve(stepsOf('later'))
    expect(await later).toEqual(stepsOf('later'))
  })
})
