/** `/gsql/v1/schema/…`: vertex types, edge types, graphs, whole changes. */

import { z } from 'zod'
import type { ErrorCode } from '#kernel/errors.ts'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryBoolean, queryList, queryString } from './parameters.ts'
import {
  edgeAlterationForm,
  edgeTypeForm,
  edgeTypeView,
  graphSchemaView,
  graphSummaryView,
  schemaChangeForm,
  vertexAlterationForm,
  vertexTypeForm,
  vertexTypeView,
} from './schema-forms.ts'

const schemaErrors: readonly ErrorCode[] = [
  'GRAPH_NOT_FOUND',
  'VERTEX_TYPE_NOT_FOUND',
  'EDGE_TYPE_NOT_FOUND',
  'ATTRIBUTE_NOT_FOUND',
  'INDEX_NOT_FOUND',
  'NAME_TAKEN',
  'INVALID_NAME',
  'SCHEMA_RULE',
  'MEMORY_LIMIT',
  'STORE_READ_ONLY',
  'STORE_FAILED',
  'DISK_FULL',
]
const readErrors: readonly ErrorCode[] = [
  'GRAPH_NOT_FOUND',
  'VERTEX_TYPE_NOT_FOUND',
  'EDGE_TYPE_NOT_FOUND',
]

const inGraph = z.object({ graph: graphQuery })
const named = z.object({ name })
const change = { envelope: 'gsql', privilege: 'WRITE_SCHEMA', errors: schemaErrors } as const
const read = { envelope: 'gsql', privilege: 'READ_SCHEMA', errors: readErrors } as const
/** The outcome is told by the message alone. */
const nothing = z.undefined()

const vertices = '/gsql/v1/schema/vertices'
const edges = '/gsql/v1/schema/edges'
const graphs = '/gsql/v1/schema/graphs'

export const listVertexTypes = endpoint({
  ...read,
  method: 'GET',
  path: vertices,
  at: 'any',
  summary: 'List vertex types: all global ones, or those visible in a graph',
  query: inGraph,
  response: z.array(vertexTypeView).readonly(),
})

export const readVertexType = endpoint({
  ...read,
  method: 'GET',
  path: `${vertices}/{name}`,
  at: 'any',
  summary: 'Read one vertex type',
  params: named,
  query: inGraph,
  response: vertexTypeView,
})

export const createVertexTypes = endpoint({
  ...change,
  method: 'POST',
  path: vertices,
  at: 'writer',
  summary: 'Create vertex types (local ones with `graph`), or put global ones into a graph',
  query: inGraph.extend({ gsql: queryBoolean.optional() }),
  body: z.object({
    createVertices: z.array(vertexTypeForm).optional(),
    addVertices: z.array(name).optional(),
    gsql: z.union([z.string(), z.array(z.string())]).optional(),
  }),
  response: nothing,
})

export const alterVertexType = endpoint({
  ...change,
  method: 'PUT',
  path: `${vertices}/{name}`,
  at: 'writer',
  summary: 'Rename a vertex type; add, drop, rename and widen its attributes; its indexes',
  params: named,
  query: inGraph,
  body: vertexAlterationForm,
  response: nothing,
})

export const dropVertexTypes = endpoint({
  ...change,
  method: 'DELETE',
  path: [vertices, `${vertices}/{name}`],
  at: 'writer',
  summary: 'Drop vertex types, or take global ones out of a graph',
  params: z.object({ name: name.optional() }),
  query: inGraph.extend({ vertex: queryList.optional() }),
  response: nothing,
})

export const listEdgeTypes = endpoint({
  ...read,
  method: 'GET',
  path: edges,
  at: 'any',
  summary: 'List edge types: all global ones, or those visible in a graph',
  query: inGraph,
  response: z.array(edgeTypeView).readonly(),
})

export const readEdgeType = endpoint({
  ...read,
  method: 'GET',
  path: `${edges}/{name}`,
  at: 'any',
  summary: 'Read one edge type',
  params: named,
  query: inGraph,
  response: edgeTypeView,
})

export const createEdgeTypes = endpoint({
  ...change,
  method: 'POST',
  path: edges,
  at: 'writer',
  summary: 'Create edge types (local ones with `graph`), or put global ones into a graph',
  query: inGraph.extend({ gsql: queryBoolean.optional() }),
  body: z.object({
    createEdges: z.array(edgeTypeForm).optional(),
    addEdges: z.array(name).optional(),
    gsql: z.union([z.string(), z.array(z.string())]).optional(),
  }),
  response: nothing,
})

export const alterEdgeType = endpoint({
  ...change,
  method: 'PUT',
  path: `${edges}/{name}`,
  at: 'writer',
  summary: 'Rename an edge type; add, drop, rename and widen its attributes; add FROM/TO pairs',
  params: named,
  query: inGraph,
  body: edgeAlterationForm,
  response: nothing,
})

export const dropEdgeTypes = endpoint({
  ...change,
  method: 'DELETE',
  path: [edges, `${edges}/{name}`],
  at: 'writer',
  summary: 'Drop edge types, or take global ones out of a graph',
  params: z.object({ name: name.optional() }),
  query: inGraph.extend({ edge: queryList.optional() }),
  response: nothing,
})

/** With `?graph=` (or `graphName`) the answer is that of `readGraph`, under `results`. */
export const listGraphs = endpoint({
  method: 'GET',
  path: graphs,
  at: 'any',
  summary: 'List graphs with the names of their types, reverse edges included',
  query: inGraph.extend({ graphName: graphQuery, type: queryString.optional() }),
  response: z.object({ graphs: z.array(graphSummaryView).readonly() }),
  envelope: 'gsql-top',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: readErrors,
})

export const readGraph = endpoint({
  ...read,
  method: 'GET',
  path: [`${graphs}/{graph}`, '/gsql/v1/schema', '/gsqlserver/gsql/schema'],
  at: 'any',
  summary: 'Read the schema of a graph, or one of its types with `type`',
  params: z.object({ graph: name.optional() }),
  query: inGraph.extend({ type: queryString.optional() }),
  response: z.union([graphSchemaView, vertexTypeView, edgeTypeView]),
})

export const createGraph = endpoint({
  ...change,
  ofAllGraphs: true,
  method: 'POST',
  path: graphs,
  at: 'writer',
  summary: 'Create a graph of global types; `*` stands for all of them',
  query: z.object({ graphName: graphQuery, graph: graphQuery, gsql: queryBoolean.optional() }),
  body: z.object({
    VertexTypes: z.array(name).optional(),
    EdgeTypes: z.array(name).optional(),
    gsql: z.string().optional(),
  }),
  response: nothing,
})

export const dropGraphs = endpoint({
  ...change,
  method: 'DELETE',
  path: [graphs, `${graphs}/{graph}`],
  at: 'writer',
  summary: 'Drop graphs with their local types and data; `cascade` drops their queries, too',
  params: z.object({ graph: name.optional() }),
  query: z.object({ graphNames: queryList.optional(), cascade: queryBoolean.optional() }),
  response: nothing,
  privilege: 'DROP_GRAPH',
  ofAllGraphs: true,
})

export const changeSchema = endpoint({
  ...change,
  method: 'POST',
  path: '/gsql/v1/schema/change',
  at: 'writer',
  summary: 'Run a whole schema change: all of it or nothing',
  query: inGraph.extend({ force: queryBoolean.optional() }),
  body: schemaChangeForm,
  response: nothing,
})

const impactOperation = z.object({
  /** The key of the change (`dropVertexTypes`, …) and the position in it. */
  operation: z.string(),
  name: z.string(),
  /** Finer than the name: the attribute, index or pair the line is about. */
  detail: z.string().optional(),
  class: z.enum(['safe', 'rewrites', 'destroys']),
  /** Live elements whose values or existence the operation touches. */
  vertices: z.number(),
  edges: z.number(),
  edgeTypes: z.array(z.string()).readonly(),
  indexes: z.array(z.string()).readonly(),
  /** Queries whose text names what is changed. */
  queries: z.array(z.string()).readonly(),
  text: z.string(),
  /** What keeps the data: another name, or a wider type; absent: something else. */
  change: z.enum(['rename', 'renameReverse', 'retype']).optional(),
  /** The new name, or the new type as text. */
  to: z.string().optional(),
  /** Loading jobs whose text names what is changed. */
  jobs: z.array(z.string()).readonly().optional(),
  /** Live elements whose value the new type has not; ids of the first ten. */
  unkept: z.object({ count: z.number(), ids: z.array(z.string()).readonly() }).optional(),
})

/** Which part of a change is refused: its key, the position under it, the type and what of it. */
const stepPlace = z.object({
  operation: z.string(),
  index: z.number(),
  name: z.string(),
  detail: z.string().optional(),
})

export const readSchemaImpact = endpoint({
  method: 'POST',
  path: '/quiver/v1/schema/impact',
  at: 'any',
  summary: 'What a schema change would do, without doing it',
  query: inGraph,
  body: schemaChangeForm,
  response: z.object({
    /** Null when the change would be accepted; otherwise why not. */
    problem: z
      .object({
        code: z.string(),
        message: z.string(),
        /** The part of the change that is refused, as `errors` of the change itself tells it. */
        place: stepPlace.nullable(),
      })
      .nullable(),
    operations: z.array(impactOperation).readonly(),
    destroyedVertices: z.number(),
    destroyedEdges: z.number(),
    /** A script that makes the same change: schema-change jobs, made, run and dropped. */
    gsql: z.string(),
  }),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND'],
})
