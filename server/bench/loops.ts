/**
 * Hand-written loops over plain typed arrays: what generated code is measured against, on the same
 * data and with the same method as the GSQL text. No ids, types, deletes or abort.
 */

export interface LoopArrays {
  readonly vertexCount: number
  readonly outOffsets: Uint32Array
  /** Ascending within a source. */
  readonly outTargets: Uint32Array
  readonly inOffsets: Uint32Array
  readonly inSources: Uint32Array
  /** By edge row, that is by position in `outTargets`. */
  readonly weights: ArrayLike<number>
}

export function loopArrays(graph: {
  readonly vertexCount: number
  readonly sources: Uint32Array
  readonly targets: Uint32Array
  readonly weights: ArrayLike<number>
}): LoopArrays {
  const { vertexCount, sources, targets, weights } = graph
  const inOffsets = offsetsOf(targets, vertexCount)
  const cursors = inOffsets.slice(0, vertexCount)
  const inSources = new Uint32Array(targets.length)
  for (let edge = 0; edge < targets.length; edge++) {
    inSources[cursors[targets[edge]!]!++] = sources[edge]!
  }
  const outOffsets = offsetsOf(sources, vertexCount)
  return { vertexCount, outOffsets, outTargets: targets, inOffsets, inSources, weights }
}

function offsetsOf(ends: Uint32Array, vertexCount: number): Uint32Array {
  const offsets = new Uint32Array(vertexCount + 1)
  for (const vertex of ends) offsets[vertex + 1]!++
  for (let vertex = 0; vertex < vertexCount; vertex++) offsets[vertex + 1]! += offsets[vertex]!
  return offsets
}

/** Gathers over in-edges. @returns the ranks, which sum to about the number of vertices */
export function pageRankPull(arrays: LoopArrays): Float64Array {
  const { vertexCount, outOffsets, inOffsets, inSources } = arrays
  let ranks = new Float64Array(vertexCount).fill(1)
  const shares = new Float64Array(vertexCount)
  for (let round = 0; round < 10; round++) {
    for (let v = 0; v < vertexCount; v++) {
      shares[v] = ranks[v]! / (outOffsets[v + 1]! - outOffsets[v]!)
    }
    const next = new Float64Array(vertexCount)
    for (let v = 0; v < vertexCount; v++) {
      let received = -0
      for (let i = inOffsets[v]!; i < inOffsets[v + 1]!; i++) received += shares[inSources[i]!]!
      next[v] = 0.15 + 0.85 * received
    }
    ranks = next
  }
  return ranks
}

/** Adds along out-edges. */
export function pageRankPush(arrays: LoopArrays): Float64Array {
  const { vertexCount, outOffsets, outTargets } = arrays
  const ranks = new Float64Array(vertexCount).fill(1)
  const received = new Float64Array(vertexCount)
  for (let round = 0; round < 10; round++) {
    for (let v = 0; v < vertexCount; v++) {
      const end = outOffsets[v + 1]!
      let i = outOffsets[v]!
      const share = ranks[v]! / (end - i)
      for (; i < end; i++) received[outTargets[i]!]! += share
    }
    for (let v = 0; v < vertexCount; v++) {
      ranks[v] = 0.15 + 0.85 * received[v]!
      received[v] = 0
    }
  }
  return ranks
}

/** One per search, so that searches behind each other need not clear it. */
export interface SearchState {
  readonly seen: Uint32Array
  readonly queue: Uint32Array
  stamp: number
}

export function searchState(vertexCount: number): SearchState {
  return { seen: new Uint32Array(vertexCount), queue: new Uint32Array(vertexCount), stamp: 0 }
}

export interface Reached {
  /** The source included. */
  readonly reached: number
  /** The sum of all distances in hops. */
  readonly levels: number
}

/** Breadth-first search from `source`, at most `hopsMax` deep. */
export function breadthFirst(
  { outOffsets, outTargets }: LoopArrays,
  state: SearchState,
  source: number,
  hopsMax = Number.POSITIVE_INFINITY,
): Reached {
  const { seen, queue } = state
  const stamp = ++state.stamp
  seen[source] = stamp
  queue[0] = source
  let start = 0
  let count = 1
  let levels = 0
  for (let hop = 1; hop <= hopsMax && start < count; hop++) {
    const end = count
    for (; start < end; start++) {
      const vertex = queue[start]!
      for (let i = outOffsets[vertex]!; i < outOffsets[vertex + 1]!; i++) {
        const target = outTargets[i]!
        if (seen[target] === stamp) continue
        seen[target] = stamp
        queue[count++] = target
      }
    }
    levels += hop * (count - end)
  }
  return { reached: count, levels }
}

/** The vertices of this round and the next, each at most once. */
interface Rounds {
  frontier: Uint32Array
  next: Uint32Array
  nextSize: number
  /** The last round that a vertex was put into. */
  readonly queuedIn: Uint32Array
  round: number
}

function startRounds(vertexCount: number): Rounds {
  return {
    frontier: new Uint32Array(vertexCount),
    next: new Uint32Array(vertexCount),
    nextSize: 0,
    queuedIn: new Uint32Array(vertexCount),
    round: 1,
  }
}

/** @returns how many vertices the new round has */
function nextRound(rounds: Rounds): number {
  const { frontier, nextSize } = rounds
  rounds.frontier = rounds.next
  rounds.next = frontier
  rounds.nextSize = 0
  rounds.round++
  return nextSize
}

function queue(rounds: Rounds, vertex: number): void {
  if (rounds.queuedIn[vertex] === rounds.round) return
  rounds.queuedIn[vertex] = rounds.round
  rounds.next[rounds.nextSize++] = vertex
}

/**
 * Weakly connected components: the smallest number spreads until nothing changes. As ACCUM does,
 * every round reads what the one before has left.
 */
export function components(arrays: LoopArrays): number {
  const { vertexCount, outOffsets, outTargets, inOffsets, inSources } = arrays
  const component = Uint32Array.from({ length: vertexCount }, (_, vertex) => vertex)
  const before = component.slice()
  const rounds = startRounds(vertexCount)
  const spread = (vertex: number, offsets: Uint32Array, ends: Uint32Array) => {
    const own = before[vertex]!
    for (let i = offsets[vertex]!; i < offsets[vertex + 1]!; i++) {
      const other = ends[i]!
      if (before[other]! <= own) continue
      if (component[other]! > own) component[other] = own
      queue(rounds, other)
    }
  }
  rounds.frontier.set(component)
  for (let size = vertexCount; size > 0; size = nextRound(rounds)) {
    before.set(component)
    for (let at = 0; at < size; at++) {
      spread(rounds.frontier[at]!, outOffsets, outTargets)
      spread(rounds.frontier[at]!, inOffsets, inSources)
    }
  }
  return component.reduce((count, own, vertex) => (own === vertex ? count + 1 : count), 0)
}

/** Edges without direction, once each, from the end of lower degree: then marks and looks up. */
export function triangles(arrays: LoopArrays): number {
  const { vertexCount } = arrays
  const { offsets, ends } = upwardNeighbours(arrays)
  const mark = new Uint32Array(vertexCount)
  let count = 0
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const start = offsets[vertex]!
    const end = offsets[vertex + 1]!
    for (let i = start; i < end; i++) mark[ends[i]!] = vertex + 1
    for (let i = start; i < end; i++) {
      const middle = ends[i]!
      for (let j = offsets[middle]!; j < offsets[middle + 1]!; j++) {
        if (mark[ends[j]!] === vertex + 1) count++
      }
    }
  }
  return count
}

function upwardNeighbours(arrays: LoopArrays): { offsets: Uint32Array; ends: Uint32Array } {
  const { vertexCount, outOffsets, outTargets, inOffsets, inSources } = arrays
  const offsets = new Uint32Array(vertexCount + 1)
  const ends = new Uint32Array(outTargets.length)
  const degree = (vertex: number) =>
    outOffsets[vertex + 1]! - outOffsets[vertex]! + inOffsets[vertex + 1]! - inOffsets[vertex]!
  const seenFrom = new Uint32Array(vertexCount)
  let count = 0
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const own = degree(vertex)
    const take = (other: number) => {
      if (seenFrom[other] === vertex + 1) return
      seenFrom[other] = vertex + 1
      const others = degree(other)
      if (own < others || (own === others && vertex < other)) ends[count++] = other
    }
    for (let i = outOffsets[vertex]!; i < outOffsets[vertex + 1]!; i++) take(outTargets[i]!)
    for (let i = inOffsets[vertex]!; i < inOffsets[vertex + 1]!; i++) take(inSources[i]!)
    offsets[vertex + 1] = count
  }
  return { offsets, ends: ends.subarray(0, count) }
}

export interface Distances {
  /** The source included. */
  readonly reached: number
  readonly sum: number
}

/** Weighted distances from `source`: whoever came closer tells its neighbours; rounds as above. */
export function shortestPaths(arrays: LoopArrays, source: number): Distances {
  const { vertexCount, outOffsets, outTargets, weights } = arrays
  const distance = new Float64Array(vertexCount).fill(Number.POSITIVE_INFINITY)
  const before = distance.slice()
  const rounds = startRounds(vertexCount)
  distance[source] = 0
  rounds.frontier[0] = source
  for (let size = 1; size > 0; size = nextRound(rounds)) {
    before.set(distance)
    for (let at = 0; at < size; at++) {
      const vertex = rounds.frontier[at]!
      const own = before[vertex]!
      for (let i = outOffsets[vertex]!; i < outOffsets[vertex + 1]!; i++) {
        const target = outTargets[i]!
        const far = own + weights[i]!
        if (far >= before[target]!) continue
        if (far < distance[target]!) distance[target] = far
        queue(rounds, target)
      }
    }
  }
  const reached = distance.filter((far) => far !== Number.POSITIVE_INFINITY)
  return { reached: reached.length, sum: reached.reduce((sum, far) => sum + far, 0) }
}
