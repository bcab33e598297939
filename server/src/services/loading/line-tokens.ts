/** Lines and their tokens, as the USING options of a loading job describe them (docs/reference/gsql/loading.md). */
import { DbError } from '#kernel/errors.ts'
import { LOAD_TEXT_CHARS_MAX } from '#kernel/limits.ts'
import type { Options } from '#query/syntax/script/ast-script.ts'

export interface LineFormat {
  readonly separator: string
  readonly eol: string
  /** The character that encloses tokens; null: quotes are data. */
  readonly quote: string | null
  readonly hasHeader: boolean
  readonly isJson: boolean
}

/** @throws DbError INVALID_PARAMETER */
export function lineFormatOf(options: Options): LineFormat {
  const quote = options.get('QUOTE')?.toLowerCase()
  if (quote !== undefined && quote !== 'single' && quote !== 'double') {
    throw new DbError('INVALID_PARAMETER', 'QUOTE must be "single" or "double".')
  }
  return {
    separator: oneCharacter('SEPARATOR', options.get('SEPARATOR') ?? ','),
    eol: unescaped(options.get('EOL') ?? '\n') || '\n',
    quote: quote === undefined ? null : quote === 'single' ? "'" : '"',
    hasHeader: isTrue(options.get('HEADER')),
    isJson: isTrue(options.get('JSON_FILE')),
  }
}

export function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true'
}

export function oneCharacter(name: string, text: string): string {
  const character = unescaped(text)
  if ([...character].length === 1) return character
  throw new DbError('INVALID_PARAMETER', `${name} must be one character, not '${text}'.`)
}

/** `\t`, `\n`, `\|` and `\124`: a character by its decimal code. */
export function unescaped(text: string): string {
  return text.replace(/\\(\d{1,3}|.)/g, (_all, code: string) => {
    if (/^\d/.test(code)) return String.fromCharCode(Number(code))
    return { t: '\t', n: '\n', r: '\r' }[code] ?? code
  })
}

export function tokensOf(line: string, { separator, quote }: LineFormat): string[] {
  if (quote === null || !line.includes(quote)) return line.split(separator)
  const tokens: string[] = []
  let at = 0
  while (at <= line.length) {
    const enclosed = line[at] === quote
    const end = enclosed ? closingQuote(line, at, quote) : at
    const next = line.indexOf(separator, end)
    const stop = next < 0 ? line.length : next
    const text = line.slice(at, stop)
    tokens.push(enclosed && text.endsWith(quote) ? inner(text, quote) : text)
    at = stop + 1
  }
  return tokens
}

/** Two quotes in a row stand for one. @returns the position behind the closing one */
function closingQuote(line: string, start: number, quote: string): number {
  let at = start + 1
  for (;;) {
    const found = line.indexOf(quote, at)
    if (found < 0) return line.length
    if (line[found + 1] !== quote) return found + 1
    at = found + 2
  }
}

function inner(text: string, quote: string): string {
  return text.slice(1, -1).replaceAll(quote + quote, quote)
}

/**
 * The lines that each chunk ends, together: to wait for every line would take longer than to read
 * it. Null stands for a line that is too long, of which nothing is held. The last line needs no end.
 * The time is linear in the length of a line, over however many chunks it goes.
 */
export async function* linesOf(
  chunks: AsyncIterable<string> | Iterable<string>,
  eol: string,
): AsyncGenerator<readonly (string | null)[]> {
  const line = new LineInParts()
  // The end of a chunk that may be the beginning of an EOL.
  let carried = ''
  let isFirst = true
  for await (const chunk of chunks) {
    const parts = (carried + (isFirst ? withoutMark(chunk) : chunk)).split(eol)
    isFirst = false
    const rest = parts.pop() ?? ''
    if (parts.length > 0) {
      line.add(parts[0]!)
      const first = line.take()
      yield [first, ...parts.slice(1).map(ofSize)].map((one) => trimmed(one, eol))
    }
    carried = eol.length > 1 ? rest.slice(1 - eol.length) : ''
    line.add(rest.slice(0, rest.length - carried.length))
  }
  line.add(carried)
  if (!line.isEmpty) yield [trimmed(line.take(), eol)]
}

/** A line that is not whole yet. */
class LineInParts {
  #parts: string[] = []
  #length = 0

  get isEmpty(): boolean {
    return this.#length === 0
  }

  add(part: string): void {
    this.#length += part.length
    if (this.#length > LOAD_TEXT_CHARS_MAX) this.#parts = []
    else if (part !== '') this.#parts.push(part)
  }

  /** @returns null for one that is too long */
  take(): string | null {
    const text = this.#length > LOAD_TEXT_CHARS_MAX ? null : this.#parts.join('')
    this.#parts = []
    this.#length = 0
    return text
  }
}

function ofSize(line: string): string | null {
  return line.length > LOAD_TEXT_CHARS_MAX ? null : line
}

/** A byte order mark before the first line is none of its characters. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function trimmed(line: string | null, eol: string): string | null {
  return eol === '\n' && line?.endsWith('\r') ? line.slice(0, -1) : line
}
