/** The machine and the release: metrics, versions, and the two maintenance calls. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import {
  graphQuery,
  name,
  queryBoolean,
  queryInteger,
  queryList,
  queryString,
} from './parameters.ts'

export const readMetrics = endpoint({
  method: ['GET', 'POST'],
  path: '/informant/metrics',
  at: 'any',
  ofInstance: true,
  summary: 'Metrics of machine, engine, store and queries, as OpenMetrics text',
  response: z.string(),
  envelope: 'text',
  contentType: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  privilege: 'PUBLIC',
  errors: [],
})

export const componentVersion = z.object({
  name: z.string(),
  version: z.string(),
  hash: z.string(),
  datetime: z.string(),
})

export const readVersions = endpoint({
  method: 'GET',
  path: '/gsql/v1/system/versions',
  at: 'any',
  ofInstance: true,
  summary: 'Release and Git hash of each component',
  response: z.array(componentVersion),
  envelope: 'gsql',
  privilege: 'PUBLIC',
  errors: [],
})

export const rebuildNow = endpoint({
  method: ['GET', 'POST'],
  path: '/restpp/rebuildnow/{graph}',
  at: 'writer',
  summary: 'Fold what was written since the last rebuild into the base segments',
  params: z.object({ graph: name }),
  query: z.object({
    /** At most so many threads; a rebuild takes one. */
    threadnum: queryInteger(1, 256).optional(),
    vertextype: queryString.optional(),
    segid: queryList.optional(),
    path: queryString.optional(),
    force: queryBoolean.optional(),
  }),
  response: z.array(z.unknown()),
  envelope: 'restpp',
  /** It rewrites files of the server, and forced again and again it takes a core of it. */
  getChanges: 'some',
  privilege: 'UPDATE_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'MEMORY_LIMIT', 'STORE_FAILED'],
})

const statusPath = '/restpp/vector/status'

/** Searches are exact while an index is made; `verbose` tells which segments it lacks. */
export const readVectorStatus = endpoint({
  method: 'GET',
  path: [
    statusPath,
    `${statusPath}/{graph}`,
    `${statusPath}/{graph}/{vertex_type}`,
    `${statusPath}/{graph}/{vertex_type}/{vector}`,
  ],
  at: 'any',
  summary: 'Whether vectors can be searched: which servers still build their index',
  params: z.object({
    graph: name.optional(),
    vertex_type: name.optional(),
    vector: name.optional(),
  }),
  query: z.object({ verbose: queryBoolean.optional() }),
  response: z.object({
    NeedRebuildServers: z.array(z.string()),
    'NeedRebuildInstances({SEGID}_{VECTOR_ID})': z
      .record(z.string(), z.array(z.string()))
      .optional(),
  }),
  envelope: 'restpp',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'ATTRIBUTE_NOT_FOUND'],
})

/** `verbose` adds the optional fields: 1 counts, 2 counts per segment, 4 deleted ids. */
export const deletedVertexResult = z.object({
  GPE: z.string(),
  PassCheck: z.boolean(),
  UnSyncList: z.array(
    z.object({
      Segid: z.number(),
      IsRemote: z.boolean(),
      VertexType: z.string(),
      GPEDelHash: z.union([z.number(), z.bigint()]),
      IDSDelHash: z.union([z.number(), z.bigint()]),
    }),
  ),
  VertexCounts: z
    .array(z.object({ VertexType: z.string(), Count: z.number(), Deleted: z.number() }))
    .optional(),
  SegmentCounts: z
    .array(
      z.object({
        Segid: z.number(),
        VertexType: z.string(),
        Count: z.number(),
        Deleted: z.number(),
      }),
    )
    .optional(),
  DeletedIds: z
    .array(z.object({ Segid: z.number(), VertexType: z.string(), Ids: z.array(z.string()) }))
    .optional(),
})

export const deletedVertexCheck = endpoint({
  method: 'GET',
  path: ['/restpp/deleted_vertex_check', '/restpp/deleted_vertex_check/{graph}'],
  at: 'any',
  summary: 'Compare what the storage and the processing engine hold for deleted',
  params: z.object({ graph: name.optional() }),
  query: z.object({
    /** At most so many threads; a check takes one. */
    threadnum: queryInteger(1, 256).optional(),
    segid: queryList.optional(),
    vertextype: queryList.optional(),
    verbose: queryInteger(0, 7).optional(),
    log: queryInteger(0, 2).optional(),
    graph: graphQuery,
  }),
  response: z.array(deletedVertexResult),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'STORE_FAILED'],
})

export const maintenanceRun = z.object({
  /** Epoch milliseconds. */
  startedAt: z.number(),
  durationMs: z.number(),
  kind: z.enum(['rebuild', 'deleted-vertex-check']),
  graph: z.string().nullable(),
  passed: z.boolean(),
  text: z.string(),
})

export const readMaintenanceRuns = endpoint({
  method: 'GET',
  path: '/quiver/v1/maintenance/runs',
  at: 'any',
  ofInstance: true,
  gathers: true,
  summary: 'The last rebuilds and checks, newest first',
  response: z.array(maintenanceRun),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: [],
})

/** A rebuild that somebody asked for, or that the server began by itself. */
export const readMaintenanceProgress = endpoint({
  method: 'GET',
  path: '/quiver/v1/maintenance/progress',
  at: 'writer',
  summary: 'How far the rebuild is that runs now',
  response: z.object({
    /** Null: none runs. */
    rebuild: z
      .object({
        /** Epoch milliseconds. */
        startedAt: z.number(),
        step: z.enum(['preparing', 'merging', 'writing']),
        /** From 0 to 1, of the bytes that are to be merged and written. */
        share: z.number(),
      })
      .nullable(),
  }),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  ofSomeGraph: true,
  errors: [],
})
