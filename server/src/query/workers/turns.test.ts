/** Who gets a worker when there are too few: by a clock that only the test moves. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import type { DbError } from '#kernel/errors.ts'
import { QUEUED_RUNS_MAX, QUEUED_RUNS_PER_USER_MAX } from '#kernel/limits.ts'
import { catalogOf, engineWith, vertexType } from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { packPlan } from './plan.ts'
import { QueryPool, SHORT_RUN_MS } from './pool.ts'
import type { RunRequest, StartedRun } from './runs.ts'

vi.setConfig({ testTimeout: 60_000 })

const catalog = catalogOf([vertexType(1, 'Person')], [])
const endless = 'INT i = 0; WHILE i >= 0 DO i = i + 1; i = i - 1; END; PRINT i;'
let engine: GraphEngine
let runner: QueryRunner
let pool: QueryPool
let nowMs = 0
let timers: { readonly dueMs: number; readonly call: () => void }[] = []

beforeAll(async () => {
  engine = await engineWith(catalog)
  runner = new QueryRunner(catalog, engine)
})

beforeEach(async () => {
  nowMs = 0
  timers = []
  pool = await QueryPool.start({
    workerCount: 1,
    clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
    after: (ms, call) => {
      const timer = { dueMs: nowMs + ms, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    pin: (onRevoke) => engine.pin(onRevoke),
  })
})

afterEach(() => pool.close())

function advance(ms: number): void {
  nowMs += ms
  const due = timers.filter(({ dueMs }) => dueMs <= nowMs)
  timers = timers.filter(({ dueMs }) => dueMs > nowMs)
  for (const { call } of due) call()
}

function start(user: string, body: string): StartedRun {
  const request: RunRequest = {
    plan: packPlan(runner.plan(body)),
    user,
    graph: 'g',
    url: '/query/g/q',
    timeoutMs: 3_600_000,
    timeoutCode: 'REST-3000',
    options: { arguments: [], memoryLimitBytes: 2 ** 26, responseLimitBytes: 2 ** 20 },
  }
  const started = pool.run(request)
  started.result.catch(() => undefined)
  return started
}

const answerOf = async ({ result }: StartedRun) => new TextDecoder().decode((await result).bytes)

function waits({ requestId }: StartedRun): boolean | undefined {
  return pool.running().find((run) => run.requestId === requestId)?.waiting
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

async function ended(run: StartedRun): Promise<string> {
  return run.result.then(
    () => 'done',
    (error: DbError) => error.code,
  )
}

describe('runs on too few workers', () => {
  it.each(['a', 'b'])('a short run of %s passes the endless ones of a', async (user) => {
    const [first, second] = [start('a', endless), start('a', endless)]
    const short = start(user, 'PRINT 1;')
    expect([first, second, short].map(waits)).toEqual([false, false, true])
    advance(SHORT_RUN_MS - 1)
    expect([first, second, short].map(waits)).toEqual([false, false, true])
    advance(1)
    expect(await answerOf(short)).toBe('[{"1":1}]')
    // One worker stays free for the next short run, which waits for nobody.
    expect([first, second].map(waits)).toEqual([false, true])
    const next = start(user, 'PRINT 2;')
    expect(waits(next)).toBe(false)
    expect(await answerOf(next)).toBe('[{"2":2}]')
  })

  it('a run that was moved begins anew when there is room for long runs, and stays', async () => {
    const [first, second] = [start('a', endless), start('b', endless)]
    advance(SHORT_RUN_MS)
    expect(await answerOf(start('c', 'PRINT 1;'))).toBe('[{"1":1}]')
    expect(waits(second)).toBe(true)
    pool.abort(first.requestId)
    await until(() => waits(second) === false)
    const third = start('c', endless)
    advance(SHORT_RUN_MS)
    // The other one leaves: nobody begins anew twice.
    expect(await answerOf(start('d', 'PRINT 2;'))).toBe('[{"2":2}]')
    expect([second, third].map(waits)).toEqual([false, true])
    pool.abort(third.requestId)
    expect(await ended(third)).toBe('QUERY_ABORTED')
  })

  it('a run that was moved answers as if it had not been', async () => {
    const first = start('a', endless)
    const counting = 'INT n; FOREACH i IN RANGE[1, 3000000] DO n = n + 1; END; PRINT n;'
    const moved = start('b', counting)
    const short = start('c', 'PRINT 1;')
    advance(SHORT_RUN_MS)
    await answerOf(short)
    pool.abort(first.requestId)
    expect(await answerOf(moved)).toBe('[{"n":3000000}]')
  })

  it('no run is moved while nobody waits', async () => {
    const runs = [start('a', endless), start('a', endless)]
    advance(10 * SHORT_RUN_MS)
    expect(runs.map(waits)).toEqual([false, false])
    const third = start('a', endless)
    await until(() => waits(third) === false)
    expect(runs.map(waits)).toEqual([false, true])
  })

  it('users take turns', async () => {
    const first = [start('a', endless), start('a', endless)]
    const order: string[] = []
    const runs = ['a', 'a', 'a', 'b', 'b', 'c'].map((user, i) => {
      const run = start(user, `PRINT ${i};`)
      void run.result.then(() => order.push(user))
      return run
    })
    pool.abort(first[1]!.requestId)
    await Promise.all(runs.map(({ result }) => result))
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a'])
  })

  it('a run is aborted, and over its time, wherever it waits', async () => {
    const [first, second] = [start('a', endless), start('a', endless)]
    advance(SHORT_RUN_MS)
    expect(await answerOf(start('b', 'PRINT 1;'))).toBe('[{"1":1}]')
    expect(waits(second)).toBe(true)
    advance(3_600_000)
    expect(await ended(second)).toBe('QUERY_TIMEOUT')
    expect(await ended(first)).toBe('QUERY_TIMEOUT')
    expect(pool.running()).toEqual([])
  })

  it('a user may let so many runs wait and no more, all users together as well', async () => {
    for (let i = 0; i < 2 + QUEUED_RUNS_PER_USER_MAX; i++) start('a', endless)
    const refused = await start('a', endless).result.catch((error: DbError) => error)
    expect(refused).toMatchObject({
      code: 'TOO_MANY_REQUESTS',
      details: { retryAfterSeconds: 1 },
    })
    expect(() => pool.checkRoom('a')).toThrow('Too many queries of the user a')
    expect(() => pool.checkRoom('b')).not.toThrow()
    const rest = QUEUED_RUNS_MAX - QUEUED_RUNS_PER_USER_MAX
    for (let i = 0; i < rest; i++) start(`user ${i % 20}`, 'PRINT 1;')
    const full = await start('z', endless).result.catch((error: DbError) => error)
    expect(full).toMatchObject({ code: 'UNAVAILABLE', details: { retryAfterSeconds: 1 } })
  })
})
