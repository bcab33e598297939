/**
 * Records as upsert payloads. Each record becomes a fragment, `"id":{…}`, and a batch is fragments
 * between a fixed head and tail: repeated keys are an array to the server, so nothing is merged
 * here and 64-bit numbers stay texts.
 */
import { cellJson } from '#lib/graph-schema/cell-value.ts'
import { readId } from './id-parts.ts'
import type { IdColumn, Mapping } from './mapping.ts'

export type RowResult =
  | { readonly ok: true; readonly fragment: string; readonly defaulted: readonly string[] }
  | { readonly ok: false; readonly problem: string }

/** @param record null where the file has its text for no value */
export function rowFragment(mapping: Mapping, record: readonly (string | null)[]): RowResult {
  const cell: CellOf = (column) => (column === null ? null : (record[column] ?? null))
  const attributes = attributesJson(mapping, cell)
  if (!attributes.ok) return attributes
  const { defaulted } = attributes
  const idOf = (columns: readonly IdColumn[]) =>
    readId(
      columns,
      columns.map(({ column }) => cell(column) ?? ''),
      true,
    )
  if (mapping.kind === 'vertex') {
    const id = idOf(mapping.id)
    if (!id.ok) return id
    return { ok: true, fragment: `${JSON.stringify(id.id)}:${attributes.json}`, defaulted }
  }
  const source = idOf(mapping.source)
  if (!source.ok) return { ok: false, problem: `source: ${source.problem}` }
  const target = idOf(mapping.target)
  if (!target.ok) return { ok: false, problem: `target: ${target.problem}` }
  const path = `{${JSON.stringify(mapping.typeName)}:{${JSON.stringify(mapping.pair.to)}:{`
  const ends = `${JSON.stringify(source.id)}:${path}${JSON.stringify(target.id)}`
  return { ok: true, fragment: `${ends}:${attributes.json}}}}`, defaulted }
}

/** Whole payloads as one: their members in a row, since the server reads repeated keys. */
export function joinedPayload(payloads: readonly string[]): string {
  const members = payloads.map((payload) => payload.trim().slice(1, -1).trim())
  return `{${members.filter((text) => text !== '').join(',')}}`
}

export function batchPayload(mapping: Mapping, fragments: readonly string[]): string {
  const section = mapping.kind === 'vertex' ? 'vertices' : 'edges'
  const type = mapping.kind === 'vertex' ? mapping.typeName : mapping.pair.from
  return `{"${section}":{${JSON.stringify(type)}:{${fragments.join(',')}}}}`
}

type CellOf = (column: number | null) => string | null

type Attributes =
  | {
      readonly ok: true
      readonly json: string
      /** Those that have a column, and no value in it. */
      readonly defaulted: readonly string[]
    }
  | { readonly ok: false; readonly problem: string }

function attributesJson(mapping: Mapping, cell: CellOf): Attributes {
  const parts: string[] = []
  const defaulted: string[] = []
  for (const { attribute, type, column, required } of mapping.attributes) {
    const text = cell(column)
    if (text === null || isNothing(type, text)) {
      if (required)
        return { ok: false, problem: `${attribute} has no value, but tells edges apart` }
      if (column !== null) defaulted.push(attribute)
      continue
    }
    const value = cellJson(type, text)
    if (!value.ok) return { ok: false, problem: `${attribute}: ${value.problem}` }
    parts.push(`${JSON.stringify(attribute)}:{"value":${value.json}}`)
  }
  return { ok: true, json: `{${parts.join(',')}}`, defaulted }
}

/** Blanks, or no characters at all, are a value of a text alone: as for a loading job. */
function isNothing(type: string, text: string): boolean {
  const isText = type === 'STRING' || type === 'STRING COMPRESS'
  return !isText && text.trim() === ''
}
