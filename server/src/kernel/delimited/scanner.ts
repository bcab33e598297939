/**
 * Delimited text (RFC 4180, and what loading jobs add to it) as rows, chunk by chunk. Loading jobs and
 * the console read files by this one scanner. The rows do not depend on where the text is divided.
 *
 * - A token is quoted if its first character that is no blank is the quote. Separators and line ends
 *   in it are data, two quotes are one, and blanks outside of the quotes are no data. A quote anywhere
 *   else in a token is data, and blanks of a token without quotes are data.
 * - A quote that is not closed, or that is closed in the middle of a token, makes its line a row with
 *   a fault, and the next line begins a new row: one damaged line must not take the rest of the file
 *   with it. The line may have been a part of a longer value, therefore the lines up to the place
 *   where the mistake shows are read strictly: in them a quote within a token is a fault, too.
 * - A row has at most `rowSizeMax` characters, and a quote must be closed within them. It has at most
 *   `tokenCountMax` tokens.
 *
 * Time is linear in the length of the text: what is left of a chunk is read again when it has doubled.
 */
import { LOAD_LIST_ITEMS_MAX, LOAD_TEXT_CHARS_MAX } from '../limits.ts'
import { type QuoteFault, TextCursor } from './text-cursor.ts'

export interface DelimitedFormat {
  /** What is between tokens, one or more characters; null: a row is one token, quotes are data. */
  readonly separator: string | null
  /**
   * What ends a row, one or more characters. `\n` accepts CRLF, too, and CR alone in a text that has
   * CR and no LF among its first EOL_WINDOW_CHARS characters.
   */
  readonly eol: string
  /** What encloses tokens, one character; null: quotes are data. */
  readonly quote: string | null
}

/** Why the tokens of a row cannot be trusted. */
export type RowFault = QuoteFault | 'oversize' | 'tooManyTokens'

export interface DelimitedRow {
  /** Empty where there is a fault. */
  readonly tokens: readonly string[]
  readonly fault: RowFault | null
  /** Number of its first line, from 1; line ends inside of quotes count. */
  readonly line: number
  /** As it is in the text, without the end of the row; of a row that is too long its beginning. */
  readonly text: string
}

/** Why a row cannot be read. The subject is the row. */
export const rowFaultTexts: Readonly<Record<RowFault, string>> = {
  unclosedQuote: 'it has a quote that is not closed',
  textAfterQuote: 'it has text behind a closing quote',
  strayQuote: 'it follows a damaged quote, and has a quote inside of a value without quotes',
  oversize: `it has more than ${LOAD_TEXT_CHARS_MAX} characters`,
  tooManyTokens: `it has more than ${LOAD_LIST_ITEMS_MAX} values`,
}

export interface RowSizes {
  readonly rowSizeMax: number
  readonly tokenCountMax: number
}

export const rowSizes: RowSizes = {
  rowSizeMax: LOAD_TEXT_CHARS_MAX,
  tokenCountMax: LOAD_LIST_ITEMS_MAX,
}
export const EOL_WINDOW_CHARS = 64 * 1024

/** What is shown of a row that is too long. */
const OVERSIZE_SHOWN_CHARS = 1_000
const BYTE_ORDER_MARK = '\ufeff'

interface Found {
  readonly tokens: readonly string[]
  readonly fault: RowFault | null
  /** Behind the last character of the row. */
  readonly end: number
  /** Where the next row begins. */
  readonly next: number
  /** How many lines the row has. */
  readonly lines: number
}

export class DelimitedScanner {
  readonly #format: DelimitedFormat
  readonly #sizes: RowSizes
  /** Null: not known yet. */
  #eol: string | null
  /** What is not read yet, in its order. */
  #pieces: string[] = []
  #size = 0
  /** The pieces are read when they are so long. */
  #sizeWanted = 1
  #isAtStart = true
  #line = 1
  /** Inside of a row that is too long. */
  #skips = false
  /** Rows that begin before this place of the pieces are read strictly. */
  #strictUntil = 0

  constructor(format: DelimitedFormat, sizes = rowSizes) {
    this.#format = format
    this.#sizes = sizes
    this.#eol = format.eol === '\n' ? null : format.eol
  }

  /** The rows that are whole now; with the last chunk, which may be empty, every row is. */
  read(chunk: string, isLast: boolean): DelimitedRow[] {
    this.#pieces.push(chunk)
    this.#size += chunk.length
    if (!isLast && this.#size < this.#sizeWanted) return []
    const rows: DelimitedRow[] = []
    const rest = this.#scan(this.#pieces.join(''), isLast, rows)
    this.#pieces = [rest]
    this.#size = rest.length
    this.#sizeWanted = Math.max(1, Math.min(2 * rest.length, this.#windowSize))
    return rows
  }

  /** In so many characters every row is whole, or too long, and the end of rows is known. */
  get #windowSize(): number {
    const { separator, eol } = this.#format
    const row = this.#sizes.rowSizeMax + eol.length + (separator?.length ?? 0) + 2
    return this.#eol === null ? EOL_WINDOW_CHARS : row
  }

  /** @returns what is not read yet */
  #scan(text: string, isLast: boolean, rows: DelimitedRow[]): string {
    this.#eol ??= rowEndOf(text, isLast)
    if (this.#eol === null) return text
    const { separator, quote } = this.#format
    const cursor = new TextCursor(text, {
      separator: separator ?? '',
      eol: this.#eol,
      quote: quote ?? '',
    })
    let at = this.#isAtStart && text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0
    this.#isAtStart &&= text === ''
    for (;;) {
      if (this.#skips) at = this.#skip(cursor, at)
      const found = this.#skips || at >= text.length ? null : this.#next(cursor, at, isLast)
      if (found === null) break
      const { tokens, fault, end } = found
      rows.push({ tokens, fault, line: this.#line, text: text.slice(at, end) })
      this.#line += found.lines
      at = found.next
    }
    this.#strictUntil = Math.max(0, this.#strictUntil - at)
    return text.slice(at)
  }

  /** @returns where the next row begins, or from where on its beginning is searched */
  #skip({ text, eol }: TextCursor, at: number): number {
    const end = text.indexOf(eol, at)
    if (end < 0) return Math.max(at, text.length - eol.length + 1)
    this.#skips = false
    this.#line++
    return end + eol.length
  }

  /** Null: the row is not whole yet. */
  #next(cursor: TextCursor, start: number, isLast: boolean): Found | null {
    const { text, eol } = cursor
    const { separator, quote } = this.#format
    const eolAt = cursor.eolFrom(start)
    if (quote !== null && separator !== null && cursor.quoteFrom(start) < eolAt) {
      return this.#quotedRow(cursor, start, isLast)
    }
    const isWhole = eolAt < text.length || isLast
    if (!isWhole && text.length - start < this.#sizes.rowSizeMax + eol.length) return null
    const place = Math.min(eolAt, text.length)
    if (place - start > this.#sizes.rowSizeMax) return this.#oversizeRow(cursor, start)
    const end = cursor.contentEnd(start, place)
    const content = text.slice(start, end)
    const next = Math.min(text.length, place + eol.length)
    if (separator === null) return { tokens: [content], fault: null, end, next, lines: 1 }
    if (this.#hasTooManyTokens(content, separator)) {
      return { tokens: [], fault: 'tooManyTokens', end, next, lines: 1 }
    }
    return { tokens: content.split(separator), fault: null, end, next, lines: 1 }
  }

  /** Counted before they are made. */
  #hasTooManyTokens(content: string, separator: string): boolean {
    const { tokenCountMax } = this.#sizes
    if (content.length < tokenCountMax) return false
    let count = 1
    for (let at = content.indexOf(separator); at >= 0; count++) {
      at = content.indexOf(separator, at + separator.length)
    }
    return count > tokenCountMax
  }

  #quotedRow(cursor: TextCursor, start: number, isLast: boolean): Found | null {
    const limit = start + this.#sizes.rowSizeMax
    const limits = { limit, isStrict: start < this.#strictUntil, isLast }
    const { tokenCountMax } = this.#sizes
    const tokens: string[] = []
    for (let at = start; ; ) {
      const token = cursor.token(at, limits)
      switch (token.kind) {
        case 'open':
          return null
        case 'oversize':
          return this.#oversizeRow(cursor, start)
        case 'damaged':
          return this.#damagedRow(cursor, start, { ...token, isLast })
        case 'token':
          if (tokens.length <= tokenCountMax) tokens.push(token.text)
          at = token.next
      }
      if (!token.endsRow) continue
      const { end, next } = token
      const lines = cursor.eolCount(start, next)
      if (tokens.length <= tokenCountMax) return { tokens, fault: null, end, next, lines }
      return { tokens: [], fault: 'tooManyTokens', end, next, lines }
    }
  }

  /** The row ends at the next end of a row, whatever is before. */
  #oversizeRow(cursor: TextCursor, start: number): Found {
    this.#skips = true
    const next = Math.min(cursor.text.length, start + this.#sizes.rowSizeMax + 1)
    const end = Math.min(next, start + OVERSIZE_SHOWN_CHARS)
    return { tokens: [], fault: 'oversize', end, next, lines: cursor.eolCount(start, next) }
  }

  /** The first line is given up; what follows it is read as rows. */
  #damagedRow(
    cursor: TextCursor,
    start: number,
    {
      fault,
      at,
      isLast,
    }: { readonly fault: QuoteFault; readonly at: number; readonly isLast: boolean },
  ): Found | null {
    const { text, eol } = cursor
    const eolAt = cursor.eolFrom(start)
    const isWhole = eolAt < text.length || isLast
    if (!isWhole && text.length - start < this.#sizes.rowSizeMax + eol.length) return null
    this.#strictUntil = Math.max(this.#strictUntil, at)
    const place = Math.min(eolAt, text.length)
    if (place - start > this.#sizes.rowSizeMax)
      return { ...this.#oversizeRow(cursor, start), fault }
    const next = Math.min(text.length, place + eol.length)
    return { tokens: [], fault, end: cursor.contentEnd(start, place), next, lines: 1 }
  }
}

/** Null: more text has to be seen. */
function rowEndOf(text: string, isLast: boolean): '\n' | '\r' | null {
  const start = text.slice(0, EOL_WINDOW_CHARS)
  if (start.includes('\n')) return '\n'
  if (!isLast && text.length < EOL_WINDOW_CHARS) return null
  return start.includes('\r') ? '\r' : '\n'
}

/** All rows of a text. */
export function rowsOfText(text: string, format: DelimitedFormat): DelimitedRow[] {
  return new DelimitedScanner(format).read(text, true)
}

/** The rows that each chunk completes, together: waiting for every row takes longer than reading it. */
export async function* rowsOf(
  chunks: AsyncIterable<string> | Iterable<string>,
  format: DelimitedFormat,
): AsyncGenerator<DelimitedRow[]> {
  const scanner = new DelimitedScanner(format)
  for await (const chunk of chunks) {
    const rows = scanner.read(chunk, false)
    if (rows.length > 0) yield rows
  }
  const last = scanner.read('', true)
  if (last.length > 0) yield last
}
