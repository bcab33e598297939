/** Whether printed rows are those that a scenario expects. */
import { type Json, textOf } from '../../test/oracle/exact-json.ts'
import type { Expectation } from './features.ts'
import type { PlainGraph, PlainValue } from './plain-graph.ts'
import { DISCRIMINATOR, UNLABELLED } from './schema-of.ts'
import { type Members, parseValue, type TckValue } from './values.ts'

export type ExpectedRows = Extract<Expectation, { kind: 'rows' }>

/** What a query has printed. */
export interface PrintedRows {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Json[])[]
  /** A query that returns one vertex alone prints a set: without duplicates, in no order. */
  readonly isVertexSet: boolean
}

/** @returns null when they agree, else what differs */
export function difference(
  expected: ExpectedRows,
  printed: PrintedRows,
  graph: PlainGraph,
): string | null {
  const rows = expected.rows.map((row) => row.map(parseValue))
  const isSame = (row: readonly TckValue[], given: readonly Json[]) =>
    row.length === given.length &&
    row.every((value, place) => agrees(value, given[place]!, { graph, ...expected }))
  const text = () => printed.rows.map((row) => row.map(textOf).join(' | ')).join('; ')
  if (printed.isVertexSet) {
    const found = rows.every((row) => printed.rows.some((given) => isSame(row, given)))
    const known = printed.rows.every((given) => rows.some((row) => isSame(row, given)))
    return found && known ? null : `set of vertices: ${text()}`
  }
  if (rows.length !== printed.rows.length) return `${printed.rows.length} rows: ${text()}`
  if (expected.isOrdered) {
    const wrong = rows.findIndex((row, place) => !isSame(row, printed.rows[place]!))
    return wrong < 0 ? null : `row ${wrong + 1}: ${text()}`
  }
  const rest = [...printed.rows]
  for (const row of rows) {
    const at = rest.findIndex((given) => isSame(row, given))
    if (at < 0)
      return `no row ${row.map((_, place) => expected.columns[place]).join(', ')}: ${text()}`
    rest.splice(at, 1)
  }
  return null
}

interface Terms {
  readonly graph: PlainGraph
  readonly ignoresListOrder: boolean
}

function agrees(expected: TckValue, given: Json, terms: Terms): boolean {
  switch (expected.kind) {
    case 'null':
      return isText(given, 'null')
    case 'bool':
      return isText(given, String(expected.value))
    case 'int':
      return given.kind === 'text' && integerOf(given.json) === expected.value
    case 'float':
      return given.kind === 'text' && isNear(given.json, expected.value)
    case 'string':
      return isText(given, JSON.stringify(expected.value))
    case 'list':
      return given.kind === 'list' && listAgrees(expected.items, labelsOf(given.items), terms)
    case 'map':
      return given.kind === 'object' && membersAgree(expected.members, given.members, terms)
    case 'node':
      return nodeAgrees(expected, given, terms)
    case 'edge':
      return edgeAgrees(expected, given, terms)
    case 'path':
      return false
  }
}

function isText(given: Json, json: string): boolean {
  return given.kind === 'text' && given.json === json
}

/** JSON does not say whether 2 is an integer or a real number: `2`, `2.0` and `2e0` are the same. */
function integerOf(json: string): bigint | null {
  if (/^-?\d+$/.test(json)) return BigInt(json)
  const value = /^-?[\d.]+(?:[eE][+-]?\d+)?$/.test(json) ? Number(json) : Number.NaN
  return Number.isSafeInteger(value) ? BigInt(value) : null
}

/** Real numbers print with 15 to 17 digits. */
function isNear(json: string, expected: number): boolean {
  if (!/^-?\d/.test(json)) return false
  const given = Number(json)
  return given === expected || Math.abs(given - expected) <= 1e-14 * Math.abs(expected)
}

/** `labels(n)` of a node without a label is the name of the type that holds such nodes. */
function labelsOf(items: readonly Json[]): readonly Json[] {
  const [item] = items
  return item !== undefined && isText(item, JSON.stringify(UNLABELLED)) ? [] : items
}

function listAgrees(expected: readonly TckValue[], given: readonly Json[], terms: Terms): boolean {
  if (expected.length !== given.length) return false
  if (!terms.ignoresListOrder) {
    return expected.every((item, place) => agrees(item, given[place]!, terms))
  }
  const rest = [...given]
  return expected.every((item) => {
    const at = rest.findIndex((one) => agrees(item, one, terms))
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  })
}

function membersAgree(expected: Members, given: ReadonlyMap<string, Json>, terms: Terms): boolean {
  if (expected.size !== given.size) return false
  return [...expected].every(([name, value]) => {
    const member = given.get(name)
    return member !== undefined && agrees(value, member, terms)
  })
}

/** A vertex prints as its id. */
function nodeAgrees(
  { labels, properties }: Extract<TckValue, { kind: 'node' }>,
  given: Json,
  { graph }: Terms,
): boolean {
  const vertex = graph.vertices.find(({ id }) => isText(given, JSON.stringify(id)))
  if (vertex === undefined) return false
  return (
    [...labels].sort().join() === [...vertex.labels].sort().join() &&
    properties.size === vertex.properties.size &&
    [...properties].every(([name, value]) => isPlain(value, vertex.properties.get(name)))
  )
}

function isPlain(expected: TckValue, given: PlainValue | undefined): boolean {
  if (expected.kind === 'list') {
    const items = Array.isArray(given) ? (given as readonly PlainValue[]) : []
    return (
      items.length === expected.items.length &&
      expected.items.every((item, place) => isPlain(item, items[place]))
    )
  }
  return 'value' in expected && expected.value === given
}

function edgeAgrees(
  { type, properties }: Extract<TckValue, { kind: 'edge' }>,
  given: Json,
  terms: Terms,
): boolean {
  if (
    given.kind !== 'object' ||
    !isText(given.members.get('e_type') ?? given, JSON.stringify(type))
  ) {
    return false
  }
  const attributes = given.members.get('attributes')
  const known = attributes?.kind === 'object' ? attributes.members : new Map<string, Json>()
  const stated = [...known].filter(([name]) => name !== DISCRIMINATOR)
  return membersAgree(properties, new Map(stated), terms)
}
