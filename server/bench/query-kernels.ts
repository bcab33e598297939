/**
 * Generated code beside hand-written loops over the very same arrays, on one thread, without HTTP
 * and workers: what the query compiler costs. Medians of interleaved rounds in processor time, which
 * other processes disturb less than the clock; answers must agree.
 *
 *     node server/bench/query-kernels.ts [scale 16] [rounds 7]
 */
import process from 'node:process'
import { arrayCatalog, arrayView } from '../test/fixtures/array-view.ts'
import { QueryRunner } from '../test/fixtures/query-runner.ts'
import { generateGraph } from './rmat.ts'

const scale = Number(process.argv[2] ?? 16)
const rounds = Number(process.argv[3] ?? 7)
const graph = generateGraph(scale)
const view = arrayView(graph)
const adjacency = view.edgeTables[0]!.adjacencies[0]!
const { outOffsets, outTargets, inOffsets, inSources } = adjacency
const [weights, amounts] = adjacency.columns.map(({ data }) => data) as [Int32Array, Float64Array]
const vertexCount = graph.vertexCount
const runner = new QueryRunner(arrayCatalog, () => view)
const seeds = graph.seeds.slice(0, 20)

function pageRankPull(): number {
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
  return ranks.reduce((sum, rank) => sum + rank, 0)
}

function pageRankPush(): number {
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
  return ranks.reduce((sum, rank) => sum + rank, 0)
}

function filteredSum(): number {
  let sum = -0
  for (let edge = 0; edge < weights.length; edge++) {
    if (weights[edge]! > 100 && amounts[edge]! < 500) sum += amounts[edge]!
  }
  return sum
}

function hops(seed: number, count: number): number {
  const seen = new Uint32Array(vertexCount / 32)
  const queue = new Uint32Array(vertexCount)
  seen[seed >>> 5]! |= 1 << (seed & 31)
  queue[0] = seed
  let start = 0
  let end = 1
  for (let hop = 0; hop < count; hop++) {
    const levelEnd = end
    for (; start < levelEnd; start++) {
      const vertex = queue[start]!
      for (let i = outOffsets[vertex]!; i < outOffsets[vertex + 1]!; i++) {
        const target = outTargets[i]!
        if ((seen[target >>> 5]! >>> (target & 31)) & 1) continue
        seen[target >>> 5]! |= 1 << (target & 31)
        queue[end++] = target
      }
    }
  }
  return end - 1
}

const pageRankQuery = `SumAccum<DOUBLE> @received; SumAccum<DOUBLE> @rank = 1; SumAccum<DOUBLE> @@sum;
  All = {V.*};
  FOREACH i IN RANGE [1, 10] DO
    Senders = SELECT s FROM All:s -(E>:e)- V:t ACCUM t.@received += s.@rank / s.outdegree("E");
    All = SELECT s FROM All:s POST-ACCUM s.@rank = 0.15 + 0.85 * s.@received, s.@received = 0;
  END;
  All = SELECT s FROM All:s POST-ACCUM @@sum += s.@rank;
  PRINT @@sum AS answer;`

const filteredQuery = `SumAccum<DOUBLE> @@sum; All = {V.*};
  All = SELECT s FROM All:s -(E>:e)- V:t WHERE e.weight > 100 AND e.amount < 500 ACCUM @@sum += e.amount;
  PRINT @@sum AS answer;`

const hopsQuery = (count: number) => `SumAccum<INT> @@total;
  FOREACH seed IN seeds DO
    Seen = {seed}; Frontier = {seed};
    FOREACH i IN RANGE [1, ${count}] DO
      Frontier = SELECT t FROM Frontier:s -(E>)- V:t;
      Frontier = Frontier MINUS Seen;
      Seen = Seen UNION Frontier;
    END;
    @@total += Seen.size() - 1;
  END;
  PRINT @@total AS answer;`

const seedSettings = {
  parameters: 'SET<INT> numbers',
  arguments: [seeds],
}

interface Row {
  readonly name: string
  readonly ours: () => number
  readonly hand: () => number
}

function query(body: string, settings = {}): () => number {
  return () => (runner.run(body, settings) as { answer: number }[])[0]!.answer
}

/** Vertices as arguments need an id index; the seeds are found by a condition instead. */
const seedSetup = `SetAccum<INT> @@wanted; SetAccum<VERTEX> @@seeds; @@wanted += numbers;
  X = SELECT v FROM V:v WHERE getvid(v) IN @@wanted ACCUM @@seeds += v;`

const hopsOf = (count: number) =>
  query(seedSetup + hopsQuery(count).replace('IN seeds', 'IN @@seeds'), seedSettings)
const handHops = (count: number) => () =>
  [...new Set(seeds)].reduce((sum, seed) => sum + hops(seed, count), 0)

const rows: readonly Row[] = [
  { name: 'PageRank, 10 rounds, hand pull', ours: query(pageRankQuery), hand: pageRankPull },
  { name: 'PageRank, 10 rounds, hand push', ours: query(pageRankQuery), hand: pageRankPush },
  { name: 'filtered sum', ours: query(filteredQuery), hand: filteredSum },
  { name: `2 hops of ${seeds.length} seeds`, ours: hopsOf(2), hand: handHops(2) },
  { name: `3 hops of ${seeds.length} seeds`, ours: hopsOf(3), hand: handHops(3) },
]

console.log(`scale ${scale}: ${vertexCount} vertices, ${graph.edgeCount} edges`)
for (const { name, ours, hand } of rows) {
  const times: [number[], number[]] = [[], []]
  const answers = [0, 0]
  for (let round = 0; round < rounds + 2; round++) {
    for (const [which, work] of [ours, hand].entries()) {
      const start = process.cpuUsage()
      answers[which] = work()
      if (round >= 2) times[which as 0 | 1].push(process.cpuUsage(start).user / 1000)
    }
  }
  const [mine, theirs] = times.map(median) as [number, number]
  const same = Math.abs(answers[0]! - answers[1]!) <= 1e-9 * Math.abs(answers[1]!)
  const ratio = (mine / theirs).toFixed(2)
  console.log(
    `${name}: ours ${mine.toFixed(2)} ms, loop ${theirs.toFixed(2)} ms, ratio ${ratio}${same ? '' : ` ANSWERS DIFFER: ${answers}`}`,
  )
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}
