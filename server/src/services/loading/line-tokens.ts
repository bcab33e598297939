/** Lines and their tokens, as the USING options of a loading job describe them (docs/reference/gsql/loading.md). */
import { DbError } from '#kernel/errors.ts'
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

/** Longer lines are counted as rejected, and never held whole. */
export const LINE_SIZE_CHARS_MAX = 10 * 2 ** 20

/**
 * The lines that each chunk ends, together: to wait for every line would take longer than to read
 * it. Null stands for a line that is too long. The last line needs no end.
 */
export async function* linesOf(
  chunks: AsyncIterable<string> | Iterable<string>,
  eol: string,
): AsyncGenerator<readonly (string | null)[]> {
  let rest = ''
  let isTooLong = false
  let isFirst = true
  for await (const chunk of chunks) {
    const parts = (rest + (isFirst ? withoutMark(chunk) : chunk)).split(eol)
    isFirst = false
    rest = parts.pop() ?? ''
    const lines = parts.map((part, index) =>
      (isTooLong && index === 0) || part.length > LINE_SIZE_CHARS_MAX ? null : trimmed(part, eol),
    )
    if (lines.length > 0) {
      isTooLong = false
      yield lines
    }
    if (rest.length > LINE_SIZE_CHARS_MAX) {
      isTooLong = true
      rest = ''
    }
  }
  if (isTooLong) yield [null]
  else if (rest !== '') yield [trimmed(rest, eol)]
}

/** A byte order mark before the first line is none of its characters. */
function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function trimmed(line: string, eol: string): string {
  return eol === '\n' && line.endsWith('\r') ? line.slice(0, -1) : line
}
