/** The last runs of a query: when, with what, how it went. The server keeps them for their user. */
export const RUNS_KEPT_MAX = 50
/** Of all runs of a query together; the oldest give way. */
const RUNS_LETTERS_MAX = 200_000

export interface PastRun {
  /** Epoch milliseconds. */
  readonly at: number
  /** As they were typed, by name. */
  readonly texts: readonly (readonly [string, string])[]
  readonly durationMs: number
  readonly sizeBytes: number
  readonly outcome: 'done' | 'failed' | 'stopped'
  /** The text that ran without being installed; absent: the installed one ran. */
  readonly draft?: string | undefined
}

/** Newest first; a run whose parameters or text are too long to keep is left out. */
export function withRun(runs: readonly PastRun[], run: PastRun): readonly PastRun[] {
  let letters = 0
  return [run, ...runs].slice(0, RUNS_KEPT_MAX).filter(({ texts, draft = '' }) => {
    letters += JSON.stringify(texts).length + draft.length
    return letters <= RUNS_LETTERS_MAX
  })
}

/** From a document, which may hold what an older version wrote, or another program. */
export function runsOf(value: unknown): readonly PastRun[] {
  return Array.isArray(value) ? value.filter(isPastRun) : []
}

function isPastRun(value: unknown): value is PastRun {
  if (typeof value !== 'object' || value === null) return false
  const { at, texts, durationMs, sizeBytes, outcome, draft = '' } = value as Partial<PastRun>
  return (
    typeof draft === 'string' &&
    [at, durationMs, sizeBytes].every(Number.isFinite) &&
    ['done', 'failed', 'stopped'].includes(outcome ?? '') &&
    Array.isArray(texts) &&
    texts.every((pair) => Array.isArray(pair) && pair.every((part) => typeof part === 'string'))
  )
}
