/** A draft as the one request that publishes it: the body of `POST /gsql/v1/schema/change`. */

import { type AttributeTypeJson, typeJson } from '#lib/graph-schema/attribute-type.ts'
import type {
  AttributeModel,
  IndexModel,
  SchemaModel,
  TypeModel,
  VertexModel,
} from '#lib/graph-schema/schema-model.ts'
import {
  type AttributeJson,
  attributeJson,
  type EdgeTypeJson,
  edgeJson,
  type VectorJson,
  type VertexTypeJson,
  vectorJson,
  vertexJson,
} from '#lib/graph-schema/wire-form.ts'
import { changedDescriptions } from './descriptions.ts'
import { inDraftNames, matched, renamesBeside, vectorsOf } from './published.ts'
import { addedPairs } from './schema-diff.ts'

export interface ChangeAttributeJson {
  readonly name: string
  readonly newName?: string
  readonly AttributeType?: AttributeTypeJson
}

/** What is there is called by its name of now, what the change makes by its name after it. */
export interface AlterTypeJson {
  readonly name: string
  readonly newName?: string
  readonly newReverseName?: string
  readonly changeAttributes?: ChangeAttributeJson[]
  readonly addAttributes?: AttributeJson[]
  readonly dropAttributes?: string[]
  readonly addIndexAttributes?: { indexName: string; attributeName: string }[]
  readonly dropIndexAttributes?: string[]
  readonly addEmbeddingAttributes?: VectorJson[]
  readonly dropEmbeddingAttributes?: string[]
  readonly addEdgePairs?: { From: string; To: string }[]
  readonly description?: string
  readonly describeAttributes?: { name: string; description: string }[]
}

/** Global types that enter the graph. */
export interface MembershipJson {
  readonly graphName: string
  readonly addVertexTypes?: string[]
  readonly addEdgeTypes?: string[]
}

/** docs/reference/rest.md. A key with nothing to say is left out. */
export interface SchemaChangeJson {
  readonly addVertexTypes?: VertexTypeJson[]
  readonly addEdgeTypes?: EdgeTypeJson[]
  readonly alterVertexTypes?: AlterTypeJson[]
  readonly alterEdgeTypes?: AlterTypeJson[]
  readonly dropVertexTypes?: string[]
  readonly dropEdgeTypes?: string[]
  readonly graphs?: MembershipJson[]
}

export interface ChangeSource {
  readonly graph: string
  readonly live: SchemaModel
  readonly draft: SchemaModel
}

/**
 * The net effect of a draft, not its history: adding and dropping the same thing leaves no trace.
 * A replaced part appears as dropped and added; the server drops before it adds.
 */
export function changeRequest({ graph, live, draft }: ChangeSource): SchemaChangeJson {
  const newVertices = draft.vertices.filter(({ isNew }) => isNew)
  return withoutEmpty({
    addVertexTypes: newVertices.map(vertexJson),
    addEdgeTypes: draft.edges.filter(({ isNew }) => isNew).map(edgeJson),
    alterVertexTypes: alterations(live.vertices, draft.vertices, draft).concat(
      newIndexes(newVertices),
    ),
    alterEdgeTypes: alterations(live.edges, draft.edges, draft),
    dropVertexTypes: droppedNames(live.vertices, draft.vertices),
    dropEdgeTypes: droppedNames(live.edges, draft.edges),
    graphs: memberships({ graph, live, draft }),
  })
}

function memberships({ graph, live, draft }: ChangeSource): MembershipJson[] {
  const addVertexTypes = enteringNames(live.vertices, draft.vertices)
  const addEdgeTypes = enteringNames(live.edges, draft.edges)
  if (addVertexTypes.length + addEdgeTypes.length === 0) return []
  return [withoutEmpty({ graphName: graph, addVertexTypes, addEdgeTypes })]
}

/** Published elsewhere and not yet in this graph. */
function enteringNames(live: readonly TypeModel[], draft: readonly TypeModel[]): string[] {
  const { stays } = matched(live, draft)
  return draft.filter((one) => !one.isNew && !stays.has(one)).map(({ name }) => name)
}

/** The same request for a shell. Single quotes inside the body are closed and reopened. */
export function changeCurl(origin: string, graph: string, request: SchemaChangeJson): string {
  const body = JSON.stringify(request, null, 2).replaceAll("'", `'\\''`)
  const address = `${origin}/gsql/v1/schema/change?graph=${encodeURIComponent(graph)}`
  return [
    `curl -X POST '${address}' \\`,
    `  -u USER:PASSWORD -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n')
}

function droppedNames(live: readonly TypeModel[], draft: readonly TypeModel[]): string[] {
  return matched(live, draft).gone.map(({ name }) => name)
}

function alterations<T extends TypeModel>(
  live: readonly T[],
  types: readonly T[],
  draft: SchemaModel,
): AlterTypeJson[] {
  return [...matched(live, types).stays].flatMap(([after, published]) => {
    if (published === after) return []
    const alteration = alterationOf(published, after, draft)
    return Object.keys(alteration).length > 1 ? [alteration] : []
  })
}

/** Parts that stay are compared under the names that the draft has for them. */
function alterationOf(published: TypeModel, after: TypeModel, draft: SchemaModel): AlterTypeJson {
  const { stays, gone } = matched(published.attributes, after.attributes)
  const before = inDraftNames(published, after, draft)
  const special =
    before.kind === 'vertex' && after.kind === 'vertex'
      ? { ...indexChanges(before, after), ...vectorChanges(published, after) }
      : edgeChanges(before, after)
  return withoutEmpty({
    name: published.name,
    ...newName(published, after),
    changeAttributes: [
      ...renamesBeside(after).map(([name, to]) => ({ name, newName: to })),
      ...[...stays].flatMap(([now, then]) => migrationOf(then, now)),
    ],
    addAttributes: after.attributes.filter(({ isNew }) => isNew).map(attributeJson),
    dropAttributes: gone.map(({ name }) => name),
    ...special,
    ...descriptionChanges(before, after),
  })
}

function newName(before: { readonly name: string }, { name }: { readonly name: string }) {
  return before.name === name ? {} : { newName: name }
}

function migrationOf(before: AttributeModel, after: AttributeModel): ChangeAttributeJson[] {
  const change = {
    ...newName(before, after),
    ...(before.type !== after.type && { AttributeType: typeJson(after.type) }),
  }
  return Object.keys(change).length === 0 ? [] : [{ name: before.name, ...change }]
}

function descriptionChanges(before: TypeModel, after: TypeModel): Partial<AlterTypeJson> {
  const changed = changedDescriptions(before, after)
  const whole = changed.find(({ part }) => part === null)
  return {
    ...(whole && { description: whole.text }),
    describeAttributes: changed.flatMap(({ part, text }) =>
      part === null ? [] : [{ name: part, description: text }],
    ),
  }
}

/** An index goes with its attribute, and is made anew with it; naming it twice would be an error. */
function indexChanges(before: VertexModel, after: VertexModel): Partial<AlterTypeJson> {
  const isIn = (indexes: VertexModel['indexes']) => (index: IndexModel) =>
    indexes.some(({ name, attribute }) => name === index.name && attribute === index.attribute)
  return {
    addIndexAttributes: after.indexes
      .filter((index) => !isIn(before.indexes)(index))
      .map(({ name, attribute }) => ({ indexName: name, attributeName: attribute })),
    dropIndexAttributes: before.indexes
      .filter((index) => !isIn(after.indexes)(index))
      .map(({ name }) => name),
  }
}

function vectorChanges(published: TypeModel, after: VertexModel): Partial<AlterTypeJson> {
  const vectors = vectorsOf(after)
  const { gone } = matched(vectorsOf(published as VertexModel), vectors)
  return {
    addEmbeddingAttributes: vectors.filter(({ isNew }) => isNew).map(vectorJson),
    dropEmbeddingAttributes: gone.map(({ name }) => name),
  }
}

function edgeChanges(before: TypeModel, after: TypeModel): Partial<AlterTypeJson> {
  if (before.kind !== 'edge' || after.kind !== 'edge') return {}
  const { publishedReverse, reverseName } = after
  return {
    ...(publishedReverse !== undefined && reverseName !== null && { newReverseName: reverseName }),
    addEdgePairs: addedPairs(before, after).map(({ from, to }) => ({ From: from, To: to })),
  }
}

/** A new type cannot carry its indexes itself: they follow as an alteration of the new type. */
function newIndexes(vertices: readonly VertexModel[]): AlterTypeJson[] {
  return vertices
    .filter(({ indexes }) => indexes.length > 0)
    .map(({ name, indexes }) => ({
      name,
      addIndexAttributes: indexes.map((index) => ({
        indexName: index.name,
        attributeName: index.attribute,
      })),
    }))
}

function withoutEmpty<T extends object>(value: T): T {
  const entries = Object.entries(value).filter(
    ([, part]) => !Array.isArray(part) || part.length > 0,
  )
  return Object.fromEntries(entries) as T
}
