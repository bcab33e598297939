/**
 * Small graphs as data and as lines of text: a schema, and what was done to make the graph.
 *
 *     ! vertex {"name":"A","id":"STRING","attributes":{"i":"INT","l":"LIST<INT>"}}
 *     ! edge {"name":"E","directed":true,"pairs":["A>A"],"attributes":{"w":"INT"},"discriminators":0,"reverse":"RE"}
 *     ! put ["A","a1",{"i":1}]
 *     ! put ["E","A","a1","A","a2",{"w":2}]
 *     ! delete ["A","a1"]
 *     ! rebuild
 *
 * Integers that JSON does not hold are texts of digits with an `n` behind them.
 */

import type { EdgeType, ElementType, VertexType } from '#catalog/types.ts'
import {
  type AttributeType,
  type AttributeValue,
  type Catalog,
  emptyCatalog,
} from '#catalog/types.ts'

export type IdKind = 'STRING' | 'INT' | 'UINT'

export interface VertexSpec {
  readonly name: string
  readonly id: IdKind
  /** What the primary id is called; absent: `id`. */
  readonly idName?: string
  /** The primary id reads as the attribute `id`. */
  readonly idReads: boolean
  /** Types by name, as GSQL writes them. */
  readonly attributes: Readonly<Record<string, string>>
  /** Attributes with a secondary index; absent: none. */
  readonly indexes?: readonly string[]
}

export interface EdgeSpec {
  readonly name: string
  readonly directed: boolean
  /** `FROM>TO`. */
  readonly pairs: readonly string[]
  readonly attributes: Readonly<Record<string, string>>
  /** So many of the first attributes tell parallel edges apart. */
  readonly discriminators: number
  readonly reverse: string | null
}

export type Values = Readonly<Record<string, AttributeValue>>

export type VertexRow = readonly [type: string, id: string, values: Values]
export type EdgeRow = readonly [
  type: string,
  fromType: string,
  from: string,
  toType: string,
  to: string,
  values: Values,
]

export type Operation =
  | { readonly kind: 'put'; readonly row: VertexRow | EdgeRow }
  /** Of an edge the values are those of its discriminator. */
  | { readonly kind: 'delete'; readonly row: readonly [string, string] | EdgeRow }
  | { readonly kind: 'rebuild' }

export interface GraphSpec {
  readonly vertices: readonly VertexSpec[]
  readonly edges: readonly EdgeSpec[]
  readonly operations: readonly Operation[]
}

export const emptyGraph: GraphSpec = { vertices: [], edges: [], operations: [] }

export const GRAPH_NAME = 'g'

/** Ids of edge types begin here. */
const FIRST_EDGE_TYPE_ID = 100

export function catalogOf({ vertices, edges }: GraphSpec): Catalog {
  const vertexTypes = vertices.map((vertex, i) => vertexTypeOf(vertex, i + 1))
  const idOf = (name: string): number => vertexTypes.find((type) => type.name === name)?.id ?? 0
  const edgeTypes = edges.map((edge, i) => edgeTypeOf(edge, FIRST_EDGE_TYPE_ID + i, idOf))
  return {
    ...emptyCatalog,
    version: 1,
    nextTypeId: FIRST_EDGE_TYPE_ID + edges.length,
    vertexTypes,
    edgeTypes,
    graphs: [
      {
        name: GRAPH_NAME,
        vertexTypeIds: vertexTypes.map(({ id }) => id),
        edgeTypeIds: edgeTypes.map(({ id }) => id),
        schemaVersion: 1,
      },
    ],
  }
}

function vertexTypeOf(spec: VertexSpec, id: number): VertexType {
  const { name, id: type, idName = 'id', idReads } = spec
  const attributes = attributesOf(spec.attributes)
  const isIndexed = (attribute: { readonly name: string }) => spec.indexes?.includes(attribute.name)
  return {
    id,
    name,
    graph: null,
    primaryId: { syntax: 'PRIMARY_ID', names: [idName], type, asAttribute: idReads },
    attributes,
    indexes: attributes
      .filter(isIndexed)
      .map((attribute) => ({ name: `by_${attribute.name}`, attributeId: attribute.id })),
    nextAttributeId: attributes.length + 1,
    config: {},
  }
}

function edgeTypeOf(edge: EdgeSpec, id: number, idOf: (name: string) => number): EdgeType {
  const { name, directed, pairs, reverse, discriminators, attributes } = edge
  return {
    id,
    name,
    graph: null,
    directed,
    pairs: pairs.map((pair) => {
      const [from, to] = endsOf(pair)
      return { fromTypeId: idOf(from), toTypeId: idOf(to) }
    }),
    reverseName: reverse,
    discriminatorCount: discriminators,
    attributes: attributesOf(attributes),
    nextAttributeId: Object.keys(attributes).length + 1,
    config: {},
  }
}

export function endsOf(pair: string): readonly [from: string, to: string] {
  const [from = '', to = ''] = pair.split('>')
  return [from, to]
}

function attributesOf(types: Readonly<Record<string, string>>): VertexType['attributes'] {
  return Object.entries(types).map(([name, text], i) => ({
    id: i + 1,
    name,
    type: attributeType(text),
  }))
}

export function attributeType(text: string): AttributeType {
  const parts = /^(LIST|SET|MAP)<(\w+)(?:,(\w+))?>$/.exec(text)
  if (parts === null) return { kind: text } as AttributeType
  const element = { kind: parts[2]! } as ElementType
  if (parts[1] !== 'MAP') return { kind: parts[1] as 'LIST' | 'SET', element }
  return { kind: 'MAP', key: element, value: { kind: parts[3]! } as ElementType }
}

export function isEdgeRow(row: readonly unknown[]): row is EdgeRow {
  return row.length > 3
}

// Lines

export function linesOf({ vertices, edges, operations }: GraphSpec): string[] {
  return [
    ...vertices.map((vertex) => `! vertex ${jsonOf(vertex)}`),
    ...edges.map((edge) => `! edge ${jsonOf(edge)}`),
    ...operations.map((one) =>
      one.kind === 'rebuild' ? '! rebuild' : `! ${one.kind} ${jsonOf(one.row)}`,
    ),
  ]
}

/** The graph of these lines; null: they describe none. Other lines are left out. */
export function parseLines(lines: readonly string[]): GraphSpec | null {
  const vertices: VertexSpec[] = []
  const edges: EdgeSpec[] = []
  const operations: Operation[] = []
  for (const line of lines) {
    const parts = /^! (vertex|edge|put|delete|rebuild)(?: (.*))?$/.exec(line)
    if (parts === null) continue
    const value = parts[2] === undefined ? null : parsed(parts[2])
    if (parts[1] === 'vertex') vertices.push(value as VertexSpec)
    else if (parts[1] === 'edge') edges.push(value as EdgeSpec)
    else if (parts[1] === 'rebuild') operations.push({ kind: 'rebuild' })
    else operations.push({ kind: parts[1], row: value } as Operation)
  }
  return vertices.length === 0 ? null : { vertices, edges, operations }
}

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? `${one}n` : one))
}

function parsed(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown) => {
    return typeof value === 'string' && /^-?\d+n$/.test(value) ? BigInt(value.slice(0, -1)) : value
  })
}
