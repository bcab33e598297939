/** The clock, the turns and the timers of the machine. Everything else receives them from whoever starts it. */
import type { Clock } from '#kernel/clock.ts'
import type { Timers } from './modules/server-options.ts'

export const clock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
}

export const scheduler = {
  yieldToOthers: () => new Promise<void>((resolvePause) => setImmediate(resolvePause)),
}

/** None of these keeps the process alive by itself. */
export const timers: Timers = {
  after: (ms, call) => {
    const timer = setTimeout(call, ms).unref()
    return () => clearTimeout(timer)
  },
  every: (ms, call) => {
    const timer = setInterval(call, ms).unref()
    return () => clearInterval(timer)
  },
}

/** While a store is connected anew nothing else may keep the process alive. */
export const storeTimers: Timers = {
  ...timers,
  after: (ms, call) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}
