/** Type definitions pasted as JSON become operations on the draft. */

import type { TypeModel } from '#lib/graph-schema/schema-model.ts'
import { readTypes, typesIncomplete } from '#lib/graph-schema/types-json.ts'
import { readEdge, readVertex } from '#lib/graph-schema/wire-form.ts'
import type { Operation } from './operations.ts'

export type Imported =
  | { readonly ok: true; readonly operations: readonly Operation[] }
  | { readonly ok: false; readonly problem: string }

/** Vertices come first, so that edges find their ends. */
export function importSchema(text: string): Imported {
  const types = readTypes(text)
  if (!types.ok) return types
  try {
    const vertices = types.vertices.map((json) => addition(readVertex(json), json.IsLocal))
    const edges = types.edges.map((json) => addition(readEdge(json), json.IsLocal))
    return { ok: true, operations: [...vertices, ...edges] }
  } catch {
    return { ok: false, problem: typesIncomplete }
  }
}

/** A type is local unless the JSON says `IsLocal: false`. */
export function addition(type: TypeModel, local: boolean | undefined): Operation {
  const isLocal = local !== false
  const attributes = type.attributes.map((attribute) => ({ ...attribute, isNew: true }))
  return { kind: 'addType', type: { ...type, attributes, isNew: true, isLocal } }
}
