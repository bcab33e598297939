/** Exports and imports. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name } from './parameters.ts'

/** Inside the server's directory for files, absolute or relative to it. */
const path = z.string().min(1).max(1_000)
const graphNames = z.array(name).min(1).default(['*'])
/** Clients send null, or nothing between quotes, for none. */
const password = z.string().max(1_000).nullish()
const fileErrors = ['INVALID_PARAMETER', 'DISK_FULL', 'UNAVAILABLE'] as const

const exportedFile = z.object({
  /** In the directory. */
  file: z.string(),
  kind: z.enum(['vertices', 'edges']),
  type: z.string(),
  count: z.number(),
  sizeBytes: z.number(),
  sha256: z.string(),
  /** Of GraphAr: what of the type the file holds; `count` counts its rows. */
  part: z.enum(['properties', 'adjacency', 'offsets']).optional(),
})

const summary = z.object({ path: z.string(), files: z.array(exportedFile).readonly() })

export const exportDatabase = endpoint({
  method: 'POST',
  path: '/gsql/v1/db-export',
  at: 'writer',
  summary: 'Write schema, queries, jobs, data and, when asked for, users into a new directory',
  body: z.object({
    path,
    graphNames,
    /** None of the four: all but users. */
    schema: z.boolean().default(false),
    template: z.boolean().default(false),
    data: z.boolean().default(false),
    users: z.boolean().default(false),
    /** Encrypts the users. */
    password,
    /** Of the product's own files; ours are lines of JSON. */
    separator: z.string().optional(),
    eol: z.string().optional(),
  }),
  response: summary,
  envelope: 'gsql',
  privilege: 'EXPORT_GRAPH',
  errors: ['GRAPH_NOT_FOUND', ...fileErrors],
})

export const importDatabase = endpoint({
  method: 'POST',
  path: '/gsql/v1/db-import',
  at: 'writer',
  summary: 'Bring in what an export wrote; graphs and types of its names must not exist',
  body: z.object({
    path,
    graphNames,
    /** Leave out the users of the export. */
    keepUsers: z.boolean().default(false),
    password,
  }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'EXPORT_GRAPH',
  errors: [
    'GRAPH_NOT_FOUND',
    'NAME_TAKEN',
    'INVALID_NAME',
    'SCHEMA_RULE',
    'INVALID_PAYLOAD',
    'INVALID_JSON',
    'UNSUPPORTED_FORMAT',
    'MEMORY_LIMIT',
    'STORE_READ_ONLY',
    'STORE_FAILED',
    ...fileErrors,
  ],
})

export const listImports = endpoint({
  method: 'GET',
  path: '/quiver/v1/imports',
  at: 'writer',
  summary:
    'Imports that have not ended: those under way, those that failed, and those that the end of the server cut short',
  response: z.array(
    z.object({
      /** The directory, as the import named it. */
      path: z.string(),
      /** Epoch milliseconds. */
      startMs: z.number(),
      /** Those that failed or were interrupted go on when the same export is imported again. */
      state: z.enum(['RUNNING', 'INTERRUPTED', 'FAILED']),
      /** Why it failed. */
      message: z.string().nullable(),
    }),
  ),
  envelope: 'gsql',
  privilege: 'EXPORT_GRAPH',
  errors: [],
})

export const exportGraph = endpoint({
  method: 'POST',
  path: '/quiver/v1/graphs/{graph}/export',
  at: 'writer',
  summary:
    'Write a graph into a new directory, as CSV or lines of JSON, one file per type, or as Parquet in the layout of Apache GraphAr',
  params: z.object({ graph: name }),
  body: z.object({ path, format: z.enum(['csv', 'json', 'graphar']) }),
  response: summary,
  envelope: 'gsql',
  privilege: 'EXPORT_GRAPH',
  ofAllGraphs: true,
  errors: ['GRAPH_NOT_FOUND', ...fileErrors],
})
