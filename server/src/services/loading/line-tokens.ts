/** How rows of a file are read: the USING options of a loading job (docs/reference/gsql/loading.md). */
import type { DelimitedFormat } from '#kernel/delimited/scanner.ts'
import { DbError } from '#kernel/errors.ts'
import type { Options } from '#query/syntax/script/ast-script.ts'

export interface LineFormat extends DelimitedFormat {
  readonly hasHeader: boolean
  readonly isJson: boolean
}

/** @throws DbError INVALID_PARAMETER */
export function lineFormatOf(options: Options): LineFormat {
  const quote = options.get('QUOTE')?.toLowerCase()
  if (quote !== undefined && quote !== 'single' && quote !== 'double') {
    throw new DbError('INVALID_PARAMETER', 'QUOTE must be "single" or "double".')
  }
  const isJson = isTrue(options.get('JSON_FILE'))
  const format = {
    separator: unescaped(options.get('SEPARATOR') ?? ','),
    eol: unescaped(options.get('EOL') ?? '\n') || '\n',
    quote: quote === undefined ? null : quote === 'single' ? "'" : '"',
  }
  const read = isJson ? { ...format, separator: null, quote: null } : format
  checkSeparator(read)
  return { ...read, hasHeader: isTrue(options.get('HEADER')), isJson }
}

export function isTrue(text: string | undefined): boolean {
  return text?.toLowerCase() === 'true'
}

/** @throws DbError INVALID_PARAMETER for one that rows cannot be read with */
export function checkSeparator({ separator, eol, quote }: DelimitedFormat): void {
  const refuse = (text: string) => new DbError('INVALID_PARAMETER', `SEPARATOR must ${text}.`)
  if (separator === '') throw refuse('have at least one character')
  if (separator === eol) throw refuse('differ from EOL')
  if (quote !== null && separator?.includes(quote)) throw refuse('not contain the quote')
}

/** `\t`, `\n`, `\|` and `\124`: a character by its decimal code. */
export function unescaped(text: string): string {
  return text.replace(/\\(\d{1,3}|.)/g, (_all, code: string) => {
    if (/^\d/.test(code)) return String.fromCharCode(Number(code))
    return { t: '\t', n: '\n', r: '\r' }[code] ?? code
  })
}
