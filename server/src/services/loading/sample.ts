/** The first rows of a file, as a loading job would take them apart. */
import { rowsOf } from '#kernel/delimited/scanner.ts'
import { lineFormatOf } from './line-tokens.ts'

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
  const options = {
    ...{ SEPARATOR: separator, EOL: eol, QUOTE: quote },
    ...{ HEADER: String(wanted.header), JSON_FILE: String(json) },
  }
  const given = Object.entries(options).filter((entry): entry is [string, string] => !!entry[1])
  const format = lineFormatOf(new Map(given))
  const rows: string[][] = []
  const lineCountMax = rowCountMax + (format.hasHeader ? 1 : 0)
  for await (const read of rowsOf(chunks, format)) {
    for (const { tokens, fault, text } of read.slice(0, lineCountMax - rows.length)) {
      // A row that a job would reject shows as it is in the file.
      rows.push(fault === null ? [...tokens] : [text])
    }
    if (rows.length === lineCountMax) break
  }
  const header = format.hasHeader && !json ? (rows.shift() ?? []) : []
  return { data: rows.slice(0, rowCountMax), header, json }
}
