/**
 * Hand-written loops over plain typed arrays: what the generated code is measured against. Not a
 * database: no ids at run time, no attributes checked, no deletes, no abort.
 */
import { closeSync, fdatasync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  type Answer,
  type Contender,
  type ContenderContext,
  nothingLoaded,
  type RowResult,
  timed,
} from '../contender.ts'
import { type BenchGraph, generateGraph } from '../rmat.ts'
import {
  COMMIT_SIZE_BYTES,
  COMMITS_PER_ROUND,
  SEEDS_OF_3_HOPS,
  SINCE_FROM_SECONDS,
  WEIGHT_ABOVE,
} from '../rows.ts'
import { writeConcurrently } from './quiver-commits.ts'

interface Arrays {
  readonly outOffsets: Uint32Array
  readonly targets: Uint32Array
  readonly inOffsets: Uint32Array
  readonly inSources: Uint32Array
}

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const arrays = buildArrays(graph)
  return {
    load: async () => nothingLoaded,
    rows: {
      hop2count: () =>
        timed(graph.seeds.length, () => reachableTotal(arrays, graph, graph.seeds, 2)),
      hop3count: () =>
        timed(SEEDS_OF_3_HOPS, () =>
          reachableTotal(arrays, graph, graph.seeds.slice(0, SEEDS_OF_3_HOPS), 3),
        ),
      filteredSum: () => timed(1, () => filteredSum(graph)),
      pagerank10: () => timed(1, () => pageRank(arrays, graph.vertexCount)),
      commit256: (round) => commits(join(context.directory, `log-${round}`)),
    },
    close: async () => undefined,
  }
}

function buildArrays(graph: BenchGraph): Arrays {
  const outOffsets = offsetsOf(graph.sources, graph.vertexCount)
  const inOffsets = offsetsOf(graph.targets, graph.vertexCount)
  const cursors = inOffsets.slice(0, graph.vertexCount)
  const inSources = new Uint32Array(graph.edgeCount)
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const target = graph.targets[edge] as number
    inSources[cursors[target]!++] = graph.sources[edge] as number
  }
  return { outOffsets, targets: graph.targets, inOffsets, inSources }
}

function offsetsOf(ends: Uint32Array, vertexCount: number): Uint32Array {
  const offsets = new Uint32Array(vertexCount + 1)
  for (const vertex of ends) offsets[vertex + 1]!++
  for (let vertex = 0; vertex < vertexCount; vertex++) offsets[vertex + 1]! += offsets[vertex]!
  return offsets
}

function filteredSum(graph: BenchGraph): Answer {
  const { weights, amounts, sinces, edgeCount } = graph
  let sum = -0
  let count = 0
  for (let edge = 0; edge < edgeCount; edge++) {
    if (weights[edge]! > WEIGHT_ABOVE && sinces[edge]! >= SINCE_FROM_SECONDS) {
      sum += amounts[edge]!
      count++
    }
  }
  return { sum: sum.toFixed(2), count }
}

function pageRank(arrays: Arrays, vertexCount: number): Answer {
  const { outOffsets, inOffsets, inSources } = arrays
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
  let sum = 0
  let top = 0
  for (const rank of ranks) {
    sum += rank
    top = Math.max(top, rank)
  }
  return { mean: (sum / vertexCount).toFixed(6), top: top.toPrecision(4) }
}

function reachableTotal(
  arrays: Arrays,
  graph: BenchGraph,
  seeds: readonly number[],
  hops: number,
): Answer {
  const seen = new Uint32Array(graph.vertexCount)
  const queue = new Uint32Array(graph.vertexCount)
  let total = 0
  for (let i = 0; i < seeds.length; i++) {
    total += reachable(arrays, { seen, queue, stamp: i + 1 }, seeds[i] as number, hops)
  }
  return { total }
}

function reachable(
  { outOffsets, targets }: Arrays,
  { seen, queue, stamp }: { seen: Uint32Array; queue: Uint32Array; stamp: number },
  seed: number,
  hops: number,
): number {
  seen[seed] = stamp
  queue[0] = seed
  let levelStart = 0
  let count = 1
  for (let hop = 0; hop < hops; hop++) {
    const levelEnd = count
    for (let q = levelStart; q < levelEnd; q++) {
      const vertex = queue[q]!
      for (let i = outOffsets[vertex]!; i < outOffsets[vertex + 1]!; i++) {
        const target = targets[i]!
        if (seen[target] === stamp) continue
        seen[target] = stamp
        queue[count++] = target
      }
    }
    levelStart = levelEnd
  }
  return count - 1
}

/** A file and one sync for all commits that came together: no database, checksums or recovery. */
async function commits(path: string): Promise<RowResult> {
  const file = openSync(path, 'w')
  const sync = promisify(fdatasync)
  const payload = new Uint8Array(COMMIT_SIZE_BYTES).fill(7)
  let waiting: (() => void)[] = []
  let isSyncing = false
  const syncAll = async () => {
    isSyncing = true
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      writeSync(file, new Uint8Array(group.length * COMMIT_SIZE_BYTES).fill(payload[0] as number))
      await sync(file)
      for (const settle of group) settle()
      // Those who were told commit again before the next group is cut.
      await Promise.resolve()
    }
    isSyncing = false
  }
  const commit = () =>
    new Promise<void>((settle) => {
      waiting.push(settle)
      if (!isSyncing) queueMicrotask(() => void (isSyncing || syncAll()))
    })
  try {
    return await timed(COMMITS_PER_ROUND, async () => {
      await writeConcurrently(commit)
      return { commits: COMMITS_PER_ROUND }
    })
  } finally {
    closeSync(file)
    rmSync(path)
  }
}
