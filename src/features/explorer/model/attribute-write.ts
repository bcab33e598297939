/**
 * A change of attributes of one element, as texts: what they were and what they are to be. Texts
 * and not values, because every digit of a 64-bit integer has to reach the server. Turned round,
 * it is what takes the change back.
 */
import { cellJson } from '#lib/graph-schema/cell-value.ts'
import {
  type AttributeModel,
  findType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { stringifyLossless } from '#lib/json/lossless-json.ts'
import { parseVertexKey, type SceneEdge, type SceneVertex } from './scene.ts'

export type Texts = Readonly<Record<string, string>>

export interface AttributeWrite {
  readonly element: SceneVertex | SceneEdge
  readonly before: Texts
  readonly after: Texts
}

export const reversed = ({ element, before, after }: AttributeWrite): AttributeWrite => ({
  element,
  before: after,
  after: before,
})

/** An attribute's value as its field shows it, and as a field takes it back. */
export function fieldText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? stringifyLossless(value) : String(value)
}

/** What of a type may be changed: not what its elements are known by. */
export function editableAttributes(
  schema: SchemaModel,
  typeName: string,
): readonly AttributeModel[] {
  const type = findType(schema, typeName)
  if (type === undefined) return []
  const keys = keyNames(type)
  return type.attributes.filter(({ name }) => !keys.has(name))
}

export function keyNames(type: TypeModel): ReadonlySet<string> {
  if (type.kind === 'vertex') return new Set(type.primaryId.names)
  return new Set(type.attributes.slice(0, type.discriminatorCount).map(({ name }) => name))
}

/** Problems of texts that no value of their type has, by attribute. */
export function textProblems(
  attributes: readonly AttributeModel[],
  texts: Texts,
): ReadonlyMap<string, string> {
  const problems = new Map<string, string>()
  for (const { name, type } of attributes) {
    const text = texts[name]
    const json = text === undefined ? null : cellJson(type, text)
    if (json?.ok === false) problems.set(name, json.problem)
  }
  return problems
}

/** The attributes that are not any more what the writer saw, with what they are. */
export function conflicts(
  { before }: AttributeWrite,
  now: Readonly<Record<string, unknown>>,
): readonly (readonly [string, string])[] {
  return Object.keys(before)
    .map((name) => [name, fieldText(now[name])] as const)
    .filter(([name, text]) => text !== before[name])
}

/** The upsert of the new values; of an edge, with what tells it from parallel ones. */
export function writePayload(schema: SchemaModel, { element, after }: AttributeWrite): string {
  const type = findType(schema, element.type)
  if (type === undefined) throw new Error(`The schema has no type ${element.type} any more.`)
  const texts: Record<string, string> = { ...after }
  if (type.kind === 'edge') {
    for (const name of keyNames(type)) texts[name] = fieldText(element.attributes?.[name])
  }
  const values = type.attributes.flatMap(({ name, type: valueType }) => {
    const text = texts[name]
    if (text === undefined) return []
    const json = cellJson(valueType, text)
    if (!json.ok) throw new Error(`${name}: ${json.problem}.`)
    return `${JSON.stringify(name)}:{"value":${json.json}}`
  })
  return wrapped(element, `{${values.join(',')}}`)
}

function wrapped(element: SceneVertex | SceneEdge, attributes: string): string {
  const quote = JSON.stringify
  if ('id' in element) {
    return `{"vertices":{${quote(element.type)}:{${quote(element.id)}:${attributes}}}}`
  }
  const [from, to] = [parseVertexKey(element.from), parseVertexKey(element.to)]
  const end = `{${quote(to.type)}:{${quote(to.id)}:${attributes}}}`
  return `{"edges":{${quote(from.type)}:{${quote(from.id)}:{${quote(element.type)}:${end}}}}}`
}
