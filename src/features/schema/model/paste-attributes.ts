/** Reads pasted rows of `name TYPE [default]` as attributes. */
import { parseAttributeType } from '#lib/graph-schema/attribute-type.ts'
import { defaultProblem } from '#lib/graph-schema/default-value.ts'
import { identifierProblem } from '#lib/graph-schema/identifier.ts'
import type { AttributeModel } from '#lib/graph-schema/schema-model.ts'

export interface PastedRow {
  /** 1 for the first line of the text. */
  readonly line: number
  readonly text: string
  readonly result:
    | { readonly ok: true; readonly attribute: AttributeModel }
    | { readonly ok: false; readonly problem: string }
}

/**
 * One row per line or comma outside brackets; name and type are separated by blanks, a tab or a
 * colon; a default follows the word DEFAULT or an equals sign. Blank rows are left out.
 */
export function parsePastedAttributes(text: string, tuples: readonly string[] = []): PastedRow[] {
  const rows: PastedRow[] = []
  for (const [position, lineText] of text.split(/\r?\n/).entries()) {
    for (const rowText of lineText.split(/,(?![^<(]*[>)])/)) {
      const row = rowText.trim()
      if (row !== '') rows.push({ line: position + 1, text: row, result: parseRow(row, tuples) })
    }
  }
  return rows
}

function parseRow(row: string, tuples: readonly string[]): PastedRow['result'] {
  const match = /^(\S+?)(?:\s*:\s*|\s+)(.+?)(?:\s+DEFAULT\s+(.+)|\s*=\s*(.+))?$/i.exec(row)
  if (match === null) return { ok: false, problem: 'Write a name and a type, such as: age INT' }
  const [, name = '', typeText = '', afterWord, afterSign] = match
  const nameProblem = identifierProblem(name)
  if (nameProblem !== null) return { ok: false, problem: nameProblem }
  const parsed = parseAttributeType(typeText, tuples)
  if (!parsed.ok) return { ok: false, problem: parsed.message }
  const written = afterWord ?? afterSign
  const defaultText = written === undefined ? null : written.replace(/^(["'])(.*)\1$/, '$2')
  const problem = defaultText === null ? null : defaultProblem(parsed.type, defaultText)
  if (problem !== null) return { ok: false, problem }
  return { ok: true, attribute: { name, type: parsed.type, defaultText, isNew: true } }
}
