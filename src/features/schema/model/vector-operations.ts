/** Vector attributes of a draft: they come and go whole, and never change. */
import {
  findVertex,
  replaceType,
  type SchemaModel,
  type VectorModel,
  type VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse, unknownType } from './applied.ts'
import { attributeNameProblem } from './names.ts'

export const vectorMetrics = ['COSINE', 'L2', 'IP'] as const

/** The most numbers that the server takes. */
export const VECTOR_DIMENSION_MAX = 32_768

export function addVector(schema: SchemaModel, name: string, vector: VectorModel): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const problem = attributeNameProblem(vertex, vector.name)
  if (problem !== null) return refuse(problem)
  const { dimension } = vector
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > VECTOR_DIMENSION_MAX) {
    return refuse(`A vector has from 1 to ${VECTOR_DIMENSION_MAX} numbers.`)
  }
  const vectors = [...(vertex.vectors ?? []), vector]
  return accept(replaceType(schema, name, { ...vertex, vectors }))
}

export function dropVector(schema: SchemaModel, name: string, vector: string): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const { vectors: before = [], ...rest } = vertex
  const vectors = before.filter((other) => other.name !== vector)
  if (vectors.length === before.length) return refuse(`${name} has no vector ${vector}.`)
  const next = vectors.length === 0 ? rest : { ...rest, vectors }
  return accept(replaceType(schema, name, next))
}

/** Those of `these` that the other type does not have just so. */
export function vectorsBeyond(these: VertexModel, other: VertexModel): readonly VectorModel[] {
  return (these.vectors ?? []).filter(
    (vector) =>
      !(other.vectors ?? []).some(
        ({ name, dimension, metric }) =>
          name === vector.name && dimension === vector.dimension && metric === vector.metric,
      ),
  )
}
