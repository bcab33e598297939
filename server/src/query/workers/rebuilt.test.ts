/** What a query answers has the same bits before a rebuild, after it and after a restart, on one thread and two. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { createRandom } from '#kernel/prng.ts'
import { UpsertService } from '#services/upsert/upsert-service.ts'
import { createMemoryImage, MemoryStore } from '#storage/memory/memory-store.ts'
import { arrayCatalog } from '../../../test/fixtures/array-view.ts'
import { engineWith, openEngine, realClock } from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { packPlan } from './plan.ts'
import { QueryPool } from './pool.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

/** More sources than a segment holds. */
const VERTICES = 4_500
const EDGES = 15_000

const image = createMemoryImage()
const runner = new QueryRunner(arrayCatalog, () => engine.view())
let engine: GraphEngine

const value = (given: number) => ({ value: given })

async function upsert(payload: object): Promise<void> {
  await new UpsertService(engine, realClock).upsert('g', Buffer.from(JSON.stringify(payload)), {
    newVertexOnly: false,
    updateVertexOnly: false,
    vertexMustExist: false,
    sourceVertexMustExist: false,
    targetVertexMustExist: false,
    atomic: true,
    ack: 'all',
  })
}

beforeAll(async () => {
  const random = createRandom(64)
  engine = await engineWith(arrayCatalog, new MemoryStore(image))
  const V: Record<string, object> = {}
  for (let i = 0; i < VERTICES; i++) V[`v${i}`] = { age: value(i % 90), score: value(i / 7) }
  await upsert({ vertices: { V } })
  const from: Record<string, { E: { V: Record<string, object> } }> = {}
  for (let i = 0; i < EDGES; i++) {
    const amount = value(random.next() * 1000)
    const source = `v${random.below(VERTICES)}`
    from[source] ??= { E: { V: {} } }
    from[source].E.V[`v${random.below(VERTICES)}`] = { weight: value(random.below(256)), amount }
  }
  await upsert({ edges: { V: from } })
})

afterAll(() => engine.close())

const bodies: Readonly<Record<string, string>> = {
  'sums beside sets of the sources': `SetAccum<VERTEX> @near; SumAccum<DOUBLE> @@d; AvgAccum @@a; SumAccum<FLOAT> @@f; All = {V.*};
    R = SELECT s FROM All:s -(E>:e)- V:t ACCUM s.@near += t, @@d += e.amount / 3, @@a += e.amount, @@f += e.amount;
    PRINT @@d, @@a, @@f; Some = SELECT s FROM All:s WHERE s.age == 7; PRINT Some[Some.@near.size() AS n];`,
  'sums in maps beside sets of the sources': `SetAccum<VERTEX> @near; MapAccum<INT, SumAccum<DOUBLE>> @@d; MapAccum<INT, AvgAccum> @@a; All = {V.*};
    R = SELECT s FROM All:s -(E>:e)- V:t WHERE t.age > 3 ACCUM s.@near += t, @@d += (t.age % 5 -> e.amount / 3), @@a += (s.age % 3 -> e.amount / 7);
    PRINT @@d, @@a; Some = SELECT s FROM All:s WHERE s.age == 7; PRINT Some[Some.@near.size() AS n];`,
  'sums beside two sets, of which one holds some': `SetAccum<VERTEX> @near, @far; SumAccum<DOUBLE> @@d; All = {V.*};
    R = SELECT s FROM All:s -((E>|<E):e)- V:t ACCUM s.@near += t, IF e.weight > 99 THEN s.@far += t, @@d += e.amount / 3 ELSE @@d += t.score END;
    PRINT @@d; Some = SELECT s FROM All:s WHERE s.age == 7; PRINT Some[Some.@near.size() AS n, Some.@far.size() AS f];`,
  'sums beside values for the targets': `SumAccum<DOUBLE> @@d, @in; MinAccum<DOUBLE> @least; All = {V.*};
    R = SELECT t FROM All:s -(E>:e)- V:t ACCUM t.@in += e.amount / 3, t.@least += e.amount, @@d += e.amount / 7;
    PRINT @@d; Some = SELECT s FROM All:s WHERE s.age == 7; PRINT Some[Some.@in AS i, Some.@least AS l];`,
  'sums gathered at the targets': `SumAccum<DOUBLE> @in; SumAccum<DOUBLE> @@d; All = {V.*};
    R = SELECT t FROM All:s -(E>)- V:t ACCUM t.@in += s.score / s.outdegree("E") POST-ACCUM @@d += t.@in / 3;
    PRINT @@d; Some = SELECT s FROM All:s WHERE s.age == 7; PRINT Some[Some.@in AS i];`,
  'sums over two hops and repetitions': `SumAccum<DOUBLE> @@d, @@r; SetAccum<VERTEX> @near; All = {V.*};
    R = SELECT s FROM All:s -(E>:e)- V:t -(E>:f)- V:u WHERE e.weight > f.weight ACCUM @@d += e.amount / 3 - f.amount, s.@near += u;
    R = SELECT s FROM All:s -(E>*1..2)- V:t WHERE s.age < 9 ACCUM @@r += t.score / 3, s.@near += t;
    PRINT @@d, @@r; Some = SELECT s FROM All:s WHERE s.age == 7; PRINT Some[Some.@near.size() AS n];`,
  'collections beside sets of the sources': `SetAccum<VERTEX> @near; ListAccum<DOUBLE> @@list; MapAccum<STRING, DOUBLE> @@names; All = {V.*};
    R = SELECT s FROM All:s -(E>:e)- V:t ACCUM s.@near += t, IF e.weight == 7 THEN @@list += e.amount END, @@names += ("a" + to_string(t.age % 3) -> e.amount / 3);
    PRINT @@list, @@names; Some = SELECT s FROM All:s WHERE s.age == 7; PRINT Some[Some.@near.size() AS n];`,
}

async function answers(): Promise<Record<string, string>[]> {
  const found: Record<string, string>[] = []
  found.push(
    Object.fromEntries(Object.entries(bodies).map(([name, body]) => [name, runner.json(body)])),
  )
  const pool = await QueryPool.start({
    workerCount: 2,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: () => engine.pin(),
    parallelFrom: 0,
    helpersFirst: true,
  })
  try {
    const both: Record<string, string> = {}
    for (const [name, body] of Object.entries(bodies)) {
      const { bytes } = await pool.run({
        plan: packPlan(runner.plan(body)),
        graph: 'g',
        url: '/query/g/q',
        timeoutMs: 60_000,
        timeoutCode: 'REST-3000',
        options: { arguments: [], memoryLimitBytes: 2 ** 28, responseLimitBytes: 2 ** 24 },
      }).result
      both[name] = new TextDecoder().decode(bytes)
    }
    found.push(both)
  } finally {
    await pool.close()
  }
  return found
}

describe('reals', () => {
  it('have the bits they had before a rebuild and a restart, on one thread and two', async () => {
    const [before, shared] = await answers()
    expect(shared).toEqual(before)
    await engine.rebuild()
    expect(await answers()).toEqual([before, before])
    await engine.close()
    engine = await openEngine(new MemoryStore(image))
    expect(await answers()).toEqual([before, before])
  })
})
