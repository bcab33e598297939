/** What a CSV file probably is: its delimiter, whether it has a header, and the columns' types. */
import { type ColumnType, typeOfValues } from './column-type.ts'
import { commonWidth, guessDelimiter, sampleRows } from './delimiter.ts'

export interface CsvColumn {
  /** From the header, or `column 1`. */
  readonly name: string
  readonly type: ColumnType
  /** The first few values that are not empty. */
  readonly samples: readonly string[]
}

export interface CsvShape {
  readonly delimiter: string
  readonly hasHeader: boolean
  readonly columns: readonly CsvColumn[]
  /** A cell of this text is empty, too; '' when there is none such. */
  readonly nullText: string
  /** Records of the sample without the header. */
  readonly rows: readonly (readonly string[])[]
}

const SAMPLES_SHOWN = 3

/** Reads the beginning of a file; `known` overrides what is guessed. */
export function sniffCsv(
  text: string,
  known: {
    readonly delimiter?: string
    readonly hasHeader?: boolean
    readonly nullText?: string
    /** False: the text goes on, its last row may be cut off. */
    readonly isWhole?: boolean
  } = {},
): CsvShape {
  const isWhole = known.isWhole ?? true
  const delimiter = known.delimiter ?? guessDelimiter(text, isWhole)
  const read = sampleRows(text, delimiter, isWhole)
  const nullText = known.nullText ?? nullTextOf(read)
  const records = read.map((record) => withoutNull(record, nullText))
  const hasHeader = known.hasHeader ?? looksLikeHeader(records)
  const rows = hasHeader ? records.slice(1) : records
  const width = hasHeader ? (records[0]?.length ?? 0) : commonWidth(records)
  const names = namesOf(hasHeader ? records[0] : undefined, width)
  return {
    delimiter,
    hasHeader,
    nullText,
    rows,
    columns: names.map((name, place) => columnOf(name, rows, place)),
  }
}

/** What databases write for a value that is not there, if the sample has it. */
const nullTexts = ['\\N', 'NULL']

function nullTextOf(records: readonly (readonly string[])[]): string {
  const has = (text: string) => records.some((record) => record.includes(text))
  return nullTexts.find(has) ?? ''
}

export function withoutNull(record: readonly string[], nullText: string): readonly string[] {
  return nullText === '' ? record : record.map((cell) => (cell === nullText ? '' : cell))
}

/** Each once: of two columns that are called alike the second is `name (2)`. */
function namesOf(header: readonly string[] | undefined, width: number): readonly string[] {
  const names = new Set<string>()
  for (let place = 0; place < width; place++) {
    const given = header?.[place]?.trim() || `column ${place + 1}`
    let name = given
    for (let count = 2; names.has(name); count++) name = `${given} (${count})`
    names.add(name)
  }
  return [...names]
}

function columnOf(name: string, rows: readonly (readonly string[])[], place: number): CsvColumn {
  const values = rows.map((row) => row[place] ?? '')
  return {
    name,
    type: typeOfValues(values),
    samples: values.filter((value) => value !== '').slice(0, SAMPLES_SHOWN),
  }
}

/** A header is text over a column that is something else below, or else names, each of them once. */
function looksLikeHeader(records: readonly (readonly string[])[]): boolean {
  const [first, ...rest] = records
  if (first === undefined || first.some((cell) => cell.trim() === '')) return false
  const isEachOnce = new Set(first).size === first.length
  if (!first.every((cell) => typeOfValues([cell]) === 'STRING')) return false
  if (rest.length === 0) return isEachOnce
  const typed = first.some((_, place) => {
    const below = rest.map((row) => row[place] ?? '')
    return typeOfValues(below) !== 'STRING'
  })
  const namesLookLikeNames = first.every((cell) => /^[\w .:#/()-]{1,64}$/.test(cell))
  return (
    typed || (isEachOnce && namesLookLikeNames && !rest.some((row) => row.join() === first.join()))
  )
}
