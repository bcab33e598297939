/**
 * Names that arguments give, behind random guards: not reached, an unknown name changes nothing;
 * reached, it is the error. On one thread and on two, interpreted and installed.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GraphEngine } from '#graph/engine.ts'
import { isDbError } from '#kernel/errors.ts'
import { createRandom } from '#kernel/prng.ts'
import { QueryPool } from '#query/workers/pool.ts'
import type { PoolOptions } from '#query/workers/pool-options.ts'
import { QueryService } from '#services/queries/query-service.ts'
import { RunService } from '#services/queries/run-service.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { MemoryStore } from '#storage/memory/memory-store.ts'
import { realClock } from '../fixtures/engine.ts'
import { socialEngine } from '../fixtures/social-data.ts'
import {
  callee,
  GuardedQueries,
  type GuardedQuery,
  header,
  known,
  unknown,
} from './random-guards.ts'

const seed = Number(process.env['QUIVER_SEED'] ?? 20_261)
/** As many as take a few seconds; with another seed each time, more find more. */
const count = Number(process.env['QUIVER_GUARDS'] ?? 60)

let engine: GraphEngine
let queries: QueryService
const pools: QueryPool[] = []
const services: Record<string, RunService> = {}

async function open(name: string, options: Partial<PoolOptions>): Promise<void> {
  const pool = await QueryPool.start({
    workerCount: 1,
    clock: realClock,
    after: (ms, call) => {
      const timer = setTimeout(call, ms)
      return () => clearTimeout(timer)
    },
    pin: () => engine.pin(),
    ...options,
  })
  pools.push(pool)
  services[name] = new RunService({
    queries,
    pool,
    clock: realClock,
    memoryLimitBytes: 2 ** 28,
    view: () => engine.view(),
    commit: (frame) => engine.commit(frame),
  })
}

beforeAll(async () => {
  engine = await socialEngine()
  await engine.rebuild()
  queries = await QueryService.open({
    documents: new LocalDocuments(new MemoryStore()),
    catalogue: engine,
  })
  await queries.create('social', callee, true)
  await open('one thread', {})
  // Segments of one row, and a helper begins each loop that is divided.
  const cut = { parallelFrom: 0, segmentItems: 1, helpersFirst: true }
  await open('two threads', { workerCount: 2, ...cut })
})

afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
  await engine.close()
})

interface Call {
  readonly service: RunService
  readonly query: GuardedQuery
  readonly values: Readonly<Record<string, string>>
}

function callOf(values: Call['values']) {
  return {
    requestId: 'guards',
    url: '/guards',
    user: '',
    timeoutMs: 50_000,
    memoryLimitBytes: undefined,
    responseLimitBytes: undefined,
    source: { url: values, body: null },
  }
}

async function answered(run: () => Promise<{ readonly json: Uint8Array }>): Promise<string> {
  try {
    return new TextDecoder().decode((await run()).json)
  } catch (error) {
    if (!isDbError(error)) throw error
    return `failed: ${error.message}`
  }
}

function interpreted({ service, query, values }: Call): Promise<string> {
  const text = `INTERPRET QUERY ${header} { ${query.body} }`
  return answered(() => service.interpret('social', text, callOf(values)))
}

async function installed({ service, query, values }: Call): Promise<string> {
  const text = `CREATE OR REPLACE QUERY guarded${header} { ${query.body} }`
  await queries.create('social', text, true)
  return answered(() => service.run(queries.stored.find('social', 'guarded')!, callOf(values)))
}

describe(`names behind random guards: ${count} queries of seed ${seed}`, () => {
  const made = new GuardedQueries(createRandom(seed))
  const all = Array.from({ length: count }, () => made.next())

  it('are reached in a good part of them, and not in another', () => {
    if (count < 50) return
    const reached = all.filter(({ isReached }) => isReached).length
    expect(reached).toBeGreaterThan(count / 6)
    expect(count - reached).toBeGreaterThan(count / 6)
  })

  it('have a plan, reached or not', async () => {
    for (const { body } of all.slice(0, 8)) {
      const text = `INTERPRET QUERY ${header} { ${body} }`
      const call = { ...callOf(unknown), profile: false }
      const { steps } = await services['one thread']!.explain('social', text, call)
      expect(steps.length, body).toBeGreaterThan(2)
    }
  })

  it.each(['one thread', 'two threads'])(
    'fail where they are reached only, on %s',
    {
      timeout: 60_000 + count * 1_000,
    },
    async (name) => {
      const service = services[name]!
      for (const [index, query] of all.entries()) {
        const run = index % 10 === 0 ? installed : interpreted
        const actual = await run({ service, query, values: unknown })
        if (query.isReached) expect(actual, query.body).toContain(query.error)
        else expect(actual, query.body).toBe(await run({ service, query, values: known }))
        if (!query.isReached) expect(actual, query.body).not.toContain('failed')
      }
    },
  )
})
