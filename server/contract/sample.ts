/** The sample graph of our own, so that every page has something to show in the first minute. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const SAMPLE_GRAPH = 'sample'

/** How long the traffic runs that makes the statistics worth a look. */
export const SAMPLE_TRAFFIC_SECONDS = 20

export const loadSample = endpoint({
  method: 'POST',
  path: '/quiver/v1/sample',
  at: 'writer',
  summary: 'Make the sample graph, install its queries and let some traffic run',
  response: z.object({
    graph: z.string(),
    /** False when the graph was there already: missing queries are installed, and traffic runs. */
    created: z.boolean(),
    vertices: z.number(),
    edges: z.number(),
    queries: z.array(z.string()),
  }),
  envelope: 'gsql',
  privilege: 'WRITE_SCHEMA',
  ofAllGraphs: true,
  errors: ['SCHEMA_RULE', 'MEMORY_LIMIT', 'STORE_READ_ONLY', 'STORE_FAILED'],
})
