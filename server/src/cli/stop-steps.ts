/**
 * What a stop does, step by step. A shared store that does not answer may take a part of the deadline
 * only: then it is given up, so that what waits for it ends, and the stop as well.
 */
import { isDbError } from '#kernel/errors.ts'
import { HAND_OVER_MS_MAX, STOP_STORE_MS_MAX } from '#kernel/limits.ts'
import type { SharedStore } from '#storage/shared-store.ts'
import type { Store } from '#storage/store.ts'
import type { StopStep } from './stop.ts'

export interface Stopped {
  readonly store: Store | SharedStore
  readonly server: { close(): Promise<void> }
}

export interface StopLimits {
  readonly handOverMs: number
  readonly storeMs: number
}

const limitsOfProgram = { handOverMs: HAND_OVER_MS_MAX, storeMs: STOP_STORE_MS_MAX }

/** @param after runs `call` after a time; returns the function that cancels it */
export function stopSteps(
  { store, server }: Stopped,
  after: (ms: number, call: () => void) => () => void,
  { handOverMs, storeMs }: StopLimits = limitsOfProgram,
): readonly StopStep[] {
  let cancel = () => {}
  return [
    {
      name: 'the role of the writer',
      run: () => handOver(store, (call) => after(handOverMs, call)),
    },
    {
      name: 'the server',
      run: () => {
        if ('shared' in store) cancel = after(storeMs, () => void store.abandon())
        return server.close()
      },
    },
    {
      name: 'the store',
      run: async () => {
        await store.close()
        cancel()
      },
    },
  ]
}

/** Another server writes from here on, and this one forwards until it is gone. */
async function handOver(
  store: Store | SharedStore,
  atDeadline: (call: () => void) => () => void,
): Promise<void> {
  if (!('shared' in store) || store.shared.role !== 'writer') return
  const resigned = store.shared.resign().catch((error: unknown) => {
    if (!isDbError(error, 'NOT_WRITER')) throw error
  })
  const isLate = Promise.withResolvers<void>()
  const cancel = atDeadline(isLate.resolve)
  // A store that does not answer keeps nobody from stopping.
  await Promise.race([resigned, isLate.promise]).finally(cancel)
}
