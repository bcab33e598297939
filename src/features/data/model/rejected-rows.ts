/** Rejected rows as a table shows them: with what was mended, and whether it would do now. */
import type { CsvRecord } from '#lib/csv/csv-records.ts'
import { type CsvReading, payloadProblem, recordFragment } from './file-chunks.ts'
import type { ItemSource, RejectedItem } from './loader.ts'
import { columnsOf } from './mapping.ts'

/** Where rows come from, and so how one is read again. */
export type RejectedSource =
  | { readonly kind: 'csv'; readonly reading: CsvReading }
  | { readonly kind: 'payloads' }

export interface RejectedRow extends RejectedItem {
  readonly isEdited: boolean
  /** Why it would be rejected again, as far as that is known before it is sent. */
  readonly problem: string | null
}

/** As records of the file: a guess that nobody has mended keeps its fault. */
export function recordsOf(rows: readonly (RejectedItem & Partial<RejectedRow>)[]): CsvRecord[] {
  return rows.map(({ row, source, reason, isGuess, isEdited }) => ({
    row,
    cells: typeof source === 'string' ? [source] : source,
    problem: isGuess === true && isEdited !== true ? reason : null,
  }))
}

export function rejectedRows(
  rejected: readonly RejectedItem[],
  edits: ReadonlyMap<number, ItemSource>,
  source: RejectedSource,
): readonly RejectedRow[] {
  return rejected.map((item) => {
    const edited = edits.get(item.row)
    if (edited === undefined || isSame(edited, item.source)) {
      return { ...item, isEdited: false, problem: item.reason }
    }
    return { ...item, source: edited, isEdited: true, problem: problemOf(edited, source) }
  })
}

function problemOf(item: ItemSource, source: RejectedSource): string | null {
  if (source.kind === 'payloads') return payloadProblem(String(item))
  const result = recordFragment(typeof item === 'string' ? [item] : item, source.reading)
  return 'problem' in result ? result.problem : null
}

function isSame(one: ItemSource, other: ItemSource): boolean {
  if (typeof one === 'string' || typeof other === 'string') return one === other
  return one.length === other.length && one.every((cell, place) => cell === other[place])
}

export interface EditablePart {
  readonly label: string
  /** Place in the record; a line of JSON is one part. */
  readonly place: number
}

/** So many cells beyond the columns are offered to be emptied. */
const SURPLUS_MAX = 5

/**
 * The columns that are loaded, each once, in the order of the file; then the cells that some row
 * has too many.
 */
export function editableParts(
  source: RejectedSource,
  rejected: readonly RejectedItem[],
): readonly EditablePart[] {
  if (source.kind === 'payloads') return [{ label: 'Line', place: 0 }]
  const { columns, mapping } = source.reading
  const used = new Set(columnsOf(mapping))
  const loaded = columns.flatMap((label, place) => (used.has(place) ? [{ label, place }] : []))
  const widest = rejected.reduce((most, { source: cells }) => Math.max(most, cells.length), 0)
  const surplus = Math.min(SURPLUS_MAX, Math.max(0, widest - columns.length))
  return loaded.concat(
    Array.from({ length: surplus }, (_, at) => {
      const place = columns.length + at
      return { label: `surplus cell ${place + 1}`, place }
    }),
  )
}

export function sourcePart(source: ItemSource, place: number): string {
  return typeof source === 'string' ? source : (source[place] ?? '')
}

export function sourceWith(source: ItemSource, place: number, text: string): ItemSource {
  if (typeof source === 'string') return text
  const length = Math.max(source.length, place + 1)
  return Array.from({ length }, (_, at) => (at === place ? text : (source[at] ?? '')))
}
