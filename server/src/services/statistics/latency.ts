/**
 * Latencies as mergeable histograms (HDR, two significant digits, microseconds to an hour).
 *
 * What is kept per second is sparse: pairs of an HDR bucket's value and its count. A full histogram
 * of 13 KB exists only while percentiles are read; merging is adding pairs.
 */
import { build, type JsHistogram } from 'hdr-histogram-js'

const HIGHEST_US = 3_600_000_000

/** HDR bucket value in microseconds → count. */
export type LatencyCounts = Map<number, number>

function newHistogram(): JsHistogram {
  return build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: HIGHEST_US,
    numberOfSignificantValueDigits: 2,
  }) as JsHistogram
}

/** Only its bucket boundaries are used. */
const buckets = newHistogram()

export function microseconds(latencyMs: number): number {
  return Math.min(HIGHEST_US, Math.max(1, Math.round(latencyMs * 1000)))
}

export function addLatency(counts: LatencyCounts, us: number): void {
  const bucket = buckets.medianEquivalentValue(us)
  counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
}

export function mergeLatencies(
  target: LatencyCounts,
  source: Iterable<readonly [number, number]>,
): void {
  for (const [bucket, count] of source) target.set(bucket, (target.get(bucket) ?? 0) + count)
}

/** Reads percentiles of many histograms, one after the other, with one scratch histogram. */
export class PercentileReader {
  readonly #scratch = newHistogram()

  /** @returns milliseconds per percentile (0 to 100), ascending as the percentiles are */
  read(counts: LatencyCounts, percentiles: readonly number[]): number[] {
    this.#scratch.reset()
    for (const [bucket, count] of counts) {
      this.#scratch.recordValueWithCount(Math.min(HIGHEST_US, Math.round(bucket)), count)
    }
    return percentiles.map((percentile) => this.#scratch.getValueAtPercentile(percentile) / 1000)
  }
}
