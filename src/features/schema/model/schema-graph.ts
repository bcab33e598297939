/** The schema as nodes and edges for the canvas: one node per vertex type, one edge per pair. */

import type { EdgeModel, SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { typeState } from './schema-diff.ts'

export interface SchemaNode {
  readonly id: string
  readonly typeName: string
  readonly mark: 'new' | 'changed' | 'same'
}

export interface SchemaEdge {
  /** Unique over the canvas: an edge type may have several pairs. */
  readonly id: string
  readonly typeName: string
  readonly from: string
  readonly to: string
  readonly directed: boolean
  readonly mark: 'new' | 'changed' | 'same'
}

export interface SchemaGraph {
  readonly nodes: readonly SchemaNode[]
  readonly edges: readonly SchemaEdge[]
}

export function schemaGraph(live: SchemaModel, draft: SchemaModel): SchemaGraph {
  return {
    nodes: draft.vertices.map((vertex) => ({
      id: nodeId(vertex.name),
      typeName: vertex.name,
      mark: typeState(live, draft, vertex),
    })),
    edges: draft.edges.flatMap((edge) => pairsOf(edge, typeState(live, draft, edge))),
  }
}

export function nodeId(typeName: string): string {
  return `v:${typeName}`
}

/** Stands for a whole component: see collapsed.ts. */
export function componentId(hub: string): string {
  return `c:${hub}`
}

export function isComponentId(elementId: string): boolean {
  return elementId.startsWith('c:')
}

export function edgeId(typeName: string, from: string, to: string): string {
  return `e:${typeName}:${from}:${to}`
}

/** The type behind an element of the canvas. */
export function typeNameOf(elementId: string): string {
  return elementId.split(':')[1] ?? ''
}

function pairsOf(edge: EdgeModel, mark: SchemaEdge['mark']): readonly SchemaEdge[] {
  return edge.pairs.map(({ from, to }) => ({
    id: edgeId(edge.name, from, to),
    typeName: edge.name,
    from: nodeId(from),
    to: nodeId(to),
    directed: edge.directed,
    mark,
  }))
}
