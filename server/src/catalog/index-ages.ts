/** Since when secondary indexes are there: told to who asks whether one has had time to be of use. */
import type { Catalog, IndexDefinition, VertexType } from './types.ts'

/**
 * Notes the time on those indexes of `next` that `before` has not got. One whose attribute has got a
 * wider type is built anew, and keeps its age.
 */
export function withIndexAges(before: Catalog, next: Catalog, nowMs: number): Catalog {
  if (next.vertexTypes === before.vertexTypes) return next
  const old = new Map(before.vertexTypes.map((type) => [type.id, type.indexes]))
  const dated = (type: VertexType): VertexType => {
    const known = old.get(type.id) ?? []
    if (type.indexes === known || type.indexes.every((index) => known.includes(index))) return type
    const sourceOf = ({ attributeId }: IndexDefinition) =>
      type.attributes.find(({ id }) => id === attributeId)?.convertedFrom
    const isOld = (index: IndexDefinition) =>
      known.some(
        (one) => one === index || (one.name === index.name && one.attributeId === sourceOf(index)),
      )
    const indexes = type.indexes.map((index) =>
      isOld(index) ? index : { ...index, createdAtMs: nowMs },
    )
    return { ...type, indexes }
  }
  return { ...next, vertexTypes: next.vertexTypes.map(dated) }
}
