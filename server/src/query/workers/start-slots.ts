/** Starts threads that may make no code from strings. */
import { setFlagsFromString } from 'node:v8'
import type { WorkerSlot } from './slot.ts'

/** Calls that are under way: the flag holds until the last of them has ended. */
let startingCount = 0

/** New threads take the flag over when they start; this one keeps the permission it has. */
export async function startSlots(slots: readonly WorkerSlot[]): Promise<void> {
  startingCount += 1
  setFlagsFromString('--disallow-code-generation-from-strings')
  try {
    await Promise.all(slots.map((slot) => slot.start()))
  } finally {
    startingCount -= 1
    if (startingCount === 0) setFlagsFromString('--no-disallow-code-generation-from-strings')
  }
}
