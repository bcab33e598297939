/** Small documents that a user keeps on the server: drafts, scenes, settings. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const DOCUMENT_BYTES_MAX = 1024 * 1024
export const DOCUMENTS_PER_COLLECTION_MAX = 1_000

const collection = z.enum(['drafts', 'scenes', 'settings', 'queries', 'history'])
const key = z.string().min(1).max(256)
const errors = ['INVALID_PARAMETER', 'STORE_READ_ONLY', 'STORE_FAILED'] as const

export const listDocuments = endpoint({
  method: 'GET',
  path: '/quiver/v1/documents/{collection}',
  summary: 'Keys and values of a collection of the caller',
  params: z.object({ collection }),
  response: z.array(z.object({ key: z.string(), value: z.unknown() })).readonly(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const readDocument = endpoint({
  method: 'GET',
  path: '/quiver/v1/documents/{collection}/{key}',
  summary: 'One document of the caller; null when there is none',
  params: z.object({ collection, key }),
  response: z.unknown(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [],
})

export const writeDocument = endpoint({
  method: 'PUT',
  path: '/quiver/v1/documents/{collection}/{key}',
  summary: 'Write a document: any JSON of at most 1 MB',
  params: z.object({ collection, key }),
  body: z.unknown(),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [...errors],
})

export const deleteDocument = endpoint({
  method: 'DELETE',
  path: '/quiver/v1/documents/{collection}/{key}',
  summary: 'Delete a document; none is no error',
  params: z.object({ collection, key }),
  response: z.undefined(),
  envelope: 'gsql',
  privilege: 'AUTHENTICATED',
  errors: [...errors],
})
