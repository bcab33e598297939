/** Vector attributes of a draft: they come, go, and get other names; nothing else of them changes. */
import {
  findVertex,
  replaceType,
  type SchemaModel,
  type VectorModel,
  type VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse, unknownType } from './applied.ts'
import { attributeNameProblem } from './names.ts'
import { withName } from './published.ts'

export const vectorMetrics = ['COSINE', 'L2', 'IP'] as const

/** The most numbers that the server takes. */
export const VECTOR_DIMENSION_MAX = 32_768

export type NewVector = Omit<VectorModel, 'isNew' | 'publishedAs'>

export function addVector(schema: SchemaModel, name: string, vector: NewVector): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const problem = attributeNameProblem(vertex, vector.name)
  if (problem !== null) return refuse(problem)
  const { dimension } = vector
  if (!Number.isInteger(dimension) || dimension < 1 || dimension > VECTOR_DIMENSION_MAX) {
    return refuse(`A vector has from 1 to ${VECTOR_DIMENSION_MAX} numbers.`)
  }
  const vectors = [...(vertex.vectors ?? []), { ...vector, isNew: true }]
  return accept(replaceType(schema, name, { ...vertex, vectors }))
}

export interface VectorRename {
  readonly kind: 'renameVector'
  readonly name: string
  readonly vector: string
  readonly to: string
}

export function renameVector(schema: SchemaModel, { name, vector, to }: VectorRename): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const place = vertex.vectors?.findIndex((one) => one.name === vector) ?? -1
  const before = vertex.vectors?.[place]
  if (vertex.vectors === undefined || before === undefined) return unknownVector(name, vector)
  const problem = attributeNameProblem(vertex, to, vector)
  if (problem !== null) return refuse(problem)
  const isNew = vertex.isNew || before.isNew
  const vectors = vertex.vectors.with(place, withName({ ...before, isNew }, to))
  return accept(replaceType(schema, name, { ...vertex, vectors }))
}

function unknownVector(name: string, vector: string): Applied {
  return refuse(`${name} has no vector ${vector}.`)
}

export function dropVector(schema: SchemaModel, name: string, vector: string): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const { vectors: before = [], ...rest } = vertex
  const vectors = before.filter((other) => other.name !== vector)
  if (vectors.length === before.length) return unknownVector(name, vector)
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
