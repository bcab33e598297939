/** Walks the edges of one vertex along one strip, in slices: supernodes do not stop the server. */
import { forEachBetween } from '#graph/adjacency/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import type { AdjacencyView } from '#graph/view.ts'
import type { EdgeStrip } from './edge-path.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from './read-scope.ts'

/** Whether to go on. */
export type VisitEdge = (otherRow: number, edgeRow: number) => boolean

/**
 * Visits the live edges: base first, ascending by the other end, then delta from the newest to the
 * oldest. An undirected loop is visited on the forward strip alone.
 * @returns false when the visitor had enough
 */
export function* walkStrip(
  strip: EdgeStrip,
  row: number,
  visit: VisitEdge,
  scope: ReadScope,
): Sliced<boolean> {
  const wanted = skipsLoops(strip) ? withoutLoops(row, visit) : visit
  return (
    (yield* walkBase(strip, { row, visit: wanted }, scope)) &&
    (yield* walkDelta(strip, { row, visit: wanted }, scope))
  )
}

/** Visits the live edges toward one vertex: several when they have discriminators. */
export function walkBetween(
  strip: EdgeStrip,
  row: number,
  otherRow: number,
  visit: VisitEdge,
): void {
  if (skipsLoops(strip) && row === otherRow) return
  const ends = strip.isBackward
    ? { source: otherRow, target: row }
    : { source: row, target: otherRow }
  forEachBetween(strip.adjacency, ends, (edgeRow) => {
    visit(otherRow, edgeRow)
  })
}

/** The backward strip of an undirected type between one vertex type and itself. */
export function skipsLoops({ type, isBackward, adjacency }: EdgeStrip): boolean {
  return !type.directed && isBackward && adjacency.fromTypeId === adjacency.toTypeId
}

function withoutLoops(row: number, visit: VisitEdge): VisitEdge {
  return (otherRow, edgeRow) => otherRow === row || visit(otherRow, edgeRow)
}

interface Walk {
  readonly row: number
  readonly visit: VisitEdge
}

function* walkBase(strip: EdgeStrip, walk: Walk, scope: ReadScope): Sliced<boolean> {
  const { adjacency, isBackward } = strip
  const { start, end } = baseRange(adjacency, walk.row, isBackward)
  for (let position = start; position < end; position++) {
    const edge = isBackward ? adjacency.inRows[position]! : position
    if (!isSet(adjacency.deleted, edge)) {
      const other = isBackward ? adjacency.inSources[position]! : adjacency.outTargets[position]!
      if (!walk.visit(other, edge)) return false
    }
    if ((position & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
  }
  return true
}

/** Positions of a row's base edges: edge rows forward, in-positions backward. */
export function baseRange(
  adjacency: AdjacencyView,
  row: number,
  isBackward: boolean,
): { readonly start: number; readonly end: number } {
  const count = isBackward ? adjacency.baseToCount : adjacency.baseFromCount
  if (row >= count) return { start: 0, end: 0 }
  const offsets = isBackward ? adjacency.inOffsets : adjacency.outOffsets
  return { start: offsets[row]!, end: offsets[row + 1]! }
}

/** The delta edges of a row alone, from the newest to the oldest. */
export function* walkDelta(
  { adjacency, isBackward }: EdgeStrip,
  { row, visit }: Walk,
  scope: ReadScope,
): Sliced<boolean> {
  const { delta } = adjacency
  if (delta === null) return true
  const heads = isBackward ? delta.inHeads : delta.outHeads
  const links = isBackward ? delta.inNext : delta.outNext
  const others = isBackward ? delta.sources : delta.targets
  if (row >= heads.length) return true
  let steps = 0
  for (let next = Atomics.load(heads, row); next !== 0; next = links[next - 1]!) {
    const index = next - 1
    if (index < adjacency.deltaCount) {
      const edge = adjacency.baseCount + index
      if (!isSet(adjacency.deleted, edge) && !visit(others[index]!, edge)) return false
    }
    if ((++steps & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
  }
  return true
}
