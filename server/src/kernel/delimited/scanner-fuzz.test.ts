/**
 * The scanner beside csv-parse, a library of its own: row for row, over random texts that are divided
 * at random. QUIVER_CSV_TEXTS says how many, QUIVER_SEED which.
 */
import { type Options, parse } from 'csv-parse/sync'
import { expect, it } from 'vitest'
import { createRandom, type Random } from '../prng.ts'
import { type DelimitedFormat, type DelimitedRow, DelimitedScanner } from './scanner.ts'

const TEXTS = Number(process.env['QUIVER_CSV_TEXTS'] ?? 400)
const SEED = Number(process.env['QUIVER_SEED'] ?? 29)

const pick = <T>(random: Random, items: readonly T[]): T => items[random.below(items.length)] as T

function readAtRandom(text: string, format: DelimitedFormat, random: Random): DelimitedRow[] {
  const scanner = new DelimitedScanner(format)
  const rows: DelimitedRow[] = []
  const sizeMax = pick(random, [1, 3, 10, 1_000])
  for (let at = 0; at < text.length; ) {
    const next = at + 1 + random.below(sizeMax)
    rows.push(...scanner.read(text.slice(at, next), false))
    at = next
  }
  rows.push(...scanner.read('', true))
  return rows
}

function byLibrary(text: string, { separator, eol, quote }: DelimitedFormat, isRelaxed: boolean) {
  const options: Options = {
    delimiter: separator ?? '',
    record_delimiter: eol === '\n' ? ['\r\n', '\n'] : [eol],
    quote: quote ?? false,
    escape: quote ?? '"',
    relax_column_count: true,
    relax_quotes: isRelaxed,
    bom: true,
  }
  return parse(text, options) as string[][]
}

const formats: readonly DelimitedFormat[] = [',', ';', '\t', '|', '||', '<>', '\x1d'].flatMap(
  (separator) =>
    ['\n', '\r\n', '\x1c', '||\n'].flatMap((eol) =>
      ['"', "'", null].map((quote) => ({ separator, eol, quote })),
    ),
)

/** What a writer makes of rows: quotes where they must be, and now and then where they need not. */
function written(random: Random, { separator, eol, quote }: DelimitedFormat): string {
  const plain = ['a', 'bc', ' ', 'é', '😀', '0', '\0', ' x ', '-1.5e3', '']
  const odd = [separator ?? '', '\n', '\r\n', eol, '"', "'", quote ?? '', '\r']
  const token = () => {
    const parts = Array.from({ length: random.below(4) }, () =>
      quote !== null && random.below(3) === 0 ? pick(random, odd) : pick(random, plain),
    )
    const text = parts.join('')
    if (quote === null) return text
    const mustQuote = /["'\r\n]/.test(text) || text.includes(separator ?? '') || text.includes(eol)
    if (!mustQuote && random.below(4) > 0) return text
    return quote + text.replaceAll(quote, quote + quote) + quote
  }
  const rows = Array.from({ length: random.below(12) }, () =>
    Array.from({ length: 1 + random.below(5) }, token).join(separator ?? ''),
  )
  const text = rows.map((row) => row + (eol === '\n' ? pick(random, ['\n', '\r\n']) : eol)).join('')
  return pick(random, ['', '\ufeff']) + text
}

it(`reads ${TEXTS} written texts as csv-parse does (seed ${SEED})`, () => {
  const random = createRandom(SEED)
  for (let text = 0; text < TEXTS; text++) {
    const format = formats[text % formats.length] as DelimitedFormat
    const input = written(random, format)
    const rows = readAtRandom(input, format, random)
    expect(
      rows.filter(({ fault }) => fault !== null),
      JSON.stringify(input),
    ).toEqual([])
    const tokens = rows.map((row) => row.tokens)
    expect(tokens, JSON.stringify({ text, format, input })).toEqual(byLibrary(input, format, false))
  }
})

it(`reads ${TEXTS} texts of odd characters as csv-parse does where no quote is damaged`, () => {
  const random = createRandom(SEED + 1)
  const format: DelimitedFormat = { separator: ',', eol: '\n', quote: '"' }
  const letters = ['a', 'b', ' ', ',', ',', '"', '"', '""', '\n', '\n', '\r\n', '",', ',"', '"\n']
  let compared = 0
  for (let text = 0; text < TEXTS; text++) {
    const input = Array.from({ length: random.below(24) }, () => pick(random, letters)).join('')
    const rows = readAtRandom(input, format, random)
    const whole = new DelimitedScanner(format).read(input, true)
    expect(rows, `divided: ${JSON.stringify(input)}`).toEqual(whole)
    // The library has no word for blanks outside of quotes.
    if (/(^|[,\n]) +"|" +($|[,\r\n])/.test(input)) continue
    if (rows.some(({ fault }) => fault !== null)) {
      // What cannot be read here, the library refuses.
      expect(() => byLibrary(input, format, false), JSON.stringify(input)).toThrow()
      continue
    }
    compared++
    const tokens = rows.map((row) => row.tokens)
    expect(tokens, JSON.stringify(input)).toEqual(byLibrary(input, format, true))
  }
  expect(compared).toBeGreaterThan(TEXTS / 5)
})
