/** Between the designer's model and the JSON of docs/reference/rest.md. */
import { type AttributeTypeJson, typeJson, typeText } from './attribute-type.ts'
import type {
  AttributeModel,
  Described,
  EdgeModel,
  EdgePairModel,
  IdType,
  IndexModel,
  PrimaryIdModel,
  SchemaModel,
  StatsKind,
  VectorModel,
  VertexModel,
} from './schema-model.ts'

interface DescribedJson {
  readonly Description?: string | undefined
}

export interface AttributeJson extends DescribedJson {
  readonly AttributeName: string
  readonly AttributeType: AttributeTypeJson
  readonly DefaultValue?: string | undefined
  readonly IsPrimaryKey?: boolean | undefined
  readonly IsPartOfCompositeKey?: boolean | undefined
  readonly PrimaryIdAsAttribute?: boolean | undefined
  readonly IsDiscriminator?: boolean | undefined
  readonly HasIndex?: boolean | undefined
  readonly IndexName?: string | undefined
}

export interface VertexTypeJson extends DescribedJson {
  readonly Name: string
  readonly PrimaryId: AttributeJson
  readonly Attributes: readonly AttributeJson[]
  readonly Config?: Readonly<Record<string, unknown>> | undefined
  readonly IsLocal?: boolean | undefined
  readonly EmbeddingAttributes?: readonly VectorJson[] | undefined
}

export interface VectorJson extends DescribedJson {
  readonly Name: string
  readonly Dimension: number
  readonly Metric?: string | undefined
}

export interface EdgeTypeJson extends DescribedJson {
  readonly Name: string
  readonly IsDirected: boolean
  readonly FromVertexTypeName: string
  readonly ToVertexTypeName: string
  readonly EdgePairs?: readonly { readonly From: string; readonly To: string }[] | undefined
  readonly Config?: Readonly<Record<string, unknown>> | undefined
  readonly DiscriminatorCount?: number | undefined
  readonly CompositeDiscriminator?: readonly string[] | undefined
  readonly Attributes: readonly AttributeJson[]
  readonly IsLocal?: boolean | undefined
}

export interface SchemaJson {
  readonly VertexTypes: readonly VertexTypeJson[]
  readonly EdgeTypes: readonly EdgeTypeJson[]
}

export function readSchema(json: SchemaJson): SchemaModel {
  return { vertices: json.VertexTypes.map(readVertex), edges: json.EdgeTypes.map(readEdge) }
}

/** A PRIMARY KEY stands in the id alone here, though the wire repeats it among the attributes. */
export function readVertex(json: VertexTypeJson): VertexModel {
  const primaryId = readPrimaryId(json)
  const keyName = primaryId.syntax === 'PRIMARY_KEY' ? primaryId.names[0] : undefined
  const own = json.Attributes.filter(({ AttributeName }) => AttributeName !== keyName)
  return {
    kind: 'vertex',
    name: json.Name,
    ...readDescription(json),
    isNew: false,
    isLocal: json.IsLocal === true,
    primaryId:
      keyName === undefined ? primaryId : { ...primaryId, ...keyDescription(json, keyName) },
    stats: readStats(json),
    attributes: own.map(readAttribute),
    indexes: json.Attributes.flatMap(readIndex),
    ...readVectors(json),
  }
}

/** A key among the attributes has its description there. */
function keyDescription({ PrimaryId, Attributes }: VertexTypeJson, keyName: string): Described {
  return readDescription(Attributes.find((one) => one.AttributeName === keyName) ?? PrimaryId)
}

function readDescription({ Description = '' }: DescribedJson): Described {
  return Description === '' ? {} : { description: Description }
}

function descriptionJson({ description }: Described): DescribedJson {
  return description === undefined ? {} : { Description: description }
}

function readVectors({ EmbeddingAttributes: given = [] }: VertexTypeJson): {
  readonly vectors?: readonly VectorModel[]
} {
  if (given.length === 0) return {}
  const vectors = given.map((json) => ({
    name: json.Name,
    dimension: json.Dimension,
    metric: json.Metric ?? 'COSINE',
    ...readDescription(json),
    isNew: false,
  }))
  return { vectors }
}

export function readEdge(json: EdgeTypeJson): EdgeModel {
  const reverse = json.Config?.['REVERSE_EDGE']
  const flagged = json.Attributes.filter((attribute) => attribute.IsDiscriminator === true).length
  return {
    kind: 'edge',
    name: json.Name,
    ...readDescription(json),
    isNew: false,
    isLocal: json.IsLocal === true,
    directed: json.IsDirected,
    pairs: readPairs(json),
    reverseName: typeof reverse === 'string' && reverse !== '' ? reverse : null,
    discriminatorCount: json.DiscriminatorCount ?? flagged,
    attributes: json.Attributes.map(readAttribute),
  }
}

export function attributeJson(attribute: AttributeModel): AttributeJson {
  return {
    AttributeName: attribute.name,
    AttributeType: typeJson(attribute.type),
    ...(attribute.defaultText === null ? {} : { DefaultValue: attribute.defaultText }),
    ...descriptionJson(attribute),
  }
}

export function vertexJson(vertex: VertexModel): VertexTypeJson {
  const { primaryId } = vertex
  const isComposite = primaryId.syntax === 'COMPOSITE'
  const isKey = primaryId.syntax === 'PRIMARY_KEY'
  const id: AttributeJson = {
    AttributeName: primaryId.names.join(','),
    AttributeType: { Name: isComposite ? 'STRING' : primaryId.type },
    ...descriptionJson(primaryId),
    ...(isKey ? { IsPrimaryKey: true } : {}),
    ...(isComposite ? { IsPartOfCompositeKey: true } : {}),
    ...(primaryId.asAttribute && !isKey && !isComposite ? { PrimaryIdAsAttribute: true } : {}),
  }
  const attributes = vertex.attributes.map((attribute) => ({
    ...attributeJson(attribute),
    ...(isComposite && primaryId.names.includes(attribute.name)
      ? { IsPartOfCompositeKey: true }
      : {}),
  }))
  return {
    Name: vertex.name,
    PrimaryId: id,
    Attributes: isKey ? [id, ...attributes] : attributes,
    Config: { STATS: vertex.stats, ...asAttributeConfig(primaryId) },
    ...descriptionJson(vertex),
    ...vectorsJson(vertex),
    ...globalMark(vertex),
  }
}

export function vectorJson(vector: VectorModel): VectorJson {
  const { name, dimension, metric } = vector
  return { Name: name, Dimension: dimension, Metric: metric, ...descriptionJson(vector) }
}

function vectorsJson({ vectors = [] }: VertexModel): Pick<VertexTypeJson, 'EmbeddingAttributes'> {
  return vectors.length === 0 ? {} : { EmbeddingAttributes: vectors.map(vectorJson) }
}

export function edgeJson(edge: EdgeModel): EdgeTypeJson {
  const [first] = edge.pairs
  const isSingle = edge.pairs.length === 1 && first !== undefined
  const discriminators = edge.attributes.slice(0, edge.discriminatorCount)
  return {
    Name: edge.name,
    IsDirected: edge.directed,
    FromVertexTypeName: isSingle ? first.from : '*',
    ToVertexTypeName: isSingle ? first.to : '*',
    ...(isSingle ? {} : { EdgePairs: edge.pairs.map(({ from, to }) => ({ From: from, To: to })) }),
    Config: edge.reverseName === null ? {} : { REVERSE_EDGE: edge.reverseName },
    ...(discriminators.length === 0
      ? {}
      : {
          DiscriminatorCount: discriminators.length,
          CompositeDiscriminator: discriminators.map(({ name }) => name),
        }),
    Attributes: edge.attributes.map((attribute, position) => ({
      ...attributeJson(attribute),
      ...(position < edge.discriminatorCount ? { IsDiscriminator: true } : {}),
    })),
    ...descriptionJson(edge),
    ...globalMark(edge),
  }
}

/** Inside one graph a new type is local unless it says otherwise. */
function globalMark(type: { readonly isLocal: boolean }): { IsLocal?: false } {
  return type.isLocal ? {} : { IsLocal: false }
}

function readStats(json: VertexTypeJson): StatsKind {
  return json.Config?.['STATS'] === 'NONE' ? 'NONE' : 'OUTDEGREE_BY_EDGETYPE'
}

function readAttribute(json: AttributeJson): AttributeModel {
  return {
    name: json.AttributeName,
    type: typeText(json.AttributeType),
    defaultText: json.DefaultValue ?? null,
    ...readDescription(json),
    isNew: false,
  }
}

function readIndex(json: AttributeJson): IndexModel[] {
  return json.IndexName === undefined
    ? []
    : [{ name: json.IndexName, attribute: json.AttributeName }]
}

function readPrimaryId(json: VertexTypeJson): PrimaryIdModel {
  const members = compositeMembers(json)
  const type = json.PrimaryId.AttributeType.Name as IdType
  if (members.length > 1) {
    return { syntax: 'COMPOSITE', names: members, type: 'STRING', asAttribute: true }
  }
  const names = [json.PrimaryId.AttributeName]
  if (json.PrimaryId.IsPrimaryKey === true) {
    return { syntax: 'PRIMARY_KEY', names, type, asAttribute: true }
  }
  const asAttribute =
    json.PrimaryId.PrimaryIdAsAttribute === true ||
    String(json.Config?.['PRIMARY_ID_AS_ATTRIBUTE'] ?? false).toLowerCase() === 'true'
  return { syntax: 'PRIMARY_ID', names, type, asAttribute, ...readDescription(json.PrimaryId) }
}

/** In key order: as the id names them, `a,b`, or else as the attributes are flagged. */
function compositeMembers(json: VertexTypeJson): readonly string[] {
  const named = json.PrimaryId.AttributeName.split(',').map((part) => part.trim())
  if (named.length > 1) return named
  return json.Attributes.filter(({ IsPartOfCompositeKey: isPart }) => isPart === true).map(
    ({ AttributeName }) => AttributeName,
  )
}

function readPairs(json: EdgeTypeJson): readonly EdgePairModel[] {
  if (json.EdgePairs !== undefined)
    return json.EdgePairs.map(({ From, To }) => ({ from: From, to: To }))
  return [{ from: json.FromVertexTypeName, to: json.ToVertexTypeName }]
}

function asAttributeConfig(primaryId: PrimaryIdModel): Record<string, unknown> {
  const isPlain = primaryId.syntax === 'PRIMARY_ID'
  return isPlain && primaryId.asAttribute ? { PRIMARY_ID_AS_ATTRIBUTE: true } : {}
}
