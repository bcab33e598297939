/** Walks the edges of one vertex along one strip, in slices: supernodes do not stop the server. */
import { DeltaOrder } from '#graph/adjacency/order.ts'
import { baseRange, comesFirst, forEachBetween, hasDeltaEdges } from '#graph/adjacency/read.ts'
import { isSet } from '#graph/memory/bits.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from '../read/read-scope.ts'
import type { EdgeStrip } from './edge-path.ts'

/** Whether to go on. */
export type VisitEdge = (otherRow: number, edgeRow: number) => boolean

/**
 * Visits the live edges, ascending by the other end, parallel ones by their discriminators. An
 * undirected loop is visited on the forward strip alone.
 * @returns false when the visitor had enough
 */
export function* walkStrip(
  strip: EdgeStrip,
  row: number,
  visit: VisitEdge,
  scope: ReadScope,
): Sliced<boolean> {
  const wanted = skipsLoops(strip) ? withoutLoops(row, visit) : visit
  const walk = { row, visit: wanted }
  return hasDeltaEdges(strip.adjacency, row, strip.isBackward)
    ? yield* walkBoth(strip, walk, scope)
    : yield* walkBase(strip, walk, scope)
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
  const others = isBackward ? adjacency.inSources : adjacency.outTargets
  for (let position = start; position < end; position++) {
    const edge = isBackward ? adjacency.inRows[position]! : position
    if (!isSet(adjacency.deleted, edge) && !walk.visit(others[position]!, edge)) return false
    if ((position & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
  }
  return true
}

/** Base edges, with the delta edges in between. */
function* walkBoth(strip: EdgeStrip, walk: Walk, scope: ReadScope): Sliced<boolean> {
  const { adjacency, isBackward } = strip
  const added = new DeltaOrder(adjacency, isBackward)
  for (const _piece of added.loadInPieces(walk.row)) if (scope.isDue) yield
  const { start, end } = baseRange(adjacency, walk.row, isBackward)
  const base: BasePlace = { strip, end, at: start, other: -1, edge: -1 }
  step(base)
  for (let next = 0, steps = 0; base.edge >= 0 || next < added.count; steps++) {
    if ((steps & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
    const takesAdded = next < added.count && isBeforeBase(added, next, base)
    const [other, edge] = takesAdded
      ? [added.otherAt(next), added.edgeAt(next)]
      : [base.other, base.edge]
    if (takesAdded) next += 1
    else step(base)
    if (!walk.visit(other, edge)) return false
  }
  return true
}

/** The next live base edge of a walk; `edge` is -1 behind the last one. */
interface BasePlace {
  readonly strip: EdgeStrip
  readonly end: number
  at: number
  other: number
  edge: number
}

function step(base: BasePlace): void {
  const { adjacency, isBackward } = base.strip
  base.edge = -1
  while (base.at < base.end && base.edge < 0) {
    const edge = isBackward ? adjacency.inRows[base.at]! : base.at
    base.other = isBackward ? adjacency.inSources[base.at]! : adjacency.outTargets[base.at]!
    if (!isSet(adjacency.deleted, edge)) base.edge = edge
    base.at += 1
  }
}

function isBeforeBase(added: DeltaOrder, next: number, base: BasePlace): boolean {
  return base.edge < 0 || comesFirst(added, next, base.other, base.edge)
}

/** The delta edges of a row alone, in no order. */
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
