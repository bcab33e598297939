/**
 * What the explorer shows: an immutable scene of vertices, edges and remainders.
 *
 * A remainder stands for neighbours that exist but are not drawn ("Pays +7,950"): a cap is always
 * visible, never silent. Every change makes a new scene that shares what did not change, so that
 * undo is keeping the old one.
 */

import { formatCount } from '#lib/format.ts'

/** `type` and `id` in one string; types have no spaces, so the first one separates. */
export type VertexKey = string
export type EdgeKey = string

export type Direction = 'out' | 'in' | 'undirected'

export interface SceneVertex {
  readonly key: VertexKey
  readonly type: string
  readonly id: string
  /** Null until they are read. */
  readonly attributes: Readonly<Record<string, unknown>> | null
  /** The database has it no more; a saved scene still shows where it was. */
  readonly gone?: true
}

export interface SceneEdge {
  readonly key: EdgeKey
  readonly type: string
  readonly directed: boolean
  readonly from: VertexKey
  readonly to: VertexKey
  /** What tells parallel edges apart; empty where a pair has at most one edge of the type. */
  readonly discriminator: string
  /** Null until they are read. */
  readonly attributes: Readonly<Record<string, unknown>> | null
  /** The database has it no more. */
  readonly gone?: true
}

/** One line of a vertex's degree summary: how many edges of one kind it has. */
export interface DegreeRow {
  readonly edgeType: string
  readonly direction: Direction
  readonly targetType: string
  readonly count: number
}

export interface Remainder extends DegreeRow {
  readonly key: string
  readonly vertex: VertexKey
  readonly shown: number
  /** Where the next page starts; null before the first page. */
  readonly cursor: string | null
}

export interface Point {
  readonly x: number
  readonly y: number
}

/** The name of an attribute, or null: as the type has it. */
export interface TypeStyle {
  readonly label: string | null
  readonly color: string | null
  readonly size: string | null
}

/** Everything farther than so many edges from these is dimmed. */
export interface Focus {
  readonly around: readonly VertexKey[]
  readonly hops: number
}

/** What is drawn as one node; see groups.ts. */
export interface Grouping {
  /** Leaves of one type at one parent, where there are many. */
  readonly leaves: boolean
  /** All vertices of these types. */
  readonly types: ReadonlySet<string>
  /** Groups of leaves that were opened again. */
  readonly opened: ReadonlySet<string>
}

export interface Scene {
  readonly vertices: ReadonlyMap<VertexKey, SceneVertex>
  readonly edges: ReadonlyMap<EdgeKey, SceneEdge>
  readonly remainders: ReadonlyMap<string, Remainder>
  readonly hidden: ReadonlySet<VertexKey>
  readonly positions: ReadonlyMap<VertexKey, Point>
  /** Rules by vertex or edge type. */
  readonly styles: ReadonlyMap<string, TypeStyle>
  /** No layout moves these. */
  readonly pinned: ReadonlySet<VertexKey>
  readonly focus: Focus | null
  readonly grouping: Grouping
}

/** More is refused. A warning comes earlier, at what the settings say. */
export const SCENE_VERTICES_MAX = 5_000
export const SCENE_EDGES_MAX = 10_000

export const emptyScene: Scene = {
  vertices: new Map(),
  edges: new Map(),
  remainders: new Map(),
  hidden: new Set(),
  positions: new Map(),
  styles: new Map(),
  pinned: new Set(),
  focus: null,
  grouping: { leaves: false, types: new Set(), opened: new Set() },
}

export function vertexKey(type: string, id: string): VertexKey {
  return `${type} ${id}`
}

export function parseVertexKey(key: VertexKey): { readonly type: string; readonly id: string } {
  const space = key.indexOf(' ')
  return { type: key.slice(0, space), id: key.slice(space + 1) }
}

export interface EdgeIdentity {
  readonly type: string
  readonly directed: boolean
  readonly from: VertexKey
  readonly to: VertexKey
  readonly discriminator: string
}

/** An undirected edge is one edge from whichever end it was read. */
export function edgeKey({ type, directed, from, to, discriminator }: EdgeIdentity): EdgeKey {
  const [first, second] = directed || from <= to ? [from, to] : [to, from]
  return [type, first, second, discriminator].map(encodeURIComponent).join('|')
}

export function remainderKey(vertex: VertexKey, row: Omit<DegreeRow, 'count'>): string {
  return ['more', vertex, row.edgeType, row.direction, row.targetType]
    .map(encodeURIComponent)
    .join('|')
}

export interface Elements {
  readonly vertices: readonly SceneVertex[]
  readonly edges: readonly SceneEdge[]
}

/** A kind of neighbour, for a list of them. */
export interface ListedKind {
  readonly vertex: SceneVertex
  readonly row: DegreeRow
}

/** More than the canvas holds; what was to be drawn may be listed instead. */
export class CanvasFull extends Error {
  readonly listed: ListedKind | null

  constructor(reason: string, listed: ListedKind | null = null) {
    super(reason)
    this.listed = listed
  }
}

export type Fit = { readonly ok: true } | { readonly ok: false; readonly reason: string }

/** Whether the elements may still be drawn. */
export function fits(scene: Scene, { vertices, edges }: Elements): Fit {
  const newVertices = vertices.filter(({ key }) => !scene.vertices.has(key)).length
  const newEdges = edges.filter(({ key }) => !scene.edges.has(key)).length
  if (scene.vertices.size + newVertices > SCENE_VERTICES_MAX) {
    return {
      ok: false,
      reason: `The canvas holds at most ${formatCount(SCENE_VERTICES_MAX)} vertices.`,
    }
  }
  if (scene.edges.size + newEdges > SCENE_EDGES_MAX) {
    return { ok: false, reason: `The canvas holds at most ${formatCount(SCENE_EDGES_MAX)} edges.` }
  }
  return { ok: true }
}

/** Adds or refreshes; what was hidden and is asked for again shows again. */
export function addElements(scene: Scene, { vertices, edges }: Elements): Scene {
  const nextVertices = new Map(scene.vertices)
  const hidden = new Set(scene.hidden)
  for (const vertex of vertices) {
    const known = nextVertices.get(vertex.key)
    const attributes = vertex.attributes ?? known?.attributes ?? null
    nextVertices.set(vertex.key, { ...vertex, attributes })
    hidden.delete(vertex.key)
  }
  const nextEdges = new Map(scene.edges)
  for (const edge of edges) {
    if (nextVertices.has(edge.from) && nextVertices.has(edge.to)) nextEdges.set(edge.key, edge)
  }
  return { ...scene, vertices: nextVertices, edges: nextEdges, hidden }
}

/** Gives what is on the canvas and not read yet what the database has; nothing comes or goes. */
export function withRead(scene: Scene, { vertices, edges }: Elements): Scene {
  return {
    ...scene,
    vertices: filled(scene.vertices, vertices),
    edges: filled(scene.edges, edges),
  }
}

function filled<E extends { readonly key: string; readonly attributes: object | null }>(
  known: ReadonlyMap<string, E>,
  read: readonly E[],
): ReadonlyMap<string, E> {
  const next = new Map(known)
  for (const element of read) {
    if (next.get(element.key)?.attributes === null) next.set(element.key, element)
  }
  return next
}

export function hideVertices(scene: Scene, keys: Iterable<VertexKey>): Scene {
  return { ...scene, hidden: new Set([...scene.hidden, ...keys]) }
}

export function showAll(scene: Scene): Scene {
  return { ...scene, hidden: new Set() }
}

/** Takes vertices off the canvas with their edges and remainders; the database keeps them. */
export function removeVertices(scene: Scene, keys: Iterable<VertexKey>): Scene {
  const gone = new Set(keys)
  return {
    ...scene,
    vertices: without(scene.vertices, (vertex) => gone.has(vertex.key)),
    edges: without(scene.edges, (edge) => gone.has(edge.from) || gone.has(edge.to)),
    remainders: without(scene.remainders, (remainder) => gone.has(remainder.vertex)),
    hidden: new Set([...scene.hidden].filter((key) => !gone.has(key))),
    positions: new Map([...scene.positions].filter(([key]) => !gone.has(key))),
    pinned: new Set([...scene.pinned].filter((key) => !gone.has(key))),
  }
}

/**
 * Undoes an expansion by hand: removes the neighbours that hang on this vertex alone, that is,
 * which no other drawn vertex has an edge with.
 */
export function collapse(scene: Scene, key: VertexKey): Scene {
  const others = new Map<VertexKey, boolean>()
  for (const { from, to } of scene.edges.values()) {
    noteEnd(others, { end: from, other: to, key })
    noteEnd(others, { end: to, other: from, key })
  }
  const leaves = [...others].filter(([, elsewhere]) => !elsewhere).map(([leaf]) => leaf)
  const collapsed = removeVertices(scene, leaves)
  return {
    ...collapsed,
    remainders: without(collapsed.remainders, (remainder) => remainder.vertex === key),
  }
}

function noteEnd(
  others: Map<VertexKey, boolean>,
  { end, other, key }: { end: VertexKey; other: VertexKey; key: VertexKey },
): void {
  if (end === key || end === other) return
  others.set(end, (others.get(end) ?? false) || other !== key)
}

/** Gives an element the attributes that an edit has written. */
export function withAttributes(
  scene: Scene,
  key: string,
  attributes: Readonly<Record<string, unknown>>,
): Scene {
  const vertex = scene.vertices.get(key)
  if (vertex !== undefined) {
    return { ...scene, vertices: new Map(scene.vertices).set(key, { ...vertex, attributes }) }
  }
  const edge = scene.edges.get(key)
  if (edge === undefined) return scene
  return { ...scene, edges: new Map(scene.edges).set(key, { ...edge, attributes }) }
}

/** Marks vertices and edges that the database has no more. */
export function markGone(scene: Scene, keys: Iterable<string>): Scene {
  const vertices = new Map(scene.vertices)
  const edges = new Map(scene.edges)
  for (const key of keys) {
    const vertex = vertices.get(key)
    if (vertex !== undefined) vertices.set(key, { ...vertex, gone: true })
    const edge = edges.get(key)
    if (edge !== undefined) edges.set(key, { ...edge, gone: true })
  }
  return { ...scene, vertices, edges }
}

export function moveVertices(scene: Scene, moved: Iterable<readonly [VertexKey, Point]>): Scene {
  return { ...scene, positions: new Map([...scene.positions, ...moved]) }
}

export interface VisibleScene extends Elements {
  readonly remainders: readonly Remainder[]
}

export function visible(scene: Scene): VisibleScene {
  const shows = (key: VertexKey) => !scene.hidden.has(key)
  return {
    vertices: [...scene.vertices.values()].filter(({ key }) => shows(key)),
    edges: [...scene.edges.values()].filter(({ from, to }) => shows(from) && shows(to)),
    remainders: [...scene.remainders.values()].filter(({ vertex }) => shows(vertex)),
  }
}

function without<V>(
  map: ReadonlyMap<string, V>,
  drop: (value: V) => boolean,
): ReadonlyMap<string, V> {
  return new Map([...map].filter(([, value]) => !drop(value)))
}
