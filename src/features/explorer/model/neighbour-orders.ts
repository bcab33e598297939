/** By what the list of one kind of neighbour can be ordered. */
import { findEdge, findVertex, type SchemaModel } from '#lib/graph-schema/schema-model.ts'
import type { DegreeRow } from './scene.ts'

const orderedTypes = /^(U?INT|FLOAT|DOUBLE|BOOL|STRING|DATETIME)\b/

/** Attributes of the edge, then the id and attributes of the vertex at its other end, each name once. */
export function orderNames(
  schema: SchemaModel | undefined,
  { edgeType, targetType }: Pick<DegreeRow, 'edgeType' | 'targetType'>,
): readonly string[] {
  if (schema === undefined) return []
  const vertex = findVertex(schema, targetType)
  const ids = vertex?.primaryId.names ?? []
  const attributes = [
    ...(findEdge(schema, edgeType)?.attributes ?? []),
    ...(ids.length === 1 ? ids.map((name) => ({ name, type: 'STRING' })) : []),
    ...(vertex?.attributes ?? []),
  ]
  const names = attributes.filter(({ type }) => orderedTypes.test(type)).map(({ name }) => name)
  return [...new Set(names)]
}
