/** Names of types, attributes and indexes: the rules the server applies, said while typing. */
import { identifierProblem } from '#lib/graph-schema/identifier.ts'
import { findType, type SchemaModel, type TypeModel } from '#lib/graph-schema/schema-model.ts'

/** What is wrong with a type name in this schema, or null. `self` is the type's present name. */
export function typeNameProblem(
  schema: SchemaModel,
  name: string,
  self: string | null = null,
): string | null {
  const problem = identifierProblem(name)
  if (problem !== null || name === self) return problem
  const taken = findType(schema, name)
  if (taken !== undefined) return `${name} is already ${article(taken)} type.`
  const twin = schema.edges.find((edge) => edge.reverseName === name && edge.name !== self)
  return twin === undefined ? null : `${name} is already the reverse edge of ${twin.name}.`
}

/** What is wrong with the name of an attribute or vector in its type, or null. */
export function attributeNameProblem(
  type: TypeModel,
  name: string,
  self: string | null = null,
): string | null {
  const problem = identifierProblem(name)
  if (problem !== null || name === self) return problem
  const vectors = (type.kind === 'vertex' && type.vectors) || []
  if ([...type.attributes, ...vectors].some((one) => one.name === name)) {
    return `${type.name} already has an attribute ${name}.`
  }
  if (type.kind === 'vertex' && type.primaryId.names.includes(name)) {
    return `${name} is the primary id of ${type.name}.`
  }
  return null
}

/** Index names are unique over the whole graph. */
export function indexNameProblem(schema: SchemaModel, name: string): string | null {
  const problem = identifierProblem(name)
  if (problem !== null) return problem
  const owner = schema.vertices.find((vertex) =>
    vertex.indexes.some((index) => index.name === name),
  )
  return owner === undefined
    ? null
    : `${owner.name} already has an index ${name}: a name is given once in a graph.`
}

/** `stem`, or `stem2`, `stem3`… : the first that nothing in the schema uses. */
export function freeTypeName(schema: SchemaModel, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}${number}`
    if (typeNameProblem(schema, name) === null) return name
  }
}

export function freeIndexName(schema: SchemaModel, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}${number}`
    if (indexNameProblem(schema, name) === null) return name
  }
}

export function freeAttributeName(type: TypeModel, stem: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? stem : `${stem}${number}`
    if (attributeNameProblem(type, name) === null) return name
  }
}

function article(type: TypeModel): string {
  return type.kind === 'vertex' ? 'a vertex' : 'an edge'
}
