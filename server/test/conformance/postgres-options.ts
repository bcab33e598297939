/** How tests open a store in PostgreSQL. */
import { parseStoreAddress } from '#storage/postgres/address.ts'
import type { PostgresStoreOptions } from '#storage/postgres/postgres-store.ts'

export const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }

export const timers = {
  after: (ms: number, call: () => void) => {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
  every: (ms: number, call: () => void) => {
    const timer = setInterval(call, ms)
    return () => clearInterval(timer)
  },
}

export function optionsFor(url: string, name: string): PostgresStoreOptions {
  return {
    address: parseStoreAddress(url),
    clock,
    timers,
    name,
    url: `http://${name}:14240`,
    version: 'test',
    memoryLimitBytes: 1e9,
    takeoverAfterMs: 5_000,
    checkpointBytesPerSecond: 1e9,
    // A machine under load answers late.
    connectMsMax: 240_000,
  }
}
