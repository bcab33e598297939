/**
 * Compiles texts without holding the event loop: small ones on the calling thread, since starting
 * another takes longer, all others on a worker thread, one at a time. Users take turns, so that the
 * texts of one do not delay those of another by more than one text.
 */
import { Worker } from 'node:worker_threads'
import type { Catalog } from '#catalog/types.ts'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import {
  APPLY_SLICE_MS_MAX,
  COMPILE_HEAP_MB_MAX,
  COMPILE_INLINE_SIZE_CHARS_MAX,
  COMPILE_QUEUE_LENGTH_MAX,
  COMPILE_QUEUE_PER_USER_MAX,
  COMPILE_TIME_MS_MAX,
  PARSE_INLINE_SIZE_CHARS_MAX,
  YOUNG_HEAP_MB_MAX,
} from '#kernel/limits.ts'
import type { LoopTurns } from '#kernel/loop-turns.ts'
import { packViews } from '#kernel/shared-views.ts'
import type { PlanStep } from '#query/explain/explain.ts'
import {
  answerOf,
  type CompilerAnswers,
  type CompilerRequest,
  type ExplainRequest,
} from './compile-text.ts'
import {
  answerText,
  errorOf,
  type FromCompiler,
  type TextRequest,
  type ToCompiler,
} from './compiler-protocol.ts'

export interface CompilerOptions {
  /** The catalogue as it is now. */
  readonly catalogue: { readonly catalog: Catalog }
  /** The text of a stored query that can be called; null: there is none. */
  readonly queryText: (name: string, graph: string) => string | null
  /** For slices of the event loop; absent: small texts are compiled one after the other. */
  readonly slices?: { readonly clock: Clock; readonly turns: LoopTurns } | undefined
  /** Calls back once after so many milliseconds; absent: texts may take as long as they do. */
  readonly after?: ((ms: number, call: () => void) => () => void) | undefined
}

/** Who wants a text compiled. */
export interface CompileCall {
  /** Null: the server itself. */
  readonly user: string | null
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal | undefined
  /** Called with each text of another query that the result depends on. */
  readonly onRead?: (name: string, graph: string, text: string | null) => void
}

/** Answered on the calling thread when its text is small. */
export type InlineRequest = Exclude<CompilerRequest, ExplainRequest>

interface Job {
  /** Made when its turn comes. */
  readonly request: () => CompilerRequest
  readonly call: CompileCall
  readonly resolve: (answer: CompilerAnswers[keyof CompilerAnswers]) => void
  readonly reject: (error: unknown) => void
  /** Releases the timer and the signal. */
  release: () => void
}

/** The texts that a small text calls are large: it belongs on the other thread. */
class LargeText extends Error {}

export class Compiler {
  readonly #options: CompilerOptions
  readonly #queue: Job[] = []
  /** Number of the last job of each user with jobs in the queue; the smallest goes first. */
  readonly #served = new Map<string | null, number>()
  #count = 0
  #running: Job | null = null
  #worker: Worker | null = null
  #sentCatalog: Catalog | null = null
  /** Time that small texts have taken since the event loop had its last turn, in milliseconds. */
  #inlineMs = 0
  #closed = false

  constructor(options: CompilerOptions) {
    this.#options = options
  }

  /**
   * @throws DbError QUERY_TIMEOUT, QUERY_MEMORY_LIMIT for a text that takes too much, QUERY_ABORTED
   *   when the signal is raised, UNAVAILABLE when too many wait
   */
  async run<R extends InlineRequest>(
    request: R,
    call: CompileCall,
  ): Promise<CompilerAnswers[R['kind']]> {
    if (request.text.length <= inlineSize(request)) {
      try {
        return await this.#runInSlice(request, call)
      } catch (error) {
        if (!(error instanceof LargeText)) throw error
      }
    }
    return (await this.#enqueue(() => request, call)) as CompilerAnswers[R['kind']]
  }

  /**
   * The plan of a text, which the size of its text does not bound: always on the other thread.
   * @param request is called when its turn comes: a request that waits holds no version of the graph
   * @throws DbError as `run`
   */
  async explain(request: () => ExplainRequest, call: CompileCall): Promise<readonly PlanStep[]> {
    return (await this.#enqueue(request, call)) as readonly PlanStep[]
  }

  async #runInSlice<R extends InlineRequest>(request: R, call: CompileCall) {
    const { slices } = this.#options
    if (slices === undefined) return this.#runHere(request, call)
    if (this.#inlineMs >= APPLY_SLICE_MS_MAX) {
      this.#inlineMs = 0
      await slices.turns.next()
    }
    const startMs = slices.clock.monotonicMs()
    try {
      return this.#runHere(request, call)
    } finally {
      this.#inlineMs += slices.clock.monotonicMs() - startMs
    }
  }

  #runHere<R extends InlineRequest>(request: R, call: CompileCall): CompilerAnswers[R['kind']] {
    const { catalogue, queryText } = this.#options
    let sizeChars = request.text.length
    return answerOf(request, {
      catalog: catalogue.catalog,
      queryText: (name, graph) => {
        const text = queryText(name, graph)
        sizeChars += text?.length ?? 0
        if (sizeChars > COMPILE_INLINE_SIZE_CHARS_MAX) throw new LargeText()
        call.onRead?.(name, graph, text)
        return text
      },
    })
  }

  #enqueue(request: () => CompilerRequest, call: CompileCall) {
    return new Promise<CompilerAnswers[keyof CompilerAnswers]>((resolve, reject) => {
      if (this.#closed || !this.#hasRoom(call.user)) {
        reject(new DbError('UNAVAILABLE', 'No query can be compiled now.'))
        return
      }
      const job: Job = { request, call, resolve, reject, release: () => undefined }
      const abort = () => this.#abort(job)
      call.signal?.addEventListener('abort', abort, { once: true })
      job.release = () => call.signal?.removeEventListener('abort', abort)
      this.#queue.push(job)
      if (call.signal?.aborted) abort()
      this.#serveQueue()
    })
  }

  #hasRoom(user: string | null): boolean {
    if (this.#queue.length >= COMPILE_QUEUE_LENGTH_MAX) return false
    const ofUser = this.#queue.filter(({ call }) => call.user === user).length
    return ofUser < COMPILE_QUEUE_PER_USER_MAX
  }

  #abort(job: Job): void {
    const error = new DbError('QUERY_ABORTED', 'The compilation was aborted.')
    if (job === this.#running) {
      this.#dropWorker(error)
      return
    }
    const index = this.#queue.indexOf(job)
    if (index < 0) return
    this.#queue.splice(index, 1)
    job.release()
    job.reject(error)
  }

  #serveQueue(): void {
    if (this.#running !== null || this.#closed) return
    const job = this.#takeNext()
    if (job === undefined) return
    this.#running = job
    const worker = this.#startedWorker()
    const { catalog } = this.#options.catalogue
    try {
      const message: ToCompiler = {
        request: job.request(),
        catalog: catalog === this.#sentCatalog ? null : catalog,
      }
      worker.postMessage(packViews(message))
    } catch (error) {
      this.#endRunning()?.reject(error)
      this.#serveQueue()
      return
    }
    this.#sentCatalog = catalog
    this.#limitTime(job)
    worker.ref()
  }

  /** Of the user whose last job is the longest ago, the oldest. */
  #takeNext(): Job | undefined {
    const lastOf = ({ call }: Job) => this.#served.get(call.user) ?? 0
    const [next] = this.#queue.toSorted((one, other) => lastOf(one) - lastOf(other))
    if (next === undefined) {
      this.#served.clear()
      return undefined
    }
    this.#queue.splice(this.#queue.indexOf(next), 1)
    this.#count += 1
    this.#served.set(next.call.user, this.#count)
    return next
  }

  #limitTime(job: Job): void {
    const seconds = COMPILE_TIME_MS_MAX / 1000
    const text = `Compiling the text took longer than ${seconds} seconds and was ended.`
    const cancel = this.#options.after?.(COMPILE_TIME_MS_MAX, () => {
      if (this.#running === job) this.#dropWorker(new DbError('QUERY_TIMEOUT', text))
    })
    const { release } = job
    job.release = () => {
      cancel?.()
      release()
    }
  }

  #startedWorker(): Worker {
    if (this.#worker !== null) return this.#worker
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./compiler-worker.${extension}`, import.meta.url), {
      resourceLimits: {
        maxOldGenerationSizeMb: COMPILE_HEAP_MB_MAX,
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB_MAX,
      },
    })
    this.#worker = worker
    this.#sentCatalog = null
    worker.on('message', (message: FromCompiler) => {
      if (worker === this.#worker) this.#receive(message)
    })
    worker.on('error', (cause) => this.#lost(worker, cause))
    worker.on('messageerror', (cause) => this.#lost(worker, cause))
    worker.on('exit', () => this.#lost(worker, null))
    return worker
  }

  #receive(message: FromCompiler): void {
    if (message.kind === 'text') {
      this.#sendText(message)
      return
    }
    const job = this.#endRunning()
    if (message.kind === 'done') job?.resolve(message.answer)
    else job?.reject(errorOf(message.error))
    this.#serveQueue()
  }

  #sendText(request: TextRequest): void {
    const { name, graph } = request
    const text = this.#options.queryText(name, graph)
    this.#running?.call.onRead?.(name, graph, text)
    answerText(request, text)
  }

  #endRunning(): Job | null {
    const job = this.#running
    this.#running = null
    this.#worker?.unref()
    job?.release()
    return job
  }

  #lost(worker: Worker, cause: unknown): void {
    if (worker !== this.#worker) return
    const isFull = (cause as { readonly code?: unknown } | null)?.code === OUT_OF_MEMORY
    const error = isFull
      ? new DbError('QUERY_MEMORY_LIMIT', 'Compiling the text needs more memory than there is.')
      : new DbError('UNAVAILABLE', 'The compiler has ended unexpectedly.', { cause })
    this.#dropWorker(error)
  }

  /** Ends the thread, whatever it does; the next text starts another one. */
  #dropWorker(error: DbError): void {
    const worker = this.#worker
    const job = this.#endRunning()
    this.#worker = null
    void worker?.terminate()
    job?.reject(error)
    this.#serveQueue()
  }

  async close(): Promise<void> {
    this.#closed = true
    const error = new DbError('UNAVAILABLE', 'The server is stopping.')
    for (const job of this.#queue.splice(0)) {
      job.release()
      job.reject(error)
    }
    const worker = this.#worker
    const job = this.#endRunning()
    this.#worker = null
    job?.reject(error)
    await worker?.terminate()
  }
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'

/** @returns characters up to which a request is answered on the calling thread */
function inlineSize({ kind }: InlineRequest): number {
  const binds = kind === 'compile' || kind === 'check'
  return binds ? COMPILE_INLINE_SIZE_CHARS_MAX : PARSE_INLINE_SIZE_CHARS_MAX
}
