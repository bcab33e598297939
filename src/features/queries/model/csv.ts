/** A table of a result as CSV. */
import { csvText } from '#lib/csv/csv-text.ts'
import { cellText, type TablePart } from './result.ts'

export function csvOf({ columns, rows }: TablePart): string {
  return csvText([columns, ...rows.map((row) => columns.map((name) => cellText(row[name])))])
}
