/** The moment under the pointer, which every chart of the page marks. */
import { useSyncExternalStore } from 'react'

/** Epoch seconds; null: the pointer is on no chart. */
let active: number | null = null
const listeners = new Set<() => void>()

export function setActiveTime(time: number | null): void {
  if (time === active) return
  active = time
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useActiveTime = (): number | null => useSyncExternalStore(subscribe, () => active)
