/**
 * Walking the edges of a view, on any thread, in the order of `order.ts`: ascending by the other end,
 * parallel edges by their discriminators. Deleted edges are never visited, and a deleted vertex has
 * none, so the other end is always alive.
 */
import type { AdjacencyView, EdgeTableView } from '#graph/view.ts'
import { isSet } from '../memory/bits.ts'
import { compareParallel, DeltaOrder } from './order.ts'

export type VisitEdge = (otherRow: number, edgeRow: number) => void

/** Visits the live edges that leave `row` in the declared direction. */
export function forEachOut(adjacency: AdjacencyView, row: number, visit: VisitEdge): void {
  forEachWay(adjacency, row, false, visit)
}

/** Visits the live edges that arrive at `row` in the declared direction. */
export function forEachIn(adjacency: AdjacencyView, row: number, visit: VisitEdge): void {
  forEachWay(adjacency, row, true, visit)
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

function forEachWay(
  adjacency: AdjacencyView,
  row: number,
  isBackward: boolean,
  visit: VisitEdge,
): void {
  const { start, end } = baseRange(adjacency, row, isBackward)
  const others = isBackward ? adjacency.inSources : adjacency.outTargets
  const order = hasDeltaEdges(adjacency, row, isBackward)
    ? new DeltaOrder(adjacency, isBackward)
    : null
  const addedCount = order === null ? 0 : order.load(row)
  let added = 0
  for (let position = start; position < end; position++) {
    const edge = isBackward ? adjacency.inRows[position]! : position
    if (isSet(adjacency.deleted, edge)) continue
    const other = others[position]!
    while (added < addedCount && comesFirst(order!, added, other, edge)) {
      visit(order!.otherAt(added), order!.edgeAt(added))
      added += 1
    }
    visit(other, edge)
  }
  for (; added < addedCount; added++) visit(order!.otherAt(added), order!.edgeAt(added))
}

/** Whether the delta edge in a place of the order stands before a base edge. */
export function comesFirst(
  order: DeltaOrder,
  at: number,
  other: number,
  baseEdge: number,
): boolean {
  const added = order.otherAt(at)
  return added < other || (added === other && order.isBefore(at, baseEdge))
}

export function hasDeltaEdges(adjacency: AdjacencyView, row: number, isBackward: boolean): boolean {
  const { delta } = adjacency
  return delta !== null && headOf(isBackward ? delta.inHeads : delta.outHeads, row) !== 0
}

/** As `forEachOut`, in no order: for counting and collecting. */
export function forEachOutAnyhow(
  adjacency: AdjacencyView,
  row: number,
  visit: (edgeRow: number) => void,
): void {
  const { start, end } = baseRange(adjacency, row, false)
  for (let edge = start; edge < end; edge++) if (!isSet(adjacency.deleted, edge)) visit(edge)
  const { delta } = adjacency
  if (delta !== null) walkChain(adjacency, delta.outNext, headOf(delta.outHeads, row), visit)
}

/** As `forEachIn`, in no order. */
export function forEachInAnyhow(
  adjacency: AdjacencyView,
  row: number,
  visit: (edgeRow: number) => void,
): void {
  const { start, end } = baseRange(adjacency, row, true)
  for (let position = start; position < end; position++) {
    const edge = adjacency.inRows[position]!
    if (!isSet(adjacency.deleted, edge)) visit(edge)
  }
  const { delta } = adjacency
  if (delta !== null) walkChain(adjacency, delta.inNext, headOf(delta.inHeads, row), visit)
}

function walkChain(
  adjacency: AdjacencyView,
  links: Uint32Array,
  head: number,
  visit: (edgeRow: number) => void,
): void {
  for (let next = head; next !== 0; next = links[next - 1]!) {
    const index = next - 1
    const edge = adjacency.baseCount + index
    if (index < adjacency.deltaCount && !isSet(adjacency.deleted, edge)) visit(edge)
  }
}

/** What one vertex meets when it looks along an edge type. */
export interface IncidentEdge {
  readonly adjacency: AdjacencyView
  /** True when the edge was walked against its stored direction. */
  readonly isBackward: boolean
  readonly otherTypeId: number
  readonly otherRow: number
  readonly edgeRow: number
}

/**
 * Visits what an edge type shows of a vertex: directed, its out-edges; undirected, every edge at
 * either end, a loop once.
 */
export function forEachIncident(
  table: EdgeTableView,
  vertex: { readonly typeId: number; readonly row: number },
  visit: (edge: IncidentEdge) => void,
): void {
  for (const adjacency of table.adjacencies) {
    const { fromTypeId, toTypeId } = adjacency
    if (fromTypeId === vertex.typeId) {
      forEachOut(adjacency, vertex.row, (otherRow, edgeRow) =>
        visit({ adjacency, isBackward: false, otherTypeId: toTypeId, otherRow, edgeRow }),
      )
    }
    if (table.directed || toTypeId !== vertex.typeId) continue
    forEachIn(adjacency, vertex.row, (otherRow, edgeRow) => {
      if (fromTypeId === toTypeId && otherRow === vertex.row) return
      visit({ adjacency, isBackward: true, otherTypeId: fromTypeId, otherRow, edgeRow })
    })
  }
}

/** Live out-edges of a row: a subtraction while nothing is deleted and the row has no delta. */
export function outDegree(adjacency: AdjacencyView, row: number): number {
  const head = headOf(adjacency.delta?.outHeads, row)
  if (head === 0 && adjacency.deleted.words === null) {
    if (row >= adjacency.baseFromCount) return 0
    return adjacency.outOffsets[row + 1]! - adjacency.outOffsets[row]!
  }
  let degree = 0
  forEachOutAnyhow(adjacency, row, () => {
    degree += 1
  })
  return degree
}

/** Live in-edges of a row. */
export function inDegree(adjacency: AdjacencyView, row: number): number {
  const head = headOf(adjacency.delta?.inHeads, row)
  if (head === 0 && adjacency.deleted.words === null) {
    if (row >= adjacency.baseToCount) return 0
    return adjacency.inOffsets[row + 1]! - adjacency.inOffsets[row]!
  }
  let degree = 0
  forEachInAnyhow(adjacency, row, () => {
    degree += 1
  })
  return degree
}

/** Live edges at a row of an undirected adjacency between one type, a loop once. */
export function symmetricDegree(adjacency: AdjacencyView, row: number): number {
  return outDegree(adjacency, row) + inDegree(adjacency, row) - loopCount(adjacency, row)
}

/** Live edges that `forEachIncident` would visit. */
export function incidentDegree(
  table: EdgeTableView,
  vertex: { readonly typeId: number; readonly row: number },
): number {
  let degree = 0
  for (const adjacency of table.adjacencies) {
    if (adjacency.fromTypeId === vertex.typeId) degree += outDegree(adjacency, vertex.row)
    if (table.directed || adjacency.toTypeId !== vertex.typeId) continue
    degree += inDegree(adjacency, vertex.row)
    if (adjacency.fromTypeId === vertex.typeId) degree -= loopCount(adjacency, vertex.row)
  }
  return degree
}

/** Source row of an edge row. */
export function sourceOf(adjacency: AdjacencyView, edgeRow: number): number {
  if (edgeRow >= adjacency.baseCount)
    return adjacency.delta!.sources[edgeRow - adjacency.baseCount]!
  let low = 0
  let high = adjacency.baseFromCount
  while (high - low > 1) {
    const middle = (low + high) >>> 1
    if (adjacency.outOffsets[middle]! <= edgeRow) low = middle
    else high = middle
  }
  return low
}

/** Target row of an edge row. */
export function targetOf(adjacency: AdjacencyView, edgeRow: number): number {
  const { baseCount } = adjacency
  return edgeRow < baseCount
    ? adjacency.outTargets[edgeRow]!
    : adjacency.delta!.targets[edgeRow - baseCount]!
}

/** Visits the live edges from one row to another: several when they have discriminators. */
export function forEachBetween(
  adjacency: AdjacencyView,
  ends: { readonly source: number; readonly target: number },
  visit: (edgeRow: number) => void,
): void {
  const { source, target } = ends
  const edges: number[] = []
  if (source < adjacency.baseFromCount) {
    const end = adjacency.outOffsets[source + 1]!
    let edge = lowerBound(adjacency.outTargets, adjacency.outOffsets[source]!, end, target)
    for (; edge < end && adjacency.outTargets[edge] === target; edge++) {
      if (!isSet(adjacency.deleted, edge)) edges.push(edge)
    }
  }
  const baseCount = edges.length
  collectDeltaBetween(adjacency, ends, edges)
  if (edges.length > baseCount && edges.length > 1) {
    edges.sort((a, b) => compareParallel(adjacency, a, b))
  }
  for (const edge of edges) visit(edge)
}

/** Walks both chains in step and stops with the shorter one: a supernode costs nothing. */
function collectDeltaBetween(
  adjacency: AdjacencyView,
  ends: { readonly source: number; readonly target: number },
  edges: number[],
): void {
  const delta = adjacency.delta
  if (delta === null) return
  const found: number[] = []
  const foundBackward: number[] = []
  let out = headOf(delta.outHeads, ends.source)
  let into = headOf(delta.inHeads, ends.target)
  while (out !== 0 && into !== 0) {
    if (delta.targets[out - 1] === ends.target) found.push(out - 1)
    if (delta.sources[into - 1] === ends.source) foundBackward.push(into - 1)
    out = delta.outNext[out - 1]!
    into = delta.inNext[into - 1]!
  }
  for (const index of out === 0 ? found : foundBackward) {
    const edge = adjacency.baseCount + index
    if (index < adjacency.deltaCount && !isSet(adjacency.deleted, edge)) edges.push(edge)
  }
}

/** The first position in `from .. to` whose value is at least `value`. */
export function lowerBound(array: Uint32Array, from: number, to: number, value: number): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >>> 1
    if (array[middle]! < value) low = middle + 1
    else high = middle
  }
  return low
}

function loopCount(adjacency: AdjacencyView, row: number): number {
  let count = 0
  forEachBetween(adjacency, { source: row, target: row }, () => {
    count += 1
  })
  return count
}

function headOf(heads: Uint32Array<SharedArrayBuffer> | undefined, row: number): number {
  return heads === undefined || row >= heads.length ? 0 : Atomics.load(heads, row)
}
