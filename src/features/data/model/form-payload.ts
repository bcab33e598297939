/** One vertex or edge typed into a form, as an upsert payload. */
import type { EdgePairModel, TypeModel } from '#lib/graph-schema/schema-model.ts'
import { cellJson, idProblem } from './cell-value.ts'

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
  readonly idTypes: { readonly source: string; readonly target: string }
  /** The vertex's id, or the edge's source. */
  readonly source: string
  readonly target: string
  readonly fields: ReadonlyMap<string, FieldValue>
}

export type FormPayload =
  | { readonly ok: true; readonly payload: string }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> }

/** Problems are keyed by attribute name, and `source` and `target` with a leading @. */
export function formPayload(form: ElementForm): FormPayload {
  const problems = new Map<string, string>(endProblems(form))
  const parts: string[] = []
  for (const [place, { name, type }] of form.type.attributes.entries()) {
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
  if (problems.size > 0) return { ok: false, problems }
  return { ok: true, payload: wrap(form, `{${parts.join(',')}}`) }
}

function endProblems(form: ElementForm): (readonly [string, string])[] {
  const source = idProblem(form.idTypes.source, form.source)
  const target = form.pair === null ? null : idProblem(form.idTypes.target, form.target)
  return [
    ...(source === null ? [] : [['@source', source] as const]),
    ...(target === null ? [] : [['@target', target] as const]),
  ]
}

function valueJson(value: string, op: string): string {
  return op === '' ? `{"value":${value}}` : `{"value":${value},"op":${JSON.stringify(op)}}`
}

function wrap({ type, pair, source, target }: ElementForm, attributes: string): string {
  const quote = JSON.stringify
  if (pair === null) {
    return `{"vertices":{${quote(type.name)}:{${quote(source)}:${attributes}}}}`
  }
  const edge = `{${quote(type.name)}:{${quote(pair.to)}:{${quote(target)}:${attributes}}}}`
  return `{"edges":{${quote(pair.from)}:{${quote(source)}:${edge}}}}`
}
