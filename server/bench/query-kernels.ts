/**
 * Generated code beside hand-written loops over the very same arrays, on one thread, without HTTP
 * and workers: what the query compiler costs. Compiled before, as installed queries are. Medians of
 * interleaved rounds in processor time, which other processes disturb less than the clock; answers
 * must agree. Then the query in a pool of one worker and in one of two, by the clock.
 *
 *     node server/bench/query-kernels.ts [scale 16] [rounds 7] [part of a row's name]
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { type InstalledPlan, packPlan } from '#query/workers/plan.ts'
import { QueryPool } from '#query/workers/pool.ts'
import { arrayCatalog, arrayView } from '../test/fixtures/array-view.ts'
import { realClock } from '../test/fixtures/engine.ts'
import { QueryRunner, type RunSettings } from '../test/fixtures/query-runner.ts'
import { breadthFirstBody, componentsBody, shortestPathsBody, trianglesBody } from './kernels.ts'
import {
  breadthFirst,
  components,
  loopArrays,
  pageRankPull,
  pageRankPush,
  searchState,
  shortestPaths,
  triangles,
} from './loops.ts'
import { generateGraph } from './rmat.ts'

const MEMORY_LIMIT_BYTES = 2 ** 32
/** After that a row gets no further round. */
const ROW_MS_MAX = 20_000

const scale = Number(process.argv[2] ?? 16)
const rounds = Number(process.argv[3] ?? 7)
const wanted = process.argv[4] ?? ''
const graph = generateGraph(scale)
const { vertexCount, weights, amounts } = graph
const view = arrayView(graph)
const arrays = loopArrays(graph)
const search = searchState(vertexCount)
const runner = new QueryRunner(arrayCatalog, () => view)
const seeds = graph.seeds.slice(0, 20)
const source = seeds[0] as number

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

type Answer = Readonly<Record<string, number>>

interface Query {
  readonly plan: InstalledPlan
  readonly settings: RunSettings
}

interface Row {
  readonly name: string
  readonly ours: Query
  readonly hand: () => Answer
}

function query(body: string, settings: RunSettings = {}): Query {
  const all = { memoryLimitBytes: MEMORY_LIMIT_BYTES, ...settings }
  return { plan: runner.plan(body, all), settings: all }
}

function execute({ plan, settings }: Query): Answer {
  return (JSON.parse(runner.execute(plan, settings)) as Answer[])[0] as Answer
}

function startPool(workerCount: number): Promise<QueryPool> {
  return QueryPool.start({
    workerCount,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: () => ({ view, release: () => undefined }),
  })
}

async function executeIn(pool: QueryPool, { plan, settings }: Query): Promise<Answer> {
  const run = pool.run({
    plan: packPlan(plan),
    graph: 'g',
    url: '/bench',
    timeoutMs: 10 * ROW_MS_MAX,
    timeoutCode: 'REST-3000',
    options: {
      arguments: settings.arguments ?? [],
      memoryLimitBytes: MEMORY_LIMIT_BYTES,
      responseLimitBytes: 2 ** 20,
    },
  })
  const { bytes } = await run.result
  return (JSON.parse(new TextDecoder().decode(bytes)) as Answer[])[0] as Answer
}

const vertex = (number: number) => ({ typeId: 1, id: String(number) })
const hopsOf = (count: number) =>
  query(hopsQuery(count), { parameters: 'SET<VERTEX<V>> seeds', arguments: [seeds.map(vertex)] })
const fromSource = (body: string) =>
  query(body, { parameters: 'VERTEX<V> source', arguments: [vertex(source)] })
const handHops = (count: number) => () => ({
  answer: seeds.reduce(
    (sum, seed) => sum + breadthFirst(arrays, search, seed, count).reached - 1,
    0,
  ),
})
const sumOf = (ranks: Float64Array) => ({ answer: ranks.reduce((sum, rank) => sum + rank, 0) })

function filteredSum(): Answer {
  let sum = -0
  for (let edge = 0; edge < weights.length; edge++) {
    if (weights[edge]! > 100 && amounts[edge]! < 500) sum += amounts[edge]!
  }
  return { answer: sum }
}

const pageRank = query(pageRankQuery)
const rows: readonly Row[] = [
  {
    name: 'PageRank, 10 rounds, hand pull',
    ours: pageRank,
    hand: () => sumOf(pageRankPull(arrays)),
  },
  {
    name: 'PageRank, 10 rounds, hand push',
    ours: pageRank,
    hand: () => sumOf(pageRankPush(arrays)),
  },
  { name: 'filtered sum', ours: query(filteredQuery), hand: filteredSum },
  { name: `2 hops of ${seeds.length} seeds`, ours: hopsOf(2), hand: handHops(2) },
  { name: `3 hops of ${seeds.length} seeds`, ours: hopsOf(3), hand: handHops(3) },
  {
    name: 'breadth-first search',
    ours: fromSource(breadthFirstBody),
    hand: () => ({ ...breadthFirst(arrays, search, source) }),
  },
  {
    name: 'components',
    ours: query(componentsBody),
    hand: () => ({ components: components(arrays) }),
  },
  {
    name: 'triangles',
    ours: query(trianglesBody),
    hand: () => ({ triangles: triangles(arrays) }),
  },
  {
    name: 'shortest paths',
    ours: fromSource(shortestPathsBody),
    hand: () => ({ ...shortestPaths(arrays, source) }),
  },
]

console.log(`scale ${scale}: ${vertexCount} vertices, ${graph.edgeCount} edges`)
const pools = [await startPool(1), await startPool(2)] as const
for (const row of rows) {
  if (!row.name.includes(wanted)) continue
  measure(row)
  await measureThreads(row)
}
await Promise.all(pools.map((pool) => pool.close()))

/** Processor time of each thread of this process so far, in milliseconds; none where unknown. */
function threadTimes(): Map<string, number> {
  const tasks = '/proc/self/task'
  if (!existsSync(`${tasks}/${process.pid}/schedstat`)) return new Map()
  const timeOf = (id: string) =>
    Number(readFileSync(`${tasks}/${id}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  return new Map(readdirSync(tasks).map((id) => [id, timeOf(id)]))
}

function busiest(before: ReadonlyMap<string, number>): number {
  const spent = [...threadTimes()].map(([id, time]) => time - (before.get(id) ?? time))
  return Math.max(0, ...spent)
}

/**
 * By the clock, in interleaved rounds: on a machine that does nothing else. On one that does, the
 * processor time of the busiest thread says more.
 */
async function measureThreads({ ours, hand }: Row): Promise<void> {
  const times: [number[], number[]] = [[], []]
  const busy: [number[], number[]] = [[], []]
  const answers: [Answer, Answer] = [{}, {}]
  const startedMs = performance.now()
  for (let round = 0; round < rounds + 2; round++) {
    if (times[0].length > 0 && performance.now() - startedMs > ROW_MS_MAX) break
    for (const which of [0, 1] as const) {
      const [before, start] = [threadTimes(), performance.now()]
      answers[which] = await executeIn(pools[which], ours)
      if (round < 2 && performance.now() - startedMs < ROW_MS_MAX / 2) continue
      times[which].push(performance.now() - start)
      busy[which].push(busiest(before))
    }
  }
  const [one, two] = times.map(median) as [number, number]
  const [busyOne, busyTwo] = busy.map(median) as [number, number]
  const isSame = JSON.stringify(answers[0]) === JSON.stringify(answers[1])
  const verdict =
    isSame && agree(answers[0], hand()) ? '' : ` ANSWERS DIFFER: ${JSON.stringify(answers)}`
  console.log(
    `  in a worker ${one.toFixed(2)} ms, on 2 threads ${two.toFixed(2)} ms, ${(one / two).toFixed(2)} times as fast; the busiest thread ${busyOne.toFixed(2)} and ${busyTwo.toFixed(2)} ms${verdict}`,
  )
}

function measure({ name, ours, hand }: Row): void {
  const times: [number[], number[]] = [[], []]
  const answers: [Answer, Answer] = [{}, {}]
  const startedMs = performance.now()
  for (let round = 0; round < rounds + 2; round++) {
    if (times[0].length > 0 && performance.now() - startedMs > ROW_MS_MAX) break
    for (const [which, work] of [[0, () => execute(ours)] as const, [1, hand] as const]) {
      const start = process.cpuUsage()
      answers[which] = work()
      if (round >= 2 || performance.now() - startedMs > ROW_MS_MAX / 2)
        times[which].push(process.cpuUsage(start).user / 1000)
    }
  }
  const [mine, theirs] = times.map(median) as [number, number]
  const verdict = agree(...answers) ? '' : ` ANSWERS DIFFER: ${JSON.stringify(answers)}`
  console.log(
    `${name}: ours ${mine.toFixed(2)} ms, loop ${theirs.toFixed(2)} ms, ratio ${(mine / theirs).toFixed(2)}${verdict}`,
  )
}

function agree(one: Answer, other: Answer): boolean {
  const names = Object.keys(other)
  return names.every((name) => {
    const value = other[name] as number
    return Math.abs((one[name] as number) - value) <= 1e-9 * Math.abs(value)
  })
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1]!
}
