/** The first rows of a file, as a loading job would take them apart. */
import { lineFormatOf, linesOf, tokensOf } from './line-tokens.ts'

export interface SampleFormat {
  readonly fileFormat?: string | undefined
  readonly separator?: string | undefined
  readonly eol?: string | undefined
  readonly quote?: string | undefined
  readonly header?: string | boolean | undefined
}

export interface Sample {
  readonly data: string[][]
  readonly header: string[]
  readonly json: boolean
}

/** Lines of JSON are rows of one cell. @throws DbError INVALID_PARAMETER */
export async function sampleOf(
  chunks: AsyncIterable<string> | Iterable<string>,
  wanted: SampleFormat,
  rowCountMax: number,
): Promise<Sample> {
  const json = wanted.fileFormat?.toLowerCase() === 'json'
  const { separator, eol, quote } = wanted
  const options = { SEPARATOR: separator, EOL: eol, QUOTE: quote, HEADER: String(wanted.header) }
  const given = Object.entries(options).filter((entry): entry is [string, string] => !!entry[1])
  const format = lineFormatOf(new Map(given))
  const rows: string[][] = []
  const lineCountMax = rowCountMax + (format.hasHeader ? 1 : 0)
  for await (const lines of linesOf(chunks, format.eol)) {
    for (const line of lines.slice(0, lineCountMax - rows.length)) {
      // A line beyond what a job takes shows as an empty one.
      rows.push(json ? [line ?? ''] : tokensOf(line ?? '', format))
    }
    if (rows.length === lineCountMax) break
  }
  const header = format.hasHeader && !json ? (rows.shift() ?? []) : []
  return { data: rows.slice(0, rowCountMax), header, json }
}
