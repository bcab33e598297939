/**
 * Small documents that a user keeps on the server. Each write names the version it was made from,
 * so that two windows never overwrite each other unseen.
 */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryInteger } from './parameters.ts'

export const DOCUMENT_BYTES_MAX = 1024 * 1024
export const DOCUMENTS_PER_KIND_MAX = 500
/** Of all kinds of one user together. */
export const DOCUMENT_BYTES_PER_USER_MAX = 64 * 1024 * 1024

export const documentKind = z.enum([
  'schema-draft',
  'scene',
  'shared-scene',
  'saved-query',
  'query-runs',
  'query-folders',
  'query-tags',
])
const key = z.string().min(1).max(256)
const params = z.object({ kind: documentKind, key })

/** The version that the caller has seen; 0: there is none yet. Absent: whatever is there. */
const expected = z.object({ version: queryInteger(0, Number.MAX_SAFE_INTEGER).optional() })

const stamp = z.object({
  /** Grows with each write of this key. */
  version: z.number(),
  /** Epoch milliseconds. */
  updatedAt: z.number(),
})

const entry = stamp.extend({ key: z.string(), sizeBytes: z.number() })

export const listDocuments = endpoint({
  method: 'GET',
  path: '/quiver/v1/documents/{kind}',
  at: 'any',
  summary: 'The caller’s documents of a kind, without their contents',
  params: z.object({ kind: documentKind }),
  response: z.array(entry).readonly(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: ['STORE_FAILED'],
})

export const readDocument = endpoint({
  method: 'GET',
  path: '/quiver/v1/documents/{kind}/{key}',
  at: 'any',
  summary: 'One document of the caller; null when there is none',
  params,
  response: entry.extend({ value: z.unknown() }).nullable(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: ['STORE_FAILED'],
})

export const readSharedScene = endpoint({
  method: 'GET',
  path: '/quiver/v1/graphs/{graph}/shared-scenes/{user}/{id}',
  at: 'any',
  summary:
    'A scene of a graph that a user has put into a link: his document `shared-scene/{graph}/{id}`, for all who may read the graph; null when there is none',
  params: z.object({ graph: name, user: z.string().min(1), id: z.string().min(1).max(100) }),
  response: entry.extend({ value: z.unknown() }).nullable(),
  envelope: 'gsql',
  privilege: 'READ_DATA',
  errors: ['STORE_FAILED'],
})

export const writeDocument = endpoint({
  method: 'PUT',
  path: '/quiver/v1/documents/{kind}/{key}',
  at: 'writer',
  summary: 'Write a document: any JSON of at most 1 MB; 409 when another version is there',
  params,
  query: expected,
  body: z.unknown(),
  bodySize: 'document',
  response: stamp,
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: ['DOCUMENT_CONFLICT', 'STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'],
})

export const deleteDocument = endpoint({
  method: 'DELETE',
  path: '/quiver/v1/documents/{kind}/{key}',
  at: 'writer',
  summary: 'Delete a document; none is no error, another version is',
  params,
  query: expected,
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: ['DOCUMENT_CONFLICT', 'STORE_READ_ONLY', 'STORE_FAILED', 'DISK_FULL'],
})
