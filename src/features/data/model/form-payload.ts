/** One vertex or edge typed into a form, as an upsert payload. */

import { cellJson } from '#lib/graph-schema/cell-value.ts'
import type { EdgePairModel, TypeModel } from '#lib/graph-schema/schema-model.ts'
import { type IdMember, isKeyMember, readId } from './id-parts.ts'

export const operations = [
  { value: '', label: 'set' },
  { value: '+', label: '+ add' },
  { value: '>', label: '> keep larger' },
  { value: '<', label: '< keep smaller' },
  { value: '~', label: '~ only if new' },
] as const

export interface FieldValue {
  readonly text: string
  readonly op: string
}

export interface ElementForm {
  readonly type: TypeModel
  readonly pair: EdgePairModel | null
  readonly members: { readonly source: readonly IdMember[]; readonly target: readonly IdMember[] }
  /** The vertex's id, or the edge's source: one text per member. */
  readonly source: readonly string[]
  readonly target: readonly string[]
  readonly fields: ReadonlyMap<string, FieldValue>
}

export type FormPayload =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> }

/** Problems are keyed by attribute name, and `source` and `target` with a leading @. */
export function formPayload(form: ElementForm): FormPayload {
  const problems = new Map<string, string>()
  const source = readId(form.members.source, form.source)
  const target = form.pair === null ? null : readId(form.members.target, form.target)
  if (!source.ok) problems.set('@source', source.problem)
  if (target?.ok === false) problems.set('@target', target.problem)
  const attributes = attributesJson(form, problems)
  if (problems.size > 0 || !source.ok || target?.ok === false) return { ok: false, problems }
  const ids = { source: source.id, target: target?.id ?? '' }
  return { ok: true, payload: wrap(form, ids, attributes) }
}

/** Adds to `problems` what does not fit. */
function attributesJson(form: ElementForm, problems: Map<string, string>): string {
  const parts: string[] = []
  for (const [place, { name, type }] of form.type.attributes.entries()) {
    if (isKeyMember(form.type, name)) continue
    const isKey = form.type.kind === 'edge' && place < form.type.discriminatorCount
    const field = form.fields.get(name) ?? { text: '', op: '' }
    if (field.text === '' && !(isKey && type === 'STRING')) {
      if (isKey) problems.set(name, 'It tells edges apart, so it must be there.')
      continue
    }
    const value = cellJson(type, field.text)
    if (value.ok) parts.push(`${JSON.stringify(name)}:${valueJson(value.json, field.op)}`)
    else problems.set(name, value.problem)
  }
  return `{${parts.join(',')}}`
}

function valueJson(value: string, op: string): string {
  return op === '' ? `{"value":${value}}` : `{"value":${value},"op":${JSON.stringify(op)}}`
}

function wrap(
  { type, pair }: ElementForm,
  { source, target }: { readonly source: string; readonly target: string },
  attributes: string,
): string {
  const quote = JSON.stringify
  if (pair === null) {
    return `{"vertices":{${quote(type.name)}:{${quote(source)}:${attributes}}}}`
  }
  const edge = `{${quote(type.name)}:{${quote(pair.to)}:{${quote(target)}:${attributes}}}}`
  return `{"edges":{${quote(pair.from)}:{${quote(source)}:${edge}}}}`
}
