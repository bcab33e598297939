/** OpenAPI 3.1, generated from the endpoints that are mounted. */
import { z } from 'zod'
import {
  type BodyFormat,
  type Endpoint,
  type Envelope,
  errorsOfEveryEndpoint,
  type Method,
} from '#contract/endpoint.ts'
import examples from '#contract/examples.json' with { type: 'json' }
import { endpointNames } from '#contract/names.ts'
import { assert } from '#kernel/assert.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import { shapeOf, unwrap } from './endpoint-catalogue.ts'
import { type ErrorStatus, errorStatus } from './error-status.ts'
import { Components, type NamedSchema } from './openapi-components.ts'
import { operationId } from './operation-id.ts'

type Json = Record<string, unknown>

export function openApiDocument(endpoints: Iterable<Endpoint>, version: string): Json {
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    for (const path of endpoint.paths) {
      const item = paths[path] ?? {}
      paths[path] = item
      for (const method of endpoint.methods) {
        const id = idOf(endpoint, { path, method })
        item[method.toLowerCase()] = { operationId: id, ...operation(endpoint, path, method) }
      }
    }
  }
  addExamples(Object.values(paths).flatMap((item) => Object.values(item) as Json[]))
  const schemas = componentsOf(
    Object.values(paths).flatMap((item) => Object.values(item) as Json[]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quiver',
      version,
      description:
        'A graph database. Paths under /restpp answer without that prefix, too. Integers are exact over 64 bits.',
    },
    servers: [{ url: '/', description: 'The server that answers with this document' }],
    components: {
      schemas,
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
      },
    },
    security: [{ basic: [] }, { token: [] }, {}],
    paths: Object.fromEntries(
      Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  }
}

function idOf(endpoint: Endpoint, at: { readonly path: string; readonly method: Method }): string {
  const name = endpointNames.get(endpoint)
  assert(name !== undefined, `server/contract/names.ts does not list the endpoint ${at.path}`)
  return operationId(name, endpoint, at)
}

/** With its schemas where they are used. */
export function operation(endpoint: Endpoint, path: string, method: Method): Json {
  return {
    summary: endpoint.summary,
    tags: [tagOf(path)],
    description: `Privilege: ${endpoint.privilege}.${warningOf(endpoint)}`,
    ...(endpoint.getChanges === 'all' && { 'x-destructive': true }),
    parameters: [
      ...parametersOf(endpoint.params, 'path', path),
      ...parametersOf(endpoint.query, 'query', path),
    ],
    // The document gives a body of GET no meaning.
    ...(endpoint.body && method !== 'GET' && { requestBody: requestBody(endpoint) }),
    responses: { '200': success(endpoint), ...failures(endpoint) },
  }
}

/** Of a GET that is no mere look. */
export function warningOf({ getChanges }: Endpoint): string {
  if (getChanges === undefined) return ''
  const what =
    getChanges === 'all'
      ? 'Destructive: this GET deletes what cannot be had back.'
      : 'This GET changes something.'
  return ` ${what} As the visit of a browser, fetched ahead or with the write guard it is refused (403), and HEAD does nothing.`
}

interface Example {
  readonly request?: unknown
  readonly response?: unknown
}

/** Recorded by server/test/api/contract-answers.test.ts, by operation id. */
function addExamples(operations: readonly Json[]): void {
  for (const one of operations) {
    const {
      operationId: id,
      requestBody: body,
      responses,
    } = one as {
      operationId: string
      requestBody?: { content: Content }
      responses: Readonly<Record<string, { content?: Content }>>
    }
    const { request, response } = (examples as Readonly<Record<string, Example>>)[id] ?? {}
    const given = Object.values(body?.content ?? {})
    const answers = Object.values(responses['200']?.content ?? {})
    if (request !== undefined) for (const media of given) media.example = request
    if (response !== undefined) for (const media of answers) media.example = response
  }
}

/** Replaces schemas of the operations by references. @returns the components */
function componentsOf(operations: readonly Json[]): Record<string, Json> {
  const components = new Components()
  const places = operations.flatMap(schemaPlaces)
  for (const { media } of places) components.count(media.schema)
  for (const { media, name } of places) {
    if (Object.keys(media.schema).length === 0 || media.schema['type'] === 'string') continue
    media.schema = components.place({ name, schema: media.schema })
  }
  return Object.fromEntries(
    Object.entries(components.schemas).sort(([one], [other]) => (one < other ? -1 : 1)),
  )
}

interface SchemaPlace extends Pick<NamedSchema, 'name'> {
  readonly media: { schema: Json }
}

type Content = Readonly<Record<string, { schema: Json; example?: unknown }>>

function schemaPlaces(one: Json): readonly SchemaPlace[] {
  const {
    operationId: id,
    requestBody: body,
    responses,
  } = one as {
    operationId: string
    requestBody?: { content: Content }
    responses: Readonly<Record<string, { content?: Content }>>
  }
  const name = `${id[0]!.toUpperCase()}${id.slice(1)}`
  const places = Object.values(body?.content ?? {}).map((media) => ({ media, name: `${name}Body` }))
  const answers = Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content).map((media) => ({
      media,
      name: status === '200' ? `${name}Answer` : 'Failure',
    })),
  )
  return [...places, ...answers]
}

function tagOf(path: string): string {
  const [, first = '', second = '', third = ''] = path.split('/')
  return first === 'restpp' ? second : `${first}/${third === '' ? second : third}`
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  path: string,
): Json[] {
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties)
    .filter(([name]) => place === 'query' || path.includes(`{${name}}`))
    .map(([name, property]) => ({
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      schema: withDefault(property, shapeOf(schema)[name]),
    }))
}

/** The generator forgets defaults of values that are read from text. */
function withDefault(property: Json, field: z.ZodType | undefined): Json {
  const value = field === undefined ? undefined : unwrap(field).defaultValue
  return value === undefined ? property : { ...property, default: value }
}

function requestBody(endpoint: Endpoint): Json {
  const formats = {
    json: 'application/json',
    'json-or-form': 'application/json',
    text: 'text/plain',
    'text-or-json': 'text/plain',
    bytes: 'application/json',
    lines: 'text/plain',
  }
  const schemas: Partial<Record<BodyFormat, Json>> = { bytes: {}, lines: { type: 'string' } }
  const schema = schemas[endpoint.bodyFormat] ?? schemaOf(endpoint.body)
  return { content: { [formats[endpoint.bodyFormat]]: { schema } } }
}

function success(endpoint: Endpoint): Json {
  const text = endpoint.envelope === 'text'
  const schema = text
    ? { type: 'string' }
    : wrapped(endpoint.envelope, schemaOf(endpoint.response, 'output'))
  const type = text ? (endpoint.contentType ?? 'text/plain') : 'application/json'
  return { description: 'Success', content: { [type]: { schema } } }
}

const told: Json = { error: { type: 'boolean' }, message: { type: 'string' } }
const version: Json = {
  type: 'object',
  properties: {
    edition: { type: 'string' },
    api: { type: 'string' },
    schema: { type: 'integer' },
  },
}

function wrapped(envelope: Envelope, results: Json): Json {
  switch (envelope) {
    case 'restpp':
      return {
        type: 'object',
        properties: { version, ...told, results, code: { type: 'string' } },
        required: ['version', 'error', 'message'],
      }
    case 'gsql':
      return { type: 'object', properties: { ...told, results }, required: ['error', 'message'] }
    case 'gsql-top':
      return { allOf: [{ type: 'object', properties: told }, results] }
    default:
      return results
  }
}

/** One entry per HTTP status, naming the codes that answer with it. */
function failures(endpoint: Endpoint): Record<string, Json> {
  const byStatus = new Map<number, string[]>()
  for (const code of new Set<ErrorCode>([...endpoint.errors, ...errorsOfEveryEndpoint])) {
    const known: ErrorStatus = errorStatus[code]
    const names = byStatus.get(known.status) ?? []
    byStatus.set(known.status, [...names, `${code} (${known.code})`])
  }
  byStatus.delete(200)
  const schema = {
    type: 'object',
    properties: { ...told, code: { type: 'string' } },
    required: ['error', 'message'],
  }
  return Object.fromEntries(
    [...byStatus].map(([status, names]) => [
      String(status),
      { description: names.join(', '), content: { 'application/json': { schema } } },
    ]),
  )
}

function schemaOf(schema: z.ZodType | undefined, io: 'input' | 'output' = 'input'): Json {
  return schema === undefined ? {} : jsonSchemaOf(schema, io)
}

/** As the document shows it: what a caller gives, or what he gets. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const options = { io, unrepresentable: 'any', override: plainParameter } as const
  const { $schema: _, ...json } = z.toJSONSchema(schema, options) as Json
  return json
}

const parameterTypes: Readonly<Record<string, string>> = {
  BOOL: 'boolean',
  INT32: 'integer',
  UINT32: 'integer',
  UINT64: 'integer',
  STRING: 'string',
}

/** A query parameter reads several spellings; the document tells the plain one. */
function plainParameter({ jsonSchema }: { jsonSchema: Json }): void {
  const { restpp, min, max } = jsonSchema
  if (typeof restpp !== 'string') return
  for (const key of ['restpp', 'min', 'max', 'max_count', 'anyOf']) delete jsonSchema[key]
  jsonSchema['type'] = parameterTypes[restpp] ?? 'string'
  if (min !== undefined) Object.assign(jsonSchema, { minimum: min, maximum: max })
}
