/**
 * One worker of the pool, and whether it is busy. A worker that ends by itself or is put down is
 * replaced: the slot stays, the thread is new.
 */
import { Worker } from 'node:worker_threads'
import type { GraphView } from '#graph/view.ts'
import { QUERY_YOUNG_HEAP_MB_MAX } from '#kernel/limits.ts'
import { packViews } from '#kernel/shared-views.ts'
import { RunControl } from '#query/runtime/control.ts'
import { removePartialFiles } from './directory-files.ts'
import type { PackedPlan } from './plan.ts'
import type { PoolOptions } from './pool-options.ts'
import type {
  ForgetViewMessage,
  HelpRequest,
  NearestRequest,
  RunAnswer,
  RunMessage,
  WorkerAnswer,
  WorkerInput,
} from './protocol.ts'
import type { SharedUse } from './shared-use.ts'

/** Plans of a thread, as many as it has functions for: texts that are interpreted once would fill it. */
const PLANS_KNOWN_MAX = 500
/** A thread in a long native call does not say how large its heap is, in milliseconds. */
const HEAP_ANSWER_MS = 200

export type SlotMessage = Omit<RunMessage, 'sequence' | 'planId' | 'plan' | 'forgets'> & {
  readonly view: GraphView
}

export interface SlotParts {
  readonly fileDirectory: string | null
  /** Number of the worker within its pool. */
  readonly thread: number
  readonly heapLimitBytes: number
  readonly use: SharedUse
  /** For tests: a thread in the place of the query worker. */
  readonly workerFile?: URL | undefined
  /** The thread has ended by itself; called after its run was answered. */
  readonly onLost: () => void
}

export interface SlotCalls {
  /** Called exactly once. */
  readonly finish: (end: SlotEnd) => void
  /** Called at most once, before. */
  readonly wants?: (request: HelpRequest) => void
  readonly nearest?: (request: NearestRequest) => void
}

export interface SlotHeap {
  readonly usedBytes: number
  readonly limitBytes: number
}

export type SlotEnd = { readonly kind: 'lost'; readonly cause: unknown } | RunAnswer

export class WorkerSlot {
  /** Of the present thread: one that is being ended keeps its own. */
  control = new RunControl()
  readonly #parts: SlotParts
  #worker: Worker | null = null
  #ready: Promise<void> = Promise.resolve()
  #known = new Set<string>()
  /** Of the last message: what answers an earlier one is not meant for the run at hand. */
  #sequence = 0
  /** What the thread has, held weakly: its memory is large and may be superseded. */
  #sentView: WeakRef<GraphView> | null = null
  #calls: SlotCalls | null = null

  constructor(parts: SlotParts) {
    this.#parts = parts
  }

  get busy(): boolean {
    return this.#calls !== null
  }

  /** Resolves when the thread runs; the caller has code generation from strings off until then. */
  start(): Promise<void> {
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    this.control = new RunControl()
    const { fileDirectory, thread, heapLimitBytes, use, workerFile } = this.#parts
    use.clear(thread)
    if (fileDirectory !== null) removePartialFiles({ path: fileDirectory, writer: String(thread) })
    const input: WorkerInput = {
      control: this.control.buffer,
      fileDirectory,
      thread,
      heapLimitBytes,
      use: use.words,
      useLimitBytes: use.limitBytes,
    }
    const worker = new Worker(
      workerFile ?? new URL(`./query-worker.${extension}`, import.meta.url),
      {
        workerData: input,
        resourceLimits: {
          maxOldGenerationSizeMb: Math.ceil(heapLimitBytes / 2 ** 20),
          maxYoungGenerationSizeMb: QUERY_YOUNG_HEAP_MB_MAX,
        },
      },
    )
    worker.unref()
    this.#worker = worker
    this.#known = new Set()
    this.#sentView = null
    worker.on('message', (answer: WorkerAnswer | HelpRequest | NearestRequest) => {
      if (this.#worker !== worker) return
      if (answer.kind === 'wants') this.#calls?.wants?.(answer)
      else if (answer.kind === 'nearest') this.#calls?.nearest?.(answer)
      else if (answer.sequence === undefined) this.#replace(worker, new Error('not an answer'))
      else if (answer.sequence === this.#sequence) {
        if (answer.forgot === true) this.#known.clear()
        this.#end(answer)
      }
    })
    worker.on('error', (cause) => this.#lost(worker, cause))
    // What a worker said is lost: nobody knows what it waits for now.
    worker.on('messageerror', (cause) => this.#replace(worker, cause))
    worker.on('exit', () => this.#lost(worker, null))
    this.#ready = new Promise((resolve) => {
      worker.once('online', resolve)
      worker.once('exit', () => resolve())
    })
    return this.#ready
  }

  /** Sends a run, or what to help with. */
  run(plan: PackedPlan, message: SlotMessage, calls: SlotCalls): void {
    this.#calls = calls
    this.control.clear()
    const forgets = this.#known.size >= PLANS_KNOWN_MAX
    if (forgets) this.#known.clear()
    const isNew = !this.#known.has(plan.id)
    this.#known.add(plan.id)
    const worker = this.#worker
    if (worker === null) {
      this.#end({ kind: 'lost', cause: new Error('the query worker did not start') })
      return
    }
    worker.ref()
    const hasView = this.#sentView?.deref() === message.view
    if (!hasView) this.#sentView = new WeakRef(message.view)
    this.#sequence += 1
    const whole: RunMessage = {
      sequence: this.#sequence,
      planId: plan.id,
      plan: isNew ? plan : null,
      forgets,
      view: hasView ? null : packViews(message.view),
      options: message.options,
      mayAsk: message.mayAsk,
      team: message.team,
      help: message.help,
    }
    const ports = [message.help?.port, message.team?.lending].filter((one) => one !== undefined)
    try {
      worker.postMessage(whole, ports)
    } catch (cause) {
      // Nobody knows what of it has arrived.
      this.#replace(worker, cause)
    }
  }

  /** Of its thread, also while it runs a query; null: there is none, or it does not answer. */
  async heap(after: PoolOptions['after']): Promise<SlotHeap | null> {
    const asked = this.#worker?.getHeapStatistics?.()
    if (asked === undefined) return null
    const late = new Promise<null>((resolve) => after(HEAP_ANSWER_MS, () => resolve(null)))
    const found = await Promise.race([asked.catch(() => null), late])
    if (found === null) return null
    return { usedBytes: found.used_heap_size, limitBytes: found.heap_size_limit }
  }

  /** An idle thread lets go of the arrays of its last run. */
  forgetView(): void {
    if (this.busy || this.#worker === null || this.#sentView === null) return
    this.#sentView = null
    const message: ForgetViewMessage = { kind: 'forgetView' }
    this.#worker.postMessage(message)
  }

  /**
   * Ends the thread, whatever it does. Its run is answered as lost at once: what the thread still
   * reads until it is gone reaches nobody.
   */
  async stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    this.#end({ kind: 'lost', cause: null })
    if (worker !== null) await worker.terminate()
  }

  /** True when the thread is gone and a new one has to be started. */
  get dead(): boolean {
    return this.#worker === null
  }

  /** The thread runs, but what it does is not known any more. */
  #replace(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#lost(worker, cause)
    void worker.terminate()
  }

  #lost(worker: Worker, cause: unknown): void {
    // A thread that was ended on purpose says so late: the slot may run another by then.
    if (this.#worker !== worker) return
    this.#worker = null
    this.#end({ kind: 'lost', cause })
    this.#parts.onLost()
  }

  #end(end: SlotEnd): void {
    const calls = this.#calls
    this.#calls = null
    this.#worker?.unref()
    calls?.finish(end)
  }
}
