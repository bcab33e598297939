/** What the lines of DELETE statements take away (docs/reference/gsql/loading.md), bound to the schema. */
import { requireEdgeType, requireVertexType, vertexTypeById } from '#catalog/lookup.ts'
import type { DeleteTarget } from '#query/syntax/script/ast-script.ts'
import type { EdgePath } from '../edges/edge-path.ts'
import type { Deletion } from './load-protocol.ts'
import type { Row } from './row.ts'
import { endFault, endOf, newCounts, type ObjectCounts, type TargetContext } from './targets.ts'

/** What deletes by external keys; of what is not there it deletes nothing. */
export interface Deleter {
  vertex(graph: string, type: string, id: string): Promise<void>
  edges(graph: string, path: EdgePath): Promise<void>
}

export interface DeletionTarget {
  readonly kind: 'deleteVertex' | 'deleteEdge'
  readonly counts: ObjectCounts
  /** A text: why the line names nothing that could be; it is counted. */
  find(row: Row): Deletion | string
}

export function deletionOf(context: TargetContext, target: DeleteTarget): DeletionTarget {
  return target.kind === 'deleteVertex'
    ? vertexDeletion(context, target)
    : edgeDeletion(context, target)
}

/** @throws DbError VERTEX_TYPE_NOT_FOUND */
function vertexDeletion(
  context: TargetContext,
  { type, id }: Extract<DeleteTarget, { kind: 'deleteVertex' }>,
): DeletionTarget {
  const { graph } = context
  const { name } = requireVertexType(context.catalog, graph, type)
  const counts = newCounts(name)
  const read = endOf(context, { end: { id: [id], type: null }, types: [name], place: 'FROM' })
  return {
    kind: 'deleteVertex',
    counts,
    find: (row) => {
      const found = read(row)
      if (found === null) counts.invalidPrimaryId++
      if (found === null) return endFault(true)
      counts.validObject++
      return { kind: 'vertex', type: name, id: found.id }
    },
  }
}

/** @throws DbError EDGE_TYPE_NOT_FOUND, SCHEMA_RULE where an end's type must be said */
function edgeDeletion(
  context: TargetContext,
  target: Extract<DeleteTarget, { kind: 'deleteEdge' }>,
): DeletionTarget {
  const { evaluator } = context
  const counts = newCounts(target.type)
  const ends = endTypes(context, target.type)
  const from = endOf(context, { end: target.from, types: ends.from, place: 'FROM' })
  const to =
    target.to === null ? null : endOf(context, { end: target.to, types: ends.to, place: 'TO' })
  return {
    kind: 'deleteEdge',
    counts,
    find: (row) => {
      const source = from(row)
      const sink = to === null ? undefined : to(row)
      if (source === null || sink === null) {
        if (source === null) counts.invalidPrimaryId++
        else counts.invalidSecondaryId++
        return endFault(source === null)
      }
      const parts = target.discriminator.map((value) => evaluator.text(value, row))
      const path: EdgePath = {
        sourceType: source.type,
        sourceId: source.id,
        ...(target.type !== '*' && { edgeType: target.type, notWildcard: true }),
        ...(target.type === '*' && sink !== undefined && { edgeType: '_' }),
        ...(sink !== undefined && { targetType: sink.type, targetId: sink.id }),
        ...(parts.length > 0 && {
          discriminator: parts.map((part) => part.replaceAll(',', '\\,')).join(','),
        }),
      }
      counts.validObject++
      return { kind: 'edges', path }
    },
  }
}

/** Every vertex type that may stand at each end. */
function endTypes({ catalog, graph }: TargetContext, type: string) {
  if (type === '*') {
    const all = catalog.graphs.find(({ name }) => name === graph)?.vertexTypeIds ?? []
    const names = all.map((id) => vertexTypeById(catalog, id).name)
    return { from: names, to: names }
  }
  const { type: edge, reversed } = requireEdgeType(catalog, graph, type)
  const nameOf = (id: number) => vertexTypeById(catalog, id).name
  const one = edge.pairs.map(({ fromTypeId }) => nameOf(fromTypeId))
  const other = edge.pairs.map(({ toTypeId }) => nameOf(toTypeId))
  if (!edge.directed) return { from: [...one, ...other], to: [...one, ...other] }
  return reversed ? { from: other, to: one } : { from: one, to: other }
}
