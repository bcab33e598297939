/** Type definitions pasted as JSON become operations on the draft. */

import type { TypeModel } from '#lib/graph-schema/schema-model.ts'
import {
  type EdgeTypeJson,
  readEdge,
  readVertex,
  type VertexTypeJson,
} from '#lib/graph-schema/wire-form.ts'
import type { Operation } from './operations.ts'

const vertexKeys = ['VertexTypes', 'createVertices', 'addVertexTypes']
const edgeKeys = ['EdgeTypes', 'createEdges', 'addEdgeTypes']

export type Imported =
  | { readonly ok: true; readonly operations: readonly Operation[] }
  | { readonly ok: false; readonly problem: string }

/**
 * Reads what schema listings, create requests and schema changes call their types; vertices come
 * first, so that edges find their ends.
 */
export function importSchema(text: string): Imported {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : 'This is not JSON.' }
  }
  if (typeof json !== 'object' || json === null) return { ok: false, problem: 'Paste an object.' }
  const parts = json as Readonly<Record<string, unknown>>
  try {
    const vertices = listOf(parts, vertexKeys).map((one) =>
      addition(readVertex(vertexOf(one)), one),
    )
    const edges = listOf(parts, edgeKeys).map((one) => addition(readEdge(edgeOf(one)), one))
    if (vertices.length + edges.length === 0) {
      return {
        ok: false,
        problem: `No types found under ${[...vertexKeys, ...edgeKeys].join(', ')}.`,
      }
    }
    return { ok: true, operations: [...vertices, ...edges] }
  } catch {
    return { ok: false, problem: 'A type lacks its Name, PrimaryId or AttributeType.' }
  }
}

function listOf(parts: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown[] {
  return keys.flatMap((key) => (Array.isArray(parts[key]) ? (parts[key] as unknown[]) : []))
}

/** The specification spells the id's name `Name`; our reader wants `AttributeName`. */
function vertexOf(json: unknown): VertexTypeJson {
  const type = json as VertexTypeJson & { readonly PrimaryId: { readonly Name?: string } }
  const { Name: idName, ...primaryId } = type.PrimaryId
  const AttributeName = primaryId.AttributeName ?? idName ?? 'id'
  return { ...type, Attributes: type.Attributes ?? [], PrimaryId: { ...primaryId, AttributeName } }
}

function edgeOf(json: unknown): EdgeTypeJson {
  const type = json as EdgeTypeJson
  return { ...type, Attributes: type.Attributes ?? [], IsDirected: type.IsDirected ?? false }
}

/** A type is local unless the JSON says `IsLocal: false`. */
function addition(type: TypeModel, json: unknown): Operation {
  const isLocal = (json as { readonly IsLocal?: boolean }).IsLocal !== false
  const attributes = type.attributes.map((attribute) => ({ ...attribute, isNew: true }))
  return { kind: 'addType', type: { ...type, attributes, isNew: true, isLocal } }
}
