/**
 * Destinations of a loading job, bound to the schema: what a row adds to the next upsert.
 *
 * The order of VALUES: a vertex is its id and then its attributes, but for types with a primary key
 * all attributes, the key among them; an edge is FROM, TO, then its attributes, discriminators first.
 */

import { keyKinds, storedKey } from '#catalog/key-parts.ts'
import { requireEdgeType, requireVertexType, vertexTypeById } from '#catalog/lookup.ts'
import type { Attribute, Catalog, EdgePair, VertexType } from '#catalog/types.ts'
import { parseDatetime } from '#kernel/datetime.ts'
import { DbError } from '#kernel/errors.ts'
import { ATTRIBUTES_SIZE_BYTES_MAX } from '#kernel/limits.ts'
import type { EndSyntax, LoadTarget, ValueSyntax } from '#query/syntax/script/ast-script.ts'
import { convert } from './convert.ts'
import { wholeText } from './convert-scalar.ts'
import type { Evaluator } from './evaluate.ts'
import { LineLimit, occurrencesIn } from './line-limits.ts'
import type { Batch } from './payload.ts'
import type { Loaded, Row } from './row.ts'

export interface ObjectCounts {
  readonly typeName: string
  validObject: number
  noIdFound: number
  invalidAttribute: number
  invalidPrimaryId: number
  invalidSecondaryId: number
  incorrectFixedBinaryLength: number
}

export function newCounts(typeName: string): ObjectCounts {
  return {
    typeName,
    validObject: 0,
    noIdFound: 0,
    invalidAttribute: 0,
    invalidPrimaryId: 0,
    invalidSecondaryId: 0,
    incorrectFixedBinaryLength: 0,
  }
}

/** Values that lines lacked or left empty: a new object has the default, an existing one is as before. */
export interface DefaultedCount {
  readonly typeName: string
  readonly attribute: string
  count: number
}

export interface ElementTarget {
  readonly kind: 'vertex' | 'edge'
  readonly counts: ObjectCounts
  /** By attribute. */
  readonly defaulted: readonly DefaultedCount[]
  /** @returns why the row does not fit, counted by then; null: it was added */
  add(row: Row, batch: Batch): string | null
}

export interface TargetContext {
  readonly catalog: Catalog
  readonly graph: string
  readonly evaluator: Evaluator
}

interface AttributeValue {
  readonly attribute: Attribute
  readonly value: ValueSyntax
  /** What stands before and behind the value in a payload. */
  readonly head: string
  readonly tail: string
  readonly defaulted: DefaultedCount
}

/** @throws DbError VERTEX_TYPE_NOT_FOUND, SCHEMA_RULE */
export function vertexTarget(
  context: TargetContext,
  target: Extract<LoadTarget, { kind: 'vertex' }>,
): ElementTarget {
  const type = requireVertexType(context.catalog, context.graph, target.type)
  const { primaryId } = type
  const counts = newCounts(type.name)
  const isKeyed = primaryId.syntax !== 'PRIMARY_ID'
  const values = isKeyed ? target.values : target.values.slice(1)
  const paired = pairUp(type.name, type.attributes, values)
  const ids = isKeyed
    ? primaryId.names.map((name) => valueNamed(type.name, paired, name))
    : target.values.slice(0, 1)
  const idOf = idReader(context, type, ids)
  const written = paired.filter(
    ({ attribute }) => !isKeyed || !primaryId.names.includes(attribute.name),
  )
  return {
    kind: 'vertex',
    counts,
    defaulted: written.map(({ defaulted }) => defaulted),
    add: (row, batch) => {
      const id = idOf(row)
      const fault = idFault(type, id, counts)
      if (fault !== null) return fault
      const attributes = attributesText(context, written, row, counts)
      if (attributes.fault !== null) return attributes.fault
      counts.validObject++
      batch.addVertex(type.name, id, attributes.json)
      return null
    },
  }
}

function pairUp(
  typeName: string,
  attributes: readonly Attribute[],
  values: readonly ValueSyntax[],
): AttributeValue[] {
  if (values.length > attributes.length) {
    const text = `Semantic Check Fails: there are more VALUES than ${typeName} has attributes.`
    throw new DbError('SCHEMA_RULE', text)
  }
  return values.map((value, index) => attributeValue(typeName, attributes[index]!, value))
}

/** @throws DbError SCHEMA_RULE for a reducer that there is not */
export function attributeValue(
  typeName: string,
  attribute: Attribute,
  value: ValueSyntax,
): AttributeValue {
  const code = operationOf(attribute, value)
  const tail = code === null ? '}' : `,"op":"${code}"}`
  const head = `${JSON.stringify(attribute.name)}:{"value":`
  const defaulted = { typeName, attribute: attribute.name, count: 0 }
  return { attribute, value, head, tail, defaulted }
}

function valueNamed(
  typeName: string,
  paired: readonly AttributeValue[],
  name: string,
): ValueSyntax {
  const found = paired.find(({ attribute }) => attribute.name === name)?.value
  if (found !== undefined && found.kind !== 'skip') return found
  const text = `Semantic Check Fails: VALUES lacks the key ${name} of ${typeName}.`
  throw new DbError('SCHEMA_RULE', text)
}

/**
 * The id of a row: one text, or the parts of a composite key, which commas join. Blanks around numbers and
 * dates do not count.
 */
export function idReader(
  { evaluator }: TargetContext,
  { primaryId, attributes }: VertexType,
  values: readonly ValueSyntax[],
): (row: Row) => string {
  const isComposite = primaryId.syntax === 'COMPOSITE'
  const kindOf = (name: string) => attributes.find((one) => one.name === name)?.type.kind
  const inParts = isComposite && values.length === primaryId.names.length
  const kinds = inParts ? primaryId.names.map(kindOf) : [primaryId.type]
  return (row) => {
    const texts = values.map((value, at) => {
      const text = evaluator.text(value, row)
      return kinds[at] === undefined || kinds[at] === 'STRING' ? text : text.trim()
    })
    return texts.join(',')
  }
}

const ID_SIZE_BYTES_MAX = 2_560

function fitsId(vertexType: VertexType, id: string): boolean {
  const { type } = vertexType.primaryId
  if (type === 'INT' || type === 'UINT') return wholeText(type, id) !== undefined
  if (type === 'DATETIME') return !Number.isNaN(parseDatetime(id))
  if (id.length > ID_SIZE_BYTES_MAX || Buffer.byteLength(id) > ID_SIZE_BYTES_MAX) return false
  const kinds = keyKinds(vertexType)
  return kinds === null || storedKey(id, kinds) !== null
}

function idText({ primaryId, attributes }: VertexType): string {
  if (primaryId.syntax !== 'COMPOSITE') return `of type ${primaryId.type}`
  const kindOf = (name: string) => attributes.find((one) => one.name === name)?.type.kind
  return `of the parts ${primaryId.names.map((name) => `${name} ${kindOf(name)}`).join(', ')}`
}

/** Why an id is none of a vertex, counted; null: it is one. */
export function idFault(type: VertexType, id: string, counts: ObjectCounts): string | null {
  if (id === '') {
    counts.noIdFound++
    return 'there is no id'
  }
  if (fitsId(type, id)) return null
  counts.invalidPrimaryId++
  return `${quoted(id)} is no id ${idText(type)}`
}

const FAULT_VALUE_CHARS_MAX = 60

function quoted(text: string): string {
  return `'${text.length > FAULT_VALUE_CHARS_MAX ? `${text.slice(0, FAULT_VALUE_CHARS_MAX)}…` : text}'`
}

export type AttributesText =
  | { readonly json: string; readonly fault: null }
  | { readonly fault: string }

/** Counts what does not fit. */
export function attributesText(
  { catalog, evaluator }: TargetContext,
  values: readonly AttributeValue[],
  row: Row,
  counts: ObjectCounts,
): AttributesText {
  let json = '{'
  const missing: DefaultedCount[] = []
  for (const { attribute, value, head, tail, defaulted } of values) {
    const loaded = evaluator.value(value, row)
    const text = convert(catalog, attribute.type, loaded)
    if (text === undefined) {
      if (attribute.type.kind === 'FIXED_BINARY') counts.incorrectFixedBinaryLength++
      else counts.invalidAttribute++
      return { fault: attributeFault(attribute, loaded) }
    }
    if (text === null) {
      if (isOfLine(value)) missing.push(defaulted)
      continue
    }
    json += `${json === '{' ? '' : ','}${head}${text}${tail}`
  }
  checkStoredSize(json, values)
  for (const one of missing) one.count++
  return { json: `${json}}`, fault: null }
}

/** What the job itself leaves out is no matter of the line. */
function isOfLine(value: ValueSyntax): boolean {
  if (value.kind === 'reduce') return isOfLine(value.value)
  return value.kind !== 'skip' && value.kind !== 'constant'
}

/** A number of a list is a digit and a comma as JSON, and eight bytes when it is stored. */
const STORED_BYTES_PER_CHAR_MAX = 8

/** @throws LineLimit for more than a vertex or an edge may hold */
function checkStoredSize(json: string, values: readonly AttributeValue[]): void {
  if (json.length * STORED_BYTES_PER_CHAR_MAX <= ATTRIBUTES_SIZE_BYTES_MAX) return
  const hasLists = values.some(({ attribute: { type } }) => /LIST|SET|MAP/.test(type.kind))
  const itemsBytes = hasLists ? occurrencesIn(json, ',') * STORED_BYTES_PER_CHAR_MAX : 0
  if (Buffer.byteLength(json) + itemsBytes <= ATTRIBUTES_SIZE_BYTES_MAX) return
  const megabytes = ATTRIBUTES_SIZE_BYTES_MAX / 2 ** 20
  throw new LineLimit(`its attributes are larger than ${megabytes} MB together`)
}

function attributeFault({ name, type }: Attribute, loaded: Loaded): string {
  const value = typeof loaded === 'string' ? `the value ${quoted(loaded)}` : 'the value'
  return `${value} does not fit the attribute ${name} of type ${type.kind}`
}

export const reducers: Readonly<Record<string, string | null>> = {
  max: '>',
  min: '<',
  add: '+',
  and: '&',
  or: '|',
  overwrite: null,
  ignore_if_exists: '~',
}

/** Collections that are fed line by line grow, unless a reducer says otherwise. */
function operationOf({ type }: Attribute, value: ValueSyntax): string | null {
  if (value.kind === 'reduce') {
    const code = Object.hasOwn(reducers, value.reducer) ? reducers[value.reducer] : undefined
    if (code !== undefined) return code
    throw new DbError('SCHEMA_RULE', `Semantic Check Fails: no reducer is called ${value.reducer}.`)
  }
  return type.kind === 'LIST' || type.kind === 'SET' || type.kind === 'MAP' ? '+' : null
}

/** @throws DbError EDGE_TYPE_NOT_FOUND, SCHEMA_RULE */
export function edgeTarget(
  context: TargetContext,
  target: Extract<LoadTarget, { kind: 'edge' }>,
): ElementTarget {
  const { catalog, graph, evaluator } = context
  const { type, reversed } = requireEdgeType(catalog, graph, target.type)
  const counts = newCounts(target.type)
  const values = pairUp(type.name, type.attributes, target.values)
  const nameOf = (id: number) => vertexTypeById(catalog, id).name
  const fromIds = type.pairs.map((pair) => nameOf(reversed ? pair.toTypeId : pair.fromTypeId))
  const toIds = type.pairs.map((pair) => nameOf(reversed ? pair.fromTypeId : pair.toTypeId))
  const from = endOf(context, { end: target.from, types: fromIds, place: 'FROM' })
  const to = endOf(context, { end: target.to, types: toIds, place: 'TO' })
  return {
    kind: 'edge',
    counts,
    defaulted: values.map(({ defaulted }) => defaulted),
    add: (row, batch) => {
      const source = from(row)
      const sink = to(row)
      if (source === null || sink === null) {
        if (source === null) counts.invalidPrimaryId++
        else counts.invalidSecondaryId++
        return endFault(source === null)
      }
      const ends = reversed ? ([sink, source] as const) : ([source, sink] as const)
      if (!isPair(type, nameOf, ends)) {
        counts.invalidSecondaryId++
        return `it joins no ${source.type} to a ${sink.type}`
      }
      const attributes = attributesText({ catalog, graph, evaluator }, values, row, counts)
      if (attributes.fault !== null) return attributes.fault
      counts.validObject++
      batch.addEdge(target.type, source, sink, attributes.json)
      return null
    },
  }
}

export function endFault(isFrom: boolean): string {
  return `the ${isFrom ? 'FROM' : 'TO'} end has no id, or one of another type`
}

export interface End {
  readonly type: string
  readonly id: string
}

function isPair(
  { pairs, directed }: { readonly pairs: readonly EdgePair[]; readonly directed: boolean },
  nameOf: (id: number) => string,
  [{ type: from }, { type: to }]: readonly [End, End],
): boolean {
  return pairs.some((pair) => {
    const one = nameOf(pair.fromTypeId)
    const other = nameOf(pair.toTypeId)
    return (one === from && other === to) || (!directed && one === to && other === from)
  })
}

interface EndOptions {
  readonly end: EndSyntax
  /** The types that the edge's pairs allow here, repetitions included. */
  readonly types: readonly string[]
  readonly place: 'FROM' | 'TO'
}

/** @returns a reader; null for an end without an id or of a type that is none */
export function endOf(context: TargetContext, { end, types, place }: EndOptions) {
  const { catalog, graph, evaluator } = context
  const known = new Map(
    [...new Set(types)].map((name) => {
      const type = requireVertexType(catalog, graph, name)
      return [name, { type, idOf: idReader(context, type, end.id) }]
    }),
  )
  if (end.type === null && known.size !== 1) {
    const text = `Semantic Check Fails: the ${place} vertex type must be said: it is one of ${[...known.keys()].join(', ')}.`
    throw new DbError('SCHEMA_RULE', text)
  }
  const [only = ''] = known.keys()
  return (row: Row): End | null => {
    const type = end.type === null ? only : evaluator.text(end.type, row)
    const found = known.get(type)
    if (found === undefined) return null
    const id = found.idOf(row)
    return id === '' || !fitsId(found.type, id) ? null : { type, id }
  }
}
