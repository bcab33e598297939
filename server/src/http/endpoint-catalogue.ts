/** `GET /endpoints`, generated from the endpoints that are mounted. */
import type { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'

interface Descriptor {
  type: string
  default?: string
  min?: string
  max?: string
  min_count?: number
  max_count?: number
  max_length?: number
  options?: readonly string[]
  is_id?: string
  id_type?: string
}

/** What the name of a built-in's parameter says beyond its schema; those of ids name their type's. */
const byName: Readonly<Record<string, Partial<Descriptor>>> = {
  ack: { options: ['all', 'none'], min_count: 1, max_count: 1 },
  sleep: { type: 'INT32' },
  vertex_type: { type: 'TYPENAME' },
  source_vertex_type: { type: 'TYPENAME', min_count: 1 },
  target_vertex_type: { type: 'TYPENAME' },
  vertex_id: { is_id: 'true', id_type: '$vertex_type', max_length: 2560, min_count: 0 },
  source_vertex_id: {
    ...{ is_id: 'true', id_type: '$source_vertex_type', max_length: 256 },
    min_count: 1,
  },
  target_vertex_id: { is_id: 'true', id_type: '$target_vertex_type', max_length: 256 },
  select: { max_length: 2560 },
  filter: { max_length: 2560 },
  sort: { max_length: 2560 },
}

/** Keys whose value is null on the real server, too. */
const withoutParameters = new Set(['GET /version'])
/** Listed there and, without a graph, not to be called. */
const listedOnly = { 'POST /builtins': null }

export function builtinEndpoints(endpoints: Iterable<Endpoint>): Record<string, unknown> {
  const entries: [string, unknown][] = Object.entries(listedOnly)
  for (const endpoint of endpoints) {
    if (!endpoint.paths[0]?.startsWith('/restpp/')) continue
    const paths = fullPaths(endpoint)
    const parameters = Object.fromEntries(descriptorsOf(endpoint))
    for (const method of endpoint.methods) {
      for (const path of paths) {
        const key = `${method} ${path.replace('{graph}', '{graph_name}')}`
        entries.push([key, withoutParameters.has(key) ? null : { parameters }])
      }
    }
  }
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/**
 * Of several paths those with all their tail, since the optional part is always shown; what can be
 * called without a graph is a path of its own.
 */
function fullPaths({ paths }: Endpoint): string[] {
  const ofRestpp = paths.filter((path) => path.startsWith('/restpp/'))
  const isTail = (path: string) => ofRestpp.some((other) => other.startsWith(`${path}/{`))
  const isWithoutGraph = (path: string) => ofRestpp.includes(`${path}/{graph}`)
  return ofRestpp
    .filter((path) => !isTail(path) || isWithoutGraph(path))
    .map((path) => path.replace('/restpp', ''))
}

function descriptorsOf(endpoint: Endpoint): [string, Descriptor][] {
  const fields = { ...shapeOf(endpoint.params), ...shapeOf(endpoint.query) }
  return Object.entries(fields)
    .filter(([key]) => key !== 'graph')
    .map(([key, schema]) => [key, { ...descriptorOf(schema), ...byName[key] }])
}

/** The fields of an object schema; none for any other. */
export function shapeOf(schema: z.ZodType | undefined): Record<string, z.ZodType> {
  return (schema as { shape?: Record<string, z.ZodType> } | undefined)?.shape ?? {}
}

interface Unwrapped {
  readonly defaultValue?: unknown
  readonly isOptional: boolean
  readonly meta: Readonly<Record<string, unknown>>
}

function descriptorOf(schema: z.ZodType): Descriptor {
  const { defaultValue, isOptional, meta } = unwrap(schema)
  const { restpp = 'STRING', min, max, max_count } = meta
  return {
    type: String(restpp),
    ...(defaultValue !== undefined && { default: String(defaultValue) }),
    ...(typeof min === 'number' && { min: String(min) }),
    ...(typeof max === 'number' && { max: String(max) }),
    ...(typeof max_count === 'number' && { max_count }),
    ...(isOptional && { min_count: 0 }),
  }
}

/** Looks through `optional` and `default` to the schema that carries the type's name. */
export function unwrap(schema: z.ZodType): Unwrapped {
  const def = schema.def as { innerType?: z.ZodType; defaultValue?: unknown; type: string }
  const meta = schema.meta() ?? {}
  if (def.innerType === undefined) return { isOptional: false, meta }
  const inner = unwrap(def.innerType)
  const isOptional = inner.isOptional || def.type === 'optional'
  const defaultValue = def.type === 'default' ? def.defaultValue : inner.defaultValue
  return { isOptional, defaultValue, meta: { ...inner.meta, ...meta } }
}
