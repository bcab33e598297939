import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { collectLater } from './collect-later.ts'

/** Arrays that nothing refers to, held weakly. */
function garbage(count: number): readonly WeakRef<object>[] {
  return Array.from(
    { length: count },
    () => new WeakRef(new Uint32Array(new SharedArrayBuffer(400_000))),
  )
}

const held = (arrays: readonly WeakRef<object>[]) =>
  arrays.filter((array) => array.deref() !== undefined).length

it('collects what was given up until then, and again when it is asked again', async () => {
  for (let round = 0; round < 2; round++) {
    collectLater(20)
    collectLater(20)
    const arrays = garbage(20)
    const deadlineMs = performance.now() + 30_000
    while (held(arrays) > 0 && performance.now() < deadlineMs) await sleep(20)
    expect(held(arrays)).toBe(0)
  }
})
