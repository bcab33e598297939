/** What a thread for loading may take, and how users take turns: each limit has a case that it alone refuses. */
import { afterEach, describe, expect, it } from 'vitest'
import type { DbError } from '#kernel/errors.ts'
import { LOAD_RUNS_UNDER_WAY_MAX } from '#kernel/limits.ts'
import { LocalDocuments } from '#storage/documents.ts'
import { payloadCatalog } from '../../../test/fixtures/payload-catalog.ts'
import { readPayload } from '../upsert/made-payload.ts'
import { givenFile } from './load-inputs.ts'
import { noErrorLimits } from './load-limits.ts'
import { type LoadBatch, type LoadTask, loadWord } from './load-protocol.ts'
import type { LoadRun } from './load-run.ts'
import { LoadRunStore } from './load-run-store.ts'
import { LoadRuns } from './load-runs.ts'
import { LoadThreads } from './load-threads.ts'
import { jobOf } from './loading-service.ts'
import { ThreadSink } from './thread-sink.ts'

const clock = { nowMs: () => Date.now(), monotonicMs: () => performance.now() }
const LARGE_BYTES = 2 ** 28

const task = (text: string, job: string) => ({
  catalog: payloadCatalog,
  graph: 'acme',
  job: jobOf(`CREATE LOADING JOB j FOR GRAPH acme { DEFINE FILENAME f; ${job} }`),
  separator: undefined,
  eol: undefined,
  files: [givenFile('f', 'given', text)],
  lines: null,
  isDryRun: true,
  errorLimits: noErrorLimits,
  earlier: [],
  from: null,
  applied: new Map(),
  nowMs: 0,
  markEveryMs: null,
  isDivisible: true,
})

describe('a thread for loading', () => {
  let threads: LoadThreads | null = null
  afterEach(() => threads?.close())

  it('is ended when a line takes longer than it may, and others go on', async () => {
    threads = new LoadThreads({
      ...{ heapLimitBytes: LARGE_BYTES, tablesLimitBytes: LARGE_BYTES, lineMsMax: 300, clock },
      every: (_ms, call) => {
        const timer = setInterval(call, 20)
        return () => clearInterval(timer)
      },
    })
    const host = { write: async () => {}, progressed: () => {}, reached: async () => {} }
    const job = 'LOAD f TO VERTEX Company VALUES ($0, gsql_regex_replace($1, "a*b", ""), 1);'
    // Each character begins a search to the end of the text: seconds, and an end of its own.
    const slow = threads.run(task(`x,c\ny,${'a'.repeat(50_000)}\n`, job), host)
    await expect(slow.end).rejects.toThrow('Line 2 of given took longer than 0.3 seconds')
    expect(threads.busyCount).toBe(0)
    const { state } = await threads.run(task('x,c\ny,aab\n', job), host).end
    expect(state.reports[0]).toMatchObject({ validLine: 2 })
  }, 60_000)

  it('reads a payload with an object above 128 KiB itself, and leaves one of that size', async () => {
    const limits = { heapLimitBytes: LARGE_BYTES, tablesLimitBytes: LARGE_BYTES, clock }
    threads = new LoadThreads({ ...limits, every: () => () => {} })
    const sent: LoadBatch[] = []
    const host = {
      write: async (batch: LoadBatch) => void sent.push(batch),
      progressed: () => {},
      reached: async () => {},
    }
    const load = async (chars: number) => {
      const whole = task(`x,${'a'.repeat(chars)}\n`, 'LOAD f TO VERTEX Company VALUES ($0, $1, 1);')
      await threads!.run({ ...whole, isDryRun: false }, host).end
      const { payload, made } = sent.pop()!
      const besideObject = '{"vertices":{"Company":{}},"edges":{}}'.length
      return { objectBytes: payload!.length - besideObject, made }
    }
    const { objectBytes, made } = await load(1)
    expect(made).toBeNull()
    const mostChars = 2 ** 17 - objectBytes + 1
    expect(await load(mostChars)).toEqual({ objectBytes: 2 ** 17, made: null })
    const { made: above } = await load(mostChars + 1)
    expect(above).toMatchObject({ catalogVersion: payloadCatalog.version })
    expect(above!.payload).toMatchObject({ vertexCount: 1, edgeCount: 0 })
    expect(above!.payload.frames).toHaveLength(1)
  }, 60_000)

  it('reads bodies of upserts as this thread would, two at once', async () => {
    const limits = { heapLimitBytes: LARGE_BYTES, tablesLimitBytes: LARGE_BYTES, clock }
    threads = new LoadThreads({ ...limits, every: () => () => {} })
    const wish = {
      ...{ catalog: payloadCatalog, graph: 'acme', flags: 0, chunkSizeBytes: 20_000 },
      ...{ isExport: false, wantsNames: true },
    }
    const entries = Array.from(
      { length: 5_000 },
      (_, at) => `"${at}":{"sector":{"value":"n ${at}"}}`,
    )
    const body = Buffer.from(`{"vertices":{"Company":{${entries.join(',')}}}}`)
    const here = readPayload(body, wish)
    expect(here.payload.frames.length).toBeGreaterThan(2)
    const bad = Buffer.from('{"vertices":{"Company":{"a":{"sector" 1}}}}')
    let most = 0
    const counter = setInterval(() => {
      most = Math.max(most, threads!.busyCount)
    }, 1)
    const all = [body, bad, body, body, body].map((one) => threads!.readPayload(one, wish))
    const read = await Promise.allSettled(all)
    clearInterval(counter)
    expect(most).toBe(2)
    expect(threads.busyCount).toBe(0)
    const values = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    for (const one of values) expect(one).toEqual(here)
    expect(values).toHaveLength(4)
    let expected: unknown
    try {
      readPayload(bad, wish)
    } catch (error) {
      expected = error
    }
    const { code, message, details } = expected as DbError
    expect(details).toHaveProperty('column')
    expect(read[1]).toMatchObject({ reason: { code, message, details } })
  }, 60_000)

  it('holds no more of its heap than it may', () => {
    const sinkOf = (heapLimitBytes: number) => {
      const words = new SharedArrayBuffer(4 * loadWord.count)
      const wanted = { words, tables: new SharedArrayBuffer(4), heapLimitBytes }
      return new ThreadSink(
        wanted as LoadTask,
        () => {},
        () => {
          throw new Error('not asked for')
        },
      )
    }
    const look = (sink: ThreadSink) => sink.beginLine({ input: 0, line: 1 }, 2 ** 20)
    // This process holds more than half a megabyte, and less than a terabyte.
    expect(() => look(sinkOf(2 ** 20))).toThrow('needs more than 1 MB for a line')
    expect(() => look(sinkOf(2 ** 41))).not.toThrow()
  })
})

describe('users', () => {
  async function fullHouse() {
    let atMs = 0
    const documents = {
      listDocuments: async () => [],
      putDocument: async () => {},
      deleteDocument: async () => {},
    }
    const positions = { runs: [], of: () => new Map(), forget: () => {} }
    const runs = new LoadRuns({
      clock: { nowMs: () => atMs, monotonicMs: () => atMs },
      runs: await LoadRunStore.open(new LocalDocuments(documents as never)),
      positions,
      ordinal: () => 1,
      after: () => () => {},
    })
    const stopped: LoadRun[] = []
    const begin = async (user: string, isDivisible = true) => {
      const run = runs.unlisted('g', user)
      const progress = { reports: () => [], errors: { count: 0, kept: [] } }
      const begun = runs.begin(run).then(() => {
        const stretch = {
          ...{ isDivisible, end: new Promise<never>(() => {}), abandon: () => {} },
          stop: () => stopped.push(run),
        }
        run.begin({ ...progress, readBytes: () => 0, skipMs: () => 0 }, 1, stretch)
      })
      await Promise.race([begun, new Promise(setImmediate)])
      return run
    }
    const after = (ms: number) => {
      atMs += ms
      runs.takeTurns()
      return stopped
    }
    return { runs, begin, after }
  }

  it('take turns: the longest run of who has most places gives one up after two seconds', async () => {
    const { runs, begin, after } = await fullHouse()
    const first = await begin('ann')
    after(10)
    for (let count = 1; count < LOAD_RUNS_UNDER_WAY_MAX; count++) await begin('ann')
    expect(after(5_000)).toEqual([])
    const other = await begin('ben')
    expect(other.state).toBe('WAITING')
    expect(after(0)).toEqual([first])
    first.left()
    runs.end(first)
    await new Promise(setImmediate)
    expect(other.state).toBe('RUNNING')
    // Nobody waits any more.
    expect(after(5_000)).toEqual([first])
  })

  it('do not lose a place before two seconds, to themselves, or where the run would begin anew', async () => {
    const early = await fullHouse()
    for (let count = 0; count < LOAD_RUNS_UNDER_WAY_MAX; count++) await early.begin('ann')
    await early.begin('ben')
    expect(early.after(1_999)).toEqual([])
    expect(early.after(1)).toHaveLength(1)
    const own = await fullHouse()
    for (let count = 0; count <= LOAD_RUNS_UNDER_WAY_MAX; count++) await own.begin('ann')
    expect(own.after(5_000)).toEqual([])
    const whole = await fullHouse()
    for (let count = 0; count < LOAD_RUNS_UNDER_WAY_MAX; count++) await whole.begin('ann', false)
    await whole.begin('ben')
    expect(whole.after(5_000)).toEqual([])
  })
})
