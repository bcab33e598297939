/**
 * The nearest vectors of a column, exactly: every candidate is looked at. A pure function over a
 * pinned view, for any thread.
 */
import type { ColumnView } from '#graph/view.ts'
import { vectorStart } from '../columns/read.ts'
import { hasVector } from '../columns/vectors.ts'
import type { DistanceFrom } from './distance.ts'
import type { Nearest } from './nearest.ts'

/** Multiplications between two looks at whether the run is to stop: a millisecond or so. */
const WORK_PER_LOOK = 1_000_000

export interface VectorScan {
  readonly column: ColumnView
  readonly dimension: number
  readonly distance: DistanceFrom
  /** One bit per row: which to look at. */
  readonly rows: Uint32Array
  /** Added to a row, it is the number under which it is offered. */
  readonly base: number
  /** Called now and then with how many rows were looked at since; may throw to end the scan. */
  look(rowCount: number): void
}

/** Rows without a vector are passed over. */
export function scanVectors(scan: VectorScan, nearest: Nearest): void {
  const { rows, dimension } = scan
  const wordsPerLook = Math.max(1, Math.floor(WORK_PER_LOOK / (32 * dimension)))
  for (let from = 0; from < rows.length; from += wordsPerLook) {
    scan.look(offerWords(scan, nearest, from, Math.min(from + wordsPerLook, rows.length)))
  }
}

function offerWords(scan: VectorScan, nearest: Nearest, from: number, to: number): number {
  const { column, rows, dimension, distance, base } = scan
  const data = column.data as Float32Array
  let count = 0
  for (let index = from; index < to; index++) {
    let word = rows[index]!
    while (word !== 0) {
      const row = index * 32 + 31 - Math.clz32(word & -word)
      word &= word - 1
      const start = vectorStart(column, row)
      count += 1
      if (hasVector(data, start, dimension)) nearest.offer(distance(data, start), base + row)
    }
  }
  return count
}
