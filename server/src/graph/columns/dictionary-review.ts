/**
 * A dictionary keeps each string that a row ever held, since codes are only added. Once its heap
 * has doubled, the rows are looked through; where the strings that no row holds any more are most
 * of its bytes, a new dictionary of the others takes its place. Readers keep the old one.
 */
import type { ArrayOfKind } from '../memory/growable.ts'
import type { PagedArray } from '../memory/paged.ts'
import type { Dictionary, DictionaryPart } from './dictionary.ts'

/** A dictionary of fewer entries stays whatever share of the rows it is. */
const DISTINCT_COUNT_MIN = 4_096
/** A heap up to this size is not looked through. */
const REVIEW_BYTES_MIN = 1024 * 1024

type Data = PagedArray<keyof ArrayOfKind>

/** A review of a heap of this size takes some milliseconds. */
const LONG_REVIEW_BYTES = 4 * 1024 * 1024

export class DictionaryReview {
  #dueBytes = REVIEW_BYTES_MIN

  isDue(dictionary: Dictionary): boolean {
    return dictionary.heap.length > this.#dueBytes
  }

  /** Whether a review is due, and takes long, of a heap that has grown to so many bytes. */
  isLongDue(sizeBytes: number): boolean {
    return sizeBytes > this.#dueBytes && sizeBytes > LONG_REVIEW_BYTES
  }

  /**
   * @returns the strings in use, with the new code of each old one; null while it is not time to
   *   look, and where most are in use
   */
  *usedPart(dictionary: Dictionary, rows: Data): Generator<undefined, DictionaryPart | null> {
    if (!this.isDue(dictionary)) return null
    const sizeBytes = dictionary.heap.length
    const used = usedCodes(dictionary, rows)
    yield
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
function usedCodes(
  dictionary: Dictionary,
  rows: Data,
): { readonly codes: Uint8Array; readonly sizeBytes: number } {
  const codes = new Uint8Array(dictionary.count)
  const source = rows.array as Uint32Array
  for (const { start, end } of rows.stretches()) {
    for (let position = start; position < end; position++) codes[source[position]!] = 1
  }
  let sizeBytes = 0
  for (let code = 1; code < codes.length; code++) {
    if (codes[code] === 1) sizeBytes += dictionary.heapSizeOf(code)
  }
  return { codes, sizeBytes }
}
