/**
 * A query worker: one run at a time, on the main thread's word. It was started while code
 * generation from strings was off, so that `eval` and `Function` throw here; what a query has no
 * business with is taken off the global object before the first one runs.
 */
import { platform, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { GraphView } from '#graph/view.ts'
import { assert } from '#kernel/assert.ts'
import { isDbError } from '#kernel/errors.ts'
import { unpackViews } from '#kernel/shared-views.ts'
import { helpPlan } from '../help.ts'
import type { InstalledPlan } from '../plan.ts'
import { CodeCache, type RunOptions, runPlan } from '../run.ts'
import { RunControl } from '../runtime/control.ts'
import { type FileAccess, limitedFiles, noFiles } from '../runtime/files.ts'
import { KeptPackings } from '../runtime/packed-sources.ts'
import { Team } from '../runtime/team.ts'
import { WorkBlock } from '../runtime/work-block.ts'
import { indexAsker } from './ask-index.ts'
import { directoryFiles } from './directory-files.ts'
import type { HelpRequest, PlainError, RunMessage, WorkerAnswer, WorkerInput } from './protocol.ts'

/** A third of the main thread's share when both want a core. */
const WORKER_NICENESS = 5

const port = parentPort
assert(port !== null, 'a query worker is started by the pool')
const control = new RunControl((workerData as WorkerInput).control)
const cache = new CodeCache()
const packings = new KeptPackings()
const nowMs = () => performance.now()
const { fileDirectory } = workerData as WorkerInput
const askIndex = indexAsker((request) => port.postMessage(request, [request.port]))
const plans = new Map<string, InstalledPlan>()
/** Of the last run: usually nothing was written since. */
let lastView: GraphView | null = null

// On Linux this speaks of the calling thread alone: however many queries run, the thread that
// answers requests goes first. Elsewhere it would slow the whole process down.
if (platform() === 'linux') setPriority(WORKER_NICENESS)

for (const name of ['process', 'require', 'fetch', 'WebSocket', 'EventSource', 'navigator']) {
  Reflect.deleteProperty(globalThis, name)
}

port.on('message', (message: RunMessage) => {
  port.postMessage(run(message))
})

function run(message: RunMessage): WorkerAnswer {
  const { planId, plan, forgets, view, options, help } = message
  if (forgets) plans.clear()
  if (plan !== null) plans.set(planId, plan)
  if (view !== null) lastView = unpackViews(view)
  const known = plans.get(planId)
  try {
    assert(known !== undefined && lastView !== null, 'plan and view were sent to this worker')
    if (help !== null) {
      const { helper, port } = help
      const block = new WorkBlock(help.block)
      const control = new RunControl(help.control)
      helpPlan(known, options, { cache, view: lastView, block, helper, port, control })
      return { kind: 'left' }
    }
    const files = filesOf(known, options)
    const place = { cache, view: lastView, control, files, nowMs, askIndex, packings }
    const output = withTeam(message, (team) => runPlan(known, options, { ...place, ...team }))
    return { kind: 'done', ...output }
  } catch (error) {
    return { kind: 'failed', error: plainError(error) }
  }
}

/** Those of the query's graph, as far as its caller may use them. */
function filesOf({ query }: InstalledPlan, { fileRights }: RunOptions): FileAccess {
  if (fileDirectory === null || fileRights === undefined) return noFiles
  return limitedFiles(directoryFiles(fileDirectory, query.graph), fileRights)
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
  if (isDbError(error)) return { code: error.code, message: error.message, details: error.details }
  const text =
    error instanceof Error ? `${error.name}: ${error.message}\n${error.stack}` : 'unknown'
  return {
    code: 'QUERY_RUNTIME',
    message: 'Runtime Error: the query failed inside the engine.',
    details: { code: 'GSQL-8001', cause: text },
  }
}
