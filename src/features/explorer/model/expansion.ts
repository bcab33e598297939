/**
 * Expanding a vertex: counts first, then pages. A vertex with few neighbours of a kind shows them
 * all; one with many shows a page and a remainder that leads to the next.
 */
import { formatBytes } from '#lib/format.ts'
import { drawnKinds, newEdges, setRemainder } from './remainders.ts'
import {
  addElements,
  type DegreeRow,
  type Elements,
  type Remainder,
  remainderKey,
  type Scene,
  type VertexKey,
} from './scene.ts'

/** Up to this many neighbours of a kind are drawn at once without asking. */
export const EXPAND_ALL_MAX = 100
export type PageSize = number
const PAGE_SIZES = [25, 50, 100, 200] as const

/** What one expand may weigh: a page of larger elements is shorter. */
export const EXPAND_SIZE_BYTES_MAX = 256 * 1024

/** The sizes to choose from, the one of the settings among them. */
export function pageSizes(preferred: PageSize): readonly PageSize[] {
  return [...new Set([...PAGE_SIZES, preferred])].sort((a, b) => a - b)
}

export interface ExpandRequest {
  readonly vertex: VertexKey
  readonly row: DegreeRow
  readonly limit: number
  readonly cursor: string | null
}

export interface NeighbourPage extends Elements {
  /** Null when this was the last page. */
  readonly nextCursor: string | null
}

/** The next page of one kind of neighbour: all of them when few, else a page. */
export function nextPage(
  scene: Scene,
  vertex: VertexKey,
  row: DegreeRow,
  pageSize: PageSize,
): ExpandRequest {
  const begun = scene.remainders.get(remainderKey(vertex, row))
  const cursor = begun?.cursor ?? null
  const limit = cursor === null && row.count <= EXPAND_ALL_MAX ? EXPAND_ALL_MAX : pageSize
  return { vertex, row, limit, cursor }
}

/**
 * Draws a page. One that does not follow on what is drawn (it was asked twice, or undone meanwhile)
 * brings its elements and leaves the count of what was shown alone.
 */
export function applyPage(scene: Scene, request: ExpandRequest, page: NeighbourPage): Scene {
  const { vertex, row } = request
  const begun = scene.remainders.get(remainderKey(vertex, row))
  if ((begun?.cursor ?? null) !== request.cursor) return addElements(scene, page)
  // Some were drawn before, by other ways than pages.
  const before = begun?.shown ?? drawnKinds(scene, vertex).get(remainderKey(vertex, row)) ?? 0
  const shown = before + newEdges(scene, page.edges).length
  const finished = page.nextCursor === null
  // The count may have moved since it was read; the cursor says whether there is more.
  const count = finished ? shown : Math.max(row.count, shown + 1)
  return setRemainder(addElements(scene, page), {
    ...row,
    count,
    vertex,
    shown,
    cursor: page.nextCursor,
  })
}

/** What is left to expand of a vertex: kinds of which some edge is not drawn. */
export function openKinds(
  scene: Scene,
  vertex: VertexKey,
  rows: readonly DegreeRow[],
): readonly DegreeRow[] {
  const drawn = drawnKinds(scene, vertex)
  return rows.filter((row) => (drawn.get(remainderKey(vertex, row)) ?? 0) < row.count)
}

/** Why a page has fewer than were asked for, though there are more; null: it has not. */
export function shortPageWords(
  { limit, row }: ExpandRequest,
  { edges, nextCursor }: NeighbourPage,
): string | null {
  if (nextCursor === null || edges.length >= limit) return null
  const size = formatBytes(EXPAND_SIZE_BYTES_MAX)
  return `${edges.length} instead of ${limit} by ${row.edgeType}: more weigh over ${size}, the most that comes at once.`
}

export function remainderLabel({ edgeType, count, shown }: Remainder): string {
  return `${edgeType} +${(count - shown).toLocaleString('en')}`
}

export function totalDegree(rows: readonly DegreeRow[]): number {
  return rows.reduce((sum, { count }) => sum + count, 0)
}
