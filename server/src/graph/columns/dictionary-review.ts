/**
 * A dictionary keeps each string that a row ever held, since codes are only added. Once its heap
 * has doubled, the rows are looked through; where the strings that no row holds any more are most
 * of its bytes, a new dictionary of the others takes its place. Readers keep the old one.
 */
import { SINGLE_SLICE_BYTES } from '#kernel/limits.ts'
import type { ArrayOfKind } from '../memory/growable.ts'
import type { PagedArray } from '../memory/paged.ts'
import type { Rows } from './copy.ts'
import type { Dictionary, DictionaryPart } from './dictionary.ts'

/** A dictionary of fewer entries stays whatever share of the rows it is. */
const DISTINCT_COUNT_MIN = 4_096
/** A heap up to this size is not looked through. */
const REVIEW_BYTES_MIN = 1024 * 1024

type Data = PagedArray<keyof ArrayOfKind>

/** A review of a heap of this size, or of so many rows, takes some milliseconds. */
const LONG_REVIEW_BYTES = 4 * 1024 * 1024
const LONG_REVIEW_ROWS = 131_072
/** Rows that one piece of a review looks at, whole pages. */
export const REVIEW_ROWS_PER_PIECE = 65_536

export class DictionaryReview {
  #dueBytes = REVIEW_BYTES_MIN

  isDue(dictionary: Dictionary): boolean {
    return dictionary.heap.length > this.#dueBytes
  }

  /** Whether a short batch may make it due. */
  isNear(dictionary: Dictionary): boolean {
    return dictionary.heap.length + SINGLE_SLICE_BYTES > this.#dueBytes
  }

  /** Whether a review is due, and takes long, of a heap that has grown to so many bytes. */
  isLongDue(sizeBytes: number, rowCount: number): boolean {
    const isLong = sizeBytes > LONG_REVIEW_BYTES || rowCount > LONG_REVIEW_ROWS
    return isLong && sizeBytes > this.#dueBytes
  }

  /**
   * @returns the strings in use, with the new code of each old one; null while it is not time to
   *   look, and where most are in use
   */
  *usedPart(dictionary: Dictionary, rows: Data): Generator<undefined, DictionaryPart | null> {
    if (!this.isDue(dictionary)) return null
    const sizeBytes = dictionary.heap.length
    const used = yield* usedCodes(dictionary, rows)
    const isWasteful = used.sizeBytes * 2 < sizeBytes
    this.#dueBytes = Math.max(REVIEW_BYTES_MIN, 2 * (isWasteful ? used.sizeBytes : sizeBytes))
    return isWasteful ? yield* dictionary.partOf(used.codes) : null
  }

  /**
   * True when offsets take less than codes: most rows have a string of their own.
   * @param rowCount that were written: bulk writes go in row order, so that early on few rows hold
   *   few strings
   */
  isMostlyDistinct({ count }: Dictionary, rowCount: number): boolean {
    return count > DISTINCT_COUNT_MIN && count * 2 >= rowCount
  }
}

/** Which codes the rows hold, 1 at each, and the bytes of their strings in the heap. */
function* usedCodes(
  dictionary: Dictionary,
  rows: Data,
): Generator<undefined, { readonly codes: Uint8Array; readonly sizeBytes: number }> {
  const codes = new Uint8Array(dictionary.count)
  for (let from = 0; from < rows.capacity; from += REVIEW_ROWS_PER_PIECE) {
    markCodes(codes, rows, { from, to: Math.min(from + REVIEW_ROWS_PER_PIECE, rows.capacity) })
    yield
  }
  let sizeBytes = 0
  for (let code = 1; code < codes.length; code++) {
    if (codes[code] === 1) sizeBytes += dictionary.heapSizeOf(code)
    if (code % REVIEW_ROWS_PER_PIECE === 0) yield
  }
  return { codes, sizeBytes }
}

function markCodes(codes: Uint8Array, rows: Data, { from, to }: Rows): void {
  const source = rows.array as Uint32Array
  for (const { start, end } of rows.stretches(from, to)) {
    for (let position = start; position < end; position++) codes[source[position]!] = 1
  }
}
