/** What a query printed, as tables and as a graph: one part per printed key. */
import { stringifyLossless } from '#lib/lossless-json.ts'

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
  const vertices = new Map<string, ResultVertex>()
  const edges: ResultEdge[] = []
  const note = (vertex: ResultVertex) => {
    const key = `${vertex.type} ${vertex.id}`
    if (Object.keys(vertex.attributes).length > 0 || !vertices.has(key)) vertices.set(key, vertex)
  }
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const entry of value) visit(entry)
    else if (!isRecord(value)) return
    else if (isVertex(value)) note(vertexOf(value))
    else if (isEdge(value)) {
      const edge = edgeOf(value)
      edges.push(edge)
      note({ ...edge.from, attributes: {} })
      note({ ...edge.to, attributes: {} })
    } else for (const entry of Object.values(value)) visit(entry)
  }
  visit(printed)
  const drawn = [...vertices.values()].slice(0, RESULT_VERTICES_MAX)
  const shown = new Set(drawn.map(({ type, id }) => `${type} ${id}`))
  const isShown = ({ type, id }: { type: string; id: string }) => shown.has(`${type} ${id}`)
  return {
    vertices: drawn,
    edges: edges.filter(({ from, to }) => isShown(from) && isShown(to)).slice(0, RESULT_EDGES_MAX),
    vertexCount: vertices.size,
    edgeCount: edges.length,
  }
}

/** A value in one line; nothing for a row that lacks the column. */
export function cellText(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'object' && value !== null ? stringifyLossless(value) : String(value)
}

function vertexOf(value: Readonly<Record<string, unknown>>): ResultVertex {
  const attributes = isRecord(value['attributes']) ? value['attributes'] : {}
  return { type: String(value['v_type']), id: String(value['v_id']), attributes }
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
