/** Rows of CSV (RFC 4180, but lines end in LF): cells from JSON texts of values. */
import type { ElementFile } from './element-files.ts'

/** Of the columns; an attribute may have the name of a column of ids. */
export function csvNames(file: ElementFile): readonly string[] {
  const ids = file.kind === 'vertices' ? ['v_id'] : ['from_id', 'to_id']
  return [...ids, ...file.attributes.map(({ name }) => name)]
}

export function csvHead(file: ElementFile): string {
  return `${csvNames(file).map(quoted).join(',')}\n`
}

/** A JSON text of a string is written as the string, any other as it is. */
export function csvCell(json: string): string {
  return quoted(json.startsWith('"') ? (JSON.parse(json) as string) : json)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
