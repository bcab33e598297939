/** How latencies are spread over time: counts per step and band, for a heat map. */
import { HEAT_BOUNDS_MS } from '#contract/statistics.ts'
import type { Cell } from './cell.ts'

export interface Heat {
  /** Upper ends of the bands, inclusive; one more band lies above the last. */
  readonly boundsMs: readonly number[]
  /** Step, band, count; step, band, count; …: what is empty is left out. */
  readonly cells: readonly number[]
}

export function heatOf(steps: readonly Cell[]): Heat {
  const cells: number[] = []
  const counts = new Uint32Array(HEAT_BOUNDS_MS.length + 1)
  for (const [step, { latencies }] of steps.entries()) {
    counts.fill(0)
    for (const [us, count] of latencies) counts[bandOf(us / 1_000)]! += count
    for (const [band, count] of counts.entries()) if (count > 0) cells.push(step, band, count)
  }
  return { boundsMs: HEAT_BOUNDS_MS, cells }
}

function bandOf(latencyMs: number): number {
  const band = HEAT_BOUNDS_MS.findIndex((bound) => latencyMs <= bound)
  return band < 0 ? HEAT_BOUNDS_MS.length : band
}
