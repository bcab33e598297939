/**
 * A query worker: one run at a time, on the main thread's word. It was started while code
 * generation from strings was off, so that `eval` and `Function` throw here; what a query has no
 * business with is taken off the global object before the first one runs.
 */
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import '#kernel/buffer-pool.ts'
import { collectGarbage } from '#graph/memory/collect-garbage.ts'
import { collectLater } from '#graph/memory/collect-later.ts'
import type { GraphView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { DbError, isDbError } from '#kernel/errors.ts'
import { unpackViews } from '#kernel/shared-views.ts'
import { RunControl } from '#query/runtime/control.ts'
import { type FileAccess, limitedFiles, noFiles } from '#query/runtime/output/files.ts'
import { KeptPackings } from '#query/runtime/parallel/packed-sources.ts'
import { Team } from '#query/runtime/parallel/team.ts'
import { WorkBlock } from '#query/runtime/parallel/work-block.ts'
import { indexAsker } from './ask-index.ts'
import { directoryFiles } from './directory-files.ts'
import { HeapGuard } from './heap-guard.ts'
import { helpPlan } from './help.ts'
import { type InstalledPlan, unpackPlan } from './plan.ts'
import type {
  ForgetViewMessage,
  HelpRequest,
  PlainError,
  RunAnswer,
  RunMessage,
  WorkerAnswer,
  WorkerInput,
} from './protocol.ts'
import { CodeCache, type RunOptions, runPlan, type ThreadMemory } from './run.ts'
import { SharedUse } from './shared-use.ts'

/** Of the heap of a worker, what values and texts of a run may take. */
const HEAP_VALUES_SHARE = 0.5
/** Longest message of an error: a query may make one of any length. */
const MESSAGE_CHARS_MAX = 10_000
/** A third of the main thread's share when both want a core. */
const WORKER_NICENESS = 5

const port = parentPort
assert(port !== null, 'a query worker is started by the pool')
const control = new RunControl((workerData as WorkerInput).control)
const cache = new CodeCache()
const packings = new KeptPackings()
const nowMs = () => performance.now()
const { fileDirectory, thread, heapLimitBytes, use, useLimitBytes } = workerData as WorkerInput
const guard = new HeapGuard(heapLimitBytes)
const memory: ThreadMemory = {
  heapLimitBytes: heapLimitBytes * HEAP_VALUES_SHARE,
  common: new SharedUse(use, useLimitBytes).ofThread(thread),
  heap: guard,
}
const askIndex = indexAsker((request) => port.postMessage(request, [request.port]))
const plans = new Map<string, InstalledPlan>()
/** Of the last run: usually nothing was written since. */
let lastView: GraphView | null = null

// On Linux this speaks of the calling thread alone: however many queries run, the thread that
// answers requests goes first. Elsewhere it would slow the whole process down.
if (platform() === 'linux') setPriority(WORKER_NICENESS)

const unused = ['process', 'require', 'fetch', 'WebSocket', 'EventSource', 'navigator', 'gc']
for (const name of unused) {
  Reflect.deleteProperty(globalThis, name)
}

port.on('message', (message: RunMessage | ForgetViewMessage) => {
  if ('kind' in message) forgetView()
  else answer(message.sequence, run(message))
})
// What was sent is lost, and with it perhaps a plan that the pool believes to be here: the thread is
// replaced.
port.on('messageerror', (error) => {
  throw error
})

function forgetView(): void {
  lastView = null
  collectGarbage()
}

/** What cannot be sent, for want of memory, is an error of the run. */
function answer(sequence: number, given: RunAnswer): void {
  memory.common.report(0)
  const forgot = guard.isCrowded()
  if (forgot) {
    plans.clear()
    cache.clear()
  }
  try {
    port!.postMessage({ ...given, sequence, forgot } satisfies WorkerAnswer)
  } catch (error) {
    const failed: RunAnswer = { kind: 'failed', error: plainError(unsent(error)) }
    port!.postMessage({ ...failed, sequence, forgot } satisfies WorkerAnswer)
  }
}

function unsent(cause: unknown): DbError {
  const message = 'The result of the query cannot be handed over: there is too little memory.'
  return new DbError('QUERY_MEMORY_LIMIT', message, { details: { code: 'SYS-0002' }, cause })
}

function run(message: RunMessage): RunAnswer {
  const { planId, plan, forgets, view, options, help } = message
  if (forgets) plans.clear()
  if (plan !== null) plans.set(planId, unpackPlan(plan))
  if (view !== null) {
    if (lastView !== null) collectLater()
    lastView = unpackViews(view)
  }
  const known = plans.get(planId)
  try {
    assert(known !== undefined && lastView !== null, 'plan and view were sent to this worker')
    if (help !== null) {
      const { helper, port } = help
      const block = new WorkBlock(help.block)
      const control = new RunControl(help.control)
      helpPlan(known, options, { cache, view: lastView, block, helper, port, control, memory })
      return { kind: 'left' }
    }
    const files = filesOf(known, options)
    const place = { cache, view: lastView, control, files, nowMs, askIndex, packings, memory }
    const output = withTeam(message, (team) => runPlan(known, options, { ...place, ...team }))
    return { kind: 'done', ...output }
  } catch (error) {
    return { kind: 'failed', error: plainError(error) }
  }
}

/** Those of the query's graph, as far as its caller may use them. */
function filesOf({ query }: InstalledPlan, { fileRights }: RunOptions): FileAccess {
  if (fileDirectory === null || fileRights === undefined) return noFiles
  const directory = { path: fileDirectory, writer: String(thread) }
  return limitedFiles(directoryFiles(directory, query.graph), fileRights)
}

function withTeam<T>(
  { mayAsk, team: lent }: RunMessage,
  run: (team: { readonly team?: Team }) => T,
): T {
  if (!mayAsk) return run({})
  const asked = lent && { block: new WorkBlock(lent.block), lending: lent.lending }
  const team = new Team((block, lending) => {
    const request: HelpRequest = { kind: 'wants', block, lending }
    port!.postMessage(request, [lending])
  }, asked)
  try {
    return run({ team })
  } finally {
    team.close()
  }
}

function plainError(error: unknown): PlainError {
  if (isDbError(error)) {
    const { code, details } = error
    return { code, message: cut(error.message), details }
  }
  const text =
    error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : 'unknown'
  return {
    code: 'QUERY_RUNTIME',
    message: 'Runtime Error: the query failed inside the engine.',
    details: { code: 'GSQL-8001', cause: text },
  }
}

function cut(text: string): string {
  return text.length <= MESSAGE_CHARS_MAX ? text : `${text.slice(0, MESSAGE_CHARS_MAX)}…`
}
