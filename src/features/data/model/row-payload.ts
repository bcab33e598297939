/**
 * Records as upsert payloads. Each record becomes a fragment, `"id":{…}`, and a batch is fragments
 * between a fixed head and tail: repeated keys are an array to the server, so nothing is merged
 * here and 64-bit numbers stay texts.
 */
import { cellJson, idProblem } from './cell-value.ts'
import type { Mapping } from './mapping.ts'

export type RowResult =
  | { readonly ok: true; readonly fragment: string }
  | { readonly ok: false; readonly problem: string }

export function rowFragment(mapping: Mapping, record: readonly string[]): RowResult {
  const cell = (column: number | null): string => (column === null ? '' : (record[column] ?? ''))
  const attributes = attributesJson(mapping, cell)
  if (!attributes.ok) return attributes
  if (mapping.kind === 'vertex') {
    const id = cell(mapping.idColumn).trim()
    const problem = idProblem(mapping.idType, id)
    if (problem !== null) return { ok: false, problem }
    return { ok: true, fragment: `${JSON.stringify(id)}:${attributes.json}` }
  }
  const source = cell(mapping.sourceColumn).trim()
  const target = cell(mapping.targetColumn).trim()
  const wrongSource = idProblem(mapping.sourceIdType, source)
  if (wrongSource !== null) return { ok: false, problem: `source: ${wrongSource}` }
  const wrongTarget = idProblem(mapping.targetIdType, target)
  if (wrongTarget !== null) return { ok: false, problem: `target: ${wrongTarget}` }
  const path = `{${JSON.stringify(mapping.typeName)}:{${JSON.stringify(mapping.pair.to)}:{`
  const fragment = `${JSON.stringify(source)}:${path}${JSON.stringify(target)}:${attributes.json}}}}`
  return { ok: true, fragment }
}

export function batchPayload(mapping: Mapping, fragments: readonly string[]): string {
  const section = mapping.kind === 'vertex' ? 'vertices' : 'edges'
  const type = mapping.kind === 'vertex' ? mapping.typeName : mapping.pair.from
  return `{"${section}":{${JSON.stringify(type)}:{${fragments.join(',')}}}}`
}

function attributesJson(
  mapping: Mapping,
  cell: (column: number | null) => string,
): { readonly ok: true; readonly json: string } | { readonly ok: false; readonly problem: string } {
  const parts: string[] = []
  for (const { attribute, type, column, required } of mapping.attributes) {
    const text = cell(column)
    if (text.trim() === '' && !(required && type === 'STRING')) {
      if (required) return { ok: false, problem: `${attribute} is empty, but tells edges apart` }
      continue
    }
    const value = cellJson(type, text)
    if (!value.ok) return { ok: false, problem: `${attribute}: ${value.problem}` }
    parts.push(`${JSON.stringify(attribute)}:{"value":${value.json}}`)
  }
  return { ok: true, json: `{${parts.join(',')}}` }
}
