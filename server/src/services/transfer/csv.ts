/** Rows of CSV (RFC 4180, but lines end in LF): cells from JSON texts of values. */
import type { ElementFile } from './element-files.ts'

export function csvHead(file: ElementFile): string {
  const ids = file.kind === 'vertices' ? ['v_id'] : ['from_id', 'to_id']
  const names = [...ids, ...file.attributes.map(({ name }) => name)]
  return `${names.map(quoted).join(',')}\n`
}

/** A JSON text of a string is written as the string, any other as it is. */
export function csvCell(json: string): string {
  return quoted(json.startsWith('"') ? (JSON.parse(json) as string) : json)
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
