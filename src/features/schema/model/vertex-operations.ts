/**
 * What is decided once for a type, before it is published: the kind of its id, what is counted
 * beside its vertices, and whether other graphs may share it.
 */
import { isIndexable } from '#lib/graph-schema/attribute-type.ts'
import { identifierProblem } from '#lib/graph-schema/identifier.ts'
import {
  type AttributeModel,
  edgesTouching,
  findType,
  findVertex,
  type IdType,
  idTypes,
  type PrimaryIdModel,
  replaceType,
  type SchemaModel,
  type StatsKind,
  type TypeModel,
  type VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse, unknownType } from './applied.ts'
import { attributeNameProblem } from './names.ts'
import { publishedName } from './published.ts'

/**
 * Members of a composite key are attributes; the one name of the other kinds is not. So a change of
 * kind moves the key between the two: a name that is no attribute yet becomes one, and the first
 * member of a composite key becomes the id again.
 */
export function changeId(schema: SchemaModel, name: string, primaryId: PrimaryIdModel): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  if (!vertex.isNew) return renameId(schema, vertex, primaryId)
  const bad = primaryId.names.map(identifierProblem).find((problem) => problem !== null)
  if (bad !== undefined && bad !== null) return refuse(bad)
  const vector = vertex.vectors?.find((one) => primaryId.names.includes(one.name))
  if (vector !== undefined) return refuse(`${name} already has an attribute ${vector.name}.`)
  return primaryId.syntax === 'COMPOSITE'
    ? toComposite(schema, vertex, primaryId)
    : toSingle(schema, vertex, primaryId)
}

/** Of a published id the name alone: its kind and type are in every id that is stored. */
function renameId(schema: SchemaModel, vertex: VertexModel, to: PrimaryIdModel): Applied {
  const { primaryId, attributes } = vertex
  const [now = ''] = primaryId.names
  const [name = ''] = to.names
  const isRename =
    primaryId.syntax !== 'COMPOSITE' &&
    to.syntax === primaryId.syntax &&
    to.type === primaryId.type &&
    to.asAttribute === primaryId.asAttribute
  if (!isRename) return refuse(`The id of ${vertex.name} is published: only its name can change.`)
  const { publishedAs: published = now, ...id } = primaryId
  // The server would take the attribute to be meant.
  if (attributes.some((one) => !one.isNew && publishedName(one) === published)) {
    return refuse(`${vertex.name} has an attribute ${published}, too: publish that renamed first.`)
  }
  const problem = attributeNameProblem(vertex, name, now)
  if (problem !== null) return refuse(problem)
  const renamed = { ...id, names: [name], ...(name !== published && { publishedAs: published }) }
  const indexes = vertex.indexes.map((index) =>
    index.attribute === now ? { ...index, attribute: name } : index,
  )
  return accept(replaceType(schema, vertex.name, { ...vertex, primaryId: renamed, indexes }))
}

function toComposite(schema: SchemaModel, vertex: VertexModel, to: PrimaryIdModel): Applied {
  if (to.names.length < 2) return refuse('A composite key has at least two members.')
  if (new Set(to.names).size < to.names.length) return refuse('Each member stands once in the key.')
  const missing = to.names.filter((name) => !vertex.attributes.some((one) => one.name === name))
  const attributes = [...missing.map((name) => memberNamed(vertex, name)), ...vertex.attributes]
  const wrong = attributes.find(({ name, type }) => to.names.includes(name) && !isIndexable(type))
  if (wrong !== undefined) return refuse(`${wrong.name} cannot be a key: it is ${wrong.type}.`)
  const primaryId: PrimaryIdModel = { ...to, type: 'STRING', asAttribute: true }
  return accept(replaceType(schema, vertex.name, { ...vertex, primaryId, attributes }))
}

/** The id keeps its type when it becomes a member. */
function memberNamed({ primaryId }: VertexModel, name: string): AttributeModel {
  const wasId = primaryId.syntax !== 'COMPOSITE' && primaryId.names[0] === name
  const { type, description } = primaryId
  const base = { name, type: wasId ? type : 'STRING', defaultText: null, isNew: true }
  return wasId && description !== undefined ? { ...base, description } : base
}

function toSingle(schema: SchemaModel, vertex: VertexModel, to: PrimaryIdModel): Applied {
  const [name = ''] = to.names
  const wasComposite = vertex.primaryId.syntax === 'COMPOSITE'
  const member = wasComposite && vertex.primaryId.names.includes(name)
  const clash = vertex.attributes.some((attribute) => attribute.name === name)
  if (clash && !member) return refuse(`${vertex.name} already has an attribute ${name}.`)
  const attributes = vertex.attributes.filter((attribute) => attribute.name !== name)
  const indexes = vertex.indexes.filter((index) => index.attribute !== name)
  const asAttribute = to.syntax === 'PRIMARY_KEY' || to.asAttribute
  const primaryId: PrimaryIdModel = { ...to, names: [name], asAttribute }
  return accept(replaceType(schema, vertex.name, { ...vertex, primaryId, attributes, indexes }))
}

/** The id a vertex type would have in another syntax, with as much of the present one as fits. */
export function idInSyntax(vertex: VertexModel, syntax: PrimaryIdModel['syntax']): PrimaryIdModel {
  const { primaryId, attributes } = vertex
  const [first = 'id'] = primaryId.names
  if (syntax !== 'COMPOSITE') {
    const member = attributes.find((attribute) => attribute.name === first)
    const type = idTypes.find((one) => one === member?.type) ?? idTypeOf(primaryId)
    const { description } = member ?? primaryId
    const id = { syntax, names: [first], type, asAttribute: true }
    return description === undefined ? id : { ...id, description }
  }
  const second = attributes.find(({ name, type }) => name !== first && isIndexable(type))
  return {
    syntax,
    names: [first, second?.name ?? `${first}2`],
    type: 'STRING',
    asAttribute: true,
  }
}

function idTypeOf(primaryId: PrimaryIdModel): IdType {
  return primaryId.syntax === 'COMPOSITE' ? 'STRING' : primaryId.type
}

export function setStats(schema: SchemaModel, name: string, stats: StatsKind): Applied {
  const vertex = findVertex(schema, name)
  if (vertex === undefined) return unknownType(name)
  if (!vertex.isNew) return refuse(`${name} is published: what is counted stays.`)
  return accept(replaceType(schema, name, { ...vertex, stats }))
}

/** A global edge type may join global vertex types only. */
export function setScope(schema: SchemaModel, name: string, isLocal: boolean): Applied {
  const type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  if (!type.isNew) return refuse(`${name} is published: it stays ${scopeWord(type.isLocal)}.`)
  const next: TypeModel = { ...type, isLocal }
  const problem = isLocal ? localProblem(schema, type) : globalProblem(schema, next)
  return problem === null ? accept(replaceType(schema, name, next)) : refuse(problem)
}

/** Why a type cannot be global, or null. */
export function globalProblem(schema: SchemaModel, type: TypeModel): string | null {
  if (type.kind === 'vertex' || type.isLocal) return null
  const ends = type.pairs.flatMap(({ from, to }) => [from, to])
  const local = ends.find((end) => findVertex(schema, end)?.isLocal === true)
  return local === undefined
    ? null
    : `${local} is local to this graph, so the global edge type ${type.name} cannot join it.`
}

function localProblem(schema: SchemaModel, type: TypeModel): string | null {
  if (type.kind === 'edge') return null
  const user = edgesTouching(schema, type.name).find((edge) => !edge.isLocal)
  return user === undefined
    ? null
    : `The global edge type ${user.name} joins ${type.name}, which so must be global, too.`
}

function scopeWord(isLocal: boolean): string {
  return isLocal ? 'local' : 'global'
}
