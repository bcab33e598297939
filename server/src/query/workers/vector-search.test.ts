/** `vectorSearch` in a worker of the pool, beside an index that a test answers for. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { indexPays, usualWidth } from '#graph/vectors/index-cost.ts'
import { isSearchable } from '#graph/vectors/indexable.ts'
import type { VectorCandidates, VectorQuery } from '#graph/vectors/vector-indexes.ts'
import {
  catalogOf,
  engineWith,
  FrameBuilder,
  realClock,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { packPlan } from './plan.ts'
import { QueryPool } from './pool.ts'

vi.setConfig({ testTimeout: 30_000 })

const COUNT = 20_000
const DIMENSION = 128
/** The others are 0. */
const vector = (first: number) => [first, ...new Array<number>(DIMENSION - 1).fill(0)]
const emb = {
  id: 1,
  name: 'emb',
  type: { kind: 'VECTOR', dimension: DIMENSION, metric: 'L2' },
} as const
const catalog = catalogOf([vertexType(1, 'V', { vectors: [emb], nextAttributeId: 2 })])
const nothing = { found: new Float64Array(0), unsure: new Float64Array(0) }

const METRICS = ['COSINE', 'L2', 'IP'] as const

let runner: QueryRunner
let pool: QueryPool
let version = 0
const asked: VectorQuery[] = []
let answer: (query: VectorQuery) => Promise<VectorCandidates | null>

beforeAll(async () => {
  const engine = await engineWith(catalog)
  const frame = new FrameBuilder(catalog)
  // The nearest of (i, 0, …) is vertex i; every third has no vector.
  for (let i = 0; i < COUNT; i++) frame.vertex('V', `v${i}`, i % 3 === 2 ? {} : { emb: vector(i) })
  await engine.commit(frame.finish())
  version = engine.sequence
  runner = new QueryRunner(catalog, engine)
  pool = await QueryPool.start({
    workerCount: 1,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: () => engine.pin(),
    vectors: {
      fromNumbers: 5_000 * DIMENSION,
      search: (query) => {
        asked.push(query)
        return answer(query)
      },
    },
  })
})
afterAll(() => pool.close())
beforeEach(() => {
  asked.length = 0
  answer = () => Promise.resolve(nothing)
})

function start(body: string, memoryLimitBytes = 2 ** 26) {
  return pool.run({
    plan: packPlan(runner.plan(`MapAccum<VERTEX, FLOAT> @@d; ${body}`)),
    graph: 'g',
    url: '/query/g/q',
    timeoutMs: 60_000,
    timeoutCode: 'REST-3000',
    options: { arguments: [], memoryLimitBytes, responseLimitBytes: 2 ** 20 },
  })
}

async function run(body: string, memoryLimitBytes?: number) {
  const { bytes } = await start(body, memoryLimitBytes).result
  return JSON.parse(new TextDecoder().decode(bytes))
}

const near = (options = '', ef = 128) =>
  `S = vectorSearch({V.emb}, [${vector(9000)}], 2, {ef: ${ef}, distance_map: @@d${options}}); PRINT @@d;`
const exact = [{ '@@d': { v9000: 0, v9001: 1 } }]

describe('vectorSearch beside an index', () => {
  it('asks for candidates in the version that the run reads', async () => {
    answer = () => Promise.resolve({ ...nothing, found: Float64Array.of(300, 9000, 600) })
    expect(await run(near())).toEqual([{ '@@d': { v9000: 0, v600: 8400 } }])
    expect(asked).toEqual([
      { typeId: 1, attributeId: 1, version, vector: Float32Array.from(vector(9000)), count: 128 },
    ])
  })

  it('looks at what the index is unsure of, and finds each vertex once', async () => {
    const candidates = {
      found: Float64Array.of(300, 9000),
      unsure: Float64Array.of(9000, 9001, 2, 99_999),
    }
    answer = () => Promise.resolve(candidates)
    expect(await run(near())).toEqual(exact)
  })

  it('looks at every vector when the index does not serve, fails, or finds too few', async () => {
    for (const instead of [
      () => Promise.resolve(null),
      () => Promise.reject(new Error('lost')),
      () => Promise.resolve({ ...nothing, found: Float64Array.of(300) }),
      // A vertex without a vector, and none at all.
      () => Promise.resolve({ ...nothing, found: Float64Array.of(2, 300, 1e6) }),
    ]) {
      answer = instead
      expect(await run(near())).toEqual(exact)
    }
    expect(asked).toHaveLength(4)
  })

  it('has the index hold as many candidates as ef or k says', async () => {
    await run(near('', 290))
    await run(`S = vectorSearch({V.emb}, [${vector(1)}], 293); PRINT S.size();`)
    await run(`S = vectorSearch({V.emb}, [${vector(1)}], 5); PRINT S.size();`)
    expect(asked.map(({ count }) => count)).toEqual([290, 293, 288])
    expect([1, 5_000, 80_000, 1e9].map(usualWidth)).toEqual([128, 144, 576, 4_096])
    await expect(run(near('', 0))).rejects.toThrow('ef of vectorSearch is a number from 1 on')
  })

  it('asks for more where candidates are a part, for none where they are few', async () => {
    const among = (size: number) =>
      `C = {V.*}; C = SELECT c FROM C:c LIMIT ${size}; ${near(', candidate_set: C')}`
    await run(among(17_000))
    expect(asked.map(({ count }) => count)).toEqual([151])
    // Too few numbers; and where the index would have to find a share of all.
    expect(await run(among(4_999))).toEqual([{ '@@d': { v4998: 4002, v4996: 4004 } }])
    await run(among(12_000))
    await run(among(17_000).replace('ef: 128', 'ef: 100000'))
    expect(asked).toHaveLength(1)
  })

  it('finds no candidate outside the set', async () => {
    answer = () => Promise.resolve({ ...nothing, found: Float64Array.of(9000, 17_001, 18_003, 12) })
    const body = `C = {V.*}; C = SELECT c FROM C:c LIMIT 17000; ${near(', candidate_set: C')}`
    expect(await run(body)).toEqual([{ '@@d': { v9000: 0, v12: 8988 } }])
  })

  it('asks no index of vectors that are looked at as fast', () => {
    // About 68 vectors of 128 numbers are looked at for a candidate, 12 of 1,024.
    expect(indexPays({ count: 6_800, dimension: 128 }, 100)).toBe(true)
    expect(indexPays({ count: 6_799, dimension: 128 }, 100)).toBe(false)
    expect(indexPays({ count: 1_200, dimension: 1_024 }, 100)).toBe(true)
    expect(indexPays({ count: 100_000, dimension: 8 }, 100)).toBe(false)
  })

  it('asks no index from where all are equally far', async () => {
    const noDirection = near().replace('[9000,', '[0,')
    await run(noDirection)
    expect(asked).toHaveLength(1)
    expect(METRICS.map((metric) => isSearchable(new Float32Array(2), metric))).toEqual([
      false,
      true,
      false,
    ])
    expect(isSearchable(Float32Array.of(1e30, 1), 'L2')).toBe(false)
    expect(isSearchable(Float32Array.of(1e30, 1), 'COSINE')).toBe(true)
  })

  it('ends while the index keeps it waiting', async () => {
    answer = () => new Promise(() => undefined)
    const { requestId, result } = start(near())
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const begun = realClock.monotonicMs()
    pool.abort(requestId)
    await expect(result).rejects.toMatchObject({ code: 'QUERY_ABORTED' })
    // The thread ended by itself: it was not put down, and runs the next query.
    expect(realClock.monotonicMs() - begun).toBeLessThan(5_000)
    answer = () => Promise.resolve(null)
    expect(await run(near())).toEqual(exact)
  })

  it('counts what it holds against the limit of memory', async () => {
    const many = `S = vectorSearch({V.emb}, [${vector(1)}], ${COUNT}); PRINT S.size() AS n;`
    const few = many.replace(`${COUNT})`, '10)')
    expect(await run(few, 400_000)).toEqual([{ n: 10 }])
    await expect(run(many, 400_000)).rejects.toMatchObject({ code: 'QUERY_MEMORY_LIMIT' })
    expect(await run(many, 4_000_000)).toEqual([{ n: 13_334 }])
    // It is given back: twenty searches need no more than one.
    const often = `INT i = 0; WHILE i < 20 DO i = i + 1; ${many} END;`
    expect(await run(often, 4_000_000)).toHaveLength(20)
  })
})
