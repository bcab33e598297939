/** Type definitions as people paste them: from a listing, a create request or a schema change. */
import type { EdgeTypeJson, VertexTypeJson } from './wire-form.ts'

const vertexKeys = ['VertexTypes', 'createVertices', 'addVertexTypes']
const edgeKeys = ['EdgeTypes', 'createEdges', 'addEdgeTypes']

export type PastedTypes =
  | {
      readonly ok: true
      readonly vertices: readonly VertexTypeJson[]
      readonly edges: readonly EdgeTypeJson[]
    }
  | { readonly ok: false; readonly problem: string }

export const typesIncomplete = 'A type lacks its Name, PrimaryId or AttributeType.'

export function readTypes(text: string): PastedTypes {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    return { ok: false, problem: error instanceof Error ? error.message : 'This is not JSON.' }
  }
  if (typeof json !== 'object' || json === null) return { ok: false, problem: 'Paste an object.' }
  const parts = json as Readonly<Record<string, unknown>>
  try {
    const vertices = listOf(parts, vertexKeys).map(vertexOf)
    const edges = listOf(parts, edgeKeys).map(edgeOf)
    if (vertices.length + edges.length > 0) return { ok: true, vertices, edges }
    const keys = [...vertexKeys, ...edgeKeys].join(', ')
    return { ok: false, problem: `No types found under ${keys}.` }
  } catch {
    return { ok: false, problem: typesIncomplete }
  }
}

function listOf(parts: Readonly<Record<string, unknown>>, keys: readonly string[]): unknown[] {
  return keys.flatMap((key) => (Array.isArray(parts[key]) ? (parts[key] as unknown[]) : []))
}

/** The specification spells the id's name `Name`; our reader wants `AttributeName`. */
export function vertexOf(json: unknown): VertexTypeJson {
  const type = json as VertexTypeJson & { readonly PrimaryId: { readonly Name?: string } }
  const { Name: idName, ...primaryId } = type.PrimaryId
  const AttributeName = primaryId.AttributeName ?? idName ?? 'id'
  return { ...type, Attributes: type.Attributes ?? [], PrimaryId: { ...primaryId, AttributeName } }
}

export function edgeOf(json: unknown): EdgeTypeJson {
  const type = json as EdgeTypeJson
  return { ...type, Attributes: type.Attributes ?? [], IsDirected: type.IsDirected ?? false }
}
