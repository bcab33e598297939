/** How an upsert treats what is there and what is missing: the contract's flags as few choices. */

export interface UpsertOptions {
  /** `all`: answer once durable and applied. `none`: once validated and ordered. */
  readonly ack: 'all' | 'none'
  /** What happens to vertices that exist, or that do not. */
  readonly vertices: 'upsert' | 'new' | 'update'
  /** Which endpoints of an edge must exist already; the others are created. */
  readonly endpoints: 'any' | 'both' | 'source' | 'target'
  readonly atomic: boolean
}

export const defaultOptions: UpsertOptions = {
  ack: 'all',
  vertices: 'upsert',
  endpoints: 'any',
  atomic: false,
}

export interface UpsertRequestOptions {
  readonly query: Readonly<Record<string, boolean | string>>
  readonly headers: Readonly<Record<string, string>>
}

/** Only what differs from the defaults is sent: extra answer keys appear with their flag alone. */
export function requestOptions(options: UpsertOptions): UpsertRequestOptions {
  const { ack, vertices, endpoints, atomic } = options
  const query: Record<string, boolean | string> = {}
  if (ack === 'none') query['ack'] = 'none'
  if (vertices === 'new') query['new_vertex_only'] = true
  if (vertices === 'update') query['update_vertex_only'] = true
  if (endpoints === 'both') query['vertex_must_exist'] = true
  if (endpoints === 'source') query['source_vertex_must_exist'] = true
  if (endpoints === 'target') query['target_vertex_must_exist'] = true
  return { query, headers: atomic ? { 'gsql-atomic-level': 'atomic' } : {} }
}

/** What will happen, in one sentence per choice. */
export const sentences = {
  ack: {
    all: 'Answers once the data is on disk and visible.',
    none: 'Answers once the data is checked and ordered, before it is on disk.',
  },
  vertices: {
    upsert: 'Creates missing vertices and updates those that exist.',
    new: 'Creates missing vertices; those that exist are left alone and reported.',
    update: 'Updates vertices that exist; missing ones are not created and are reported.',
  },
  endpoints: {
    any: 'Missing endpoints are created with default values.',
    both: 'Edges with a missing endpoint are skipped and reported.',
    source: 'Edges whose source is missing are skipped; missing targets are created.',
    target: 'Edges whose target is missing are skipped; missing sources are created.',
  },
  atomic: {
    on: 'All or nothing: one element that an option refuses fails the whole request.',
    off: 'What can be written is written; a crash in the middle may leave a part of it.',
  },
} as const
