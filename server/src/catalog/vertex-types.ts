/** Vertex types: create, alter and drop, and the JSON form of docs/reference/rest.md both ways. */
import { isIndexable, typeFromJson, typeText } from './attribute-type.ts'
import {
  type AttributeJson,
  appendAttributes,
  attributeToJson,
  withoutAttributes,
} from './attributes.ts'
import { type AttributeChanges, changedVertex } from './change-attributes.ts'
import {
  type AttributeDescriptionJson,
  describeAttributes,
  descriptionOf,
  descriptionToJson,
  redescribed,
} from './descriptions.ts'
import { droppedFrom } from './dropped-type.ts'
import { findIndex, findVertexType, requireGraph, vertexTypesOf } from './lookup.ts'
import { checkName } from './names.ts'
import { about, missingAttribute, missingVertexType, schemaError } from './rule.ts'
import { checkTypeName } from './type-names.ts'
import type {
  Attribute,
  Catalog,
  IdTypeName,
  IndexDefinition,
  PrimaryId,
  VertexType,
} from './types.ts'
import {
  appendVectors,
  type VectorJson,
  vectorsOf,
  vectorToJson,
  withoutVectors,
} from './vectors.ts'

export interface VertexTypeJson {
  readonly Name: string
  readonly PrimaryId: AttributeJson
  readonly Attributes: readonly AttributeJson[]
  readonly Config: Readonly<Record<string, string | boolean>>
  readonly IsLocal?: boolean | undefined
  readonly EmbeddingAttributes?: readonly VectorJson[] | undefined
  readonly Description?: string | undefined
}

export interface IndexJson {
  readonly indexName: string
  readonly attributeName: string
}

export interface VertexAlteration extends AttributeChanges {
  readonly addAttributes?: readonly AttributeJson[] | undefined
  readonly dropAttributes?: readonly string[] | undefined
  readonly addIndexAttributes?: readonly IndexJson[] | undefined
  readonly dropIndexAttributes?: readonly string[] | undefined
  readonly addEmbeddingAttributes?: readonly VectorJson[] | undefined
  readonly dropEmbeddingAttributes?: readonly string[] | undefined
  readonly description?: string | undefined
  readonly describeAttributes?: readonly AttributeDescriptionJson[] | undefined
}

const idTypeNames: readonly string[] = ['STRING', 'INT', 'UINT', 'DATETIME']

/**
 * @param graph the graph the type is local to; null makes a global type that no graph lists yet
 * @throws DbError INVALID_NAME, NAME_TAKEN, SCHEMA_RULE, GRAPH_NOT_FOUND
 */
export function createVertexType(
  catalog: Catalog,
  graph: string | null,
  json: VertexTypeJson,
): Catalog {
  if (graph !== null) requireGraph(catalog, graph)
  checkTypeName(catalog, graph, 'vertex', json.Name)
  const primaryId = primaryIdFromJson(catalog, json)
  const owner = { name: json.Name, attributes: [], nextAttributeId: 1 }
  const declared = appendAttributes(catalog, owner, attributesWithKey(json, primaryId))
  checkKeyMembers(json.Name, primaryId, declared.attributes)
  const type: VertexType = {
    id: catalog.nextTypeId,
    name: json.Name,
    ...descriptionOf(json.Name, json.Description),
    graph,
    primaryId,
    indexes: [],
    config: configOf(json, primaryId),
    ...declared,
    ...appendVectors(
      { ...declared, name: json.Name, primaryId },
      [],
      json.EmbeddingAttributes ?? [],
    ),
  }
  return {
    ...catalog,
    nextTypeId: catalog.nextTypeId + 1,
    vertexTypes: [...catalog.vertexTypes, type],
    graphs: catalog.graphs.map((definition) =>
      definition.name === graph
        ? { ...definition, vertexTypeIds: [...definition.vertexTypeIds, type.id] }
        : definition,
    ),
  }
}

function configOf(json: VertexTypeJson, primaryId: PrimaryId): VertexType['config'] {
  const stats = String(json.Config['STATS'] ?? 'OUTDEGREE_BY_EDGETYPE').toUpperCase()
  if (stats !== 'OUTDEGREE_BY_EDGETYPE' && stats !== 'NONE') {
    throw schemaError(`STATS must be OUTDEGREE_BY_EDGETYPE or NONE, not '${stats}'.`)
  }
  const readable = primaryId.syntax === 'PRIMARY_ID' && primaryId.asAttribute
  return { STATS: stats, ...(readable && { PRIMARY_ID_AS_ATTRIBUTE: true }) }
}

function primaryIdFromJson(catalog: Catalog, json: VertexTypeJson): PrimaryId {
  const declared = json.PrimaryId
  const members = compositeMembers(json)
  if (members.length > 1) {
    return { syntax: 'COMPOSITE', names: members, type: 'STRING', asAttribute: true }
  }
  const name = declared.AttributeName
  checkName('primary id', name)
  const type = typeFromJson(catalog, declared.AttributeType).kind
  if (!idTypeNames.includes(type)) {
    throw schemaError(`The primary id of ${json.Name} must be ${idTypeNames.join(', ')}.`)
  }
  const isKey =
    declared.IsPrimaryKey === true ||
    json.Attributes.some((one) => one.AttributeName === name && one.IsPrimaryKey === true)
  const asAttribute = isKey || declared.PrimaryIdAsAttribute === true || isSet(json.Config)
  const syntax = isKey ? 'PRIMARY_KEY' : 'PRIMARY_ID'
  const said = isKey ? {} : descriptionOf(`${json.Name}.${name}`, declared.Description)
  return { syntax, names: [name], ...said, type: type as IdTypeName, asAttribute }
}

function isSet(config: VertexTypeJson['Config']): boolean {
  return String(config['PRIMARY_ID_AS_ATTRIBUTE'] ?? 'false').toLowerCase() === 'true'
}

/** Key members in key order: named by the id, `a,b`, or flagged among the attributes. */
function compositeMembers(json: VertexTypeJson): readonly string[] {
  const named = json.PrimaryId.AttributeName.split(',').map((part) => part.trim())
  if (named.length > 1) return named
  return json.Attributes.filter((one) => one.IsPartOfCompositeKey === true).map(
    (one) => one.AttributeName,
  )
}

/** A PRIMARY KEY is also the first attribute, whether or not the JSON repeats it. */
function attributesWithKey(json: VertexTypeJson, id: PrimaryId): readonly AttributeJson[] {
  if (id.syntax !== 'PRIMARY_KEY') return json.Attributes
  const [name] = id.names
  if (json.Attributes.some((attribute) => attribute.AttributeName === name)) return json.Attributes
  const { AttributeName, AttributeType, Description } = json.PrimaryId
  return [{ AttributeName, AttributeType, Description }, ...json.Attributes]
}

function checkKeyMembers(typeName: string, id: PrimaryId, attributes: readonly Attribute[]): void {
  const named = (name: string) => attributes.find((attribute) => attribute.name === name)
  if (id.syntax === 'PRIMARY_ID') {
    if (id.asAttribute && named(id.names[0] ?? '')) {
      throw schemaError(`The attribute ${id.names[0]} of ${typeName} repeats its primary id.`)
    }
    return
  }
  for (const name of id.names) {
    const attribute = named(name)
    if (attribute === undefined) throw missingAttribute(name, typeName)
    if (id.syntax === 'PRIMARY_KEY' && attribute.type.kind !== id.type) {
      throw schemaError(`The key ${name} of ${typeName} is declared with two types.`)
    }
    if (!isIndexable(attribute.type)) {
      throw schemaError(`The key ${name} of ${typeName} cannot be ${typeText(attribute.type)}.`)
    }
  }
}

/** @throws DbError VERTEX_TYPE_NOT_FOUND, ATTRIBUTE_NOT_FOUND, INDEX_NOT_FOUND, NAME_TAKEN, … */
export function alterVertexType(
  catalog: Catalog,
  graph: string | null,
  name: string,
  change: VertexAlteration,
): Catalog {
  const type = findVertexType(catalog, graph, name)
  if (type === undefined) throw missingVertexType(name, graph)
  const kept = withoutAttributes(type, change.dropAttributes ?? [], (attribute) =>
    reasonToKeep(type, attribute),
  )
  // An index goes with its attribute.
  const indexes = withoutIndexes(type, change.dropIndexAttributes ?? []).filter((index) =>
    kept.some((attribute) => attribute.id === index.attributeId),
  )
  const keptVectors = withoutVectors(type, change.dropEmbeddingAttributes ?? [])
  const left = { ...type, attributes: kept, indexes, vectors: keptVectors }
  const { vectors: changedVectors, ...changed } = changedVertex(catalog, left, change)
  const grown = { ...changed, ...appendAttributes(catalog, changed, change.addAttributes ?? []) }
  let altered: VertexType = {
    ...grown,
    ...appendVectors(grown, changedVectors, change.addEmbeddingAttributes ?? []),
  }
  altered = describeAttributes(altered, change.describeAttributes)
  altered = redescribed(altered, name, change.description)
  for (const index of change.addIndexAttributes ?? []) {
    altered = about(index.indexName, () =>
      withIndex(replaced(catalog, altered), graph, altered, index),
    )
  }
  return replaced(catalog, altered)
}

function replaced(catalog: Catalog, type: VertexType): Catalog {
  const vertexTypes = catalog.vertexTypes.map((one) => (one.id === type.id ? type : one))
  return { ...catalog, vertexTypes }
}

function reasonToKeep(type: VertexType, attribute: Attribute): string | null {
  const isKey = type.primaryId.syntax !== 'PRIMARY_ID'
  return isKey && type.primaryId.names.includes(attribute.name)
    ? `The attribute ${attribute.name} is part of the primary key of ${type.name}.`
    : null
}

function withoutIndexes(type: VertexType, names: readonly string[]): readonly IndexDefinition[] {
  for (const name of names) {
    if (findIndex(type, name) === undefined) {
      throw schemaError(
        `The index ${name} of vertex type ${type.name} does not exist.`,
        'INDEX_NOT_FOUND',
        name,
      )
    }
  }
  return type.indexes.filter((index) => !names.includes(index.name))
}

/** Index names are unique among the vertex types that one graph (or the global scope) sees. */
function withIndex(
  catalog: Catalog,
  graph: string | null,
  type: VertexType,
  { indexName, attributeName }: IndexJson,
): VertexType {
  checkName('index', indexName)
  const attribute = type.attributes.find((one) => one.name === attributeName)
  if (attribute === undefined) throw missingAttribute(attributeName, type.name)
  if (!isIndexable(attribute.type)) {
    const text = typeText(attribute.type)
    throw schemaError(`An index cannot cover ${attributeName}: its type is ${text}.`)
  }
  const holder = vertexTypesOf(catalog, graph).find((one) => findIndex(one, indexName))
  if (holder !== undefined) {
    throw schemaError(`The index ${indexName} already exists on ${holder.name}.`, 'NAME_TAKEN')
  }
  const present = type.indexes.find((index) => index.attributeId === attribute.id)
  if (present !== undefined) {
    throw schemaError(
      `The attribute ${attributeName} already has an index: ${present.name} already exists.`,
      'NAME_TAKEN',
    )
  }
  return { ...type, indexes: [...type.indexes, { name: indexName, attributeId: attribute.id }] }
}

/**
 * As `droppedFrom`.
 * @throws DbError VERTEX_TYPE_NOT_FOUND, SCHEMA_RULE while an edge type or a graph still uses it
 */
export function dropVertexType(catalog: Catalog, graph: string | null, name: string): Catalog {
  const type = findVertexType(catalog, graph, name)
  if (type === undefined) throw missingVertexType(name, graph)
  checkNoEdgeUses(catalog, graph, type)
  return droppedFrom(catalog, graph, { what: 'vertex', type })
}

function checkNoEdgeUses(catalog: Catalog, graph: string | null, type: VertexType): void {
  const listed = catalog.graphs.find((one) => one.name === graph)?.edgeTypeIds
  const users = catalog.edgeTypes.filter(
    (edge) =>
      (listed === undefined || listed.includes(edge.id)) &&
      edge.pairs.some(({ fromTypeId, toTypeId }) => fromTypeId === type.id || toTypeId === type.id),
  )
  if (users.length === 0) return
  const names = users.map((edge) => edge.name).join(', ')
  throw schemaError(`The vertex type ${type.name} is still used by the edge types [${names}].`)
}

export function vertexTypeToJson(type: VertexType): VertexTypeJson {
  const id = type.primaryId
  return {
    Name: type.name,
    Config: type.config,
    PrimaryId: primaryIdToJson(id),
    Attributes: type.attributes.map((attribute) => {
      const index = type.indexes.find((one) => one.attributeId === attribute.id)
      return attributeToJson(attribute, {
        ...keyFlags(id, attribute.name),
        ...(index && { HasIndex: true, IndexName: index.name }),
      })
    }),
    EmbeddingAttributes: vectorsOf(type).map(vectorToJson),
    ...descriptionToJson(type),
    ...(type.graph !== null && { IsLocal: true }),
  }
}

function primaryIdToJson(id: PrimaryId): AttributeJson {
  return {
    AttributeName: id.names.join(','),
    AttributeType: { Name: id.type },
    ...descriptionToJson(id),
    ...(id.syntax === 'PRIMARY_KEY' && { IsPrimaryKey: true, IsUsingNewSyntax: true }),
    ...(id.syntax === 'COMPOSITE' && { IsPrimaryKey: true, IsPartOfCompositeKey: true }),
    ...(id.asAttribute && { PrimaryIdAsAttribute: true }),
  }
}

function keyFlags(id: PrimaryId, name: string): Partial<AttributeJson> {
  if (!id.names.includes(name) || id.syntax === 'PRIMARY_ID') return {}
  return id.syntax === 'PRIMARY_KEY'
    ? { IsPrimaryKey: true, IsUsingNewSyntax: true }
    : { IsPrimaryKey: true, IsPartOfCompositeKey: true }
}
