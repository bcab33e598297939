/**
 * Discriminator texts: the values in declaration order joined by `,`, a comma
 * inside a value written `\,` and a backslash `\\`.
 */
import type { EdgeType } from '#catalog/types.ts'
import { jsonAt } from '#graph/columns/json.ts'
import { bigintAt, stringAt } from '#graph/columns/read.ts'
import type { ColumnView } from '#graph/view.ts'
import { formatDatetime, parseDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'

/** @returns each value's text as `discriminatorTexts` prints it. @throws DbError INVALID_PARAMETER */
export function parseDiscriminator(text: string, type: EdgeType): readonly string[] {
  const parts = splitEscaped(text)
  if (parts.length !== type.discriminatorCount) {
    throw new DbError(
      'INVALID_PARAMETER',
      `The discriminator '${text}' has ${parts.length} values, edge type '${type.name}' has ${type.discriminatorCount}.`,
    )
  }
  return parts.map((part, index) => normalised(part, type.attributes[index]!.type.kind))
}

function splitEscaped(text: string): string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\' && at + 1 < text.length) parts[parts.length - 1] += text[++at]!
    else if (char === ',') parts.push('')
    else parts[parts.length - 1] += char
  }
  return parts
}

function normalised(part: string, kind: string): string {
  if (kind === 'DATETIME') {
    const seconds = parseDatetime(part)
    return Number.isNaN(seconds) ? part : formatDatetime(seconds)
  }
  if (kind === 'INT' || kind === 'UINT')
    return /^[+-]?\d+$/.test(part) ? String(BigInt(part)) : part
  return part
}

/** The discriminator values of an edge row, as plain texts. */
export function discriminatorTexts(
  columns: readonly (ColumnView | null)[],
  row: number,
): readonly string[] {
  return columns.map((column) => (column === null ? '' : plainText(column, row)))
}

/** The values joined, as rows show them and paths take them. */
export function joinDiscriminator(texts: readonly string[]): string {
  return texts.map((text) => text.replace(/[\\,]/g, '\\$&')).join(',')
}

function plainText(column: ColumnView, row: number): string {
  switch (column.type.kind) {
    case 'STRING':
      return stringAt(column, row)
    case 'DATETIME':
      return formatDatetime(Number(bigintAt(column, row)))
    default:
      return jsonAt(column, row)
  }
}
