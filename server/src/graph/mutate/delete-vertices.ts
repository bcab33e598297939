/**
 * Deletes of vertices with all their edges, in steps: a vertex may have millions.
 *
 * A walk sets tombstones only, so the chains and ranges it follows stay as they are.
 */
import type { Adjacency } from '../adjacency/adjacency.ts'
import type { Tables } from '../tables/tables.ts'
import type { VertexTable } from '../tables/vertex-table.ts'
import { adjacenciesOf } from './apply-deletes.ts'
import { FrameCursor } from './frame-cursor.ts'
import { runKind } from './frame-format.ts'
import type { OutcomeBuilder } from './outcome.ts'
import { type ApplyTarget, vertexTableOf } from './target.ts'

/** Edges that one step looks at. */
const STEP_EDGES = 512
/** Edges from which on a batch of deletes is applied in slices. */
const MANY_EDGES = 10_000

/** The edges of a vertex in one direction of one adjacency that are still to be looked at. */
interface Walk {
  readonly adjacency: Adjacency
  readonly isBackward: boolean
  position: number
  readonly end: number
  /** Delta index + 1; 0 behind the last one. */
  next: number
  readonly links: Uint32Array
}

export class VertexDeletes {
  readonly #cursor: FrameCursor
  readonly #target: ApplyTarget
  readonly #outcome: OutcomeBuilder
  readonly #table: VertexTable
  /** The vertex being deleted; -1: none. */
  #row = -1
  #walks: Walk[] = []

  constructor(cursor: FrameCursor, target: ApplyTarget, outcome: OutcomeBuilder) {
    this.#cursor = cursor
    this.#target = target
    this.#outcome = outcome
    this.#table = vertexTableOf(target.tables, cursor.typeId)
  }

  /** Goes on with the present entry or begins the next; true when it is done with one. */
  step(): boolean {
    if (this.#row < 0 && !this.#begin()) return true
    let left = STEP_EDGES
    while (left > 0 && this.#walks.length > 0) {
      const walk = this.#walks.at(-1)!
      const row = nextEdge(walk)
      if (row < 0) this.#walks.pop()
      else if (walk.adjacency.delete(row)) this.#outcome.deletedEdges += 1
      left -= 1
    }
    if (this.#walks.length > 0) return false
    this.#finish()
    return true
  }

  /** False when there is no such vertex. */
  #begin(): boolean {
    const cursor = this.#cursor
    const table = this.#table
    cursor.readKey(0, table.isNumericId)
    this.#row = table.find(cursor.bytes, cursor.keyStart[0]!, cursor.keyEnd[0]!)
    if (this.#row < 0) return false
    this.#walks = walksOf(this.#target.tables, table.type.id, this.#row)
    return true
  }

  #finish(): void {
    const table = this.#table
    table.changed()
    table.delete(this.#row)
    if (this.#cursor.isPermanent) table.retire(this.#row)
    this.#target.deletions.deleted(table.type.id, this.#row)
    this.#outcome.deletedVertices += 1
    this.#row = -1
  }
}

function walksOf(tables: Tables, typeId: number, row: number): Walk[] {
  return adjacenciesOf(tables, typeId).flatMap(({ adjacency, isFrom, isTo }) => {
    if (adjacency.liveCount === 0) return []
    const walks = isFrom ? [walkOf(adjacency, row, false)] : []
    return isTo ? [...walks, walkOf(adjacency, row, true)] : walks
  })
}

function walkOf(adjacency: Adjacency, row: number, isBackward: boolean): Walk {
  const { base, delta } = adjacency
  const offsets = isBackward ? base.inOffsets : base.outOffsets
  const isCovered = row < (isBackward ? base.toCount : base.fromCount)
  const { inHeads, inNext, outHeads, outNext } = delta.view()
  const heads = isBackward ? inHeads : outHeads
  return {
    adjacency,
    isBackward,
    position: isCovered ? offsets[row]! : 0,
    end: isCovered ? offsets[row + 1]! : 0,
    next: row < heads.length ? heads[row]! : 0,
    links: isBackward ? inNext : outNext,
  }
}

/** The edge row that comes next, dead or alive; -1 behind the last one. */
function nextEdge(walk: Walk): number {
  const { base } = walk.adjacency
  if (walk.position < walk.end) {
    const position = walk.position++
    return walk.isBackward ? base.inRows[position]! : position
  }
  if (walk.next === 0) return -1
  const index = walk.next - 1
  walk.next = walk.links[index]!
  return base.count + index
}

/** Whether the vertices that a batch deletes have so many edges that it must be applied in slices. */
export function deletesMany(frame: Uint8Array, tables: Tables): boolean {
  const cursor = new FrameCursor(frame)
  let count = 0
  while (cursor.nextRun()) {
    if (cursor.kind !== runKind.deleteVertices) continue
    const table = vertexTableOf(tables, cursor.typeId)
    for (let i = 0; i < cursor.count && count < MANY_EDGES; i++) {
      cursor.readKey(0, table.isNumericId)
      const row = table.find(cursor.bytes, cursor.keyStart[0]!, cursor.keyEnd[0]!)
      if (row < 0) continue
      for (const walk of walksOf(tables, table.type.id, row)) {
        count += lengthOf(walk, MANY_EDGES - count)
      }
    }
  }
  return count >= MANY_EDGES
}

/** Edges of a walk, counted up to about `most`. */
function lengthOf(walk: Walk, most: number): number {
  let length = walk.end - walk.position
  for (let next = walk.next; next !== 0 && length < most; next = walk.links[next - 1]!) length += 1
  return length
}
