/** The last runs of a query from this browser: when, with what, how it went. */
export const RUNS_KEPT_MAX = 50

export interface PastRun {
  /** Epoch milliseconds. */
  readonly at: number
  /** As they were typed, by name. */
  readonly texts: readonly (readonly [string, string])[]
  readonly durationMs: number
  readonly sizeBytes: number
  readonly outcome: 'done' | 'failed' | 'stopped'
}

const storageKey = (graph: string, name: string) => `quiver.runs.${graph}.${name}`

/** Newest first. */
export function readRuns(graph: string, name: string): readonly PastRun[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey(graph, name)) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isPastRun) : []
  } catch {
    return []
  }
}

export function noteRun(graph: string, name: string, run: PastRun): void {
  const runs = [run, ...readRuns(graph, name)].slice(0, RUNS_KEPT_MAX)
  try {
    localStorage.setItem(storageKey(graph, name), JSON.stringify(runs))
  } catch {
    // a run that is not remembered has run all the same
  }
}

/** Storage may hold what an older version wrote, or a hand. */
function isPastRun(value: unknown): value is PastRun {
  if (typeof value !== 'object' || value === null) return false
  const { at, texts, durationMs, sizeBytes, outcome } = value as Partial<PastRun>
  return (
    [at, durationMs, sizeBytes].every(Number.isFinite) &&
    ['done', 'failed', 'stopped'].includes(outcome ?? '') &&
    Array.isArray(texts) &&
    texts.every((pair) => Array.isArray(pair) && pair.every((part) => typeof part === 'string'))
  )
}
