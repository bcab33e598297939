/** Vertex and edge types of a draft come, go, and change their name or shape. */
import {
  type EdgeModel,
  type EdgePairModel,
  edgesTouching,
  findEdge,
  findType,
  findVertex,
  replaceType,
  type SchemaModel,
  type TypeModel,
} from '#lib/graph-schema/schema-model.ts'
import { type Applied, accept, refuse, unknownType } from './applied.ts'
import { typeNameProblem } from './names.ts'
import { distinctPairs, isSamePair } from './pairs.ts'
import { newAttributeLike, withName } from './published.ts'
import { globalProblem } from './vertex-operations.ts'

export interface EdgeShape {
  readonly directed: boolean
  readonly pairs: readonly EdgePairModel[]
  readonly reverseName: string | null
}

export function addType(schema: SchemaModel, type: TypeModel): Applied {
  const problem = typeNameProblem(schema, type.name)
  if (problem !== null) return refuse(problem)
  const entering = type.isNew ? {} : { isEntering: true }
  if (type.kind === 'vertex') {
    return accept({ ...schema, vertices: [...schema.vertices, { ...type, ...entering }] })
  }
  const shapeProblem = edgeShapeProblem(schema, type.name, type) ?? globalProblem(schema, type)
  if (shapeProblem !== null) return refuse(shapeProblem)
  const reverseName = type.directed ? type.reverseName : null
  const edge = { ...type, ...entering, reverseName, pairs: distinctPairs(type) }
  return accept({ ...schema, edges: [...schema.edges, edge] })
}

/**
 * Dropping a vertex type takes its edge pairs along; an edge without pairs goes as well. The server
 * cannot take a pair out of an edge type, so a published one that keeps other pairs is replaced, or
 * leaves the graph when it is global and so not this graph's to replace.
 */
export function dropType(schema: SchemaModel, name: string): Applied {
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

function isPublishedGlobal(edge: TypeModel): boolean {
  return !edge.isNew && !edge.isLocal
}

function withoutPairsOf(edge: EdgeModel, vertexName: string): EdgeModel {
  const pairs = edge.pairs.filter((pair) => pair.from !== vertexName && pair.to !== vertexName)
  return asNew({ ...edge, pairs })
}

function asNew(published: EdgeModel): EdgeModel {
  const { publishedAs: _, publishedReverse: __, publishedPairs: ___, ...edge } = published
  return { ...edge, attributes: edge.attributes.map(newAttributeLike), isNew: true }
}

/** What is published keeps its data under the new name; a global type's name is not one graph's to change. */
export function renameType(schema: SchemaModel, name: string, to: string): Applied {
  const type = findType(schema, name)
  if (type === undefined) return unknownType(name)
  if (isPublishedGlobal(type)) {
    return refuse(`${name} is a global type: its name cannot change in one graph.`)
  }
  const problem = typeNameProblem(schema, to, name)
  if (problem !== null) return refuse(problem)
  const renamed = replaceType(schema, name, withName(type, to))
  return accept(type.kind === 'vertex' ? followRename(renamed, name, to) : renamed)
}

function followRename(schema: SchemaModel, name: string, to: string): SchemaModel {
  const follow = (end: string) => (end === name ? to : end)
  const followPair = ({ from: source, to: target }: EdgePairModel) => ({
    from: follow(source),
    to: follow(target),
  })
  const edges = schema.edges.map((edge) => ({
    ...edge,
    pairs: edge.pairs.map(followPair),
    ...(edge.publishedPairs && { publishedPairs: edge.publishedPairs.map(followPair) }),
  }))
  return { ...schema, edges }
}

/**
 * A published edge type keeps its data only as long as its shape stays. A new shape is a new type
 * in its place, so every part of it becomes new and the review says what is lost.
 */
export function changeEdge(schema: SchemaModel, name: string, shape: EdgeShape): Applied {
  const edge = findEdge(schema, name)
  if (edge === undefined) return unknownType(name)
  const reverseName = shape.directed ? shape.reverseName : null
  const shaped = { ...edge, ...shape, pairs: distinctPairs(shape) }
  const changed = withReverse(withPairs(shaped, edge), edge, reverseName)
  const problem = edgeShapeProblem(schema, name, shape) ?? globalProblem(schema, changed)
  if (problem !== null) return refuse(problem)
  if (edge.isNew || keepsEdges(edge, changed)) return accept(replaceType(schema, name, changed))
  if (!edge.isLocal)
    return refuse(`${name} is a global type: its shape cannot change in one graph.`)
  return accept(replaceType(schema, name, asNew(changed)))
}

const hasPair = (shape: EdgeShape, pair: EdgePairModel): boolean =>
  shape.pairs.some((one) => isSamePair(shape, one, pair))

/** Pairs that the draft has added may go again. */
function withPairs({ publishedPairs: _, ...changed }: EdgeModel, before: EdgeModel): EdgeModel {
  const published = before.publishedPairs ?? before.pairs
  const isMore = !before.isNew && changed.pairs.length > published.length
  return isMore ? { ...changed, publishedPairs: published } : changed
}

/** The reverse edge of a published type is renamed; one that comes or goes makes a new type. */
function withReverse(changed: EdgeModel, before: EdgeModel, reverseName: string | null): EdgeModel {
  const { publishedReverse: _, ...rest } = changed
  const published = before.publishedReverse ?? before.reverseName
  const isRenamed =
    !before.isNew && reverseName !== null && published !== null && reverseName !== published
  return { ...rest, reverseName, ...(isRenamed && { publishedReverse: published }) }
}

/** More pairs of vertex types, and another name of the reverse edge, cost a published edge nothing. */
function keepsEdges(before: EdgeModel, after: EdgeShape): boolean {
  return (
    before.directed === after.directed &&
    (before.reverseName === null) === (after.reverseName === null) &&
    (before.publishedPairs ?? before.pairs).every((pair) => hasPair(after, pair))
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
