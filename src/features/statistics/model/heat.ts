/** From the server's counts per step and band to the rectangles of a heat map. */
import type { StatisticsHistory } from '#contract/statistics.ts'

export interface HeatCell {
  readonly step: number
  /** Counted from the lowest band that is shown. */
  readonly row: number
  readonly band: number
  readonly count: number
  /** 0 to 1: how strong the colour is, by the logarithm of the count. */
  readonly strength: number
}

export interface HeatMap {
  readonly cells: readonly HeatCell[]
  readonly steps: number
  /** Bands shown, lowest first. */
  readonly bands: readonly number[]
  readonly greatest: number
}

/** Fewer bands than this would be bars, not a map. */
const BANDS_MIN = 4
/** The least count is still seen. */
const STRENGTH_MIN = 0.18

export function heatMapOf({ heat, total }: StatisticsHistory): HeatMap {
  const steps = total.series.completed.length
  const cells = heat?.cells ?? []
  const found: { step: number; band: number; count: number }[] = []
  for (let at = 0; at + 2 < cells.length; at += 3) {
    const [step = 0, band = 0, count = 0] = cells.slice(at, at + 3)
    found.push({ step, band, count })
  }
  const bands = bandsOf(found.map(({ band }) => band))
  const lowest = bands[0] ?? 0
  const greatest = found.reduce((most, { count }) => Math.max(most, count), 0)
  return {
    steps,
    bands,
    greatest,
    cells: found.map((cell) => ({
      ...cell,
      row: cell.band - lowest,
      strength: strengthOf(cell.count, greatest),
    })),
  }
}

function bandsOf(used: readonly number[]): readonly number[] {
  if (used.length === 0) return []
  const lowest = used.reduce((least, band) => Math.min(least, band))
  const highest = used.reduce((most, band) => Math.max(most, band))
  const length = Math.max(BANDS_MIN, highest - lowest + 1)
  return Array.from({ length }, (_, index) => lowest + index)
}

function strengthOf(count: number, greatest: number): number {
  if (greatest <= 1) return 1
  return STRENGTH_MIN + (1 - STRENGTH_MIN) * (Math.log(count) / Math.log(greatest))
}

/** The ends of a band in milliseconds; null: none. */
export function bandEnds(
  boundsMs: readonly number[],
  band: number,
): readonly [number | null, number | null] {
  return [boundsMs[band - 1] ?? null, boundsMs[band] ?? null]
}
