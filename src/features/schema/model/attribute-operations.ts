/** Attributes of a draft: what is published keeps its values under another name and in a wider type. */
import { isDiscriminable, isIndexable } from '#lib/graph-schema/attribute-type.ts'
import {
  type AttributeModel,
  findEdge,
  findType,
  replaceType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse, unknownAttribute, unknownType } from './applied.ts'
import { attributeNameProblem } from './names.ts'
import { keepsValues, newAttributeLike, publishedTypeOf, withName } from './published.ts'

export interface AttributeChange {
  readonly kind: 'changeAttribute'
  readonly name: string
  readonly attribute: string
  readonly to: AttributeModel
}

export interface DiscriminatorChange {
  readonly kind: 'setDiscriminator'
  readonly name: string
  readonly attribute: string
  readonly on: boolean
}

export function addAttributes(
  schema: SchemaModel,
  name: string,
  attributes: readonly AttributeModel[],
): Applied {
  let type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  for (const attribute of attributes) {
    const problem = attributeNameProblem(type, attribute.name)
    if (problem !== null) return refuse(problem)
    type = { ...type, attributes: [...type.attributes, newAttributeLike(attribute)] }
  }
  return accept(replaceType(schema, name, type))
}

export function changeAttribute(schema: SchemaModel, change: AttributeChange): Applied {
  const type = findType(schema, change.name)
  if (type === undefined) return unknownType(change.name)
  const position = type.attributes.findIndex(({ name }) => name === change.attribute)
  const attribute = type.attributes[position]
  if (attribute === undefined) return unknownAttribute(change.name, change.attribute)
  const problem = attributeChangeProblem(type, attribute, change.to)
  if (problem !== null) return refuse(problem)
  if (type.kind === 'edge' && position < type.discriminatorCount) {
    if (!attribute.isNew && change.to.type !== attribute.type) {
      return refuse('The type of a published discriminator never changes.')
    }
    if (!isDiscriminable(change.to.type)) return refuse(discriminatorTypes)
  }
  const attributes = type.attributes.with(position, changed(attribute, change.to))
  return accept(replaceType(schema, change.name, followAttribute({ ...type, attributes }, change)))
}

/** A published attribute keeps its values while its type stays or gets wider; else it is replaced. */
function changed(attribute: AttributeModel, to: AttributeModel): AttributeModel {
  const before = attribute.isNew ? attribute.replaces : attribute
  if (before === undefined) return newAttributeLike(to)
  if (!keepsValues(before, to.type)) return { ...newAttributeLike(to), replaces: before }
  const { publishedType: _, ...named } = withName(before, to.name)
  const published = publishedTypeOf(before)
  return {
    ...named,
    type: to.type,
    defaultText: widenedDefault(before, to.type),
    ...(to.type !== published && { publishedType: published }),
  }
}

/** A truth value becomes a number; all others are written alike in a wider type. */
function widenedDefault({ type, defaultText }: AttributeModel, to: string): string | null {
  if (defaultText === null || type !== 'BOOL' || to !== 'INT') return defaultText
  return /^true$/i.test(defaultText) ? '1' : '0'
}

function attributeChangeProblem(
  type: TypeModel,
  attribute: AttributeModel,
  to: AttributeModel,
): string | null {
  const { name } = attribute
  if (!attribute.isNew && to.type === attribute.type && to.defaultText !== attribute.defaultText) {
    return `${name} is published: its default stays.`
  }
  if (keyPlaceOf(type, name) >= 0) {
    if (!attribute.isNew && to.type !== attribute.type) {
      return `${name} is part of the key, whose types never change.`
    }
    if (!isIndexable(to.type)) return `${name} is part of the key, which cannot be ${to.type}.`
  }
  return attributeNameProblem(type, to.name, name)
}

/** Of a member of a composite key; else -1: another kind of id may share its name with an attribute. */
export function keyPlaceOf(type: TypeModel, name: string): number {
  if (type.kind === 'edge' || type.primaryId.syntax !== 'COMPOSITE') return -1
  return type.primaryId.names.indexOf(name)
}

/** Key and index follow an attribute's name; an index goes when its type can have none. */
function followAttribute(
  type: TypeModel,
  change: Pick<AttributeChange, 'attribute' | 'to'>,
): TypeModel {
  if (type.kind === 'edge') return type
  const indexes = type.indexes
    .filter((index) => index.attribute !== change.attribute || isIndexable(change.to.type))
    .map((index) =>
      index.attribute === change.attribute ? { ...index, attribute: change.to.name } : index,
    )
  const { names: before } = type.primaryId
  const names =
    keyPlaceOf(type, change.attribute) >= 0
      ? before.map((name) => (name === change.attribute ? change.to.name : name))
      : before
  return { ...type, indexes, primaryId: { ...type.primaryId, names } }
}

const discriminatorTypes = 'A discriminator is an INT, UINT, DATETIME or STRING.'

export function setDiscriminator(schema: SchemaModel, change: DiscriminatorChange): Applied {
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

export function dropAttribute(schema: SchemaModel, name: string, attribute: string): Applied {
  const type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  const position = type.attributes.findIndex((other) => other.name === attribute)
  if (position < 0) return unknownAttribute(name, attribute)
  const attributes = type.attributes.filter((other) => other.name !== attribute)
  if (type.kind === 'vertex') {
    if (keyPlaceOf(type, attribute) >= 0) {
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
