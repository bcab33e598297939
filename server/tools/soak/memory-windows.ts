/**
 * Whether resident memory is flat: the samples after the first ten minutes are cut into windows of
 * two minutes, and each window is represented by its median, so that single collections do not
 * count. Memory is flat when no window lies more than 5 % above the first one.
 */
export const WARM_UP_SECONDS = 600
export const WINDOW_SECONDS = 120
/** With fewer windows nothing is judged. */
export const WINDOWS_MIN = 3
export const GROWTH_SHARE_MAX = 0.05

export interface MemorySample {
  /** Since the begin of the soak. */
  readonly second: number
  /** Of the server process: a new one after each kill and stop. */
  readonly start: number
  readonly residentBytes: number
}

export interface MemoryVerdict {
  /** Median of each window, oldest first. */
  readonly medians: readonly number[]
  /** Highest window against the first; 0.01 is 1 %. Null: the run was too short to judge. */
  readonly growthShare: number | null
  /** Last window against the first. */
  readonly lastShare: number | null
  readonly isFlat: boolean | null
}

/** Judges the server process that ran longest: each start begins with empty caches. */
export function judgeMemory(samples: readonly MemorySample[]): MemoryVerdict {
  const medians = windowMedians(longestRun(samples))
  if (medians.length < WINDOWS_MIN) {
    return { medians, growthShare: null, lastShare: null, isFlat: null }
  }
  const first = medians[0]!
  const highest = Math.max(...medians)
  const lastShare = medians.at(-1)! / first - 1
  const isFlat = highest <= first * (1 + GROWTH_SHARE_MAX)
  return { medians, growthShare: highest / first - 1, lastShare, isFlat }
}

/** With seconds since that process was first seen. */
function longestRun(samples: readonly MemorySample[]): MemorySample[] {
  const runs = [...Map.groupBy(samples, ({ start }) => start).values()]
  const longest = runs.toSorted((left, right) => right.length - left.length)[0] ?? []
  const from = longest[0]?.second ?? 0
  return longest.map((sample) => ({ ...sample, second: sample.second - from }))
}

/** Whole windows only: a part of one at the end is left out. */
function windowMedians(samples: readonly MemorySample[]): number[] {
  const end = samples.at(-1)?.second ?? 0
  const medians: number[] = []
  for (let from = WARM_UP_SECONDS; from + WINDOW_SECONDS <= end; from += WINDOW_SECONDS) {
    const inside = samples.filter(({ second }) => second >= from && second < from + WINDOW_SECONDS)
    if (inside.length > 0) medians.push(median(inside.map(({ residentBytes }) => residentBytes)))
  }
  return medians
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
