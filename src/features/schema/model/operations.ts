/**
 * The one list that canvas, table, form, JSON and undo all work on. An operation is a small fact;
 * applying it to a schema gives the next schema or says why it cannot be. Nothing here mutates.
 *
 * Applying needs no knowledge of the live schema: every part carries `isNew`, and what the server
 * already holds is treated with more care than what exists in the draft alone.
 */
import { isDiscriminable, isIndexable } from '#lib/graph-schema/attribute-type.ts'
import {
  type AttributeModel,
  type EdgeModel,
  type EdgePairModel,
  edgesTouching,
  findEdge,
  findType,
  findVertex,
  type IndexModel,
  type PrimaryIdModel,
  replaceType,
  type SchemaModel,
  type StatsKind,
  type TypeModel,
  type VectorModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse, unknownAttribute, unknownType } from './applied.ts'
import { type DescribeOperation, describe } from './descriptions.ts'
import { attributeNameProblem, indexNameProblem, typeNameProblem } from './names.ts'
import { distinctPairs, isSamePair } from './pairs.ts'
import { addVector, dropVector } from './vector-operations.ts'
import { changeId, globalProblem, setScope, setStats } from './vertex-operations.ts'

export interface EdgeShape {
  readonly directed: boolean
  readonly pairs: readonly EdgePairModel[]
  readonly reverseName: string | null
}

export type Operation =
  | { readonly kind: 'addType'; readonly type: TypeModel }
  | { readonly kind: 'dropType'; readonly name: string }
  | { readonly kind: 'renameType'; readonly name: string; readonly to: string }
  | { readonly kind: 'changeId'; readonly name: string; readonly primaryId: PrimaryIdModel }
  | { readonly kind: 'setStats'; readonly name: string; readonly stats: StatsKind }
  | { readonly kind: 'setScope'; readonly name: string; readonly isLocal: boolean }
  | { readonly kind: 'changeEdge'; readonly name: string; readonly shape: EdgeShape }
  | {
      readonly kind: 'addAttributes'
      readonly name: string
      readonly attributes: readonly AttributeModel[]
    }
  | {
      readonly kind: 'changeAttribute'
      readonly name: string
      readonly attribute: string
      readonly to: AttributeModel
    }
  | {
      readonly kind: 'setDiscriminator'
      readonly name: string
      readonly attribute: string
      readonly on: boolean
    }
  | { readonly kind: 'dropAttribute'; readonly name: string; readonly attribute: string }
  | { readonly kind: 'addIndex'; readonly name: string; readonly index: IndexModel }
  | { readonly kind: 'dropIndex'; readonly name: string; readonly index: string }
  | { readonly kind: 'addVector'; readonly name: string; readonly vector: VectorModel }
  | { readonly kind: 'dropVector'; readonly name: string; readonly vector: string }
  | DescribeOperation

export function applyOperation(schema: SchemaModel, operation: Operation): Applied {
  switch (operation.kind) {
    case 'addType':
      return addType(schema, operation.type)
    case 'dropType':
      return dropType(schema, operation.name)
    case 'renameType':
      return renameType(schema, operation.name, operation.to)
    case 'changeId':
      return changeId(schema, operation.name, operation.primaryId)
    case 'setStats':
      return setStats(schema, operation.name, operation.stats)
    case 'setScope':
      return setScope(schema, operation.name, operation.isLocal)
    case 'changeEdge':
      return changeEdge(schema, operation.name, operation.shape)
    case 'addAttributes':
      return addAttributes(schema, operation.name, operation.attributes)
    case 'changeAttribute':
      return changeAttribute(schema, operation)
    case 'setDiscriminator':
      return setDiscriminator(schema, operation)
    case 'dropAttribute':
      return dropAttribute(schema, operation.name, operation.attribute)
    case 'addIndex':
      return addIndex(schema, operation.name, operation.index)
    case 'dropIndex':
      return dropIndex(schema, operation.name, operation.index)
    case 'addVector':
      return addVector(schema, operation.name, operation.vector)
    case 'dropVector':
      return dropVector(schema, operation.name, operation.vector)
    case 'describe':
      return describe(schema, operation)
    default:
      return operation satisfies never
  }
}

/** What an undo list and a toast call this operation. */
export function operationLabel(operation: Operation): string {
  switch (operation.kind) {
    case 'addType':
      return operation.type.isNew
        ? `Add ${operation.type.kind} ${operation.type.name}`
        : `Put global ${operation.type.kind} ${operation.type.name} into the graph`
    case 'dropType':
      return `Drop ${operation.name}`
    case 'renameType':
      return `Rename ${operation.name} to ${operation.to}`
    case 'changeId':
      return `Change the id of ${operation.name}`
    case 'setStats':
      return `Change what is counted of ${operation.name}`
    case 'setScope':
      return `Make ${operation.name} ${operation.isLocal ? 'local' : 'global'}`
    case 'changeEdge':
      return `Change ${operation.name}`
    case 'addAttributes':
      return `Add ${operation.attributes.map(({ name }) => name).join(', ')} to ${operation.name}`
    case 'changeAttribute':
      return `Change ${operation.name}.${operation.attribute}`
    case 'setDiscriminator':
      return `Change the discriminator of ${operation.name}`
    case 'dropAttribute':
      return `Drop ${operation.name}.${operation.attribute}`
    case 'addIndex':
      return `Add index ${operation.index.name}`
    case 'dropIndex':
      return `Drop index ${operation.index}`
    case 'addVector':
      return `Add vector ${operation.vector.name} to ${operation.name}`
    case 'dropVector':
      return `Drop vector ${operation.name}.${operation.vector}`
    case 'describe':
      return `Describe ${operation.name}${operation.part === null ? '' : `.${operation.part}`}`
    default:
      return operation satisfies never
  }
}

function addType(schema: SchemaModel, type: TypeModel): Applied {
  const problem = typeNameProblem(schema, type.name)
  if (problem !== null) return refuse(problem)
  if (type.kind === 'vertex') return accept({ ...schema, vertices: [...schema.vertices, type] })
  const shapeProblem = edgeShapeProblem(schema, type.name, type) ?? globalProblem(schema, type)
  if (shapeProblem !== null) return refuse(shapeProblem)
  const reverseName = type.directed ? type.reverseName : null
  const edge = { ...type, reverseName, pairs: distinctPairs(type) }
  return accept({ ...schema, edges: [...schema.edges, edge] })
}

/**
 * Dropping a vertex type takes its edge pairs along; an edge without pairs goes as well. The server
 * cannot take a pair out of an edge type, so a published one that keeps other pairs is replaced, or
 * leaves the graph when it is global and so not this graph's to replace.
 */
function dropType(schema: SchemaModel, name: string): Applied {
  if (findVertex(schema, name) === undefined) {
    if (findEdge(schema, name) === undefined) return unknownType(name)
    return accept({ ...schema, edges: schema.edges.filter((edge) => edge.name !== name) })
  }
  const touching = new Set(edgesTouching(schema, name))
  const edges = schema.edges
    .map((edge) =>
      touching.has(edge) && !isPublishedGlobal(edge) ? withoutPairsOf(edge, name) : edge,
    )
    .filter((edge) => edge.pairs.length > 0 && !(touching.has(edge) && isPublishedGlobal(edge)))
  return accept({ vertices: schema.vertices.filter((vertex) => vertex.name !== name), edges })
}

function isPublishedGlobal(edge: EdgeModel): boolean {
  return !edge.isNew && !edge.isLocal
}

function withoutPairsOf(edge: EdgeModel, vertexName: string): EdgeModel {
  const pairs = edge.pairs.filter((pair) => pair.from !== vertexName && pair.to !== vertexName)
  return asNew({ ...edge, pairs })
}

function asNew(edge: EdgeModel): EdgeModel {
  const attributes = edge.attributes.map((attribute) => ({ ...attribute, isNew: true }))
  return { ...edge, attributes, isNew: true }
}

function renameType(schema: SchemaModel, name: string, to: string): Applied {
  const type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  if (!type.isNew) {
    return refuse(
      `${name} is published. A rename would lose its data: add a new type and load into it instead.`,
    )
  }
  const problem = typeNameProblem(schema, to, name)
  if (problem !== null) return refuse(problem)
  const renamed = replaceType(schema, name, { ...type, name: to })
  return accept(type.kind === 'vertex' ? followRename(renamed, name, to) : renamed)
}

function followRename(schema: SchemaModel, name: string, to: string): SchemaModel {
  const follow = (end: string) => (end === name ? to : end)
  const edges = schema.edges.map((edge) => ({
    ...edge,
    pairs: edge.pairs.map((pair) => ({ from: follow(pair.from), to: follow(pair.to) })),
  }))
  return { ...schema, edges }
}

/**
 * A published edge type keeps its data only as long as its shape stays. A new shape is a new type
 * in its place, so every part of it becomes new and the review says what is lost.
 */
function changeEdge(schema: SchemaModel, name: string, shape: EdgeShape): Applied {
  const edge = findEdge(schema, name)
  if (edge === undefined) return unknownType(name)
  const reverseName = shape.directed ? shape.reverseName : null
  const changed = { ...edge, ...shape, pairs: distinctPairs(shape), reverseName }
  const problem = edgeShapeProblem(schema, name, shape) ?? globalProblem(schema, changed)
  if (problem !== null) return refuse(problem)
  if (edge.isNew || onlyAddsPairs(edge, changed)) return accept(replaceType(schema, name, changed))
  if (!edge.isLocal)
    return refuse(`${name} is a global type: its shape cannot change in one graph.`)
  return accept(replaceType(schema, name, asNew(changed)))
}

/** More pairs of vertex types are the one change of shape that costs a published edge nothing. */
export function onlyAddsPairs(before: EdgeShape, after: EdgeShape): boolean {
  return (
    before.directed === after.directed &&
    before.reverseName === after.reverseName &&
    before.pairs.every((pair) => after.pairs.some((one) => isSamePair(before, one, pair)))
  )
}

function edgeShapeProblem(schema: SchemaModel, name: string, shape: EdgeShape): string | null {
  if (shape.pairs.length === 0) return `${name} needs at least one pair of vertex types.`
  const ends = shape.pairs.flatMap((pair) => [pair.from, pair.to])
  const missing = ends.find((end) => findVertex(schema, end) === undefined)
  if (missing !== undefined) return `There is no vertex type ${missing}.`
  if (shape.reverseName === null || !shape.directed) return null
  if (shape.reverseName === name) return 'The reverse edge needs a name of its own.'
  return typeNameProblem(schema, shape.reverseName, findEdge(schema, name)?.reverseName ?? null)
}

function addAttributes(
  schema: SchemaModel,
  name: string,
  attributes: readonly AttributeModel[],
): Applied {
  let type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  for (const attribute of attributes) {
    const problem = attributeNameProblem(type, attribute.name)
    if (problem !== null) return refuse(problem)
    type = { ...type, attributes: [...type.attributes, { ...attribute, isNew: true }] }
  }
  return accept(replaceType(schema, name, type))
}

function changeAttribute(
  schema: SchemaModel,
  change: Extract<Operation, { kind: 'changeAttribute' }>,
): Applied {
  const type = findType(schema, change.name)
  if (type === undefined) return unknownType(change.name)
  const position = type.attributes.findIndex(({ name }) => name === change.attribute)
  const attribute = type.attributes[position]
  if (attribute === undefined) return unknownAttribute(change.name, change.attribute)
  const problem = attributeChangeProblem(type, attribute, change.to)
  if (problem !== null) return refuse(problem)
  if (type.kind === 'edge' && position < type.discriminatorCount) {
    if (!type.isNew) return refuse('A published discriminator never changes.')
    if (!isDiscriminable(change.to.type)) return refuse(discriminatorTypes)
  }
  const attributes = type.attributes.with(position, { ...change.to, isNew: true })
  return accept(replaceType(schema, change.name, followAttribute({ ...type, attributes }, change)))
}

function attributeChangeProblem(
  type: TypeModel,
  attribute: AttributeModel,
  to: AttributeModel,
): string | null {
  if (!attribute.isNew && to.name !== attribute.name) {
    return `${attribute.name} is published. A rename would lose its values: add a new attribute instead.`
  }
  if (!attribute.isNew && isKeyMember(type, attribute)) {
    return `${attribute.name} is the primary id and never changes.`
  }
  if (isKeyMember(type, attribute) && !isIndexable(to.type)) {
    return `${attribute.name} is part of the key, which cannot be ${to.type}.`
  }
  return attributeNameProblem(type, to.name, attribute.name)
}

function isKeyMember(type: TypeModel, { name }: AttributeModel): boolean {
  return type.kind === 'vertex' && type.primaryId.names.includes(name)
}

/** Key and index follow an attribute's name; an index goes when its type can have none. */
function followAttribute(
  type: TypeModel,
  change: { readonly attribute: string; readonly to: AttributeModel },
): TypeModel {
  if (type.kind === 'edge') return type
  const indexes = type.indexes
    .filter((index) => index.attribute !== change.attribute || isIndexable(change.to.type))
    .map((index) =>
      index.attribute === change.attribute ? { ...index, attribute: change.to.name } : index,
    )
  const names = type.primaryId.names.map((name) =>
    name === change.attribute ? change.to.name : name,
  )
  return { ...type, indexes, primaryId: { ...type.primaryId, names } }
}

const discriminatorTypes = 'A discriminator is an INT, UINT, DATETIME or STRING.'

function setDiscriminator(
  schema: SchemaModel,
  change: Extract<Operation, { kind: 'setDiscriminator' }>,
): Applied {
  const edge = findEdge(schema, change.name)
  if (edge === undefined) return unknownType(change.name)
  if (!edge.isNew) {
    return refuse(`${edge.name} is published: its discriminator can only change with a new type.`)
  }
  const attribute = edge.attributes.find(({ name }) => name === change.attribute)
  if (attribute === undefined) return unknownAttribute(change.name, change.attribute)
  if (change.on && !isDiscriminable(attribute.type)) return refuse(discriminatorTypes)
  const rest = edge.attributes.filter((other) => other !== attribute)
  const others = edge.attributes
    .slice(0, edge.discriminatorCount)
    .filter((other) => other !== attribute)
  const leading = change.on ? [...others, attribute] : others
  const trailing = rest.filter((other) => !others.includes(other))
  const attributes = change.on ? [...leading, ...trailing] : [...leading, attribute, ...trailing]
  const next = { ...edge, attributes, discriminatorCount: leading.length }
  return accept(replaceType(schema, edge.name, next))
}

function dropAttribute(schema: SchemaModel, name: string, attribute: string): Applied {
  const type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  const position = type.attributes.findIndex((other) => other.name === attribute)
  if (position < 0) return unknownAttribute(name, attribute)
  const attributes = type.attributes.filter((other) => other.name !== attribute)
  if (type.kind === 'vertex') {
    if (type.primaryId.names.includes(attribute)) {
      return refuse(`${attribute} is part of the primary id of ${name}.`)
    }
    const indexes = type.indexes.filter((index) => index.attribute !== attribute)
    return accept(replaceType(schema, name, { ...type, attributes, indexes }))
  }
  const isDiscriminator = position < type.discriminatorCount
  if (isDiscriminator && !type.isNew) {
    return refuse(`${attribute} tells the edges of ${name} apart and cannot be dropped.`)
  }
  const discriminatorCount = type.discriminatorCount - (isDiscriminator ? 1 : 0)
  return accept(replaceType(schema, name, { ...type, attributes, discriminatorCount }))
}

function addIndex(schema: SchemaModel, name: string, index: IndexModel): Applied {
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

function dropIndex(schema: SchemaModel, name: string, index: string): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  const indexes = vertex.indexes.filter((other) => other.name !== index)
  if (indexes.length === vertex.indexes.length) return refuse(`${name} has no index ${index}.`)
  return accept(replaceType(schema, name, { ...vertex, indexes }))
}
