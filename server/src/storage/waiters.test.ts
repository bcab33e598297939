import { expect, it } from 'vitest'
import { Waiters } from './waiters.ts'

it('resolves those whose condition holds; the others when their time is over', async () => {
  // Time passes when the test says so.
  const timers = new Set<() => void>()
  const waiters = new Waiters((_ms, call) => {
    timers.add(call)
    return () => timers.delete(call)
  })
  let position = 1
  const seen: string[] = []
  const reached = async (wanted: number, msMax: number | null) => {
    const isThere = await waiters.until(() => position >= wanted, msMax)
    seen.push(`${wanted} ${isThere}`)
  }
  const all = [reached(1, 10), reached(3, 10), reached(2, null), reached(9, 10)]
  await all[0]
  position = 2
  waiters.look()
  await all[2]
  expect(seen).toEqual(['1 true', '2 true'])
  position = 3
  waiters.look()
  await all[1]
  expect([seen[2], timers.size, waiters.isEmpty]).toEqual(['3 true', 1, false])
  for (const passes of timers) passes()
  await all[3]
  expect([seen[3], timers.size, waiters.isEmpty]).toEqual(['9 false', 0, true])
})
