/**
 * The part of the graph that lies on paths: a search from the sources that keeps every edge it
 * meets, then the way back from the targets over those edges.
 *
 * Vertices of all types are numbered through: a type's first number plus the row.
 */
import type { VertexTableView } from '#graph/view.ts'
import { DbError } from '#kernel/errors.ts'
import type { EdgeStrip } from '../edges/edge-path.ts'
import { walkStrip } from '../edges/edge-walk.ts'
import type { RowPredicate } from '../read/filter.ts'
import { type ReadScope, ROWS_PER_LOOK, type Sliced } from '../read/read-scope.ts'

export interface SearchTable {
  readonly table: VertexTableView
  readonly firstNumber: number
  /** Null: no vertex of the type may lie on a path. */
  readonly allows: RowPredicate | null
  readonly strips: readonly SearchStrip[]
}

export interface SearchStrip {
  readonly strip: EdgeStrip
  readonly allows: RowPredicate
  /** Of the type at the other end. */
  readonly otherIndex: number
}

export interface SearchOptions {
  readonly tables: readonly SearchTable[]
  readonly vertexCount: number
  readonly sources: readonly number[]
  readonly targets: readonly number[]
  readonly lengthMax: number
  readonly wanted: 'one' | 'shortest' | 'all' | 'reached'
}

/** Columns of equal length: the edges met, by the numbers of their ends. */
interface MetEdges {
  readonly from: number[]
  readonly to: number[]
  readonly tableIndex: number[]
  readonly stripIndex: number[]
  readonly row: number[]
}

export interface FoundEdge {
  readonly tableIndex: number
  readonly stripIndex: number
  readonly fromRow: number
  readonly otherRow: number
  readonly row: number
}

export interface Found {
  readonly vertices: readonly number[]
  readonly edges: readonly FoundEdge[]
}

/** So much is held at once; beyond it the request is refused. */
const EDGES_MET_MAX = 5_000_000

export function* searchPaths(options: SearchOptions, scope: ReadScope): Sliced<Found> {
  const steps = new Int32Array(options.vertexCount).fill(-1)
  const met: MetEdges = { from: [], to: [], tableIndex: [], stripIndex: [], row: [] }
  const targets = new Set(options.targets)
  let level = options.sources
  for (const number of level) steps[number] = 0
  for (let depth = 0; depth < options.lengthMax && level.length > 0; depth++) {
    // Nothing shorter is to come once the last target is reached.
    const isDone = options.targets.every((number) => steps[number]! >= 0)
    if (isForTargets(options) && isDone) break
    level = yield* expand({ options, steps, met, depth }, level, scope)
  }
  if (options.wanted === 'reached') return everything(options, steps, met)
  return collect(options, steps, met, targets)
}

/** Whether shortest paths to the targets are all that is wanted. */
function isForTargets({ wanted }: SearchOptions): boolean {
  return wanted === 'one' || wanted === 'shortest'
}

function everything(options: SearchOptions, steps: Int32Array, met: MetEdges): Found {
  const vertices: number[] = []
  for (const [number, step] of steps.entries()) if (step >= 0) vertices.push(number)
  return { vertices, edges: foundEdges(options, met, new Set(met.row.keys())) }
}

interface Search {
  readonly options: SearchOptions
  readonly steps: Int32Array
  readonly met: MetEdges
  readonly depth: number
}

function* expand(search: Search, level: readonly number[], scope: ReadScope): Sliced<number[]> {
  const next: number[] = []
  for (const [index, number] of level.entries()) {
    if ((index & (ROWS_PER_LOOK - 1)) === 0 && scope.isDue) yield
    const tableIndex = tableIndexOf(search.options.tables, number)
    const { strips, firstNumber } = search.options.tables[tableIndex]!
    for (const stripIndex of strips.keys()) {
      const place = { tableIndex, stripIndex, row: number - firstNumber, number }
      yield* expandStrip(search, place, next, scope)
    }
  }
  return next
}

interface Place {
  readonly tableIndex: number
  readonly stripIndex: number
  readonly row: number
  readonly number: number
}

function* expandStrip(
  { options, steps, met, depth }: Search,
  place: Place,
  next: number[],
  scope: ReadScope,
): Sliced<void> {
  const { strip, allows, otherIndex } = options.tables[place.tableIndex]!.strips[place.stripIndex]!
  const other = options.tables[otherIndex]!
  if (other.allows === null) return
  const { allows: allowsVertex, firstNumber } = other
  const onlyForward = isForTargets(options)
  yield* walkStrip(
    strip,
    place.row,
    (otherRow, edgeRow) => {
      const number = firstNumber + otherRow
      const known = steps[number]!
      if (onlyForward && known >= 0 && known <= depth) return true
      if (!allows(edgeRow) || !allowsVertex(otherRow)) return true
      if (known < 0) {
        steps[number] = depth + 1
        next.push(number)
      }
      keep(met, place, number, edgeRow)
      return true
    },
    scope,
  )
}

function keep(met: MetEdges, place: Place, number: number, edgeRow: number): void {
  if (met.row.length >= EDGES_MET_MAX) {
    throw new DbError('MEMORY_LIMIT', `The search met more than ${EDGES_MET_MAX} edges.`)
  }
  met.from.push(place.number)
  met.to.push(number)
  met.tableIndex.push(place.tableIndex)
  met.stripIndex.push(place.stripIndex)
  met.row.push(edgeRow)
}

function tableIndexOf(tables: readonly SearchTable[], number: number): number {
  let index = tables.length - 1
  while (tables[index]!.firstNumber > number) index--
  return index
}

/**
 * Back from the targets: an edge lies on a path when the steps before it, itself, and those behind
 * it are no more than allowed: the length of the shortest path to the target, or the greatest.
 */
function collect(
  options: SearchOptions,
  steps: Int32Array,
  met: MetEdges,
  targets: ReadonlySet<number>,
): Found {
  const into = edgesInto(options.vertexCount, met)
  const vertices = new Set<number>()
  const edges = new Set<number>()
  const rest = new Map<number, number>()
  const queue: number[] = []
  for (const target of targets) {
    if (steps[target]! < 0) continue
    rest.set(target, 0)
    vertices.add(target)
    queue.push(target)
  }
  for (const number of queue) {
    const behind = rest.get(number)!
    for (let edge = into.first[number]!; edge >= 0; edge = into.next[edge]!) {
      const from = met.from[edge]!
      if (!isOnPath(options, { before: steps[from]!, behind, at: steps[number]! })) continue
      edges.add(edge)
      vertices.add(from)
      if (!rest.has(from)) {
        rest.set(from, behind + 1)
        queue.push(from)
      }
      if (options.wanted === 'one') break
    }
  }
  return { vertices: [...vertices], edges: foundEdges(options, met, edges) }
}

function isOnPath(
  { wanted, lengthMax }: SearchOptions,
  { before, behind, at }: { before: number; behind: number; at: number },
): boolean {
  return wanted === 'all' ? before + 1 + behind <= lengthMax : before + 1 === at
}

/** Lists of edges by the vertex they lead to, linked through the edges. */
function edgesInto(vertexCount: number, { to }: MetEdges) {
  const first = new Int32Array(vertexCount).fill(-1)
  const next = new Int32Array(to.length)
  for (let edge = to.length - 1; edge >= 0; edge--) {
    next[edge] = first[to[edge]!]!
    first[to[edge]!] = edge
  }
  return { first, next }
}

/** An undirected edge met from both ends is one. */
function foundEdges(
  { tables }: SearchOptions,
  met: MetEdges,
  chosen: ReadonlySet<number>,
): FoundEdge[] {
  const seen = new Map<unknown, Set<number>>()
  const edges: FoundEdge[] = []
  for (const edge of [...chosen].sort((one, other) => one - other)) {
    const tableIndex = met.tableIndex[edge]!
    const stripIndex = met.stripIndex[edge]!
    const { strips, firstNumber } = tables[tableIndex]!
    const { strip, otherIndex } = strips[stripIndex]!
    const row = met.row[edge]!
    const identity = strip.type.directed ? strip : strip.adjacency
    const rows = seen.get(identity) ?? new Set<number>()
    seen.set(identity, rows)
    if (rows.has(row)) continue
    rows.add(row)
    const fromRow = met.from[edge]! - firstNumber
    const otherRow = met.to[edge]! - tables[otherIndex]!.firstNumber
    edges.push({ tableIndex, stripIndex, fromRow, otherRow, row })
  }
  return edges
}
