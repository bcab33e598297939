/** Ids as people give them: one text, or the members of a composite key, which commas join. */

import { idProblem } from '#lib/graph-schema/cell-value.ts'
import { findVertex, type SchemaModel, type VertexModel } from '#lib/graph-schema/schema-model.ts'

export interface IdMember {
  /** Empty when the id is one text: it needs no name of its own then. */
  readonly name: string
  readonly type: string
}

export type IdReading =
  | { readonly ok: true; readonly id: string }
  | { readonly ok: false; readonly problem: string }

export function idMembers(vertex: VertexModel): readonly IdMember[] {
  const { syntax, names, type } = vertex.primaryId
  if (syntax !== 'COMPOSITE') return [{ name: '', type }]
  return names.map((name) => ({
    name,
    type: vertex.attributes.find((attribute) => attribute.name === name)?.type ?? 'STRING',
  }))
}

export function idMembersOf(schema: SchemaModel, vertexName: string): readonly IdMember[] {
  const vertex = findVertex(schema, vertexName)
  return vertex === undefined ? [{ name: '', type: 'STRING' }] : idMembers(vertex)
}

/** Members of a composite key come from the id; a payload does not name them again. */
export function isKeyMember(type: { readonly kind: string }, attribute: string): boolean {
  const { primaryId } = type as Partial<VertexModel>
  return type.kind === 'vertex' && primaryId?.names.includes(attribute) === true
}

/**
 * @param texts one per member, in key order
 * @param isExact blanks around a text belong to it, as they do for loading jobs; else they do not count
 */
export function readId(
  members: readonly IdMember[],
  texts: readonly string[],
  isExact = false,
): IdReading {
  const parts: string[] = []
  for (const [place, { name, type }] of members.entries()) {
    const given = texts[place] ?? ''
    const text = isExact && type === 'STRING' ? given : given.trim()
    const isLast = place === members.length - 1
    const problem =
      idProblem(type, text) ??
      (isLast || !text.includes(',') ? null : `a comma in ${text} would part it from the next`)
    if (problem !== null)
      return { ok: false, problem: name === '' ? problem : `${name}: ${problem}` }
    parts.push(text)
  }
  return { ok: true, id: parts.join(',') }
}
