/** Which files an export has: one per vertex type, one per pair of an edge type. */
import { edgeTypesOf, vertexTypeById, vertexTypesOf } from '#catalog/lookup.ts'
import type { Attribute, Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import { vectorsOf } from '#catalog/vectors.ts'

export type ExportFormat = 'upsert' | 'payload' | 'csv' | 'json'

export interface AttributeReference {
  readonly id: number
  readonly name: string
}

interface FileBase {
  /** In the directory of the export. */
  readonly file: string
  /** The graph whose upserts take it: the first that has the types. */
  readonly graph: string
  readonly typeId: number
  readonly type: string
  readonly attributes: readonly AttributeReference[]
}

export interface VertexFile extends FileBase {
  readonly kind: 'vertices'
}

export interface EdgeFile extends FileBase {
  readonly kind: 'edges'
  readonly directed: boolean
  readonly fromTypeId: number
  readonly toTypeId: number
  readonly from: string
  readonly to: string
}

export type ElementFile = VertexFile | EdgeFile

/** Whether lines are payloads of docs/reference/rest.md. */
export const isPayload = (format: ExportFormat): format is 'upsert' | 'payload' =>
  format === 'upsert' || format === 'payload'

const endings: Readonly<Record<ExportFormat, string>> = {
  upsert: 'ndjson',
  payload: 'ndjson',
  csv: 'csv',
  json: 'ndjson',
}

/**
 * Vertices before edges, each type once however many graphs share it. What no graph has holds
 * nothing that could be read.
 */
export function elementFiles(
  catalog: Catalog,
  graphs: readonly string[],
  format: ExportFormat,
): readonly ElementFile[] {
  const vertices = new Map<number, VertexFile>()
  const edges = new Map<string, EdgeFile>()
  for (const graph of graphs) {
    for (const type of vertexTypesOf(catalog, graph)) {
      if (!vertices.has(type.id)) vertices.set(type.id, vertexFile(graph, type, format))
    }
    for (const type of edgeTypesOf(catalog, graph)) {
      for (const file of edgeFiles(catalog, graph, type, format)) {
        const key = `${file.typeId} ${file.fromTypeId} ${file.toTypeId}`
        if (!edges.has(key)) edges.set(key, file)
      }
    }
  }
  return [...vertices.values(), ...edges.values()]
}

function vertexFile(graph: string, type: VertexType, format: ExportFormat): VertexFile {
  const { primaryId } = type
  const isKey = (name: string) =>
    primaryId.syntax !== 'PRIMARY_ID' && primaryId.names.includes(name)
  // An import says the key by the id; other programs like to see it by its name.
  const own = type.attributes.filter(({ name }) => !isPayload(format) || !isKey(name))
  return {
    kind: 'vertices',
    file: `vertices-${homeOf(type)}${type.name}.${endings[format]}`,
    graph,
    typeId: type.id,
    type: type.name,
    attributes: [...own, ...vectorsOf(type)].map(referenceOf),
  }
}

function edgeFiles(
  catalog: Catalog,
  graph: string,
  type: EdgeType,
  format: ExportFormat,
): EdgeFile[] {
  return type.pairs.map(({ fromTypeId, toTypeId }) => {
    const from = vertexTypeById(catalog, fromTypeId).name
    const to = vertexTypeById(catalog, toTypeId).name
    return {
      kind: 'edges',
      file: `edges-${homeOf(type)}${type.name}-${from}-${to}.${endings[format]}`,
      graph,
      typeId: type.id,
      type: type.name,
      directed: type.directed,
      attributes: type.attributes.map(referenceOf),
      fromTypeId,
      toTypeId,
      from,
      to,
    }
  })
}

/** Local types of two graphs may share a name. */
function homeOf({ graph }: { readonly graph: string | null }): string {
  return graph === null ? '' : `${graph}.`
}

function referenceOf({ id, name }: Attribute): AttributeReference {
  return { id, name }
}
