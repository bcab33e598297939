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
import {
  breadthFirst,
  components,
  type LoopArrays,
  loopArrays,
  pageRankPull,
  type SearchState,
  searchState,
  shortestPaths,
  triangles,
} from '../loops.ts'
import { type BenchGraph, generateGraph } from '../rmat.ts'
import {
  COMMIT_SIZE_BYTES,
  COMMITS_PER_ROUND,
  SEARCHES,
  SEEDS_OF_3_HOPS,
  SINCE_FROM_SECONDS,
  WEIGHT_ABOVE,
} from '../rows.ts'
import { writeConcurrently } from './quiver-commits.ts'

export async function open(context: ContenderContext): Promise<Contender> {
  const graph = generateGraph(context.scale)
  const arrays = loopArrays(graph)
  const search = searchState(graph.vertexCount)
  const source = graph.seeds[0] as number
  const hops = (seeds: readonly number[], count: number) => ({
    total: seeds.reduce(
      (sum, seed) => sum + breadthFirst(arrays, search, seed, count).reached - 1,
      0,
    ),
  })
  return {
    load: async () => nothingLoaded,
    rows: {
      hop2count: () => timed(graph.seeds.length, () => hops(graph.seeds, 2)),
      hop3count: () => timed(SEEDS_OF_3_HOPS, () => hops(graph.seeds.slice(0, SEEDS_OF_3_HOPS), 3)),
      filteredSum: () => timed(1, () => filteredSum(graph)),
      pagerank10: () => timed(1, () => pageRank(arrays)),
      breadthFirst: () => timed(1, () => ({ ...breadthFirst(arrays, search, source) })),
      searches: () => timed(SEARCHES, () => searches(arrays, search, source)),
      components: () => timed(1, () => ({ components: components(arrays) })),
      triangles: () => timed(1, () => ({ triangles: triangles(arrays) })),
      shortestPaths: () => timed(1, () => ({ ...shortestPaths(arrays, source) })),
      commit256: (round) => commits(join(context.directory, `log-${round}`)),
    },
    close: async () => undefined,
  }
}

function searches(arrays: LoopArrays, state: SearchState, source: number): Answer {
  let [reached, levels] = [0, 0]
  for (let i = 0; i < SEARCHES; i++) {
    const one = breadthFirst(arrays, state, source)
    reached += one.reached
    levels += one.levels
  }
  return { reached, levels }
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

function pageRank(arrays: LoopArrays): Answer {
  let sum = 0
  let top = 0
  for (const rank of pageRankPull(arrays)) {
    sum += rank
    top = Math.max(top, rank)
  }
  return { mean: (sum / arrays.vertexCount).toFixed(6), top: top.toPrecision(4) }
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
