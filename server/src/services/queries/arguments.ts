/**
 * Arguments of a run, from a URL or a JSON body, by the encodings of docs/reference/rest.md.
 *
 * The result is by parameter slot, declared defaults filled in; undefined: nothing was given.
 * 64-bit integers stay exact: JSON arrives with bigints beyond 2^53, texts are read here.
 */
import { findVertexType, vertexTypeById } from '#catalog/lookup.ts'
import type { Catalog, VertexType } from '#catalog/types.ts'
import { isDatetime, parseDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import { INTEGER_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import { decodePercents } from '#kernel/percent.ts'
import type { BoundParameter, BoundQuery } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import { isCollection } from '#query/ir/value-types.ts'

export interface VertexArgument {
  readonly typeId: number
  readonly id: string
}

export type Argument = number | bigint | boolean | string | VertexArgument | readonly Argument[]

/** A URL's query values: texts, or arrays of them for repeated keys. */
export type UrlValues = Readonly<Record<string, string | readonly string[]>>

export interface ArgumentSource {
  readonly url: UrlValues
  /** The JSON body; null: none. */
  readonly body: Readonly<Record<string, unknown>> | null
}

export interface ArgumentContext {
  readonly catalog: Catalog
  /** Of the query: vertex types are named within it. */
  readonly graph: string
  /** Unknown vertices in sets are dropped with a warning. */
  vertexExists(vertex: VertexArgument): boolean
}

export interface ReadArguments {
  readonly values: readonly (Argument | undefined)[]
  readonly warnings: readonly string[]
}

/** What a query says of its parameters. */
type Parameters = Pick<BoundQuery, 'parameters' | 'typeParameters'>

/** @throws DbError INVALID_PARAMETER (REST-30000) */
export function readArguments(
  query: Parameters,
  source: ArgumentSource,
  context: ArgumentContext,
): ReadArguments {
  const reader = new Reader(source, context)
  const values = query.parameters.map((parameter) => reader.read(parameter))
  return { values, warnings: reader.warnings }
}

/** Names given for the query's type parameters, for binding it to them. */
export function typeArgumentsOf(
  query: Parameters,
  values: readonly (Argument | undefined)[],
): Map<string, readonly string[]> {
  const named = query.typeParameters.map((slot) => {
    const value = values[slot] ?? ''
    const names = Array.isArray(value) ? value.map(String) : [String(value)]
    return [query.parameters[slot]!.name, names] as const
  })
  return new Map(named)
}

class Reader {
  readonly warnings: string[] = []
  readonly #source: ArgumentSource
  readonly #context: ArgumentContext

  constructor(source: ArgumentSource, context: ArgumentContext) {
    this.#source = source
    this.#context = context
  }

  read(parameter: BoundParameter): Argument | undefined {
    const { body, url } = this.#source
    const { name, type } = parameter
    if (body !== null && Object.hasOwn(body, name)) return this.#fromJson(name, type, body[name])
    if (Object.hasOwn(url, name) || this.#indexed(name).length > 0) return this.#fromUrl(name, type)
    return parameter.defaultValue === null ? undefined : constantOf(parameter.defaultValue)
  }

  // URL

  #fromUrl(name: string, type: ValueType): Argument {
    if (isCollection(type)) return this.#setFromUrl(name, type.element)
    if (type.kind === 'MAP') throw unfit(name, 'a JSON body', '')
    const text = lastOf(this.#source.url[name])
    return this.#elementFromUrl(name, type, { text, typeName: this.#typeOf(name) })
  }

  #setFromUrl(name: string, element: ValueType): Argument {
    const repeated = listOf(this.#source.url[name]).map((text) => ({
      text,
      typeName: this.#typeOf(name),
    }))
    const indexed = this.#indexed(name).map((key) => ({
      text: lastOf(this.#source.url[key]),
      typeName: this.#typeOf(key),
    }))
    const values = [...repeated, ...indexed].map((given) =>
      this.#elementFromUrl(name, element, given),
    )
    return this.#knownOnly(name, element, values)
  }

  /** Keys `p[0]`, `p[1]`, … in order of their numbers. */
  #indexed(name: string): string[] {
    const prefix = `${name}[`
    const keys = Object.keys(this.#source.url).filter(
      (key) => key.startsWith(prefix) && key.endsWith(']'),
    )
    return keys.sort((left, right) => indexOf(left, prefix) - indexOf(right, prefix))
  }

  #typeOf(key: string): string | null {
    const given = this.#source.url[`${key}.type`]
    return given === undefined ? null : lastOf(given)
  }

  #elementFromUrl(
    name: string,
    type: ValueType,
    { text, typeName }: { readonly text: string; readonly typeName: string | null },
  ): Argument {
    if (type.kind !== 'VERTEX') return scalarFromText(name, type, text)
    // In a URL the type of VERTEX<T> is not looked at, even when it is wrong.
    const fixed = onlyType(type)
    return { typeId: fixed ?? this.#typeId(name, typeName), id: text }
  }

  // JSON

  #fromJson(name: string, type: ValueType, value: unknown): Argument {
    if (isCollection(type)) return this.#setFromJson(name, type.element, value)
    if (type.kind === 'MAP') return this.#mapFromJson(name, type, value)
    return this.#elementFromJson(name, type, value)
  }

  #setFromJson(name: string, element: ValueType, value: unknown): Argument {
    const items = Array.isArray(value) ? (value as readonly unknown[]) : [value]
    const values = items.map((item) => this.#elementFromJson(name, element, item))
    return this.#knownOnly(name, element, values)
  }

  #mapFromJson(name: string, type: Extract<ValueType, { kind: 'MAP' }>, value: unknown): Argument {
    const { keylist, valuelist } = (value ?? {}) as { keylist?: unknown; valuelist?: unknown }
    if (
      !Array.isArray(keylist) ||
      !Array.isArray(valuelist) ||
      keylist.length !== valuelist.length
    ) {
      const wanted = '{"keylist": […], "valuelist": […]} with lists of one length'
      throw parameterError(`Values of parameter ${name} must be MAP type, written as ${wanted}.`)
    }
    return keylist.map((key, index) => [
      this.#elementFromJson(name, type.key, key),
      this.#elementFromJson(name, type.value, valuelist[index]),
    ])
  }

  #elementFromJson(name: string, type: ValueType, value: unknown): Argument {
    return type.kind === 'VERTEX'
      ? this.#vertexFromJson(name, type, value)
      : scalarFromJson(name, type, value)
  }

  #vertexFromJson(
    name: string,
    type: Extract<ValueType, { kind: 'VERTEX' }>,
    value: unknown,
  ): VertexArgument {
    const given = typeof value === 'object' && value !== null ? value : {}
    if (((given as { id?: unknown }).id ?? null) === null || !Object.hasOwn(given, 'id')) {
      throw parameterError(`'id' is not found in the VERTEX parameter '${name}'.`)
    }
    const { id, type: typeName } = given as { id: unknown; type?: unknown }
    const fixed = onlyType(type)
    if (fixed === null) {
      const typeId = this.#typeId(name, typeName ?? null)
      return { typeId, id: idTextOf(id, vertexTypeById(this.#context.catalog, typeId)) }
    }
    const expected = vertexTypeById(this.#context.catalog, fixed)
    if (typeName !== undefined && typeName !== expected.name) {
      throw parameterError(
        `The vertex type '${String(typeName)}' given for parameter '${name}' is not ${expected.name}.`,
      )
    }
    return { typeId: fixed, id: idTextOf(id, expected) }
  }

  #typeId(name: string, typeName: unknown): number {
    if (typeof typeName !== 'string' || typeName === '') {
      throw parameterError(`'type' is not found in the VERTEX parameter '${name}'.`)
    }
    const { catalog, graph } = this.#context
    const type = findVertexType(catalog, graph, typeName)
    if (type !== undefined) return type.id
    throw parameterError(`'${typeName}' given for parameter '${name}' is not a valid vertex type.`)
  }

  /** Drops vertices that do not exist from a set, and says how many of each type. */
  #knownOnly(_name: string, element: ValueType, values: readonly Argument[]): Argument {
    if (element.kind !== 'VERTEX') return values
    const missing = new Map<number, number>()
    const known = values.filter((value) => {
      const vertex = value as VertexArgument
      if (this.#context.vertexExists(vertex)) return true
      missing.set(vertex.typeId, (missing.get(vertex.typeId) ?? 0) + 1)
      return false
    })
    for (const [typeId, count] of missing) {
      const type = vertexTypeById(this.#context.catalog, typeId).name
      this.warnings.push(`Runtime Warning: ${count} ids are invalid ${type} vertex ids.`)
    }
    return known
  }
}

function onlyType(type: Extract<ValueType, { kind: 'VERTEX' }>): number | null {
  return type.typeIds?.length === 1 ? (type.typeIds[0] ?? null) : null
}

/** Composite ids come as an array of parts, or as an object of them in any order. */
function idTextOf(id: unknown, { primaryId }: VertexType): string {
  if (typeof id !== 'object' || id === null) return decodePercents(String(id))
  const parts = Array.isArray(id) ? (id as readonly unknown[]) : partsNamed(id, primaryId.names)
  return parts.map((part) => decodePercents(String(part))).join(',')
}

function partsNamed(id: object, names: readonly string[]): readonly unknown[] {
  const isWhole = names.every((name) => Object.hasOwn(id, name))
  return isWhole ? names.map((name) => (id as Record<string, unknown>)[name]) : Object.values(id)
}

const WIRE_TYPES: Partial<Record<ValueType['kind'], string>> = { INT: 'INT64', UINT: 'UINT64' }

/** Of a value that an error names. */
const SHOWN_CHARS_MAX = 1_000

function unfit(name: string, type: string, value: unknown): DbError {
  const text = typeof value === 'string' ? value : String(value)
  const shown = text.length > SHOWN_CHARS_MAX ? `${text.slice(0, SHOWN_CHARS_MAX)}…` : text
  return parameterError(
    `Values of parameter ${name} must be ${type} type, invalid value [${shown}] provided.`,
  )
}

function parameterError(message: string): DbError {
  return new DbError('INVALID_PARAMETER', message, { details: { contractCode: 'REST-30000' } })
}

function scalarFromJson(name: string, type: ValueType, value: unknown): Argument {
  if (typeof value === 'string') {
    // Strings of a body are URL-decoded once; `+` and a stray `%` stay.
    return type.kind === 'STRING' ? decodePercents(value) : scalarFromText(name, type, value)
  }
  if (isPlainInteger(type, value)) return value
  if (typeof value === 'boolean' && type.kind === 'BOOL') return value
  const real = type.kind === 'FLOAT' || type.kind === 'DOUBLE'
  if (real && (typeof value === 'number' || typeof value === 'bigint')) return Number(value)
  const whole = typeof value === 'bigint' || Number.isInteger(value)
  if (whole && type.kind !== 'BOOL') return scalarFromText(name, type, String(value))
  throw unfit(name, WIRE_TYPES[type.kind] ?? type.kind, JSON.stringify(value))
}

/** Most elements of long lists: they need no text. */
function isPlainInteger(type: ValueType, value: unknown): value is number {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return false
  return type.kind === 'INT' || (type.kind === 'UINT' && (value as number) >= 0)
}

function scalarFromText(name: string, type: ValueType, text: string): Argument {
  const value = parseScalar(type, text)
  if (value === null) throw unfit(name, WIRE_TYPES[type.kind] ?? type.kind, text)
  return value
}

const INT_MIN = -(2n ** 63n)
const INT_MAX = 2n ** 63n - 1n
const UINT_MAX = 2n ** 64n - 1n

/** Null: the text spells no value of the type. */
function parseScalar(type: ValueType, text: string): Argument | null {
  switch (type.kind) {
    case 'INT':
      return parseInteger(text, INT_MIN, INT_MAX)
    case 'UINT':
      return parseInteger(text, 0n, UINT_MAX)
    case 'FLOAT':
    case 'DOUBLE':
      return parseReal(text)
    case 'BOOL':
      return parseBool(text)
    case 'DATETIME':
      return parseTime(text)
    case 'STRING':
      return text
    default:
      return null
  }
}

function parseInteger(text: string, min: bigint, max: bigint): number | bigint | null {
  if (text.length > INTEGER_SIZE_CHARS_MAX || !/^\s*[+-]?\d+\s*$/.test(text)) return null
  const exact = BigInt(text.trim().replace(/^\+/, ''))
  if (exact < min || exact > max) return null
  const number = Number(exact)
  return Number.isSafeInteger(number) ? number : exact
}

function parseReal(text: string): number | null {
  return /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/.test(text) ? Number(text) : null
}

function parseBool(text: string): boolean | null {
  const lower = text.toLowerCase()
  if (lower === 'true' || lower === '1') return true
  return lower === 'false' || lower === '0' ? false : null
}

function parseTime(text: string): number | null {
  const seconds = /^-?\d{5,}$/.test(text) ? Number(text) : parseDatetime(text)
  return isDatetime(seconds) ? seconds : null
}

function listOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return []
  return typeof value === 'string' ? [value] : value
}

function lastOf(value: string | readonly string[] | undefined): string {
  return listOf(value).at(-1) ?? ''
}

function indexOf(key: string, prefix: string): number {
  return Number(key.slice(prefix.length, -1))
}

/** A declared default, folded by the binder to literals and collections of them. */
function constantOf(node: BoundExpression): Argument | undefined {
  switch (node.kind) {
    case 'literal':
      return node.value
    case 'collection':
      return constantsOf(node.elements)
    case 'negate': {
      const value = constantOf(node.value)
      return typeof value === 'number' || typeof value === 'bigint' ? -value : undefined
    }
    case 'convert': {
      const value = constantOf(node.value)
      if (typeof value !== 'number') return value
      return node.type.kind === 'INT' || node.type.kind === 'UINT' ? Math.trunc(value) : value
    }
    default:
      return undefined
  }
}

/** Undefined where one has to be computed: the run does it. */
function constantsOf(nodes: readonly BoundExpression[]): readonly Argument[] | undefined {
  const values = nodes.map(constantOf)
  return values.every((value) => value !== undefined) ? values : undefined
}

/** Parameters as GSQL passes them, in the form of RESTPP: a vertex is its id, or `[id, type]`. */
export function vertexObjects(
  query: Pick<Parameters, 'parameters'>,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const vertexOf = (value: unknown) => {
    if (Array.isArray(value)) return { id: value[0], type: value[1] }
    return typeof value === 'object' ? value : { id: value }
  }
  const entries = query.parameters.flatMap(({ name, type }): [string, unknown][] => {
    if (!Object.hasOwn(parameters, name)) return []
    const value = parameters[name]
    if (type.kind === 'VERTEX') return [[name, vertexOf(value)]]
    const ofVertices = isCollection(type) && type.element.kind === 'VERTEX' && Array.isArray(value)
    return [[name, ofVertices ? value.map(vertexOf) : value]]
  })
  return Object.fromEntries(entries)
}
