/** A thread for loading: one stretch of a run at a time, as the main thread sends them. */
import { parentPort } from 'node:worker_threads'
import '#kernel/buffer-pool.ts'
import { assert } from '#kernel/assert.ts'
import { isDbError } from '#kernel/errors.ts'
import { unpackViews } from '#kernel/shared-views.ts'
import { buffersOf, makePayload, readPayload } from '../upsert/made-payload.ts'
import { Evaluator } from './evaluate.ts'
import { readerOf } from './file-reader.ts'
import { LineLimit } from './line-limits.ts'
import { flagsOf } from './load-flags.ts'
import { sourceKey, withFormat } from './load-inputs.ts'
import { type PlannedLoad, planLoads } from './load-plan.ts'
import {
  type FromLoader,
  type LoaderError,
  type LoadState,
  type LoadTask,
  loadWord,
  type PayloadTask,
  type SampleTask,
  type ToLoader,
} from './load-protocol.ts'
import { type LoadInput, LoadRunner, LoadStopped } from './load-runner.ts'
import { sampleOf } from './sample.ts'
import { ThreadSink } from './thread-sink.ts'

const port = parentPort
assert(port !== null, 'a thread for loading is started by LoadThreads')
let sink: ThreadSink | null = null

port.on('message', (message: ToLoader) => {
  if (message.kind === 'written') sink?.written()
  else if (message.kind === 'sample') void sample(message)
  else if (message.kind === 'payload') payload(message)
  else void load(unpackViews(message))
})

async function sample({ file, format, rowCountMax, words }: SampleTask): Promise<void> {
  // All of it counts as one line.
  Atomics.store(new Int32Array(words), loadWord.isBusy, 1)
  try {
    const { chunks } = readerOf(file)
    post({ kind: 'sampled', sample: await sampleOf(chunks, format, rowCountMax) })
  } catch (error) {
    post({ kind: 'failed', error: plain(error) })
  }
}

function payload({ body, options }: PayloadTask): void {
  try {
    const read = readPayload(body, options)
    post({ kind: 'read', read }, buffersOf(read.payload))
  } catch (error) {
    const details = isDbError(error) ? error.details : {}
    post({ kind: 'failed', error: { ...plain(error), details } })
  }
}

function post(message: FromLoader, transfer: ArrayBuffer[] = []): void {
  port!.postMessage(message, transfer)
}

async function load(task: LoadTask): Promise<void> {
  const inputs: LoadInput[] = []
  let runner: LoadRunner | null = null
  const stateOf = (): LoadState => ({
    reports: runner?.reports ?? [],
    errors: { count: runner?.errors.count ?? 0, kept: runner?.errors.kept ?? [] },
    skipMs: sink?.skipMs ?? 0,
    readBytes: inputs.reduce((sum, input) => sum + input.readBytes(), 0),
  })
  const own = new ThreadSink(task, post, stateOf)
  sink = own
  let ending: Pick<Extract<FromLoader, { kind: 'ended' }>, 'place' | 'error'>
  try {
    const startMs = performance.now()
    const clock = {
      nowMs: () => task.nowMs + performance.now() - startMs,
      monotonicMs: () => performance.now(),
    }
    const evaluator = new Evaluator(clock)
    const isOneCommit = task.markEveryMs !== null
    const make = (payload: Uint8Array, load: PlannedLoad) =>
      makePayload(payload, { ...task, flags: flagsOf(load), isOneCommit })
    runner = new LoadRunner({ ...task, evaluator, clock, make, sink: own })
    inputs.push(...task.files.map((file, number) => ({ ...file, number, ...readerOf(file) })))
    await run(task, { runner, evaluator, inputs })
    ending = { place: null, error: null }
  } catch (error) {
    const isStop = error instanceof LoadStopped
    ending = isStop ? { place: error.place, error: null } : { place: null, error: plain(error) }
  }
  own.endLine()
  const state = stateOf()
  sink = null
  runner = null
  post({ kind: 'ended', ...ending, state, isCrowded: own.isCrowded() })
}

interface Parts {
  readonly runner: LoadRunner
  readonly evaluator: Evaluator
  readonly inputs: readonly LoadInput[]
}

async function run(task: LoadTask, { runner, evaluator, inputs }: Parts): Promise<void> {
  const { catalog, graph, job, separator, eol, from } = task
  const planned = () =>
    planLoads({ catalog, graph, evaluator }, job).map((load) =>
      withFormat(load, { separator, eol }),
    )
  for (const input of inputs.slice(from?.input ?? 0)) {
    // A plan counts what it makes, and each file of a folder has counts of its own.
    const loads = planned().filter((load) => sourceKey(load) === input.source)
    const skippedLines = input.number === from?.input ? from.line : 0
    if (loads.length > 0) await runner.source(input, loads, skippedLines)
  }
  for (const load of planned()) {
    const { source, statement } = load
    if (source.kind === 'table') await runner.table(source.name, load, inputs.length + statement)
  }
}

function plain(error: unknown): LoaderError {
  if (error instanceof LineLimit)
    return { code: 'INVALID_PAYLOAD', message: `A line: ${error.message}.` }
  if (isDbError(error)) return { code: error.code, message: error.message }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { code: null, message }
}
