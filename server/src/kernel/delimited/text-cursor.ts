/** A piece of delimited text, token by token. Places are offsets into the text. */

export type QuoteFault = 'unclosedQuote' | 'textAfterQuote' | 'strayQuote'

export type Token =
  | {
      readonly kind: 'token'
      readonly text: string
      /** Behind its last character that belongs to the row. */
      readonly end: number
      /** Behind the separator or the end of the row. */
      readonly next: number
      readonly endsRow: boolean
    }
  /** The text at hand ends before the token. */
  | { readonly kind: 'open' }
  /** The row is longer than allowed. */
  | { readonly kind: 'oversize' }
  /** `at`: where the mistake shows. */
  | { readonly kind: 'damaged'; readonly fault: QuoteFault; readonly at: number }

export interface RowLimits {
  /** The last place at which the row may end. */
  readonly limit: number
  /** A quote inside of a token without quotes is a fault. */
  readonly isStrict: boolean
  /** No text follows the text at hand. */
  readonly isLast: boolean
}

const NOWHERE = Number.POSITIVE_INFINITY

/** The next place of one text in another; what was searched is not searched again. */
class NextPlace {
  readonly #text: string
  readonly #wanted: string
  #from = -1
  #found = -1

  constructor(text: string, wanted: string) {
    this.#text = text
    this.#wanted = wanted
  }

  /** Infinity: there is none from here on. */
  from(at: number): number {
    if (this.#from <= at && at <= this.#found) return this.#found
    const found = this.#text.indexOf(this.#wanted, at)
    this.#from = at
    this.#found = found < 0 ? NOWHERE : found
    return this.#found
  }
}

export class TextCursor {
  readonly text: string
  readonly eol: string
  readonly #separator: string
  readonly #quote: string
  readonly #eols: NextPlace
  readonly #separators: NextPlace
  readonly #quotes: NextPlace

  constructor(
    text: string,
    { separator, eol, quote }: Readonly<Record<'separator' | 'eol' | 'quote', string>>,
  ) {
    this.text = text
    this.eol = eol
    this.#separator = separator
    this.#quote = quote
    this.#eols = new NextPlace(text, eol)
    this.#separators = new NextPlace(text, separator)
    this.#quotes = new NextPlace(text, quote)
  }

  eolFrom(at: number): number {
    return this.#eols.from(at)
  }

  quoteFrom(at: number): number {
    return this.#quotes.from(at)
  }

  /** A return before a line feed is no data. */
  contentEnd(start: number, end: number): number {
    const hasReturn = this.eol === '\n' && end > start && this.text[end - 1] === '\r'
    return hasReturn ? end - 1 : end
  }

  /** How many ends of lines begin in a range. */
  eolCount(start: number, end: number): number {
    const { text, eol } = this
    let count = 0
    for (let at = text.indexOf(eol, start); at >= 0 && at < end; count++) {
      at = text.indexOf(eol, at + eol.length)
    }
    return count
  }

  token(start: number, limits: RowLimits): Token {
    let opening = start
    while (this.#isBlank(opening)) opening++
    if (opening === this.text.length && !limits.isLast) return this.#unfinished(limits)
    return this.text[opening] === this.#quote
      ? this.#quoted(opening, limits)
      : this.#unquoted(start, limits)
  }

  #isBlank(at: number): boolean {
    const { text } = this
    if (text[at] !== ' ' && text[at] !== '\t') return false
    return !text.startsWith(this.#separator, at) && !text.startsWith(this.eol, at)
  }

  /** Of a token without quotes that ends with the text at hand, or behind it. */
  #unfinished({ limit }: RowLimits): Token {
    const lookAhead = Math.max(this.eol.length, this.#separator.length)
    return { kind: this.text.length > limit + lookAhead ? 'oversize' : 'open' }
  }

  #unquoted(start: number, limits: RowLimits): Token {
    const { text, eol } = this
    const eolAt = this.#eols.from(start)
    const separatorAt = this.#separators.from(start)
    const stop = Math.min(eolAt, separatorAt)
    if (stop === NOWHERE && !limits.isLast) return this.#unfinished(limits)
    const place = Math.min(stop, text.length)
    if (place > limits.limit) return { kind: 'oversize' }
    const endsRow = eolAt <= separatorAt
    const end = endsRow ? this.contentEnd(start, place) : place
    if (limits.isStrict) {
      const quoteAt = text.indexOf(this.#quote, start)
      if (quoteAt >= 0 && quoteAt < end) return damaged('strayQuote', quoteAt)
    }
    const width = endsRow ? eol.length : this.#separator.length
    const next = Math.min(text.length, place + width)
    return { kind: 'token', text: text.slice(start, end), end, next, endsRow }
  }

  #quoted(opening: number, limits: RowLimits): Token {
    const { text } = this
    const quote = this.#quote
    let hasDoubled = false
    let closing = this.#quotes.from(opening + 1)
    for (;;) {
      if (closing > limits.limit) return this.#unclosed(limits)
      if (closing + 1 === text.length && !limits.isLast) return { kind: 'open' }
      if (text[closing + 1] !== quote) break
      hasDoubled = true
      closing = this.#quotes.from(closing + 2)
    }
    const inner = text.slice(opening + 1, closing)
    return this.#closed(
      hasDoubled ? inner.replaceAll(quote + quote, quote) : inner,
      closing + 1,
      limits,
    )
  }

  #unclosed({ limit, isLast }: RowLimits): Token {
    const size = this.text.length
    if (!isLast && size <= limit) return { kind: 'open' }
    return damaged('unclosedQuote', Math.min(limit, size))
  }

  /** Behind a closing quote: blanks, then the separator or the end of the row. */
  #closed(value: string, closedAt: number, limits: RowLimits): Token {
    const { text, eol } = this
    let end = closedAt
    while (this.#isBlank(end)) end++
    if (end > limits.limit) return { kind: 'oversize' }
    const token = { kind: 'token', text: value, end } as const
    if (text.startsWith(eol, end)) return { ...token, next: end + eol.length, endsRow: true }
    if (eol === '\n' && text.startsWith('\r\n', end))
      return { ...token, next: end + 2, endsRow: true }
    const separator = this.#separator
    if (text.startsWith(separator, end))
      return { ...token, next: end + separator.length, endsRow: false }
    const rest = text.length - end
    const isOver = rest === 0 || (rest === 1 && eol === '\n' && text[end] === '\r')
    if (limits.isLast)
      return isOver
        ? { ...token, next: text.length, endsRow: true }
        : damaged('textAfterQuote', end)
    const isOpen = isOver || rest < Math.max(eol.length, separator.length)
    return isOpen ? { kind: 'open' } : damaged('textAfterQuote', end)
  }
}

function damaged(fault: QuoteFault, at: number): Token {
  return { kind: 'damaged', fault, at }
}
