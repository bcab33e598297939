/** One filter read again and again, by turns with the index and without. */

/** One read: how many it found, and how long the browser waited for it. */
export interface Reading {
  readonly count: number
  readonly durationMs: number
}

export interface BenchmarkResult {
  /** Milliseconds; the middle one of `runs` each. */
  readonly indexedMs: number
  readonly scannedMs: number
  readonly runs: number
  readonly found: number
  /** What was found was not the same each time: somebody wrote meanwhile. */
  readonly isMoving: boolean
}

const BUDGET_MS = 5_000
/** The request inspector keeps a hundred; more tell nothing new. */
const RUNS_MAX = 200

/**
 * At least one read of each kind. Their time is what they took, so that a test needs no clock; the
 * first of each warms up and is not counted where there are others.
 */
export async function runBenchmark(
  read: (useIndex: boolean) => Promise<Reading>,
): Promise<BenchmarkResult> {
  const indexed: number[] = []
  const scanned: number[] = []
  const counts = new Set<number>()
  let found = 0
  let spentMs = 0
  while (indexed.length === 0 || (spentMs < BUDGET_MS && indexed.length < RUNS_MAX)) {
    for (const [useIndex, times] of [[true, indexed] as const, [false, scanned] as const]) {
      const { count, durationMs } = await read(useIndex)
      times.push(durationMs)
      counts.add(count)
      found = count
      spentMs += durationMs
    }
  }
  const runs = Math.max(1, indexed.length - 1)
  return {
    indexedMs: median(indexed.slice(-runs)),
    scannedMs: median(scanned.slice(-runs)),
    runs,
    found,
    isMoving: counts.size > 1,
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor((sorted.length - 1) / 2)
  return ((sorted[middle] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2
}

/** `2.4 times faster`, in the words of whoever decides whether to keep it. */
export function verdict({ indexedMs, scannedMs }: BenchmarkResult): string {
  const factor = scannedMs / indexedMs
  const times = (value: number) => value.toFixed(value < 10 ? 1 : 0)
  if (factor >= 1.1) return `The index makes this filter ${times(factor)} times as fast.`
  if (factor <= 0.9) return `The index makes this filter ${times(1 / factor)} times as slow.`
  return 'The index makes no difference that this browser can see.'
}

/** How operators read that an index can answer; texts and truth values have no order there. */
export function operatorsOf(attributeType: string): readonly string[] {
  return /^(STRING|BOOL)/.test(attributeType) ? ['='] : ['=', '>=', '<=']
}

/** A condition as `filter` wants it: texts and times in quotes. */
export function filterText(
  attribute: string,
  attributeType: string,
  [operator, value]: readonly [string, string],
): string {
  const isQuoted = /^(STRING|DATETIME)/.test(attributeType)
  const literal = isQuoted ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : value.trim()
  return `${attribute}${operator}${literal}`
}
