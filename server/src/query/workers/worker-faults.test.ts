/** A query worker fails once, at each stage of a run and of a helper's work. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { isDbError } from '#kernel/errors.ts'
import {
  catalogOf,
  edgeType,
  engineWith,
  FrameBuilder,
  realClock,
  vertexType,
} from '../../../test/fixtures/engine.ts'
import { QueryRunner } from '../../../test/fixtures/query-runner.ts'
import { packPlan } from './plan.ts'
import { QueryPool } from './pool.ts'
import type { RunRequest, StartedRun } from './runs.ts'

vi.setConfig({ testTimeout: 120_000 })

const WORKERS = 2
/** The slow suite takes all of them. */
const isSlow = process.env['QUIVER_SLOW'] === '1'
const kinds = isSlow ? ['exit', 'throw', 'messageError', 'lostMessage', 'silence'] : ['exit']
/** A message is lost where one is read: between two runs. */
const lostBetweenRuns = ['messageError']
const stages = ['begin', 'middle', 'end', 'helpBegin', 'helpMiddle', 'helpEnd']
const catalog = catalogOf([vertexType(1, 'Person')], [edgeType(2, 'Follows', [1, 1])])
const summing =
  'SumAccum<INT> @@n; S = {Person.*}; WHILE true LIMIT 30 DO R = SELECT t FROM S:s -(Follows>)- Person:t ACCUM @@n += 1, t.@m += 1; END; PRINT @@n;'
const endless = 'INT i = 0; WHILE i >= 0 DO i = i + 1; i = i - 1; END; PRINT i;'
let engine: GraphEngine
let runner: QueryRunner
let pool: QueryPool
let pins = 0

beforeAll(async () => {
  engine = await engineWith(catalog)
  const frame = new FrameBuilder(catalog)
  for (let i = 0; i < 400; i++) frame.vertex('Person', `p${i}`)
  for (let i = 0; i < 400; i++) frame.edge('Follows', [`p${i}`, `p${(i * 7 + 1) % 400}`])
  await engine.commit(frame.finish())
  runner = new QueryRunner(catalog, engine)
  pool = await QueryPool.start({
    workerCount: WORKERS,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms).unref()
      return () => clearTimeout(timer)
    },
    pin: (onRevoke) => {
      const { view, release } = engine.pin(onRevoke)
      pins++
      return {
        view,
        release: () => {
          pins--
          release()
        },
      }
    },
    parallelFrom: 0,
    segmentItems: 32,
    helpersFirst: true,
    workerFile: new URL('../../../test/fixtures/faulty-query-worker.ts', import.meta.url),
  })
})

afterAll(() => pool.close())

function start(name: string, body: string, timeoutMs = 60_000): StartedRun {
  const started = pool.run(requestOf(name, body, timeoutMs))
  started.result.catch(() => undefined)
  return started
}

function requestOf(name: string, body: string, timeoutMs = 60_000): RunRequest {
  const plan = runner.plan(`SumAccum<INT> @m; ${body}`)
  return {
    // A plan of its own for each run: workers are sent what they do not know.
    plan: { ...packPlan({ ...plan, id: `${plan.id} ${name}` }), name },
    graph: 'g',
    url: '/query/g/q',
    timeoutMs,
    timeoutCode: 'REST-3000',
    options: { arguments: [], memoryLimitBytes: 2 ** 26, responseLimitBytes: 2 ** 20 },
  }
}

async function textOf({ result }: StartedRun): Promise<string> {
  const { bytes, release } = await result
  release()
  return new TextDecoder().decode(bytes)
}

/** Every thread has a run of its own at the same time. */
async function expectWhole(): Promise<void> {
  const runs = Array.from({ length: WORKERS + 1 }, (_, i) => start(`whole${i}`, endless))
  const ids = runs.map(({ requestId }) => requestId)
  const waiting = () => pool.running().filter((run) => ids.includes(run.requestId) && run.waiting)
  await vi.waitUntil(() => waiting().length === 0, { timeout: 60_000 })
  for (const id of ids) pool.abort(id)
  for (const { result } of runs)
    await expect(result).rejects.toMatchObject({ code: 'QUERY_ABORTED' })
}

describe.each(stages)('a worker that fails at the stage "%s"', (stage) => {
  const possible = kinds.filter((kind) => !lostBetweenRuns.includes(kind) || /egin$/.test(stage))
  it.each(possible)('by "%s" ends its run alone, and is replaced', async (kind) => {
    const faulty = start(`fault_${kind}_${stage}`, summing, kind === 'silence' ? 1_000 : 60_000)
    const end = await textOf(faulty).catch((error: unknown) => error)
    // A run may have ended well before its helper failed, or have had none.
    if (typeof end === 'string') {
      expect(end).toBe('[{"@@n":12000}]')
      expect(stage).toMatch(/^help|middle/)
    } else expect(isDbError(end), String(end)).toBe(true)
    expect(await textOf(start('other', summing))).toBe('[{"@@n":12000}]')
    await expectWhole()
    expect(pool.running()).toEqual([])
    expect(pins).toBe(0)
  })
})

it('a run that cannot be sent to a worker ends alone', async () => {
  const request = requestOf('unsent', 'PRINT 1;')
  // No function can be sent to another thread.
  const roles = [() => 'admin'] as unknown as string[]
  const { result } = pool.run({ ...request, options: { ...request.options, roles } })
  await expect(result).rejects.toMatchObject({ code: 'QUERY_RUNTIME' })
  expect(await textOf(start('other', summing))).toBe('[{"@@n":12000}]')
  await expectWhole()
  expect(pins).toBe(0)
})

it('other runs go on while a worker fails', async () => {
  for (const kind of kinds) {
    const others = [start(`beside ${kind}`, summing)]
    const faulty = start(`fault_${kind}_begin`, summing, 1_000)
    await expect(faulty.result).rejects.toSatisfy((error) => isDbError(error))
    for (const other of others) expect(await textOf(other)).toBe('[{"@@n":12000}]')
  }
  await expectWhole()
})
