/**
 * Intervals of one length in a ring of time: seconds for an hour, minutes for a week. Each interval
 * holds a cell per series; intervals without requests do not exist.
 */
import {
  type Cell,
  mergeInto,
  newCell,
  restoreCell,
  type SeriesKey,
  type StoredCell,
  storeCell,
} from './cell.ts'

/** Graphs times endpoints: beyond it further series of an interval count together. */
const SERIES_PER_INTERVAL_MAX = 500

export interface SeriesCell {
  readonly series: SeriesKey
  readonly cell: Cell
}

/** An interval as a document keeps it. */
export interface StoredInterval {
  readonly start: number
  readonly cells: readonly (readonly [
    key: string,
    graph: string | null,
    console: 0 | 1,
    cell: StoredCell,
  ])[]
}

function isSame(one: SeriesKey, other: SeriesKey): boolean {
  return one.key === other.key && one.graph === other.graph && one.fromConsole === other.fromConsole
}

export class Timeline {
  readonly stepSeconds: number
  readonly #keepSeconds: number
  /** By start in epoch seconds, a multiple of the step; in order of time. */
  readonly #intervals = new Map<number, Map<string, SeriesCell>>()
  /** The cell asked for last: requests come in runs of one endpoint. */
  #last: (SeriesCell & { readonly start: number }) | null = null

  constructor(stepSeconds: number, keepSeconds: number) {
    this.stepSeconds = stepSeconds
    this.#keepSeconds = keepSeconds
  }

  startOf(second: number): number {
    return second - (second % this.stepSeconds)
  }

  cellAt(second: number, series: SeriesKey): Cell {
    const start = this.startOf(second)
    const last = this.#last
    if (last !== null && last.start === start && isSame(last.series, series)) return last.cell
    const cell = this.#findCell(start, series)
    this.#last = { start, series, cell }
    return cell
  }

  #findCell(start: number, series: SeriesKey): Cell {
    let interval = this.#intervals.get(start)
    if (interval === undefined) {
      interval = new Map()
      this.#intervals.set(start, interval)
      this.#forgetBefore(start - this.#keepSeconds)
    }
    const id = `${series.fromConsole ? 1 : 0}\0${series.graph ?? ''}\0${series.key}`
    const known = interval.get(id)
    if (known !== undefined) return known.cell
    if (interval.size >= SERIES_PER_INTERVAL_MAX) {
      const others = { ...series, key: 'OTHER', graph: null }
      return this.#add(interval, `${series.fromConsole ? 1 : 0}\0\0OTHER`, others)
    }
    return this.#add(interval, id, series)
  }

  #add(interval: Map<string, SeriesCell>, id: string, series: SeriesKey): Cell {
    const known = interval.get(id)
    if (known !== undefined) return known.cell
    const cell = newCell()
    interval.set(id, { series, cell })
    return cell
  }

  #forgetBefore(second: number): void {
    for (const start of this.#intervals.keys()) {
      if (start >= second) return
      this.#intervals.delete(start)
    }
  }

  /** Start of the first interval that is kept. */
  get oldest(): number | undefined {
    return this.#intervals.keys().next().value
  }

  /** Every cell of the intervals that begin in `from .. to`, end excluded, with its start. */
  *cells(from: number, to: number): Iterable<SeriesCell & { readonly start: number }> {
    for (const [start, interval] of this.#intervals) {
      if (start < from || start >= to) continue
      for (const { series, cell } of interval.values()) yield { start, series, cell }
    }
  }

  export(from: number, to: number): StoredInterval[] {
    return [...this.#intervals]
      .filter(([start]) => start >= from && start < to)
      .map(([start, interval]) => ({
        start,
        cells: [...interval.values()].map(
          ({ series, cell }) =>
            [series.key, series.graph, series.fromConsole ? 1 : 0, storeCell(cell)] as const,
        ),
      }))
  }

  /** Takes intervals back that an earlier run exported; call in order of time, before counting. */
  import(intervals: readonly StoredInterval[]): void {
    for (const { start, cells } of intervals) {
      for (const [key, graph, console, stored] of cells) {
        mergeInto(
          this.cellAt(start, { key, graph, fromConsole: console === 1 }),
          restoreCell(stored),
        )
      }
    }
  }
}
