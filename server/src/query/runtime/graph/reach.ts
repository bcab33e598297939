/**
 * Repetition `*m..n` (docs/reference/gsql/select.md#repetition): breadth first from one vertex, or from a set of them, level by
 * level. For every vertex the first level within the bounds at which it is met counts, with the
 * number of walks that lead there. Below `m` every walk goes on; from `m` on only vertices met for
 * the first time do, since a walk through another one would not be the shortest.
 */

import type { MemoryBudget } from '../cells/memory.ts'
import { WidenSignal } from '../integer-functions.ts'
import type { VertexLayout } from './layout.ts'

type Counts = Float64Array | BigInt64Array

const FIRST_LENGTH = 256

/** A list of vertices with the number of walks to each. */
class CountedVertices {
  vertices = new Uint32Array(FIRST_LENGTH)
  counts: Counts
  size = 0
  private readonly wide: boolean
  private readonly memory: MemoryBudget

  constructor(wide: boolean, memory: MemoryBudget) {
    this.wide = wide
    this.memory = memory
    this.counts = newCounts(wide, FIRST_LENGTH)
  }

  push(vertex: number, count: number | bigint): void {
    if (this.size === this.vertices.length) this.grow()
    this.vertices[this.size] = vertex
    ;(this.counts as Float64Array)[this.size++] = count as number
  }

  private grow(): void {
    const length = this.vertices.length * 2
    this.memory.take(length * 6)
    const vertices = new Uint32Array(length)
    vertices.set(this.vertices)
    this.vertices = vertices
    const counts = newCounts(this.wide, length)
    ;(counts as Float64Array).set(this.counts as Float64Array)
    this.counts = counts
  }
}

function newCounts(wide: boolean, length: number): Counts {
  return wide ? new BigInt64Array(length) : new Float64Array(length)
}

export class Reach {
  /** Vertices to go on from. */
  private frontier: CountedVertices
  private next: CountedVertices
  /** What was met within the bounds. */
  private readonly found: CountedVertices
  /** By vertex: the search that has met it within its bounds, and the level that last met it. */
  private readonly foundBy: Uint32Array
  private readonly metAt: Uint32Array
  /** By vertex: where it stands in `next`. */
  private readonly place: Uint32Array
  private search = 0
  private stamp = 0
  private level = 0
  private min = 0
  private open = false
  private readonly wide: boolean

  constructor(layout: VertexLayout, memory: MemoryBudget, wide: boolean) {
    memory.take(layout.total * 12)
    this.foundBy = new Uint32Array(layout.total)
    this.metAt = new Uint32Array(layout.total)
    this.place = new Uint32Array(layout.total)
    this.frontier = new CountedVertices(wide, memory)
    this.next = new CountedVertices(wide, memory)
    this.found = new CountedVertices(wide, memory)
    this.wide = wide
  }

  /** A search of its own begins. */
  begin(min: number): void {
    this.search = fresh(this.search, this.foundBy)
    this.level = 0
    this.min = min
    this.open = false
    this.frontier.size = 0
    this.found.size = 0
  }

  seed(vertex: number): void {
    const one = this.wide ? 1n : 1
    this.frontier.push(vertex, one)
    if (this.min === 0) this.find(vertex, one)
  }

  /** Goes to the next level; false when there is none. */
  advance(max: number): boolean {
    if (this.open) this.closeLevel()
    this.open = true
    this.next.size = 0
    this.stamp = fresh(this.stamp, this.metAt)
    return this.frontier.size > 0 && this.level < max
  }

  get size(): number {
    return this.frontier.size
  }

  vertexAt(index: number): number {
    return this.frontier.vertices[index]!
  }

  countAt(index: number): number | bigint {
    return this.frontier.counts[index]!
  }

  /** An edge leads to `vertex`, at the end of `count` walks. */
  add(vertex: number, count: number | bigint): void {
    if (this.foundBy[vertex] === this.search) return
    if (this.metAt[vertex] === this.stamp) {
      const counts = this.next.counts as Float64Array
      const at = this.place[vertex]!
      // Both are of the kind that `wide` says.
      counts[at] = counts[at]! + (count as number)
      return
    }
    this.metAt[vertex] = this.stamp
    this.place[vertex] = this.next.size
    this.next.push(vertex, count)
  }

  /** The same where nobody counts. */
  see(vertex: number): void {
    if (this.foundBy[vertex] === this.search || this.metAt[vertex] === this.stamp) return
    this.metAt[vertex] = this.stamp
    this.next.push(vertex, this.wide ? 1n : 1)
  }

  get foundCount(): number {
    return this.found.size
  }

  foundVertex(index: number): number {
    return this.found.vertices[index]!
  }

  /** How many walks of the shortest length lead to it. */
  walksTo(index: number): number | bigint {
    return this.found.counts[index]!
  }

  private closeLevel(): void {
    this.level++
    const { next } = this
    if (!this.wide) checkCounts(next)
    if (this.level >= this.min) {
      for (let i = 0; i < next.size; i++) this.find(next.vertices[i]!, next.counts[i]!)
    }
    this.next = this.frontier
    this.frontier = next
  }

  private find(vertex: number, count: number | bigint): void {
    if (this.foundBy[vertex] === this.search) return
    this.foundBy[vertex] = this.search
    this.found.push(vertex, count)
  }
}

/** The next mark that no vertex bears. */
function fresh(mark: number, marks: Uint32Array): number {
  if (mark < 0xffffffff) return mark + 1
  marks.fill(0)
  return 1
}

/** More walks than a double counts exactly: run again in 64 bits. */
function checkCounts({ counts, size }: CountedVertices): void {
  for (let i = 0; i < size; i++) {
    if ((counts[i] as number) > Number.MAX_SAFE_INTEGER) throw new WidenSignal()
  }
}

export function reachFunctions(layout: VertexLayout, memory: MemoryBudget, wide: boolean) {
  /** Searches that nobody is in the middle of: their arrays are used again. */
  const free: Reach[] = []
  return {
    takeReach: (): Reach => free.pop() ?? new Reach(layout, memory, wide),
    giveReach: (reach: Reach): void => {
      free.push(reach)
    },
    reachBegin: (reach: Reach, min: number): void => reach.begin(min),
    reachSeed: (reach: Reach, vertex: number): void => reach.seed(vertex),
    reachNext: (reach: Reach, max: number): boolean => reach.advance(max),
    reachSize: (reach: Reach): number => reach.size,
    reachVertex: (reach: Reach, index: number): number => reach.vertexAt(index),
    reachCount: (reach: Reach, index: number): number | bigint => reach.countAt(index),
    reachAdd: (reach: Reach, vertex: number, count: number | bigint): void =>
      reach.add(vertex, count),
    reachSee: (reach: Reach, vertex: number): void => reach.see(vertex),
    foundCount: (reach: Reach): number => reach.foundCount,
    foundVertex: (reach: Reach, index: number): number => reach.foundVertex(index),
    foundWalks: (reach: Reach, index: number): number | bigint => reach.walksTo(index),
  }
}
