/**
 * Equi-depth histograms of one attribute, and what part of its rows a comparison keeps.
 *
 * Values stand in ascending order and are cut into buckets of about as many rows each; a value
 * never lies in two of them. The first bucket holds the smallest value alone, so that every other
 * bucket knows from where it reaches: from the bound before it, exclusive, to its own, inclusive.
 */
export type HistogramValue = number | bigint | string | boolean

export interface Bucket {
  readonly upperBound: HistogramValue
  /** Rows above the bound before and up to this one, those at `upperBound` too. */
  readonly rowsTotal: number
  /** Rows at `upperBound`. */
  readonly rowsUpper: number
}

export type Histogram = readonly Bucket[]

/** Of the rows of a bucket that lie between its bounds, the part that one value has: unknown. */
const PART_OF_ONE_VALUE = 0.1

/**
 * @param sorted ascending, without NaN; a sample is fine
 * @param scale rows that each of them stands for
 */
export function histogramOf(
  sorted: readonly HistogramValue[],
  bucketCount: number,
  scale = 1,
): Histogram {
  const buckets: Bucket[] = []
  const depth = Math.max(1, Math.ceil(sorted.length / bucketCount))
  let total = 0
  for (let start = 0; start < sorted.length; ) {
    const upperBound = sorted[start]!
    const end = endOfRun(sorted, start)
    total += end - start
    const isLast = end === sorted.length
    if (buckets.length === 0 || total >= depth || isLast) {
      const rowsTotal = Math.round(total * scale)
      buckets.push({ upperBound, rowsTotal, rowsUpper: Math.round((end - start) * scale) })
      total = 0
    }
    start = end
  }
  return buckets
}

function endOfRun(sorted: readonly HistogramValue[], start: number): number {
  let end = start + 1
  while (end < sorted.length && sorted[end] === sorted[start]) end++
  return end
}

export type Comparison = '==' | '!=' | '<' | '<=' | '>' | '>='

/** From 0 to 1; 0 where there are no rows. */
export function partKept(
  histogram: Histogram,
  operator: Comparison,
  value: HistogramValue,
): number {
  const total = histogram.reduce((sum, { rowsTotal }) => sum + rowsTotal, 0)
  if (total === 0) return 0
  const { below, equal, isBound } = rowsAt(histogram, value)
  // What is guessed of one value would lie heavily on a range.
  const upTo = below + (isBound ? equal : 0)
  switch (operator) {
    case '==':
      return equal / total
    case '!=':
      return 1 - equal / total
    case '<':
      return below / total
    case '<=':
      return upTo / total
    case '>':
      return 1 - upTo / total
    case '>=':
      return 1 - below / total
  }
}

interface RowsAt {
  readonly below: number
  /** At the value: counted where it is a bound, or else guessed. */
  readonly equal: number
  readonly isBound: boolean
}

function rowsAt(histogram: Histogram, value: HistogramValue): RowsAt {
  let below = 0
  let before: HistogramValue | null = null
  for (const { upperBound, rowsTotal, rowsUpper } of histogram) {
    const inner = rowsTotal - rowsUpper
    // Loose on purpose: a number and a bigint of one value are the same bound.
    // biome-ignore lint/suspicious/noDoubleEquals: as said
    if (upperBound == value) return { below: below + inner, equal: rowsUpper, isBound: true }
    if (upperBound > value) {
      if (before === null) return { below: 0, equal: 0, isBound: false }
      const part = inner * shareBetween(before, upperBound, value)
      return { below: below + part, equal: inner * PART_OF_ONE_VALUE, isBound: false }
    }
    below += rowsTotal
    before = upperBound
  }
  return { below, equal: 0, isBound: false }
}

/** Numbers are taken to lie evenly; of others nothing is known. */
function shareBetween(low: HistogramValue, high: HistogramValue, value: HistogramValue): number {
  if (typeof low === 'string' || typeof high === 'string') return 0.5
  const [from, to, at] = [Number(low), Number(high), Number(value)]
  return to > from ? (at - from) / (to - from) : 0.5
}
