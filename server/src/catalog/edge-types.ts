/** Edge types: create, alter and drop, and the JSON form of docs/reference/rest.md both ways. */
import { canDiscriminate } from './attribute-type.ts'
import {
  type AttributeJson,
  appendAttributes,
  attributeToJson,
  withoutAttributes,
} from './attributes.ts'
import { type AttributeChanges, changedEdge } from './change-attributes.ts'
import {
  type AttributeDescriptionJson,
  describeAttributes,
  descriptionOf,
  descriptionToJson,
  redescribed,
} from './descriptions.ts'
import { droppedFrom } from './dropped-type.ts'
import { findEdgeType, requireGraph, vertexTypeById, vertexTypesOf } from './lookup.ts'
import { about, missingAttribute, missingEdgeType, schemaError } from './rule.ts'
import { checkTypeName } from './type-names.ts'
import type { Catalog, EdgePair, EdgeType } from './types.ts'

export interface EdgePairJson {
  readonly From: string
  readonly To: string
}

export interface EdgeTypeJson {
  readonly Name: string
  readonly IsDirected: boolean
  readonly FromVertexTypeName: string
  readonly ToVertexTypeName: string
  readonly EdgePairs?: readonly EdgePairJson[] | undefined
  readonly Attributes: readonly AttributeJson[]
  readonly DiscriminatorCount?: number | undefined
  readonly CompositeDiscriminator?: readonly string[] | undefined
  readonly Config: Readonly<Record<string, string | boolean>>
  readonly IsLocal?: boolean | undefined
  readonly Description?: string | undefined
}

export interface EdgeAlteration extends AttributeChanges {
  readonly addAttributes?: readonly AttributeJson[] | undefined
  readonly dropAttributes?: readonly string[] | undefined
  readonly addEdgePairs?: readonly EdgePairJson[] | undefined
  readonly description?: string | undefined
  readonly describeAttributes?: readonly AttributeDescriptionJson[] | undefined
}

/**
 * @param graph the graph the type is local to; null makes a global type between global vertex types
 * @throws DbError INVALID_NAME, NAME_TAKEN, SCHEMA_RULE, VERTEX_TYPE_NOT_FOUND, GRAPH_NOT_FOUND
 */
export function createEdgeType(
  catalog: Catalog,
  graph: string | null,
  json: EdgeTypeJson,
): Catalog {
  if (graph !== null) requireGraph(catalog, graph)
  checkTypeName(catalog, graph, 'edge', json.Name)
  const reverseName = reverseNameOf(catalog, graph, json)
  const pairs = pairsFromJson(catalog, graph, json)
  const ordered = discriminatorsFirst(json)
  const owner = { name: json.Name, attributes: [], nextAttributeId: 1 }
  const declared = appendAttributes(catalog, owner, ordered.attributes)
  for (const attribute of declared.attributes.slice(0, ordered.discriminatorCount)) {
    if (!canDiscriminate(attribute.type)) {
      throw schemaError(
        `The discriminator ${attribute.name} of ${json.Name} must be INT, UINT, DATETIME or STRING.`,
      )
    }
  }
  const type: EdgeType = {
    id: catalog.nextTypeId,
    name: json.Name,
    ...descriptionOf(json.Name, json.Description),
    graph,
    directed: json.IsDirected,
    pairs,
    reverseName,
    discriminatorCount: ordered.discriminatorCount,
    config: {},
    ...declared,
  }
  return {
    ...catalog,
    nextTypeId: catalog.nextTypeId + 1,
    edgeTypes: [...catalog.edgeTypes, type],
    graphs: catalog.graphs.map((definition) =>
      definition.name === graph
        ? { ...definition, edgeTypeIds: [...definition.edgeTypeIds, type.id] }
        : definition,
    ),
  }
}

function reverseNameOf(catalog: Catalog, graph: string | null, json: EdgeTypeJson): string | null {
  const name = json.Config['REVERSE_EDGE']
  if (name === undefined || name === '' || name === false) return null
  if (typeof name !== 'string') throw schemaError('Config.REVERSE_EDGE must be a name.')
  if (!json.IsDirected) throw schemaError(`The undirected edge ${json.Name} has no reverse edge.`)
  if (name === json.Name) throw schemaError(`The reverse edge of ${name} needs another name.`)
  checkTypeName(catalog, graph, 'edge', name)
  return name
}

function pairsFromJson(
  catalog: Catalog,
  graph: string | null,
  json: EdgeTypeJson,
): readonly EdgePair[] {
  const listed = json.EdgePairs ?? []
  const named =
    listed.length > 0 ? listed : [{ From: json.FromVertexTypeName, To: json.ToVertexTypeName }]
  const pairs = appendPairs(catalog, graph, { directed: json.IsDirected, pairs: [] }, named)
  if (pairs.length > 0) return pairs
  throw schemaError(`The edge ${json.Name} has no FROM and TO vertex types.`)
}

/** `*` stands for every vertex type that exists now, `A|B` for both; repetitions are dropped. */
function appendPairs(
  catalog: Catalog,
  graph: string | null,
  owner: { readonly directed: boolean; readonly pairs: readonly EdgePair[] },
  additions: readonly EdgePairJson[],
): readonly EdgePair[] {
  const pairs = [...owner.pairs]
  for (const { From, To } of additions) {
    const [from, to] = about(`${From} - ${To}`, () => [
      expandedNames(catalog, graph, From),
      expandedNames(catalog, graph, To),
    ])
    for (const fromTypeId of from) {
      for (const toTypeId of to) {
        if (!pairs.some((pair) => isSamePair(owner.directed, pair, { fromTypeId, toTypeId }))) {
          pairs.push({ fromTypeId, toTypeId })
        }
      }
    }
  }
  return pairs
}

function isSamePair(directed: boolean, one: EdgePair, other: EdgePair): boolean {
  if (one.fromTypeId === other.fromTypeId && one.toTypeId === other.toTypeId) return true
  return !directed && one.fromTypeId === other.toTypeId && one.toTypeId === other.fromTypeId
}

function expandedNames(catalog: Catalog, graph: string | null, name: string): readonly number[] {
  const visible = vertexTypesOf(catalog, graph)
  if (name === '*') return visible.map((type) => type.id)
  return name.split('|').map((part) => {
    const type = visible.find((candidate) => candidate.name === part.trim())
    if (type) return type.id
    const where = graph === null ? '' : ` on graph ${graph}`
    throw schemaError(
      `FROM or TO vertex type does not exist! The vertex type ${part.trim()} does not exist${where}.`,
      'VERTEX_TYPE_NOT_FOUND',
    )
  })
}

interface OrderedAttributes {
  readonly attributes: readonly AttributeJson[]
  readonly discriminatorCount: number
}

/** Discriminators come before the other attributes, in the order of CompositeDiscriminator. */
function discriminatorsFirst(json: EdgeTypeJson): OrderedAttributes {
  const flagged = json.Attributes.filter((one) => one.IsDiscriminator === true)
  const names = json.CompositeDiscriminator ?? flagged.map((one) => one.AttributeName)
  const discriminators = names.map((name) => {
    const attribute = json.Attributes.find((one) => one.AttributeName === name)
    if (attribute) return attribute
    throw missingAttribute(name, json.Name)
  })
  if (json.DiscriminatorCount !== undefined && json.DiscriminatorCount !== names.length) {
    throw schemaError(
      `The edge ${json.Name} declares ${json.DiscriminatorCount} discriminators but names ${names.length}.`,
    )
  }
  const others = json.Attributes.filter((one) => !names.includes(one.AttributeName))
  return { attributes: [...discriminators, ...others], discriminatorCount: names.length }
}

/** @throws DbError EDGE_TYPE_NOT_FOUND, ATTRIBUTE_NOT_FOUND, NAME_TAKEN, INVALID_NAME, SCHEMA_RULE */
export function alterEdgeType(
  catalog: Catalog,
  graph: string | null,
  name: string,
  change: EdgeAlteration,
): Catalog {
  const type = requireForward(catalog, graph, name)
  const kept = withoutAttributes(type, change.dropAttributes ?? [], (attribute, position) =>
    position < type.discriminatorCount
      ? `The attribute ${attribute.name} is a discriminator of ${name} and cannot be dropped.`
      : null,
  )
  const changed = changedEdge(catalog, { ...type, attributes: kept }, change)
  const grown = appendAttributes(catalog, changed, change.addAttributes ?? [])
  const pairs = appendPairs(catalog, graph, type, change.addEdgePairs ?? [])
  const spoken = describeAttributes({ ...changed, ...grown, pairs }, change.describeAttributes)
  const altered: EdgeType = redescribed(spoken, name, change.description)
  const edgeTypes = catalog.edgeTypes.map((one) => (one.id === type.id ? altered : one))
  return { ...catalog, edgeTypes }
}

/**
 * As `droppedFrom`.
 * @throws DbError EDGE_TYPE_NOT_FOUND, SCHEMA_RULE for a reverse edge, or while a graph still uses it
 */
export function dropEdgeType(catalog: Catalog, graph: string | null, name: string): Catalog {
  const type = requireForward(catalog, graph, name)
  return droppedFrom(catalog, graph, { what: 'edge', type })
}

function requireForward(catalog: Catalog, graph: string | null, name: string): EdgeType {
  const found = findEdgeType(catalog, graph, name)
  if (found === undefined) throw missingEdgeType(name, graph)
  if (!found.reversed) return found.type
  throw schemaError(`${name} is the reverse edge of ${found.type.name}; change that one.`)
}

export function edgeTypeToJson(catalog: Catalog, type: EdgeType): EdgeTypeJson {
  const named = (id: number) => vertexTypeById(catalog, id).name
  const pairs = type.pairs.map(({ fromTypeId, toTypeId }) => ({
    From: named(fromTypeId),
    To: named(toTypeId),
  }))
  const discriminators = type.attributes.slice(0, type.discriminatorCount)
  return {
    Name: type.name,
    IsDirected: type.directed,
    FromVertexTypeName: commonName(pairs.map((pair) => pair.From)),
    ToVertexTypeName: commonName(pairs.map((pair) => pair.To)),
    // With exactly one pair the key is absent (a client test asserts it).
    ...(pairs.length > 1 && { EdgePairs: pairs }),
    Config: type.reverseName === null ? {} : { REVERSE_EDGE: type.reverseName },
    ...(discriminators.length > 0 && {
      DiscriminatorCount: discriminators.length,
      CompositeDiscriminator: discriminators.map((attribute) => attribute.name),
    }),
    Attributes: type.attributes.map((attribute, position) =>
      attributeToJson(
        attribute,
        position < type.discriminatorCount ? { IsDiscriminator: true } : {},
      ),
    ),
    ...descriptionToJson(type),
    ...(type.graph !== null && { IsLocal: true }),
  }
}

function commonName(names: readonly string[]): string {
  const [first = '*'] = names
  return names.every((name) => name === first) ? first : '*'
}
