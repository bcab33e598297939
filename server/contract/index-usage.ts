/** How often secondary indexes are gone by: those that nobody needs cost memory and writes. */
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

export const readIndexUsage = endpoint({
  method: 'GET',
  path: '/quiver/v1/indexes/usage',
  summary: 'How often each secondary index was gone by since the server started',
  query: z.object({ graph: graphQuery }),
  response: z.object({
    /** Since when is counted: the start of the server, in epoch milliseconds. */
    since: z.number(),
    indexes: z.array(indexUse),
  }),
  envelope: 'gsql',
  privilege: 'READ_SCHEMA',
  errors: ['GRAPH_NOT_FOUND'],
})
