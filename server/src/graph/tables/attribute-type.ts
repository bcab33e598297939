import type { Attribute, AttributeType } from '#catalog/types.ts'
import { DbError } from '#kernel/errors.ts'

/** @throws DbError CORRUPT_LOG: a frame names an attribute the type does not have. */
export function attributeTypeOf(
  typeName: string,
  attributes: readonly Attribute[],
  attributeId: number,
): AttributeType {
  const attribute = attributes.find((candidate) => candidate.id === attributeId)
  if (attribute !== undefined) return attribute.type
  throw new DbError('CORRUPT_LOG', `mutation batch: attribute ${attributeId} of ${typeName}`)
}
