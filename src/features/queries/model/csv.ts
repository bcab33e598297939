/** A table as CSV after RFC 4180: quotes where they are needed, doubled inside; lines end in CRLF. */
import { cellText, type TablePart } from './result.ts'

export function csvOf({ columns, rows }: TablePart): string {
  const lines = rows.map((row) => columns.map((name) => field(cellText(row[name]))).join(','))
  return [columns.map(field).join(','), ...lines, ''].join('\r\n')
}

const field = (text: string): string =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
