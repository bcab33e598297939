/** `TO VECTOR ATTRIBUTE emb ON VERTEX V VALUES (id, vector)` of a loading job. */
import { requireVertexType } from '#catalog/lookup.ts'
import { missingAttribute } from '#catalog/rule.ts'
import { vectorsOf } from '#catalog/vectors.ts'
import { DbError } from '#kernel/errors.ts'
import type { LoadTarget } from '#query/syntax/script/ast-script.ts'
import {
  attributesText,
  attributeValue,
  type ElementTarget,
  idFault,
  idReader,
  newCounts,
  type TargetContext,
} from './targets.ts'

/**
 * The id is the whole of it: the parts of a composite one joined by commas. A vertex that is not
 * there is made, as by every other load.
 * @throws DbError VERTEX_TYPE_NOT_FOUND, ATTRIBUTE_NOT_FOUND, SCHEMA_RULE
 */
export function vectorTarget(
  context: TargetContext,
  target: Extract<LoadTarget, { kind: 'vector' }>,
): ElementTarget {
  const type = requireVertexType(context.catalog, context.graph, target.type)
  const attribute = vectorsOf(type).find(({ name }) => name === target.attribute)
  if (attribute === undefined) throw missingAttribute(target.attribute, type.name)
  const [idValue, value, more] = target.values
  if (idValue === undefined || value === undefined || more !== undefined) {
    const text = 'Semantic Check Fails: a vector attribute takes two VALUES, an id and a vector.'
    throw new DbError('SCHEMA_RULE', text)
  }
  const written = [attributeValue(type.name, attribute, value)]
  const counts = newCounts(type.name)
  const idOf = idReader(context, type, [idValue])
  return {
    kind: 'vertex',
    counts,
    defaulted: written.map(({ defaulted }) => defaulted),
    add: (row, batch) => {
      const id = idOf(row)
      const fault = idFault(type, id, counts)
      if (fault !== null) return fault
      const attributes = attributesText(context, written, row, counts)
      if (attributes.fault !== null) return attributes.fault
      counts.validObject++
      batch.addVertex(type.name, id, attributes.json)
      return null
    },
  }
}
