/** What a query printed, as tables and as a graph: one part per printed key. */
import { stringifyLossless } from '#lib/json/lossless-json.ts'

export interface TablePart {
  readonly kind: 'table'
  readonly name: string
  readonly columns: readonly string[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export interface ValuePart {
  readonly kind: 'value'
  readonly name: string
  readonly value: unknown
}

export type ResultPart = TablePart | ValuePart

export type Printed = readonly Readonly<Record<string, unknown>>[]

export function partsOf(printed: Printed): ResultPart[] {
  return printed.flatMap((object) =>
    Object.entries(object).map(([name, value]) => partOf(name, value)),
  )
}

function partOf(name: string, value: unknown): ResultPart {
  if (Array.isArray(value) && value.length > 0) {
    const rows = value.every(isRecord)
      ? value.map(flatRow)
      : value.map((entry) => ({ value: entry }))
    return { kind: 'table', name, columns: columnsOf(rows), rows }
  }
  if (isRecord(value) && !isEdge(value)) {
    const rows = Object.entries(value).map(([key, entry]) => ({ key, value: entry }))
    return { kind: 'table', name, columns: ['key', 'value'], rows }
  }
  return { kind: 'value', name, value }
}

/** Attributes stand beside the identity, as columns of their own. */
function flatRow(row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { attributes, ...rest } = row
  return isRecord(attributes) ? { ...rest, ...attributes } : row
}

function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  return [...names]
}

export interface ResultVertex {
  readonly type: string
  readonly id: string
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface ResultEdge {
  readonly type: string
  readonly directed: boolean
  readonly from: { readonly type: string; readonly id: string }
  readonly to: { readonly type: string; readonly id: string }
}

export interface ResultGraph {
  readonly vertices: readonly ResultVertex[]
  readonly edges: readonly ResultEdge[]
  /** Of which the first are drawn. */
  readonly vertexCount: number
  readonly edgeCount: number
}

export const RESULT_VERTICES_MAX = 500
export const RESULT_EDGES_MAX = 1_000

/** Every vertex and edge object anywhere in the result; the ends of edges are vertices, too. */
export function graphOf(printed: Printed): ResultGraph {
  const found = new FoundVertices()
  const edges: ResultEdge[] = []
  let edgeCount = 0
  const noteEdge = (edge: Readonly<Record<string, unknown>>) => {
    const from = found.note(edge['from_type'], edge['from_id'])
    const to = found.note(edge['to_type'], edge['to_id'])
    edgeCount++
    const isDrawn = Math.max(from, to) < RESULT_VERTICES_MAX && edges.length < RESULT_EDGES_MAX
    if (isDrawn) edges.push(edgeOf(edge))
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const entry of value) visit(entry)
    else if (!isRecord(value)) return
    else if (isVertex(value)) found.note(value['v_type'], value['v_id'], value['attributes'])
    else if (isEdge(value)) noteEdge(value)
    else for (const entry of Object.values(value)) visit(entry)
  }
  visit(printed)
  return { vertices: found.first, edges, vertexCount: found.count, edgeCount }
}

/** Counts all, each once, and keeps the first. */
class FoundVertices {
  readonly first: ResultVertex[] = []
  count = 0
  readonly #places = new Map<string, Map<string, number>>()

  /** @returns which one it is, from 0 */
  note(typeValue: unknown, idValue: unknown, given?: unknown): number {
    const [type, id] = [String(typeValue), String(idValue)]
    const places = this.#places.get(type) ?? new Map<string, number>()
    if (places.size === 0) this.#places.set(type, places)
    const known = places.get(id)
    const place = known ?? this.count++
    if (known === undefined) places.set(id, place)
    if (place < RESULT_VERTICES_MAX) {
      const attributes = isRecord(given) ? given : {}
      const isTold = Object.keys(attributes).length > 0
      if (known === undefined || isTold) this.first[place] = { type, id, attributes }
    }
    return place
  }
}

/** A value in one line; nothing for a row that lacks the column. */
export function cellText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' && value !== null ? stringifyLossless(value) : String(value)
}

function edgeOf(value: Readonly<Record<string, unknown>>): ResultEdge {
  return {
    type: String(value['e_type']),
    directed: value['directed'] === true,
    from: { type: String(value['from_type']), id: String(value['from_id']) },
    to: { type: String(value['to_type']), id: String(value['to_id']) },
  }
}

const isVertex = (value: Readonly<Record<string, unknown>>) => 'v_id' in value && 'v_type' in value
const isEdge = (value: Readonly<Record<string, unknown>>) => 'e_type' in value && 'from_id' in value

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
