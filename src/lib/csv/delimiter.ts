/** Which character separates the values of a text: the one by which most rows have the same width. */
import { DelimitedScanner } from '#kernel/delimited/scanner.ts'

const usual = [',', '\t', '|', ';', '\x1e', '\x1f']
const SAMPLE_ROWS = 200

export type SampleRows = readonly (readonly string[])[]

/** @param isWhole whether the text ends with its last row; else that one may be cut off */
export function sampleRows(text: string, delimiter: string, isWhole: boolean): SampleRows {
  const scanner = new DelimitedScanner({ separator: delimiter, eol: '\n', quote: '"' })
  return scanner
    .read(text, isWhole)
    .filter(({ tokens, fault }) => fault === null && tokens.some((cell) => cell.trim() !== ''))
    .slice(0, SAMPLE_ROWS)
    .map(({ tokens }) => tokens)
}

/** Blanks separate only where every row has as many of them. */
export function guessDelimiter(text: string, isWhole: boolean): string {
  const ranked = usual
    .map((delimiter) => ({ delimiter, ...evenness(sampleRows(text, delimiter, isWhole)) }))
    .filter(({ width }) => width > 1)
    .toSorted((one, other) => other.share - one.share || other.width - one.width)
  const [best] = ranked
  if (best !== undefined) return best.delimiter
  const blanks = evenness(sampleRows(text, ' ', isWhole))
  return blanks.width > 1 && blanks.share === 1 ? ' ' : ','
}

/** How many values most rows have, and the share of the rows that have so many. */
function evenness(rows: SampleRows): { readonly width: number; readonly share: number } {
  const width = commonWidth(rows)
  const same = rows.filter(({ length }) => length === width).length
  return { width, share: rows.length === 0 ? 0 : same / rows.length }
}

/** How many values most rows have; of equals the larger. */
export function commonWidth(rows: SampleRows): number {
  const counts = new Map<number, number>()
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1)
  const ordered = [...counts].toSorted(([a, as], [b, bs]) => bs - as || b - a)
  return ordered[0]?.[0] ?? 0
}
