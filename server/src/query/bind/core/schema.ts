/** One graph of the catalogue as names see it: types, reverse names, attributes as value types. */
import { accumsOf } from '#catalog/accums.ts'
import { newNameAmong, type Renamed, renamedFrom } from '#catalog/former-names.ts'
import type {
  AccumDefinition,
  Attribute,
  AttributeType,
  Catalog,
  EdgeType,
  ElementType,
  GraphDefinition,
  TupleType,
  VectorAttribute,
  VertexType,
} from '#catalog/types.ts'
import { storedAttributes, vectorsOf } from '#catalog/vectors.ts'
import { isVirtualType, PRIMARY_ID_ATTRIBUTE } from '#query/ir/type-ids.ts'
import type { TupleValueType, ValueType } from '#query/ir/types.ts'
import { suggest } from '#query/syntax/suggest.ts'

export interface EdgeName {
  readonly type: EdgeType
  /** Named by its reverse name: walked backwards. */
  readonly reversed: boolean
}

export interface AttributeInfo {
  readonly typeId: number
  readonly attributeId: number
  readonly type: ValueType
}

export class Schema {
  readonly graph: GraphDefinition
  readonly vertexTypes: readonly VertexType[]
  readonly edgeTypes: readonly EdgeType[]
  readonly tuples: readonly TupleType[]
  readonly accums: readonly AccumDefinition[]
  readonly #vertexByName: ReadonlyMap<string, VertexType>
  readonly #edgeByName: Map<string, EdgeName>
  readonly #virtual = new Map<number, EdgeType>()
  readonly #attributes = new Map<number, ReadonlyMap<string, AttributeInfo>>()

  constructor(catalog: Catalog, graph: GraphDefinition) {
    this.graph = graph
    this.tuples = catalog.tuples
    this.accums = accumsOf(catalog)
    this.vertexTypes = catalog.vertexTypes.filter(({ id }) => graph.vertexTypeIds.includes(id))
    this.edgeTypes = catalog.edgeTypes.filter(({ id }) => graph.edgeTypeIds.includes(id))
    this.#vertexByName = new Map(this.vertexTypes.map((type) => [type.name, type]))
    const edges = new Map<string, EdgeName>()
    for (const type of this.edgeTypes) {
      edges.set(type.name, { type, reversed: false })
      if (type.reverseName !== null) edges.set(type.reverseName, { type, reversed: true })
    }
    this.#edgeByName = edges
    for (const type of this.vertexTypes) this.#attributes.set(type.id, this.#ofVertex(type))
    for (const type of this.edgeTypes) {
      this.#attributes.set(type.id, this.#ofElement(type.id, type.attributes))
    }
  }

  vertexType(name: string): VertexType | undefined {
    return this.#vertexByName.get(name)
  }

  edge(name: string): EdgeName | undefined {
    return this.#edgeByName.get(name)
  }

  vertexNames(): string[] {
    return [...this.#vertexByName.keys()]
  }

  edgeNames(): string[] {
    const names = [...this.#edgeByName]
    return names.flatMap(([name, { type }]) => (isVirtualType(type.id) ? [] : name))
  }

  allVertexTypeIds(): number[] {
    return this.vertexTypes.map(({ id }) => id)
  }

  allEdgeTypeIds(): number[] {
    return this.edgeTypes.map(({ id }) => id)
  }

  nameOf(typeId: number): string {
    const type = [...this.vertexTypes, ...this.edgeTypes].find(({ id }) => id === typeId)
    return (type ?? this.#virtual.get(typeId))?.name ?? `#${typeId}`
  }

  /** An edge type of one query: named where it is meant, and part of no wildcard. */
  declareVirtual(type: EdgeType): void {
    this.#edgeByName.set(type.name, { type, reversed: false })
    this.#attributes.set(type.id, this.#ofElement(type.id, type.attributes))
    this.#virtual.set(type.id, type)
  }

  attribute(typeId: number, name: string): AttributeInfo | undefined {
    return this.#attributes.get(typeId)?.get(name)
  }

  /** What to say of the name of no type: what it is called now, or a known name that is near. */
  hintOf(name: string, known: readonly string[]): string {
    return renamedHint(newNameAmong(this.vertexTypes, this.edgeTypes, name)) || suggest(name, known)
  }

  /** As `hintOf`, of an attribute of some types. */
  hintOfAttribute(name: string, typeIds: readonly number[]): string {
    const types = [...this.vertexTypes, ...this.edgeTypes].filter(({ id }) => typeIds.includes(id))
    const attributes = types.flatMap((type): readonly Renamed[] =>
      'primaryId' in type ? [...storedAttributes(type), ...readableId(type)] : type.attributes,
    )
    const renamed = renamedHint(renamedFrom(attributes, name)?.name)
    return renamed || suggest(name, this.attributeNames(typeIds))
  }

  /** As `hintOf`, of one of the vectors of a vertex type. */
  hintOfVector(name: string, vectors: readonly VectorAttribute[]): string {
    const known = vectors.map((vector) => vector.name)
    return renamedHint(renamedFrom(vectors, name)?.name) || suggest(name, known)
  }

  /** A vector attribute of a vertex type, by its name. */
  vector(typeId: number, name: string): VectorAttribute | undefined {
    const type = this.vertexTypes.find(({ id }) => id === typeId)
    return type && vectorsOf(type).find((vector) => vector.name === name)
  }

  attributeNames(typeIds: readonly number[]): string[] {
    return [...new Set(typeIds.flatMap((id) => [...(this.#attributes.get(id)?.keys() ?? [])]))]
  }

  #ofVertex(type: VertexType): ReadonlyMap<string, AttributeInfo> {
    const attributes = new Map(this.#ofElement(type.id, storedAttributes(type)))
    const { names, asAttribute, type: idType } = type.primaryId
    const computed = asAttribute ? names[0] : undefined
    if (computed !== undefined && !attributes.has(computed)) {
      const info = { typeId: type.id, attributeId: PRIMARY_ID_ATTRIBUTE, type: { kind: idType } }
      attributes.set(computed, info)
    }
    return attributes
  }

  #ofElement(typeId: number, attributes: readonly Attribute[]): ReadonlyMap<string, AttributeInfo> {
    return new Map(attributes.map((attribute) => [attribute.name, this.#info(typeId, attribute)]))
  }

  #info(typeId: number, attribute: Attribute): AttributeInfo {
    return { typeId, attributeId: attribute.id, type: this.#valueType(attribute.type) }
  }

  #valueType(type: AttributeType | ElementType): ValueType {
    switch (type.kind) {
      case 'FIXED_BINARY':
        return { kind: 'STRING' }
      case 'VECTOR':
        return { kind: 'LIST', element: { kind: 'FLOAT' } }
      case 'LIST':
      case 'SET':
        return { kind: type.kind, element: this.#valueType(type.element) }
      case 'MAP':
        return { kind: 'MAP', key: this.#valueType(type.key), value: this.#valueType(type.value) }
      case 'TUPLE':
        return this.tuple(type.name) ?? { kind: 'TUPLE', name: type.name, fields: [] }
      default:
        return { kind: type.kind }
    }
  }

  /** A tuple type of the catalogue as a value type. */
  tuple(name: string): TupleValueType | undefined {
    const tuple = this.tuples.find((candidate) => candidate.name === name)
    if (tuple === undefined) return undefined
    const fields = tuple.fields.map((field) => ({ name: field.name, type: { kind: field.type } }))
    return { kind: 'TUPLE', name, fields }
  }
}

function renamedHint(name: string | undefined): string {
  return name === undefined ? '' : `; it was renamed to "${name}"`
}

/** The id, where it reads as an attribute. */
function readableId({ primaryId }: VertexType): readonly Renamed[] {
  const [name = ''] = primaryId.names
  return primaryId.asAttribute ? [{ ...primaryId, name }] : []
}
