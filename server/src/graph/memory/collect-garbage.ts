/**
 * Collects the garbage of the calling thread now.
 *
 * The platform does not count shared memory when it decides that a collection is due: a few small
 * objects may hold gigabytes of superseded arrays for minutes.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let collect: (() => void) | null = null

export function collectGarbage(): void {
  collect ??= exposed()
  collect()
}

/**
 * The function exists in contexts that are made while the flag is set, and in no other. The flag is
 * that of the process and stays set: a thread that cleared it would take it from another one.
 */
function exposed(): () => void {
  setFlagsFromString('--expose-gc')
  return runInNewContext('gc') as () => void
}
