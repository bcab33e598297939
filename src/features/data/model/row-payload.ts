/**
 * Records as upsert payloads. Each record becomes a fragment, `"id":{…}`, and a batch is fragments
 * between a fixed head and tail: repeated keys are an array to the server, so nothing is merged
 * here and 64-bit numbers stay texts.
 */
import { cellJson } from '#lib/graph-schema/cell-value.ts'
import { readId } from './id-parts.ts'
import type { IdColumn, Mapping } from './mapping.ts'

export type RowResult =
  | { readonly ok: true; readonly fragment: string; readonly empty: readonly string[] }
  | { readonly ok: false; readonly problem: string }

export function rowFragment(mapping: Mapping, record: readonly string[]): RowResult {
  const cell = (column: number | null): string => (column === null ? '' : (record[column] ?? ''))
  const attributes = attributesJson(mapping, cell)
  if (!attributes.ok) return attributes
  const { empty } = attributes
  const idOf = (columns: readonly IdColumn[]) =>
    readId(
      columns,
      columns.map(({ column }) => cell(column)),
      true,
    )
  if (mapping.kind === 'vertex') {
    const id = idOf(mapping.id)
    if (!id.ok) return id
    return { ok: true, fragment: `${JSON.stringify(id.id)}:${attributes.json}`, empty }
  }
  const source = idOf(mapping.source)
  if (!source.ok) return { ok: false, problem: `source: ${source.problem}` }
  const target = idOf(mapping.target)
  if (!target.ok) return { ok: false, problem: `target: ${target.problem}` }
  const path = `{${JSON.stringify(mapping.typeName)}:{${JSON.stringify(mapping.pair.to)}:{`
  const ends = `${JSON.stringify(source.id)}:${path}${JSON.stringify(target.id)}`
  return { ok: true, fragment: `${ends}:${attributes.json}}}}`, empty }
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

type Attributes =
  | {
      readonly ok: true
      readonly json: string
      /** Those that have a column, and no value in it. */
      readonly empty: readonly string[]
    }
  | { readonly ok: false; readonly problem: string }

function attributesJson(mapping: Mapping, cell: (column: number | null) => string): Attributes {
  const parts: string[] = []
  const empty: string[] = []
  for (const { attribute, type, column, required } of mapping.attributes) {
    const text = cell(column)
    if (isNothing(type, text) && !(required && type === 'STRING')) {
      if (required) return { ok: false, problem: `${attribute} is empty, but tells edges apart` }
      if (column !== null) empty.push(attribute)
      continue
    }
    const value = cellJson(type, text)
    if (!value.ok) return { ok: false, problem: `${attribute}: ${value.problem}` }
    parts.push(`${JSON.stringify(attribute)}:{"value":${value.json}}`)
  }
  return { ok: true, json: `{${parts.join(',')}}`, empty }
}

/** Blanks are a value of a text alone. */
function isNothing(type: string, text: string): boolean {
  const isText = type === 'STRING' || type === 'STRING COMPRESS'
  return isText ? text === '' : text.trim() === ''
}
