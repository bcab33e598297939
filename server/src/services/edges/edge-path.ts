/**
 * The path of an edge call, `…/edges/{source type}/{id}[/{edge type}[/{target type}[/{target id}
 * [/{discriminator}]]]]`, resolved to **strips**: one direction of one adjacency,
 * seen from the source vertex.
 */
import { edgeTypesOf, requireEdgeType, requireVertexType } from '#catalog/lookup.ts'
import type { Catalog, EdgeType, VertexType } from '#catalog/types.ts'
import { findVertex } from '#graph/tables/find-vertex.ts'
import type { AdjacencyView, EdgeTableView, GraphView, VertexTableView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import { type ReadableType, readableEdgeType } from '../read/attributes.ts'
import { parseDiscriminator } from '../read/discriminator.ts'
import { tableOf, vertexNotFound } from '../vertices/vertex-service.ts'

export interface EdgePath {
  readonly sourceType: string
  readonly sourceId: string
  /** `_`: any, unless `notWildcard`. */
  readonly edgeType?: string | undefined
  readonly targetType?: string | undefined
  readonly targetId?: string | undefined
  readonly discriminator?: string | undefined
  readonly notWildcard?: boolean | undefined
}

export interface EdgeStrip {
  /** The name the edges are shown under: the type's own, or its reverse name. */
  readonly name: string
  readonly nameIndex: number
  readonly type: EdgeType
  readonly isReverse: boolean
  /** Walked from TO to FROM. */
  readonly isBackward: boolean
  readonly adjacency: AdjacencyView
  readonly other: VertexTableView
  readonly readable: ReadableType
}

export interface ResolvedPath {
  readonly source: VertexTableView
  readonly sourceRow: number
  readonly targetRow: number | null
  /** Every name the path asks for, in schema order, also those without a strip. */
  readonly names: readonly string[]
  readonly isWildcard: boolean
  readonly strips: readonly EdgeStrip[]
  /** The discriminator's values as texts. */
  readonly discriminator: readonly string[] | null
}

interface NamedType {
  readonly name: string
  readonly type: EdgeType
  readonly reversed: boolean
}

/** @throws DbError VERTEX_TYPE_NOT_FOUND, EDGE_TYPE_NOT_FOUND, VERTEX_NOT_FOUND, INVALID_PARAMETER */
export function resolvePath(
  catalog: Catalog,
  view: GraphView,
  graph: string,
  path: EdgePath,
): ResolvedPath {
  const sourceType = requireVertexType(catalog, graph, path.sourceType)
  const isWildcard = path.edgeType === undefined || (path.edgeType === '_' && !path.notWildcard)
  const named = isWildcard
    ? allNames(edgeTypesOf(catalog, graph))
    : [namedType(catalog, graph, path.edgeType!)]
  const targetType = targetTypeOf(catalog, graph, path)
  const source = tableOf(view, sourceType)
  const sourceRow = findVertex(source, path.sourceId)
  if (sourceRow < 0) throw vertexNotFound('source_vertex', path.sourceId, sourceType.name)
  const strips = named.flatMap((one, nameIndex) =>
    stripsOf(view, one, nameIndex, { fromTypeId: sourceType.id, toTypeId: targetType?.id ?? null }),
  )
  return {
    source,
    sourceRow,
    targetRow: targetRowOf(view, targetType, path.targetId),
    names: named.map(({ name }) => name),
    isWildcard,
    strips,
    discriminator: discriminatorOf(named, path.discriminator),
  }
}

/** Every name of each type: its own, then its reverse name. */
function allNames(types: readonly EdgeType[]): NamedType[] {
  return types.flatMap((type) => {
    const forward = { name: type.name, type, reversed: false }
    if (type.reverseName === null) return [forward]
    return [forward, { name: type.reverseName, type, reversed: true }]
  })
}

function namedType(catalog: Catalog, graph: string, name: string): NamedType {
  return { name, ...requireEdgeType(catalog, graph, name) }
}

function targetTypeOf(catalog: Catalog, graph: string, path: EdgePath): VertexType | null {
  const { targetType, notWildcard } = path
  if (targetType === undefined || (targetType === '_' && !notWildcard)) return null
  return requireVertexType(catalog, graph, targetType)
}

function targetRowOf(
  view: GraphView,
  type: VertexType | null,
  id: string | undefined,
): number | null {
  if (id === undefined) return null
  if (type === null) {
    throw new DbError('INVALID_PARAMETER', 'A target vertex id needs its vertex type in the path.')
  }
  const row = findVertex(tableOf(view, type), id)
  if (row < 0) throw vertexNotFound('target_vertex', id, type.name)
  return row
}

/** What an edge type shows of a vertex of one type, toward one type or any. */
export function stripsOf(
  view: GraphView,
  { name, type, reversed }: NamedType,
  nameIndex: number,
  ends: { readonly fromTypeId: number; readonly toTypeId: number | null },
): EdgeStrip[] {
  const table = edgeTableOf(view, type)
  const strips: EdgeStrip[] = []
  for (const adjacency of table.adjacencies) {
    for (const isBackward of directions(type, reversed)) {
      const [near, far] = isBackward
        ? [adjacency.toTypeId, adjacency.fromTypeId]
        : [adjacency.fromTypeId, adjacency.toTypeId]
      if (near !== ends.fromTypeId || (ends.toTypeId !== null && ends.toTypeId !== far)) continue
      const readable = readableEdgeType(name, type, adjacency.columns)
      const other = view.vertexTables.find((candidate) => candidate.typeId === far)
      assert(other !== undefined, 'an edge type leads to a vertex type without a table')
      const isReverse = reversed
      strips.push({
        name,
        nameIndex,
        type,
        isReverse,
        isBackward,
        adjacency,
        other,
        readable,
      })
    }
  }
  return strips
}

function directions(type: EdgeType, reversed: boolean): readonly boolean[] {
  return type.directed ? [reversed] : [false, true]
}

function edgeTableOf(view: GraphView, type: EdgeType): EdgeTableView {
  const table = view.edgeTables.find((candidate) => candidate.typeId === type.id)
  assert(table !== undefined, `edge type ${type.name} has no table`)
  return table
}

function discriminatorOf(
  named: readonly NamedType[],
  text: string | undefined,
): readonly string[] | null {
  if (text === undefined) return null
  const [only] = named
  if (only === undefined || named.length > 1) {
    throw new DbError('INVALID_PARAMETER', 'A discriminator needs its edge type in the path.')
  }
  return parseDiscriminator(text, only.type)
}
