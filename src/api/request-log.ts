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
  /** Why the console could do nothing with it. */
  readonly failure?: string | undefined
  /** The beginning of the answer; empty where it may hold credentials, or none came. */
  readonly answer: string
}

const ENTRIES_MAX = 100

let entries: readonly RequestEntry[] = []
let failures: readonly RequestEntry[] = []
let nextId = 1
const listeners = new Set<() => void>()

function change(next: readonly RequestEntry[]): void {
  entries = next
  const newest = new Map<string, RequestEntry>()
  for (const entry of next) {
    const key = `${entry.method} ${entry.url} ${entry.failure}`
    if (entry.failure !== undefined && !newest.has(key)) newest.set(key, entry)
  }
  // The same list as long as the same failed: whoever watches it is told of nothing else.
  const ids = (list: Iterable<RequestEntry>) => [...list].map(({ id }) => id).join()
  if (ids(newest.values()) !== ids(failures)) failures = [...newest.values()]
  for (const listener of listeners) listener()
}

export const requestLog = {
  /** Answers with the entry's id. */
  add(entry: Omit<RequestEntry, 'id' | 'failure'>): number {
    const id = nextId++
    change([{ ...entry, id }, ...entries].slice(0, ENTRIES_MAX))
    return id
  },
  fail(id: number, failure: string): void {
    change(entries.map((entry) => (entry.id === id ? { ...entry, failure } : entry)))
  },
  clear: (): void => change([]),
  entries: (): readonly RequestEntry[] => entries,
  /** Those that failed; of the same failure of a poll only the newest. */
  failures: (): readonly RequestEntry[] => failures,
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
