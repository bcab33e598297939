/**
 * The last HTTP calls of this tab, newest first, for the request inspector.
 *
 * What the console does, a script can do: each entry carries the command line that repeats it.
 */
export interface RequestEntry {
  readonly id: number
  readonly method: string
  readonly url: string
  /** 0 when no answer came. */
  readonly status: number
  readonly startedAt: number
  readonly durationMs: number
  readonly sizeBytes: number
  readonly requestId?: string | undefined
  readonly curl: string
  /** The beginning of the answer; empty where it may hold credentials, or none came. */
  readonly answer: string
}

const ENTRIES_MAX = 100

let entries: readonly RequestEntry[] = []
let nextId = 1
const listeners = new Set<() => void>()

export const requestLog = {
  add(entry: Omit<RequestEntry, 'id'>): void {
    entries = [{ ...entry, id: nextId++ }, ...entries].slice(0, ENTRIES_MAX)
    for (const listener of listeners) listener()
  },
  clear(): void {
    entries = []
    for (const listener of listeners) listener()
  },
  entries: (): readonly RequestEntry[] => entries,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
