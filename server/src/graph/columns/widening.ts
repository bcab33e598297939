/**
 * A number column on its way to a wider array, in pieces of a millisecond or so. Readers and the writer use
 * the narrow array until the last row is copied. The value that does not fit waits, and so does every
 * write behind it.
 */
import type { ColumnStorage } from '#graph/view.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import type { PagedArray } from '../memory/paged.ts'
import type { Column } from './column.ts'
import { copyBigints, copyNumbers } from './copy.ts'
import { type ValueKind, valueKind } from './kinds.ts'

/** A column with room for so many rows is widened while a value is written to it. */
export const WIDENED_AT_ONCE_MAX = 131_072
/** Rows of a piece, whole pages. */
const ROWS_PER_PIECE = 32_768

type Data = PagedArray<keyof ArrayOfKind>

/** Whether there is a wider storage of the same values. */
export function isNarrow(kind: ValueKind, storage: ColumnStorage): boolean {
  return kind <= valueKind.datetime && storage !== 'int64' && storage !== 'uint64'
}

/** The storage that a value needs, where that is not the present one. */
export function widerStorage(
  kind: ValueKind,
  storage: ColumnStorage,
  value: number | bigint,
): ColumnStorage | null {
  if (!isNarrow(kind, storage)) return null
  const narrow = Number(value)
  if (!Number.isSafeInteger(narrow)) return kind === valueKind.uint ? 'uint64' : 'int64'
  if (storage === 'int32' && (narrow | 0) !== narrow) return 'float64'
  return storage === 'uint32' && narrow >>> 0 !== narrow ? 'float64' : null
}

/** Whether 64 bits of a batch are a number that every integer column has room for, the usual case. */
export function isSmallAt(view: DataView, position: number): boolean {
  return view.getInt32(position + 4, true) === 0 && view.getInt32(position, true) >= 0
}

export class Widening {
  readonly storage: ColumnStorage
  readonly data: Data
  /** Rows below this one were copied. */
  #copied = 0

  /** @param data of the wider storage, without rows */
  constructor(storage: ColumnStorage, data: Data) {
    this.storage = storage
    this.data = data
  }

  /** Copies the next rows. @returns whether these were the last */
  step(narrow: Data): boolean {
    this.data.ensure(narrow.capacity)
    const rows = {
      from: this.#copied,
      to: Math.min(this.#copied + ROWS_PER_PIECE, narrow.capacity),
    }
    if (this.storage === 'float64') copyNumbers(narrow, this.data, rows)
    else copyBigints(narrow, this.data, rows)
    this.#copied = rows.to
    return rows.to === narrow.capacity
  }

  giveUp(): void {
    this.data.release()
  }
}

/** A number that does not fit into a column of many rows. */
export interface WideNumber {
  readonly column: Column
  readonly value: number | bigint
}
