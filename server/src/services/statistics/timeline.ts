/**
 * Intervals of one length in a ring of time: seconds for an hour, minutes for a week. Each interval
 * holds a cell per series; intervals without requests do not exist. Only the newest one counts, those
 * before it are packed.
 */
import {
  type Cell,
  mergeInto,
  newCell,
  restoreCell,
  type SeriesCell,
  type SeriesKey,
  type StoredCell,
  storeCell,
} from './cell.ts'
import { type PackedInterval, PackedIntervals } from './packed-interval.ts'

/** Graphs times endpoints: beyond it further series of an interval count together. */
const SERIES_PER_INTERVAL_MAX = 500
/** Names of series that intervals share; beyond it they are collected anew. */
const SHARED_SERIES_MAX = 2_000

/** By the id of the series. */
type OpenInterval = Map<string, SeriesCell<Cell>>

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
  readonly #intervals = new Map<number, OpenInterval | PackedInterval>()
  readonly #packed = new PackedIntervals()
  readonly #sharedSeries = new Map<string, SeriesKey>()
  /** Start of the interval that is not packed. */
  #open: number | null = null
  /** The cell asked for last: requests come in runs of one endpoint. */
  #last: (SeriesCell<Cell> & { readonly start: number }) | null = null

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
    const interval = this.#openInterval(start)
    const id = idOf(series)
    const known = interval.get(id)
    if (known !== undefined) return known.cell
    if (interval.size >= SERIES_PER_INTERVAL_MAX) {
      const others = { ...series, key: 'OTHER', graph: null }
      return this.#add(interval, idOf(others), others)
    }
    return this.#add(interval, id, series)
  }

  /** A clock that went back opens a packed interval again. */
  #openInterval(start: number): OpenInterval {
    const found = this.#intervals.get(start)
    if (found instanceof Map) return found
    this.#pack()
    const interval: OpenInterval = new Map()
    for (const { series, cell } of found?.cells() ?? []) {
      mergeInto(this.#add(interval, idOf(series), series), cell)
    }
    this.#intervals.set(start, interval)
    this.#open = start
    if (found === undefined) this.#forgetBefore(start - this.#keepSeconds)
    return interval
  }

  #pack(): void {
    if (this.#open === null) return
    const interval = this.#intervals.get(this.#open)
    if (interval instanceof Map) {
      this.#intervals.set(this.#open, this.#packed.pack(interval.values()))
    }
    this.#open = null
    this.#last = null
  }

  #add(interval: OpenInterval, id: string, series: SeriesKey): Cell {
    const known = interval.get(id)
    if (known !== undefined) return known.cell
    const cell = newCell()
    interval.set(id, { series: this.#shared(id, series), cell })
    return cell
  }

  #shared(id: string, series: SeriesKey): SeriesKey {
    const known = this.#sharedSeries.get(id)
    if (known !== undefined) return known
    if (this.#sharedSeries.size >= SHARED_SERIES_MAX) this.#sharedSeries.clear()
    this.#sharedSeries.set(id, series)
    return series
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
      for (const { series, cell } of cellsOf(interval)) yield { start, series, cell }
    }
  }

  export(from: number, to: number): StoredInterval[] {
    return [...this.#intervals]
      .filter(([start]) => start >= from && start < to)
      .map(([start, interval]) => ({
        start,
        cells: [...cellsOf(interval)].map(
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

function cellsOf(interval: OpenInterval | PackedInterval): Iterable<SeriesCell> {
  return interval instanceof Map ? interval.values() : interval.cells()
}

function idOf({ key, graph, fromConsole }: SeriesKey): string {
  return `${fromConsole ? 1 : 0}\0${graph ?? ''}\0${key}`
}
