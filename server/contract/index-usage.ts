/** What secondary indexes take and give: those that nobody needs cost memory and writes. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { graphQuery } from './parameters.ts'

const indexUse = z.object({
  vertex: z.string(),
  index: z.string(),
  attribute: z.string(),
  /** Reads with a filter, and starts of queries; 0: nobody needed it. */
  uses: z.number(),
  /** Epoch milliseconds; null: not once. */
  lastUsedAt: z.number().nullable(),
  /** Names of the graph's queries that begin with it; absent where no graph was named. */
  queries: z.array(z.string()).readonly().optional(),
})

const scannedAttribute = z.object({
  vertex: z.string(),
  attribute: z.string(),
  /** Reads with a filter, and runs of queries, that an index on it would have served. */
  scans: z.number(),
  /** Epoch milliseconds. */
  lastScannedAt: z.number(),
})

export const readIndexUsage = endpoint({
  method: 'GET',
  path: '/quiver/v1/indexes/usage',
  at: 'any',
  summary: 'How often each secondary index was gone by since the server started',
  query: z.object({ graph: graphQuery }),
  response: z.object({
    /** Since when is counted: the start of the server, in epoch milliseconds. */
    since: z.number(),
    indexes: z.array(indexUse),
    /** Attributes without an index that was missed, the most missed first. */
    missed: z.array(scannedAttribute),
  }),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND'],
})

const indexFacts = z.object({
  vertex: z.string(),
  index: z.string(),
  attribute: z.string(),
  /** Epoch milliseconds; null: it was made before this was kept. */
  createdAt: z.number().nullable(),
  /** An index is built by the first look-up that wants it, beside other work where it is large. */
  state: z.enum(['unbuilt', 'building', 'ready']),
  /** How much of the building is done, from 0 to 1. */
  builtShare: z.number(),
  sizeBytes: z.number(),
  /** How many different values the vertices have; null: it is not built. */
  distinctValues: z.number().nullable(),
})

export const readIndexFacts = endpoint({
  method: 'GET',
  path: '/quiver/v1/indexes',
  at: 'any',
  summary: 'What each secondary index takes in memory, how many values it tells apart, since when',
  query: z.object({ graph: graphQuery }),
  response: z.object({ indexes: z.array(indexFacts) }),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND'],
})
