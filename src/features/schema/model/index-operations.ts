/** Secondary indexes of a draft. */
import { isIndexable } from '#lib/graph-schema/attribute-type.ts'
import {
  findVertex,
  type IndexModel,
  replaceType,
  type SchemaModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse, unknownAttribute, unknownType } from './applied.ts'
import { indexNameProblem } from './names.ts'

export function addIndex(schema: SchemaModel, name: string, index: IndexModel): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const problem = indexNameProblem(schema, index.name)
  if (problem !== null) return refuse(problem)
  const attribute = vertex.attributes.find((other) => other.name === index.attribute)
  if (attribute === undefined) return unknownAttribute(name, index.attribute)
  if (!isIndexable(attribute.type)) return refuse(`${attribute.type} cannot be indexed.`)
  if (vertex.indexes.some((other) => other.attribute === index.attribute)) {
    return refuse(`${index.attribute} has an index already.`)
  }
  return accept(
    replaceType(schema, name, {
      ...vertex,
      indexes: [...vertex.indexes, index],
    }),
  )
}

export function dropIndex(schema: SchemaModel, name: string, index: string): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const indexes = vertex.indexes.filter((other) => other.name !== index)
  if (indexes.length === vertex.indexes.length) return refuse(`${name} has no index ${index}.`)
  return accept(replaceType(schema, name, { ...vertex, indexes }))
}
