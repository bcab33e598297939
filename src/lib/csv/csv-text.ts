/** Rows as CSV text (RFC 4180) that every reader takes apart into the same rows. */

/** Lines end in CRLF. Values are never changed, also where a spreadsheet would take one for a formula. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `${rowText(row)}\r\n`).join('')

/** A row of one empty value is quoted: an empty line is no row to many readers. */
function rowText(row: readonly string[]): string {
  return row.length === 1 && row[0] === '' ? '""' : row.map(cellText).join(',')
}

/** Blanks at the ends are quoted, too: some readers drop them. */
function cellText(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
