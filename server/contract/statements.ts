/** GSQL scripts and the calls that empty the store. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery, name, queryBoolean, queryInteger } from './parameters.ts'

const receipt = z.object({
  requestId: z.string(),
  startTime: z.string(),
  endTime: z.string().optional(),
})

export const runStatements = endpoint({
  method: 'POST',
  path: ['/gsql/v1/statements', '/gsqlserver/gsql/file'],
  at: 'writer',
  summary: 'Run a GSQL script; the text tells how it went. async=true answers with a receipt',
  query: z.object({
    /** The working graph at the start. */
    graph: graphQuery,
    async: queryBoolean.default(false),
    /** Seconds for each query of the script; 0: the default. */
    timeout: queryInteger(0, 2 ** 31 - 1).default(0),
  }),
  body: z.string(),
  bodyFormat: 'text',
  bodySize: 'script',
  response: z.string(),
  envelope: 'text',
  privilege: 'AUTHENTICATED',
  errors: ['GRAPH_NOT_FOUND'],
})

export const readStatements = endpoint({
  method: 'GET',
  path: '/gsql/v1/statements/{id}',
  at: 'named',
  isStored: true,
  summary: 'How a script that was run with async=true is doing, and what it printed',
  params: z.object({ id: name }),
  response: receipt.extend({ results: z.string() }),
  envelope: 'gsql-top',
  privilege: 'AUTHENTICATED',
  errors: ['REQUEST_NOT_FOUND'],
})

export const cancelStatements = endpoint({
  method: 'PUT',
  path: '/gsql/v1/statements/{id}/cancel',
  at: 'named',
  isStored: true,
  summary: 'End a script before its next command',
  params: z.object({ id: name }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: ['REQUEST_NOT_FOUND'],
})

const done = { response: z.undefined(), envelope: 'gsql', method: 'GET' } as const
const writeErrors = ['STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'] as const

export const clearStore = endpoint({
  ...done,
  path: ['/gsql/v1/clear-store', '/gsqlserver/gsql/clear-store'],
  at: 'writer',
  summary: 'Delete all data of all graphs; the schema stays',
  getChanges: 'all',
  privilege: 'CLEAR_GRAPHSTORE',
  errors: writeErrors,
})

export const dropAll = endpoint({
  ...done,
  path: '/gsql/v1/drop-all',
  at: 'writer',
  summary: 'Delete data, schema, queries and jobs',
  getChanges: 'all',
  privilege: 'DROP_ALL',
  errors: writeErrors,
})
