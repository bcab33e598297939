/**
 * What one line of a load may ask for. A line that asks for more is rejected and counted; the run goes
 * on. Each function checks before it allocates: a native call that outgrows the heap of its thread ends
 * the process (docs/decisions/0076).
 */
import {
  LOAD_LINE_CHARS_MADE_MAX,
  LOAD_LIST_ITEMS_MAX,
  LOAD_SEARCH_STEPS_MAX,
  LOAD_TEXT_CHARS_MAX,
} from '#kernel/limits.ts'

/** A line is rejected: what it asks for is beyond a limit. */
export class LineLimit extends Error {}

/** @throws LineLimit for a text that is too long to be made */
export function checkTextSize(sizeChars: number): void {
  if (sizeChars <= LOAD_TEXT_CHARS_MAX) return
  throw new LineLimit(`it makes a text of more than ${LOAD_TEXT_CHARS_MAX} characters`)
}

/**
 * Looking for a long pattern in a long text takes time with the product of both lengths.
 * @throws LineLimit
 */
export function checkSearch(text: string, pattern: string): void {
  if (text.length * pattern.length <= LOAD_SEARCH_STEPS_MAX) return
  throw new LineLimit('it looks for a long text in a long text')
}

/** @throws LineLimit for a list of too many items */
export function checkItems(count: number): void {
  if (count <= LOAD_LIST_ITEMS_MAX) return
  throw new LineLimit(`it makes a list of more than ${LOAD_LIST_ITEMS_MAX} items`)
}

/** As `text.split(separator)`, counted before it is made. @throws LineLimit */
export function splitText(text: string, separator: string): string[] {
  checkSearch(text, separator)
  // A list cannot have more items than its text has characters.
  if (text.length > LOAD_LIST_ITEMS_MAX) checkItems(occurrencesIn(text, separator) + 1)
  return text.split(separator)
}

/** The pieces of `text.split(separator)`, one after the other. @throws LineLimit */
export function* piecesOf(text: string, separator: string): Generator<string> {
  checkSearch(text, separator)
  if (separator === '') {
    yield* text
    return
  }
  let at = 0
  for (;;) {
    const next = text.indexOf(separator, at)
    yield text.slice(at, next < 0 ? text.length : next)
    if (next < 0) return
    at = next + separator.length
  }
}

/** Occurrences that do not overlap, at most so many; of the empty text: one beside each character. */
export function occurrencesIn(
  text: string,
  pattern: string,
  countMax = Number.POSITIVE_INFINITY,
): number {
  if (pattern === '') return Math.min(countMax, text.length + 1)
  let count = 0
  let at = text.indexOf(pattern)
  while (at >= 0 && count < countMax) {
    count++
    at = text.indexOf(pattern, at + pattern.length)
  }
  return count
}

/** The texts that the functions of one line make, together: nested calls hold several at once. */
export class LineBudget {
  #madeChars = 0

  /** The next line begins. */
  reset(): void {
    this.#madeChars = 0
  }

  /** @throws LineLimit */
  spend(sizeChars: number): void {
    this.#madeChars += sizeChars
    if (this.#madeChars <= LOAD_LINE_CHARS_MADE_MAX) return
    const text = `its functions make more than ${LOAD_LINE_CHARS_MADE_MAX} characters`
    throw new LineLimit(text)
  }
}

/** Shorter pieces are copied faster one unit after the other. */
const SHORT_PIECE_CHARS = 32

/** A text made of many pieces, outside the heap: joined texts would take 32 bytes a piece there. */
export class TextBuilder {
  #units = new Uint16Array(1_024)
  #length = 0

  /** @throws LineLimit */
  add(text: string): void {
    const length = this.#length + text.length
    checkTextSize(length)
    if (length > this.#units.length) {
      const grown = new Uint16Array(Math.max(length, this.#units.length * 2))
      grown.set(this.#units.subarray(0, this.#length))
      this.#units = grown
    }
    if (text.length < SHORT_PIECE_CHARS) {
      for (let index = 0; index < text.length; index++) {
        this.#units[this.#length + index] = text.charCodeAt(index)
      }
    } else Buffer.from(this.#units.buffer).write(text, this.#length * 2, 'utf16le')
    this.#length = length
  }

  finish(): string {
    return Buffer.from(this.#units.buffer, 0, this.#length * 2).toString('utf16le')
  }
}
