/** The statistics functions of docs/reference/rest.md. */
import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { name, queryBoolean } from './parameters.ts'

const figures = z.record(z.string(), z.record(z.string(), z.number()))

export const callBuiltin = endpoint({
  method: 'POST',
  path: '/restpp/builtins/{graph}',
  at: 'any',
  summary: 'Counts of vertices and edges, and figures of their attributes',
  params: z.object({ graph: name }),
  query: z.object({ realtime: queryBoolean.default(false) }),
  body: z.object({
    /** stat_vertex_number, stat_edge_number, stat_vertex_attr or stat_edge_attr. */
    function: z.string(),
    /** A type's name, or `*`. */
    type: z.string().optional(),
    from_type: z.string().optional(),
    to_type: z.string().optional(),
  }),
  response: z.array(
    z.union([
      z.object({ v_type: z.string(), count: z.number() }),
      z.object({ e_type: z.string(), count: z.number() }),
      z.object({ v_type: z.string(), attributes: figures }),
      z.object({ e_type: z.string(), attributes: figures }),
    ]),
  ),
  envelope: 'restpp',
  privilege: 'READ_DATA',
  errors: ['GRAPH_NOT_FOUND', 'VERTEX_TYPE_NOT_FOUND', 'QUERY_RUNTIME'],
})
