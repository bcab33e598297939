/** Vector attributes of vertex types: their JSON form both ways, and the rules of adding and dropping. */
import { VECTOR_DIMENSION_MAX } from '#kernel/limits.ts'
import { descriptionOf, descriptionToJson } from './descriptions.ts'
import { checkName } from './names.ts'
import { about, missingAttribute, schemaError } from './rule.ts'
import type { Attribute, VectorAttribute, VectorMetric, VertexType } from './types.ts'

export interface VectorJson {
  readonly Name: string
  readonly Dimension: number
  readonly IndexType?: string | undefined
  readonly DataType?: string | undefined
  readonly Metric?: string | undefined
  readonly Description?: string | undefined
}

const metrics: readonly VectorMetric[] = ['COSINE', 'L2', 'IP']

export function vectorsOf(type: VertexType): readonly VectorAttribute[] {
  return type.vectors ?? []
}

/** Everything that has a column: attributes, then vectors. */
export function storedAttributes(type: VertexType): readonly Attribute[] {
  return type.vectors === undefined ? type.attributes : [...type.attributes, ...type.vectors]
}

type Owner = Pick<VertexType, 'name' | 'primaryId' | 'attributes' | 'nextAttributeId'>

/** @throws DbError INVALID_NAME, NAME_TAKEN, SCHEMA_RULE */
export function appendVectors(
  owner: Owner,
  kept: readonly VectorAttribute[],
  additions: readonly VectorJson[],
): Pick<VertexType, 'vectors' | 'nextAttributeId'> {
  const vectors = [...kept]
  let { nextAttributeId } = owner
  for (const json of additions) {
    about(json.Name, () => {
      checkName('vector attribute', json.Name)
      vectors.push({
        id: nextAttributeId++,
        name: json.Name,
        type: vectorType(json),
        ...descriptionOf(`${owner.name}.${json.Name}`, json.Description),
      })
    })
  }
  checkDistinct(owner, vectors)
  return vectors.length === 0 ? { nextAttributeId } : { vectors, nextAttributeId }
}

/** A vector shares its names with the attributes and the id that reads as one. */
function checkDistinct(owner: Owner, vectors: readonly VectorAttribute[]): void {
  const { primaryId, attributes } = owner
  const names = new Set(attributes.map(({ name }) => name))
  if (primaryId.asAttribute) for (const name of primaryId.names) names.add(name)
  for (const { name } of vectors) {
    if (names.has(name)) {
      const text = `The attribute ${name} already exists in ${owner.name}.`
      throw schemaError(text, 'NAME_TAKEN', name)
    }
    names.add(name)
  }
}

function vectorType(json: VectorJson): VectorAttribute['type'] {
  const { Name, Dimension, IndexType = 'HNSW', DataType = 'FLOAT', Metric = 'COSINE' } = json
  if (!Number.isInteger(Dimension) || Dimension < 1 || Dimension > VECTOR_DIMENSION_MAX) {
    throw schemaError(
      `The vector attribute ${Name} needs a DIMENSION from 1 to ${VECTOR_DIMENSION_MAX}.`,
    )
  }
  if (IndexType.toUpperCase() !== 'HNSW') {
    throw schemaError(`The INDEXTYPE of a vector attribute is HNSW, not '${IndexType}'.`)
  }
  if (DataType.toUpperCase() !== 'FLOAT') {
    throw schemaError(`The DATATYPE of a vector attribute is FLOAT, not '${DataType}'.`)
  }
  const metric = metrics.find((one) => one === Metric.toUpperCase())
  if (metric !== undefined) return { kind: 'VECTOR', dimension: Dimension, metric }
  throw schemaError(`The METRIC of a vector attribute is ${metrics.join(', ')}, not '${Metric}'.`)
}

/** @throws DbError ATTRIBUTE_NOT_FOUND */
export function withoutVectors(
  type: VertexType,
  names: readonly string[],
): readonly VectorAttribute[] {
  const vectors = vectorsOf(type)
  for (const name of names) {
    if (!vectors.some((vector) => vector.name === name)) throw missingAttribute(name, type.name)
  }
  return vectors.filter(({ name }) => !names.includes(name))
}

export function vectorToJson({ name, type, ...rest }: VectorAttribute): VectorJson {
  return {
    Name: name,
    Dimension: type.dimension,
    IndexType: 'HNSW',
    DataType: 'FLOAT',
    Metric: type.metric,
    ...descriptionToJson(rest),
  }
}
