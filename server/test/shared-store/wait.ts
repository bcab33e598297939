import { setTimeout as pause } from 'node:timers/promises'

/** Longer than anything takes on a loaded machine; what hangs still ends. */
const WAIT_MS_MAX = 180_000
const LOOK_EVERY_MS = 25

/** Asks again and again until there is an answer. @throws Error naming what did not come */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | null>,
  msMax = WAIT_MS_MAX,
): Promise<Value> {
  const end = performance.now() + msMax
  for (;;) {
    const value = await look()
    if (value !== null) return value
    if (performance.now() > end) throw new Error(`${what}: not within ${msMax} ms`)
    await pause(LOOK_EVERY_MS)
  }
}
