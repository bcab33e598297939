import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import type { DbError } from '#kernel/errors.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import {
  attributes,
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  openEngine,
  realClock,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { QueryRunner, type RunSettings } from '../../../test/fixtures/query-runner.ts'
import { packPlan } from './plan.ts'
import { QueryPool } from './pool.ts'
import type { RunRequest } from './runs.ts'

const catalog = catalogOf(
  [vertexType(1, 'Person', { attributes: attributes({ age: 'INT' }) })],
  [edgeType(2, 'Follows', [1, 1], { attributes: attributes({ weight: 'INT' }) })],
)
let pool: QueryPool
let engine: GraphEngine
let runner: QueryRunner
let pins = 0

const after = (ms: number, call: () => void) => {
  const timer = setTimeout(call, ms)
  return () => clearTimeout(timer)
}

beforeAll(async () => {
  engine = await engineWith(catalog)
  const frame = new FrameBuilder(catalog)
  frame.vertex('Person', 'a', { age: 1 }).vertex('Person', 'b', { age: 2 })
  frame.edge('Follows', ['a', 'b'], { weight: 5 })
  await engine.commit(frame.finish())
  runner = new QueryRunner(catalog, engine)
  const pin = () => {
    const pinned = engine.pin()
    pins++
    return {
      view: pinned.view,
      release: () => {
        pins--
        pinned.release()
      },
    }
  }
  pool = await QueryPool.start({ workerCount: 2, clock: realClock, after, pin })
})

afterAll(() => pool.close())

vi.setConfig({ testTimeout: 30_000 })

function request(body: string, settings: RunSettings & { timeoutMs?: number } = {}): RunRequest {
  return {
    plan: packPlan(runner.plan(body, settings)),
    graph: 'g',
    url: '/query/g/q',
    timeoutMs: settings.timeoutMs ?? 60_000,
    timeoutCode: 'REST-3000',
    options: {
      arguments: settings.arguments ?? [],
      memoryLimitBytes: settings.memoryLimitBytes ?? 64 * 1024 * 1024,
      responseLimitBytes: 1024 * 1024,
    },
  }
}

const forEver = 'INT i = 0; WHILE true DO i = i + 1; IF i > 1000 THEN i = 0; END; END; PRINT i;'

async function failure(started: { readonly result: Promise<unknown> }): Promise<DbError> {
  return started.result.then(
    () => {
      throw new Error('the query did not fail')
    },
    (error: DbError) => error,
  )
}

/** Looks again until there is something, however busy the machine is. */
async function eventually<T>(look: () => readonly T[]): Promise<readonly T[]> {
  for (;;) {
    const found = look()
    if (found.length > 0) return found
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('the threads of a pool', () => {
  /** Timers that a test runs by hand. */
  const made = () => {
    const calls = new Set<() => void>()
    const later = (_ms: number, call: () => void) => {
      calls.add(call)
      return () => calls.delete(call)
    }
    const own = new QueryPool({
      workerCount: 1,
      clock: realClock,
      after: later,
      pin: () => engine.pin(),
    })
    return { own, calls }
  }
  const whichRun = async (own: QueryPool, calls: Set<() => void>) => {
    const heaps = await own.heaps()
    calls.clear()
    return heaps.map((heap) => heap !== null)
  }

  it('begin with the first run, one before the others', async () => {
    const { own, calls } = made()
    expect(await own.heaps()).toEqual([null, null])
    const { result } = own.run(request('PRINT 1;'))
    const { bytes } = await result
    expect(new TextDecoder().decode(bytes)).toBe('[{"1":1}]')
    await expect.poll(() => whichRun(own, calls)).toEqual([true, true])
    await own.close()
  })

  it('begin without one after some time', async () => {
    const { own, calls } = made()
    const [begin] = calls
    begin?.()
    await expect.poll(() => whichRun(own, calls)).toEqual([true, true])
    await own.close()
    expect(calls.size).toBe(0)
  })

  it('do not begin once it is closed', async () => {
    const { own, calls } = made()
    await own.close()
    expect(calls.size).toBe(0)
    expect(await own.heaps()).toEqual([null, null])
  })
})

describe('the query pool', () => {
  it('runs a query in a worker and hands its answer over as bytes', async () => {
    const body = `SumAccum<INT> @@n;
      R = SELECT t FROM Person:s -(Follows>:e)- Person:t ACCUM @@n += e.weight; PRINT @@n, R;`
    const { requestId, result } = pool.run(request(body))
    expect(requestId).toMatch(/^\d+\.RESTPP_1_1\.\d+\.N$/)
    const { bytes, counters } = await result
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual([
      { '@@n': 5, R: [{ v_id: 'b', v_type: 'Person', attributes: { age: 2 } }] },
    ])
    expect(counters).toEqual({ rows: 3, edges: 1, line: 2 })
    expect(pins).toBe(0)
  })

  it('answers after idle workers let go of what they had read', async () => {
    const body = 'S = SELECT p FROM Person:p; PRINT S.size() AS n;'
    const answers = []
    for (let i = 0; i < 6; i++) {
      const { bytes } = await pool.run(request(body)).result
      answers.push(new TextDecoder().decode(bytes))
      if (i % 2 === 0) pool.forgetViews()
      else for (let slot = 0; slot < 3; slot++) pool.forgetNextView()
    }
    expect(new Set(answers)).toEqual(new Set(['[{"n":2}]']))
  })

  it('ends the oldest run when writes have to keep too much of what it reads', async () => {
    const small = await openEngine(new MemoryStore(), { copiedPagesBytesMax: 1 })
    await small.changeCatalog(() => catalog)
    const write = (age: number) =>
      small.commit(new FrameBuilder(catalog).vertex('Person', 'a', { age }).finish())
    await write(1)
    const pin = (onRevoke: () => void) => small.pin(onRevoke)
    const own = await QueryPool.start({ workerCount: 1, clock: realClock, after, pin })
    try {
      const run = own.run(request(forEver))
      await eventually(() => own.running().filter(({ waiting }) => !waiting))
      await write(2)
      expect(await failure(run)).toMatchObject({ code: 'QUERY_MEMORY_LIMIT' })
      expect(small.memory().copiedPagesBytes).toBe(0)
    } finally {
      await own.close()
    }
  })

  it('sees every commit, whatever the workers have from earlier runs', async () => {
    const ages = request(
      'SumAccum<INT> @@sum; R = SELECT s FROM Person:s ACCUM @@sum += s.age; PRINT @@sum;',
    )
    const sums: unknown[] = []
    for (let age = 2; age <= 4; age++) {
      await engine.commit(new FrameBuilder(catalog).vertex('Person', 'b', { age }).finish())
      // Both workers, each twice.
      for (let round = 0; round < 2; round++) {
        const runs = [pool.run(ages), pool.run(ages)]
        for (const { result } of runs) {
          sums.push(JSON.parse(new TextDecoder().decode((await result).bytes)))
        }
      }
    }
    expect(sums).toEqual([3, 4, 5].flatMap((sum) => Array(4).fill([{ '@@sum': sum }])))
  })

  it('answers at once while a query loops for ever, lists it, and aborts it', async () => {
    const looping = pool.run(request(forEver))
    const ended = failure(looping)
    const [listed] = await eventually(() =>
      pool.running().filter(({ counters }) => counters.rows > 0),
    )
    expect(listed).toMatchObject({
      requestId: looping.requestId,
      url: '/query/g/q',
      waiting: false,
    })
    const { bytes } = await pool.run(request('PRINT 1;')).result
    expect(new TextDecoder().decode(bytes)).toBe('[{"1":1}]')
    // A worker that gave a buffer away would look at every array for being gone from then on.
    expect(bytes.buffer).toBeInstanceOf(SharedArrayBuffer)
    const start = performance.now()
    expect(pool.abort(looping.requestId)).toBe(true)
    const error = await ended
    // Else it would go on for the minute of its own limit.
    expect(performance.now() - start).toBeLessThan(20_000)
    expect(error.code).toBe('QUERY_ABORTED')
    expect(error.details['code']).toBe('REST-12002')
    expect(pool.running()).toEqual([])
    expect(pins).toBe(0)
  })

  it('queues runs when every worker is busy, and can drop them there', async () => {
    // Two workers, and the one for short runs.
    const looping = [1, 2, 3].map(() => pool.run(request(forEver)))
    const waiting = pool.run(request('PRINT 2;'))
    const dropped = pool.run(request('PRINT 3;'))
    expect(pool.running().map(({ waiting: inQueue }) => inQueue)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
    const gone = failure(dropped)
    pool.abort(dropped.requestId)
    expect((await gone).code).toBe('QUERY_ABORTED')
    const ends = looping.map(failure)
    for (const { requestId } of looping) pool.abort(requestId)
    await Promise.all(ends)
    expect(new TextDecoder().decode((await waiting.result).bytes)).toBe('[{"2":2}]')
  })

  it('ends a query whose time is over, in the words of the contract', async () => {
    const error = await failure(pool.run(request(forEver, { timeoutMs: 50 })))
    expect(error.code).toBe('QUERY_TIMEOUT')
    expect(error.details['code']).toBe('REST-3000')
    expect(error.message).toContain('exceeded the query timeout threshold (0.05 seconds)')
  })

  it('ends a query that needs too much memory', async () => {
    const body = 'ListAccum<INT> @@l; WHILE true DO @@l += 1; END; PRINT @@l;'
    const error = await failure(pool.run(request(body, { memoryLimitBytes: 1024 * 1024 })))
    expect(error.code).toBe('QUERY_MEMORY_LIMIT')
    expect(error.details['code']).toBe('SYS-0002')
  })

  it('replaces a worker that does not listen, and answers before it is gone', async () => {
    // One native call that looks for each of many characters in a long text never sees the flag.
    const many = 'repeat("a", 500000)'
    const body = `PRINT length(translate(${many}, lpad("a", 500000, "b"), "")) AS x;`
    const stuck = pool.run(request(body, { timeoutMs: 60 }))
    const error = await failure(stuck)
    expect(error.code).toBe('QUERY_TIMEOUT')
    expect(pins).toBe(0)
    const { bytes } = await pool.run(request('PRINT 4;')).result
    expect(new TextDecoder().decode(bytes)).toBe('[{"4":4}]')
  })

  it('knows no abort for what is not running', () => {
    expect(pool.abort('1.RESTPP_1_1.0.N')).toBe(false)
  })

  it('a run whose start fails is answered, listed no more, and lets go of its version', async () => {
    const before = pins
    const indexRows = () => {
      throw new Error('the index is gone')
    }
    const error = await failure(pool.run({ ...request('PRINT 1;'), indexRows }))
    expect(error.code).toBe('QUERY_RUNTIME')
    expect(pool.running()).toEqual([])
    expect(pins).toBe(before)
    const { bytes } = await pool.run(request('PRINT 2 AS two;')).result
    expect(new TextDecoder().decode(bytes)).toContain('"two":2')
  })
})
