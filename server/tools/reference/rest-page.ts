/**
 * `docs/reference/rest.md` as a text: each endpoint of the contract, with the paragraphs of
 * `rest-notes.md` that stand under its heading there.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { z } from 'zod'
import { type Endpoint, errorsOfEveryEndpoint } from '#contract/endpoint.ts'
import type { ErrorCode } from '#kernel/errors.ts'
import { shapeOf, unwrap } from '../../src/http/endpoint-catalogue.ts'
import { type ErrorStatus, errorStatus } from '../../src/http/error-status.ts'
import { jsonSchemaOf, operation, warningOf } from '../../src/http/openapi.ts'
import { bodyLimitBytes } from '../../src/http/receive.ts'
import { groups } from './rest-groups.ts'
import { type JsonSchema, type NamedShapes, shapeText, typeText } from './shape-text.ts'

const contract = new URL('../../contract/', import.meta.url)
export const notesFile = new URL('rest-notes.md', import.meta.url)
export const restFile = new URL('../../../docs/reference/rest.md', import.meta.url)

/** The endpoints of each file of the contract, by the file's name without its ending. */
export async function endpointsByFile(): Promise<ReadonlyMap<string, readonly Endpoint[]>> {
  const files = readdirSync(contract).filter((file) => /^[a-z-]+\.ts$/.test(file))
  const found = new Map<string, readonly Endpoint[]>()
  for (const file of files) {
    const exported = await exportsOf(file)
    const endpoints = exported.map(([, value]) => value).filter(isEndpoint)
    if (endpoints.length > 0) found.set(file.replace('.ts', ''), endpoints)
  }
  return found
}

/** In the order in which they are declared: a module itself lists its exports by name. */
async function exportsOf(file: string): Promise<readonly (readonly [string, unknown])[]> {
  const url = new URL(file, contract)
  const module = (await import(url.href)) as Record<string, unknown>
  const text = readFileSync(url, 'utf8')
  const place = ([name]: readonly [string, unknown]) => text.search(`export const ${name}\\b`)
  return Object.entries(module).sort((one, other) => place(one) - place(other))
}

const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'envelope' in value

/** Files whose exported objects are shown once, by name, in a chapter of their own. */
const SHAPE_FILES = ['schema-forms.ts', 'quiver-data.ts', 'queries.ts', 'inspect.ts', 'auth.ts']
/** Smaller ones are clearer where they stand. */
const NAMED_FIELDS_MIN = 4

const INPUT_FIRST = ['input', 'output'] as const
const OUTPUT_FIRST = ['output', 'input'] as const

interface Shapes {
  readonly names: NamedShapes
  readonly schemas: ReadonlyMap<string, JsonSchema>
}

/** `vertexTypeForm` as `VertexTypeForm`; where a reader gets more than a writer gives, `…Read`. */
async function namedShapes(): Promise<Shapes> {
  const names = new Map<string, string>()
  const schemas = new Map<string, JsonSchema>()
  const exported = (await Promise.all(SHAPE_FILES.map(exportsOf))).flat()
  for (const { name, schema } of exported.flatMap(shapesOf)) {
    const text = JSON.stringify(schema)
    if (names.has(text)) continue
    const free = schemas.has(name) ? `${name}Read` : name
    names.set(text, free)
    schemas.set(free, schema)
  }
  return { names, schemas }
}

/** As it is given and as it is got, of a schema of objects with enough fields. */
function shapesOf([key, value]: readonly [string, unknown]) {
  if (!(value instanceof z.ZodObject) && !(value instanceof z.ZodPipe)) return []
  const name = key.slice(0, 1).toUpperCase() + key.slice(1)
  const sides = key.endsWith('View') ? OUTPUT_FIRST : INPUT_FIRST
  return sides
    .map((io) => ({ name, schema: jsonSchemaOf(value, io) }))
    .filter(({ schema }) => {
      const fields = Object.keys((schema['properties'] ?? {}) as object)
      return fields.length >= NAMED_FIELDS_MIN
    })
}

/** `POST /restpp/graph/{graph}`: the first path; several methods are joined by commas. */
export function headingOf({ methods, paths }: Endpoint): string {
  return `${methods.join(', ')} ${paths[0]}`
}

/** As GitHub makes them of headings. */
export function anchorOf(heading: string): string {
  const text = heading.toLowerCase().replace(/[^\w\- ]/g, '')
  return text.replaceAll(' ', '-')
}

/** Paragraphs by heading; those before the first heading belong to the page itself: ''. */
export function readNotes(): ReadonlyMap<string, string> {
  const [first = '', ...parts] = readFileSync(notesFile, 'utf8').split(/^## /m)
  const introduction = first.replace(/^# .*\n/, '').trim()
  const notes = new Map([['', introduction]])
  for (const part of parts) {
    const end = part.indexOf('\n')
    const heading = part.slice(0, end).trim()
    if (notes.has(heading)) throw new Error(`rest-notes.md has "${heading}" twice`)
    notes.set(heading, part.slice(end).trim())
  }
  return notes
}

/** @throws for a note of no endpoint, and for a file of the contract that no group names */
export async function restReference(): Promise<string> {
  const files = await endpointsByFile()
  const notes = new Map(readNotes())
  const introduction = notes.get('') ?? ''
  const shapes = await namedShapes()
  notes.delete('')
  const sections: string[] = []
  const contents: string[] = []
  const named = new Set(groups.flatMap((group) => group.files))
  const unnamed = [...files.keys()].filter((file) => !named.has(file))
  if (unnamed.length > 0)
    throw new Error(`rest-groups.ts names no group for: ${unnamed.join(', ')}`)
  for (const { title, about, files: members } of groups) {
    const endpoints = members.flatMap((file) => files.get(file) ?? [])
    contents.push(`- [${title}](#${anchorOf(title)})`)
    const parts = endpoints.map((endpoint) => sectionOf(endpoint, notes, shapes.names))
    sections.push([`## ${title}`, about, tableOf(endpoints), ...parts].join('\n\n'))
  }
  const orphans = [...notes.keys()]
  if (orphans.length > 0)
    throw new Error(`rest-notes.md has no such endpoint: ${orphans.join('; ')}`)
  const head = [
    '# The HTTP interface',
    '<!-- Generated by server/tools/reference/rest.ts from server/contract and rest-notes.md beside it. -->',
    introduction,
    '## Contents',
    [...contents, '- [Shapes](#shapes)'].join('\n'),
    commonErrors(),
  ]
  const body = sections.join('\n\n')
  return `${[...head, body, shapeChapter(shapes, body)].join('\n\n')}\n`
}

/** Those that the chapters name, and those that these name. */
function shapeChapter({ names, schemas }: Shapes, body: string): string {
  const parts = new Map<string, string>()
  const add = (text: string) => {
    for (const [name, schema] of schemas) {
      if (parts.has(name) || !new RegExp(`\\b${name}\\b`).test(text)) continue
      const shape = shapeText(schema, names, true)
      parts.set(name, `### ${name}\n\n${fenced(shape)}`)
      add(shape)
    }
  }
  add(body)
  const inOrder = [...schemas.keys()].flatMap((name) => parts.get(name) ?? [])
  return [
    '## Shapes',
    'Objects that several endpoints take or answer. A `name` is a string of 1 to 2,560 characters.',
    ...inOrder,
  ].join('\n\n')
}

function tableOf(endpoints: readonly Endpoint[]): string {
  const rows = endpoints.map((endpoint) => {
    const heading = headingOf(endpoint)
    return `| [\`${heading}\`](#${anchorOf(heading)}) | ${escaped(endpoint.summary)} |`
  })
  return ['| Endpoint | Purpose |', '| --- | --- |', ...rows].join('\n')
}

const escaped = (text: string): string => text.replaceAll('|', '\\|')

interface Operation {
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: JsonSchema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: JsonSchema }>> }
  readonly responses: Readonly<
    Record<string, { readonly content: Readonly<Record<string, { schema: JsonSchema }>> }>
  >
}

/** The same operation that `/openapi.json` shows, for the path with the most parameters. */
function operationOf(endpoint: Endpoint): Operation {
  const path = longest(endpoint.paths)
  const method = endpoint.methods.find((one) => one !== 'GET') ?? 'GET'
  const plain: Endpoint = {
    ...endpoint,
    paths: [path],
    methods: [method],
    envelope: bareOf(endpoint),
  }
  return operation(plain, path, method) as unknown as Operation
}

/** What stands around an answer is told in words. */
function bareOf({ envelope }: Endpoint): Endpoint['envelope'] {
  return envelope === 'text' ? 'text' : 'bare'
}

function longest(paths: readonly string[]): string {
  const count = (path: string) => path.split('{').length
  return paths.reduce((one, other) => (count(other) > count(one) ? other : one))
}

function sectionOf(endpoint: Endpoint, notes: Map<string, string>, names: NamedShapes): string {
  const heading = headingOf(endpoint)
  const note = notes.get(heading)
  notes.delete(heading)
  const shown = operationOf(endpoint)
  const warning = warningOf(endpoint)
  const parts = [
    `### ${heading}`,
    `${endpoint.summary}.`,
    ...otherPaths(endpoint),
    ...(warning === '' ? [] : [`**Warning.**${warning}`]),
    ...(note === undefined ? [] : [note]),
    `Privilege: ${privilegeOf(endpoint)}`,
    ...parameterTable(endpoint, shown),
    ...bodyPart(endpoint, shown, names),
    ...answerPart(endpoint, shown, names),
    ...errorPart(endpoint),
  ]
  return parts.join('\n\n')
}

function otherPaths({ paths }: Endpoint): string[] {
  const others = paths.slice(1).map((path) => `\`${path}\``)
  return others.length === 0 ? [] : [`Also: ${others.join(', ')}.`]
}

function privilegeOf(endpoint: Endpoint): string {
  const { privilege, ofSomeGraph, ofAllGraphs, byType, byOwner } = endpoint
  if (privilege === 'PUBLIC') return 'none; no credentials are needed.'
  if (privilege === 'AUTHENTICATED') return 'none; any user may call it.'
  const places = [
    `\`${privilege}\``,
    ...(ofAllGraphs === true ? ['globally'] : []),
    ...(byType === true ? ['on the graph, or on each type that the call touches'] : []),
    ...(ofSomeGraph === true ? ['without a graph: on any graph'] : []),
    ...(byOwner === true ? ['or ownership of the query'] : []),
  ]
  return `${places.join('; ')}.`
}

function parameterTable(endpoint: Endpoint, { parameters }: Operation): string[] {
  if (parameters.length === 0) return anyParameter(endpoint)
  const rows = parameters.map(({ name, in: place, required, schema }) => {
    const { default: standard, ...type } = schema as JsonSchema & { default?: unknown }
    const isTail = place === 'path' && endpoint.paths.some((path) => !path.includes(`{${name}}`))
    const need = isTail ? 'optional' : required ? 'required' : 'optional'
    const value = standard === undefined ? '' : `\`${JSON.stringify(standard)}\``
    const text = isList(endpoint, name) ? 'list of strings' : escaped(typeText(type))
    return `| \`${name}\` | ${place} | ${need} | ${text} | ${value} |`
  })
  const head = ['| Parameter | In | | Type | Default |', '| --- | --- | --- | --- | --- |']
  return [[...head, ...rows].join('\n'), ...anyParameter(endpoint)]
}

function isList({ query }: Endpoint, name: string): boolean {
  const field = shapeOf(query)[name]
  return field !== undefined && unwrap(field).meta['max_count'] !== undefined
}

/** Endpoints that read the query string by themselves take any name. */
function anyParameter({ query }: Endpoint): string[] {
  const isRecord = query?.def.type === 'record'
  return isRecord ? ['Other parameters of the URL are read as the paragraphs above say.'] : []
}

const formats = {
  json: 'JSON',
  'json-or-form': 'JSON, or `name=value` pairs joined by `&`',
  text: 'text',
  'text-or-json': 'text, or JSON',
  bytes: 'JSON',
  lines: 'text',
} as const

function bodyPart(endpoint: Endpoint, { requestBody }: Operation, names: NamedShapes): string[] {
  if (endpoint.body === undefined) return []
  const limit = sizeText(bodyLimitBytes(endpoint))
  const kind = `Body: ${formats[endpoint.bodyFormat]}, at most ${limit}.`
  const schema = Object.values(requestBody?.content ?? {})[0]?.schema
  const isShaped = !/^(text|lines)/.test(endpoint.bodyFormat) && schema !== undefined
  const shape = isShaped ? shapeText(schema, names) : 'any'
  return shape === 'any' ? [kind] : [kind, fenced(shape)]
}

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${bytes / 1024 / 1024} MB` : `${bytes / 1024} KB`
}

const around: Readonly<Record<Endpoint['envelope'], string>> = {
  restpp: 'Answer, under `results` beside `version`, `error`, `message` and, for some, `code`:',
  gsql: 'Answer, under `results` beside `error` and `message`:',
  'gsql-top': 'Answer, beside `error` and `message`:',
  bare: 'Answer, the whole body:',
  text: 'Answer: text',
}

function answerPart(endpoint: Endpoint, { responses }: Operation, names: NamedShapes): string[] {
  const { envelope, response, contentType } = endpoint
  if (envelope === 'text')
    return [`Answer: text (\`${contentType ?? 'text/plain; charset=utf-8'}\`).`]
  if (response.def.type === 'undefined') return ['Answer: `error` and `message` alone.']
  const schema = Object.values(responses['200']?.content ?? {})[0]?.schema ?? {}
  return [around[envelope], fenced(shapeText(schema, names))]
}

const fenced = (text: string): string => `\`\`\`ts\n${text}\n\`\`\``

function errorPart({ errors, invalidQuery, invalidBody }: Endpoint): string[] {
  const more = [invalidQuery, invalidBody].filter((code) => code !== undefined)
  const codes = [...new Set<ErrorCode>([...errors, ...more])].filter(
    (code) => !errorsOfEveryEndpoint.includes(code),
  )
  if (codes.length === 0) return []
  return [`Errors: ${codes.map(errorText).join(', ')}.`]
}

function errorText(code: ErrorCode): string {
  const { status, code: wire }: ErrorStatus = errorStatus[code]
  return `\`${code}\` (${status}${wire === code ? '' : `, \`${wire}\``})`
}

function commonErrors(): string {
  const rows = errorsOfEveryEndpoint.map((code) => {
    const { status, code: wire }: ErrorStatus = errorStatus[code]
    return `| \`${code}\` | ${status} | \`${wire}\` |`
  })
  const text = 'Any endpoint may answer with these; the others are named with each endpoint.'
  return [
    '## Errors of every endpoint',
    text,
    ['| Error | Status | `code` |', '| --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n')
}
