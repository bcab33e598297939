/** A draft as the one request that publishes it: the body of `POST /gsql/v1/schema/change`. */

import type { SchemaModel, TypeModel, VertexModel } from '#lib/graph-schema/schema-model.ts'
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
import { addedPairs } from './schema-diff.ts'
import { vectorsBeyond } from './vector-operations.ts'

export interface AlterTypeJson {
  readonly name: string
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

/** Contract 3.8. A key with nothing to say is left out. */
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
    alterVertexTypes: alterations(live.vertices, draft.vertices).concat(newIndexes(newVertices)),
    alterEdgeTypes: alterations(live.edges, draft.edges),
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
  return draft
    .filter(({ name, isNew }) => !isNew && !live.some((before) => before.name === name))
    .map(({ name }) => name)
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
  return live
    .filter((before) => !draft.some(({ name, isNew }) => name === before.name && !isNew))
    .map(({ name }) => name)
}

function alterations(live: readonly TypeModel[], draft: readonly TypeModel[]): AlterTypeJson[] {
  return draft.flatMap((after) => {
    const before = live.find(({ name }) => name === after.name)
    if (before === undefined || after.isNew || before === after) return []
    const alteration = alterationOf(before, after)
    return Object.keys(alteration).length > 1 ? [alteration] : []
  })
}

function alterationOf(before: TypeModel, after: TypeModel): AlterTypeJson {
  const kept = new Set(after.attributes.filter(({ isNew }) => !isNew).map(({ name }) => name))
  const special =
    before.kind === 'vertex' && after.kind === 'vertex'
      ? { ...indexChanges(before, after), ...vectorChanges(before, after) }
      : pairChanges(before, after)
  return withoutEmpty({
    name: after.name,
    addAttributes: after.attributes.filter(({ isNew }) => isNew).map(attributeJson),
    dropAttributes: before.attributes.map(({ name }) => name).filter((name) => !kept.has(name)),
    ...special,
    ...descriptionChanges(before, after),
  })
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

function indexChanges(before: VertexModel, after: VertexModel): Partial<AlterTypeJson> {
  const had = (name: string) => before.indexes.some((index) => index.name === name)
  const has = (name: string) => after.indexes.some((index) => index.name === name)
  const lost = new Set(
    before.attributes
      .filter(({ name }) => !after.attributes.some((now) => now.name === name && !now.isNew))
      .map(({ name }) => name),
  )
  return {
    addIndexAttributes: after.indexes
      .filter(({ name, attribute }) => !had(name) || lost.has(attribute))
      .map(({ name, attribute }) => ({ indexName: name, attributeName: attribute })),
    // An index goes with its attribute; naming it again would be an error.
    dropIndexAttributes: before.indexes
      .filter(({ name, attribute }) => !has(name) && !lost.has(attribute))
      .map(({ name }) => name),
  }
}

function vectorChanges(before: VertexModel, after: VertexModel): Partial<AlterTypeJson> {
  return {
    addEmbeddingAttributes: vectorsBeyond(after, before).map(vectorJson),
    dropEmbeddingAttributes: vectorsBeyond(before, after).map(({ name }) => name),
  }
}

function pairChanges(before: TypeModel, after: TypeModel): Partial<AlterTypeJson> {
  if (before.kind !== 'edge' || after.kind !== 'edge') return {}
  return { addEdgePairs: addedPairs(before, after).map(({ from, to }) => ({ From: from, To: to })) }
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
