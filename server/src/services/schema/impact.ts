/**
 * What a schema change would do before it is made: per operation its class (safe, rewrites,
 * destroys), how many live elements it touches, and what depends on what it changes.
 */
import type { EdgeAlteration } from '#catalog/edge-types.ts'
import { withVersions } from '#catalog/graphs.ts'
import { findEdgeType, findVertexType, requireGraph } from '#catalog/lookup.ts'
import { applySchemaChange, type SchemaChange } from '#catalog/schema-change.ts'
import { isDbError } from '#kernel/errors.ts'
import {
  counted,
  type Impact,
  type ImpactOperation,
  type ImpactSource,
  indexesOn,
  joins,
  nothing,
  queriesNaming,
  toldProblem,
} from './impact-parts.ts'
import { migrationLines } from './migration-impact.ts'

/** @throws DbError GRAPH_NOT_FOUND; every other refusal is told as `problem` */
export async function schemaImpact(source: ImpactSource, change: SchemaChange): Promise<Impact> {
  if (source.graph !== null) requireGraph(source.catalog, source.graph)
  const problem = problemOf(source, change)
  const migrations = await migrationLines(source, change)
  const operations = [
    ...change.dropEdgeTypes.flatMap((name) => dropEdge(source, name)),
    ...change.dropVertexTypes.flatMap((name) => dropVertex(source, name)),
    ...migrations.lines,
    ...change.addVertexTypes.map(({ Name }) => addition('addVertexTypes', Name)),
    ...change.alterVertexTypes.flatMap((one) => alterVertex(source, one)),
    ...change.addEdgeTypes.map(({ Name }) => addition('addEdgeTypes', Name)),
    ...change.alterEdgeTypes.flatMap((one) => alterEdge(source, one)),
    ...change.graphs.flatMap(memberships),
  ]
  const destroyed = (kind: 'vertices' | 'edges', drops: keyof SchemaChange) =>
    operations
      .filter((one) => one.class === 'destroys' && one.operation === drops)
      .reduce((sum, one) => sum + one[kind], 0)
  return {
    problem: problem ?? migrations.problem,
    operations,
    destroyedVertices: destroyed('vertices', 'dropVertexTypes'),
    destroyedEdges: destroyed('edges', 'dropEdgeTypes'),
  }
}

function problemOf({ catalog, graph }: ImpactSource, change: SchemaChange): Impact['problem'] {
  try {
    withVersions(catalog, applySchemaChange(catalog, graph, change))
    return null
  } catch (error) {
    if (!isDbError(error)) throw error
    return toldProblem(error)
  }
}

function addition(operation: 'addVertexTypes' | 'addEdgeTypes', name: string): ImpactOperation {
  const what = operation === 'addVertexTypes' ? 'vertex' : 'edge'
  return { ...nothing, operation, name, class: 'safe', text: `Adds the ${what} type ${name}.` }
}

function memberships(graph: SchemaChange['graphs'][number]): ImpactOperation[] {
  const line = (name: string, text: string): ImpactOperation => {
    return { ...nothing, operation: 'graphs', name, class: 'safe', text }
  }
  const { graphName, addVertexTypes, addEdgeTypes, dropVertexTypes, dropEdgeTypes } = graph
  return [
    ...[...dropEdgeTypes, ...dropVertexTypes].map((name) =>
      line(name, `Takes the global type ${name} out of ${graphName}; its data stays.`),
    ),
    ...[...addVertexTypes, ...addEdgeTypes].map((name) =>
      line(name, `Puts the global type ${name} into ${graphName}, with the data it has.`),
    ),
  ]
}

/** A global type dropped from a graph keeps its data for the other graphs. */
function dropVertex(source: ImpactSource, name: string): ImpactOperation[] {
  const type = findVertexType(source.catalog, source.graph, name)
  if (type === undefined) return []
  const vertices = source.counts.vertices(type.id)
  const destroys = isDestroyed(source, type)
  const users = source.catalog.edgeTypes.filter((edge) => joins(edge, type))
  return [
    {
      operation: 'dropVertexTypes',
      name,
      class: destroys ? 'destroys' : 'safe',
      vertices,
      edges: 0,
      edgeTypes: users.map((edge) => edge.name),
      indexes: type.indexes.map((index) => index.name),
      queries: queriesNaming(source, [name]),
      text: destroys
        ? `Deletes the vertex type ${name} with ${counted(vertices, 'vertex', 'vertices')}.`
        : `Takes the global vertex type ${name} out of the graph; its data stays.`,
    },
  ]
}

function dropEdge(source: ImpactSource, name: string): ImpactOperation[] {
  const type = findEdgeType(source.catalog, source.graph, name)?.type
  if (type === undefined) return []
  const edges = source.counts.edges(type.id)
  const destroys = isDestroyed(source, type)
  return [
    {
      ...nothing,
      operation: 'dropEdgeTypes',
      name,
      class: destroys ? 'destroys' : 'safe',
      edges,
      queries: queriesNaming(source, [name, type.reverseName ?? name]),
      text: destroys
        ? `Deletes the edge type ${name} with ${counted(edges, 'edge', 'edges')}.`
        : `Takes the global edge type ${name} out of the graph; its data stays.`,
    },
  ]
}

function isDestroyed(source: ImpactSource, type: { readonly graph: string | null }): boolean {
  return type.graph !== null || source.graph === null
}

function alterVertex(
  source: ImpactSource,
  change: SchemaChange['alterVertexTypes'][number],
): ImpactOperation[] {
  const { name } = change
  const type = findVertexType(source.catalog, source.graph, name)
  const vertices = type ? source.counts.vertices(type.id) : 0
  const base = { ...nothing, operation: 'alterVertexTypes' as const, name, vertices }
  const rows = counted(vertices, 'vertex', 'vertices')
  return [
    ...(change.dropAttributes ?? []).map((detail) => ({
      ...base,
      detail,
      class: 'destroys' as const,
      indexes: type ? indexesOn(type, detail) : [],
      queries: queriesNaming(source, [name], detail),
      text: `Deletes the values of ${name}.${detail} on ${rows}.`,
    })),
    ...attributeAdditions(base, change.addAttributes ?? [], rows),
    ...vectorChanges(source, base, change),
    ...(change.addIndexAttributes ?? []).map(({ indexName, attributeName }) => ({
      ...base,
      detail: indexName,
      class: 'safe' as const,
      indexes: [indexName],
      text: `Builds the index ${indexName} on ${name}.${attributeName} over ${rows}.`,
    })),
    ...(change.dropIndexAttributes ?? []).map((detail) => ({
      ...base,
      detail,
      class: 'rewrites' as const,
      indexes: [detail],
      text: `Drops the index ${detail} of ${name}; reads that used it get slower.`,
    })),
    ...descriptionChanges(base, change),
  ]
}

function vectorChanges(
  source: ImpactSource,
  base: Omit<ImpactOperation, 'class' | 'text' | 'detail'>,
  change: SchemaChange['alterVertexTypes'][number],
): ImpactOperation[] {
  const { name } = base
  const rows = counted(base.vertices, 'vertex', 'vertices')
  return [
    ...(change.dropEmbeddingAttributes ?? []).map((detail) => ({
      ...base,
      detail,
      class: 'destroys' as const,
      queries: queriesNaming(source, [name], detail),
      text: `Deletes the vectors of ${name}.${detail} on ${rows}.`,
    })),
    ...(change.addEmbeddingAttributes ?? []).map(({ Name, Dimension }) => ({
      ...base,
      detail: Name,
      class: 'safe' as const,
      text: `Adds the vector ${name}.${Name} of ${Dimension} numbers on ${rows}, empty.`,
    })),
  ]
}

function alterEdge(
  source: ImpactSource,
  change: SchemaChange['alterEdgeTypes'][number],
): ImpactOperation[] {
  const { name } = change
  const type = findEdgeType(source.catalog, source.graph, name)?.type
  const edges = type ? source.counts.edges(type.id) : 0
  const base = { ...nothing, operation: 'alterEdgeTypes' as const, name, edges }
  const rows = counted(edges, 'edge', 'edges')
  return [
    ...(change.dropAttributes ?? []).map((detail) => ({
      ...base,
      detail,
      class: 'destroys' as const,
      queries: queriesNaming(source, [name], detail),
      text: `Deletes the values of ${name}.${detail} on ${rows}.`,
    })),
    ...attributeAdditions(base, change.addAttributes ?? [], rows),
    ...(change.addEdgePairs ?? []).map(({ From, To }) => ({
      ...base,
      detail: `${From} - ${To}`,
      class: 'safe' as const,
      text: `Lets ${name} join ${From} and ${To}.`,
    })),
    ...descriptionChanges(base, change),
  ]
}

function attributeAdditions(
  base: Omit<ImpactOperation, 'class' | 'text' | 'detail'>,
  additions: readonly { readonly AttributeName: string }[],
  rows: string,
): ImpactOperation[] {
  return additions.map(({ AttributeName: detail }) => ({
    ...base,
    detail,
    class: 'safe' as const,
    text: `Adds ${base.name}.${detail} with its default on ${rows}.`,
  }))
}

/** Words alone: no element is touched, and no query reads them. */
function descriptionChanges(
  { operation, name }: Pick<ImpactOperation, 'operation' | 'name'>,
  { description, describeAttributes = [] }: EdgeAlteration,
): ImpactOperation[] {
  const line = (what: string, text: string): Omit<ImpactOperation, 'detail'> => ({
    ...nothing,
    operation,
    name,
    class: 'safe',
    text: `${text.trim() === '' ? 'Takes the description from' : 'Describes'} ${what}.`,
  })
  return [
    ...(description === undefined ? [] : [line(name, description)]),
    ...describeAttributes.map((one) => ({
      ...line(`${name}.${one.name}`, one.description),
      detail: one.name,
    })),
  ]
}
