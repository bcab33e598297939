/**
 * What a payload would do, element by element, held against what the database has: for a preview, so
 * for the first of a large one. Also the names of what it wrote, for a look at it afterwards.
 */
import { findEdge, findVertex, type SchemaModel } from '#lib/graph-schema/schema-model.ts'
import { edgeOf, entries, walkEdges } from './payload-check.ts'
import type { UpsertOptions } from './upsert-options.ts'

/** Elements that are looked up for a preview. */
export const PREVIEW_ELEMENTS_MAX = 1_000
/** Vertices that a load shows afterwards. */
export const WRITTEN_SHOWN_MAX = 50

export interface VertexName {
  readonly type: string
  readonly id: string
}

export interface PayloadElement {
  readonly key: string
  readonly type: string
  /** Of a vertex its own name, of an edge both ends. */
  readonly ends: readonly VertexName[]
  /** Of an edge, what tells it from parallel ones, as far as it is given. */
  readonly discriminator: Readonly<Record<string, string>>
}

/** The first of it, without types that the schema does not have; an edge by its forward name. */
export function elementsOf(schema: SchemaModel, payload: unknown): readonly PayloadElement[] {
  const found: PayloadElement[] = []
  const add = (type: string, ends: readonly VertexName[], discriminator = {}) => {
    const known = ends.every((end) => end.id !== '' && findVertex(schema, end.type) !== undefined)
    if (!known || found.length >= PREVIEW_ELEMENTS_MAX) return
    const key = `${found.length} ${type}`
    found.push({ key, type, ends, discriminator })
  }
  const { vertices, edges } = Object(payload) as Record<string, unknown>
  for (const [type, ids] of entries(vertices)) {
    for (const [id] of entries(ids)) add(type, [{ type, id }])
  }
  walkEdges(edges, ({ edgeType, attributes, ends }) => {
    const edge = edgeOf(schema, edgeType)
    if (edge?.kind !== 'edge') return
    const names = edge.attributes.slice(0, edge.discriminatorCount).map(({ name }) => name)
    const given = entries(attributes).flatMap(([name, written]) =>
      names.includes(name) ? [[name, String(Object(written).value)]] : [],
    )
    const isForward = findEdge(schema, edgeType) !== undefined
    add(edge.name, isForward ? ends : ends.toReversed(), Object.fromEntries(given))
  })
  return found
}

/** What the database has of it. */
export interface Existing {
  readonly vertices: ReadonlySet<string>
  readonly edges: ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]>
}

export const vertexNameKey = ({ type, id }: VertexName): string => `${type} ${id}`
export const edgeNameKey = (type: string, ends: readonly VertexName[]): string =>
  JSON.stringify([type, ...ends.map(vertexNameKey)])

export type Effect = 'insert' | 'update' | 'skip'

/** In the order of the elements. */
export function effectsOf(
  elements: readonly PayloadElement[],
  { vertices, edges }: Existing,
  options: UpsertOptions,
): readonly Effect[] {
  /** Vertices of the payload are there before its edges. */
  const there = new Set(vertices)
  return elements.map((element): Effect => {
    const [source = '', target] = element.ends.map(vertexNameKey)
    if (target === undefined) {
      const effect = vertexEffect(vertices.has(source), options)
      if (effect !== 'skip') there.add(source)
      return effect
    }
    const isMissing =
      (needs(options, 'source') && !there.has(source)) ||
      (needs(options, 'target') && !there.has(target))
    if (isMissing) return 'skip'
    return isWritten(element, edges) ? 'update' : 'insert'
  })
}

function vertexEffect(exists: boolean, options: UpsertOptions): Effect {
  if (options.vertices === (exists ? 'new' : 'update')) return 'skip'
  return exists ? 'update' : 'insert'
}

const needs = ({ endpoints }: UpsertOptions, end: 'source' | 'target') =>
  endpoints === 'both' || endpoints === end

function isWritten(
  { type, ends, discriminator }: PayloadElement,
  edges: Existing['edges'],
): boolean {
  const rows = edges.get(edgeNameKey(type, ends)) ?? []
  return rows.some((row) =>
    Object.entries(discriminator).every(([name, value]) => String(row[name]) === value),
  )
}

/** `Type:id` of the first vertices and ends of edges of a payload, each once. */
export function writtenNames(payload: string): readonly string[] {
  const names = new Set<string>()
  const { vertices, edges } = Object(JSON.parse(payload)) as Record<string, unknown>
  for (const [type, ids] of entries(vertices)) {
    for (const [id] of entries(ids)) names.add(`${type}:${id}`)
  }
  walkEdges(edges, ({ ends }) => {
    for (const { type, id } of ends) names.add(`${type}:${id}`)
  })
  return [...names].slice(0, WRITTEN_SHOWN_MAX)
}
