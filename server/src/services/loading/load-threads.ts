/**
 * The threads on which loading jobs run: each has a heap of its own with a limit, and so much time for a
 * line. One that exceeds them ends, and its run fails; the server goes on. An idle thread is kept, since
 * starting one takes longer than loading a few lines.
 */
import { Worker } from 'node:worker_threads'
import type { Clock } from '#kernel/clock.ts'
import { DbError } from '#kernel/errors.ts'
import { LOAD_LINE_MS_MAX, YOUNG_HEAP_MB_MAX } from '#kernel/limits.ts'
import { packViews } from '#kernel/shared-views.ts'
import type { PayloadOptions, ReadPayload } from '../upsert/made-payload.ts'
import type { PayloadThreads } from '../upsert/upsert-service.ts'
import { inSharedMemory } from './load-inputs.ts'
import {
  type FromLoader,
  type LinePosition,
  type LoadBatch,
  type LoaderError,
  type LoadFile,
  type LoadState,
  type LoadTask,
  loadWord,
  type PayloadTask,
  type SampleTask,
  type ToLoader,
} from './load-protocol.ts'
import type { Sample, SampleFormat } from './sample.ts'

export interface LoadThreadsOptions {
  /** Of each thread. */
  readonly heapLimitBytes: number
  /** Of the temporary tables of all threads together. */
  readonly tablesLimitBytes: number
  /** Longest time that a line may take; a test has a shorter one. */
  readonly lineMsMax?: number
  readonly clock: Clock
  /** Calls back every so many milliseconds; returns what ends that. */
  every(ms: number, call: () => void): () => void
}

/** What a stretch of a run leaves on the main thread. */
export interface LoadHost {
  /** One after the other, in their order. */
  write(batch: LoadBatch): Promise<void>
  progressed(state: LoadState): void
  /** Everything up to the place is written. */
  reached(place: LinePosition, state: LoadState): Promise<void>
}

export interface LoadEnd {
  readonly state: LoadState
  /** Of a stretch that was stopped; null: it has done all. */
  readonly place: LinePosition | null
}

export type NewTask = Omit<
  LoadTask,
  'kind' | 'words' | 'tables' | 'tablesLimitBytes' | 'heapLimitBytes'
> & {
  /** The job fills no temporary tables: a stretch goes on where the one before stopped. */
  readonly isDivisible: boolean
}

/** A stretch under way. */
export interface Stretch {
  /** @throws what ended it before its end */
  readonly end: Promise<LoadEnd>
  /** Where it stops another one goes on; else that one begins anew. */
  readonly isDivisible: boolean
  /** It ends behind the line at hand, when what it has made is written. */
  stop(): void
  /** It ends now. */
  abandon(error: Error): void
}

const WATCH_EVERY_MS = 500
const IDLE_THREADS_MAX = 2
const SAMPLES_AT_ONCE_MAX = 4
/** Each has a copy of its body; the others wait. */
const PAYLOADS_AT_ONCE_MAX = 2

export class LoadThreads implements PayloadThreads {
  readonly #options: LoadThreadsOptions
  readonly #idle: LoadThread[] = []
  readonly #busy = new Set<LoadThread>()
  /** One word: see `LoadTask.tables`. */
  readonly #tables = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  readonly #unwatch: () => void
  #sampleCount = 0
  /** Each ends when the last payload of its line is read. */
  readonly #payloads = Array.from({ length: PAYLOADS_AT_ONCE_MAX }, () => Promise.resolve())
  #payloadCount = 0
  #isClosed = false

  constructor(options: LoadThreadsOptions) {
    this.#options = options
    const { lineMsMax = LOAD_LINE_MS_MAX } = options
    this.#unwatch = options.every(WATCH_EVERY_MS, () => {
      const nowMs = options.clock.monotonicMs()
      for (const thread of this.#busy) thread.watch(nowMs, lineMsMax)
    })
  }

  /** Threads that run now. */
  get busyCount(): number {
    return this.#busy.size
  }

  get tablesBytes(): number {
    return Atomics.load(this.#tables, 0) * 1_024
  }

  /**
   * The first rows of a file.
   * @throws DbError INVALID_PARAMETER, INVALID_PAYLOAD, UNAVAILABLE while others take their samples
   */
  async sample(file: LoadFile, format: SampleFormat, rowCountMax: number): Promise<Sample> {
    if (this.#sampleCount >= SAMPLES_AT_ONCE_MAX) {
      throw new DbError('UNAVAILABLE', 'Other files are being read for their first rows.')
    }
    this.#sampleCount += 1
    const thread = this.#taken()
    try {
      return await thread.sample({ file, format, rowCountMax }, this.#options.heapLimitBytes)
    } finally {
      this.#sampleCount -= 1
      this.#free(thread)
    }
  }

  /**
   * An upsert with an object that takes long to read.
   * @throws DbError as reading here would, MEMORY_LIMIT, UNAVAILABLE
   */
  readPayload(body: Uint8Array, options: PayloadOptions): Promise<ReadPayload> {
    const line = this.#payloadCount++ % PAYLOADS_AT_ONCE_MAX
    const read = this.#payloads[line]!.then(() => this.#readPayload(body, options))
    this.#payloads[line] = read.then(
      () => {},
      () => {},
    )
    return read
  }

  async #readPayload(body: Uint8Array, options: PayloadOptions): Promise<ReadPayload> {
    const shared = await inSharedMemory(body)
    const thread = this.#taken()
    try {
      return await thread.payload({ body: shared, options }, this.#options.heapLimitBytes)
    } finally {
      this.#free(thread)
    }
  }

  #taken(): LoadThread {
    if (this.#isClosed) throw new DbError('UNAVAILABLE', 'The server is shutting down.')
    const thread = this.#idle.pop() ?? new LoadThread()
    this.#busy.add(thread)
    return thread
  }

  run({ isDivisible, ...task }: NewTask, host: LoadHost): Stretch {
    const thread = this.#taken()
    const { heapLimitBytes, tablesLimitBytes } = this.#options
    const whole: LoadTask = {
      ...task,
      kind: 'load',
      words: thread.words.buffer as SharedArrayBuffer,
      tables: this.#tables.buffer as SharedArrayBuffer,
      heapLimitBytes,
      tablesLimitBytes,
    }
    const end = thread.run(whole, host).finally(() => this.#free(thread))
    return {
      end,
      isDivisible,
      stop: () => thread.stop(),
      abandon: (error) => thread.fail(error),
    }
  }

  #free(thread: LoadThread): void {
    this.#busy.delete(thread)
    Atomics.sub(this.#tables, 0, thread.words[loadWord.tablesKb]!)
    const isKept = thread.isUsable && !this.#isClosed && this.#idle.length < IDLE_THREADS_MAX
    if (isKept) this.#idle.push(thread)
    else void thread.end()
  }

  /** Ends all threads, whatever they do. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#unwatch()
    const error = new DbError('UNAVAILABLE', 'The server is shutting down.')
    for (const thread of this.#busy) thread.fail(error)
    await Promise.all([...this.#idle.splice(0), ...this.#busy].map((thread) => thread.end()))
  }
}

interface Running {
  /** Null: of a sample. */
  readonly host: LoadHost | null
  readonly files: readonly LoadFile[]
  readonly resolve: (answer: FromLoader) => void
  readonly reject: (error: unknown) => void
  /** What came from the thread, in order. */
  handled: Promise<void>
}

class LoadThread {
  readonly words = new Int32Array(
    new SharedArrayBuffer(loadWord.count * Int32Array.BYTES_PER_ELEMENT),
  )
  #worker: Worker | null = null
  #running: Running | null = null
  #isCrowded = false
  /** The beat when it was seen first, and when that was. */
  #beat = { count: -1, sinceMs: 0 }

  get isUsable(): boolean {
    return this.#worker !== null && !this.#isCrowded
  }

  run(task: LoadTask, host: LoadHost): Promise<LoadEnd> {
    return this.#ask(task.heapLimitBytes, packViews(task) as LoadTask, host).then((answer) => {
      if (answer.kind !== 'ended') throw new Error('assertion failed: a stretch without an end')
      this.#isCrowded = answer.isCrowded
      const { error, state, place } = answer
      if (error !== null) throw errorOf(error)
      return { state, place }
    })
  }

  async sample(task: Omit<SampleTask, 'kind' | 'words'>, heapLimitBytes: number): Promise<Sample> {
    const words = this.words.buffer as SharedArrayBuffer
    const answer = await this.#ask(heapLimitBytes, { ...task, kind: 'sample', words }, null)
    if (answer.kind === 'failed') throw errorOf(answer.error)
    if (answer.kind !== 'sampled') throw new Error('assertion failed: no sample')
    return answer.sample
  }

  async payload(task: Omit<PayloadTask, 'kind'>, heapLimitBytes: number): Promise<ReadPayload> {
    const answer = await this.#ask(heapLimitBytes, { ...task, kind: 'payload' }, null)
    if (answer.kind === 'failed') throw errorOf(answer.error)
    if (answer.kind !== 'read') throw new Error('assertion failed: no payload')
    return answer.read
  }

  #ask(
    heapLimitBytes: number,
    message: LoadTask | SampleTask | PayloadTask,
    host: LoadHost | null,
  ): Promise<FromLoader> {
    this.words.fill(0)
    this.#beat = { count: -1, sinceMs: 0 }
    const worker = this.#startedWorker(heapLimitBytes)
    const files = filesOf(message)
    return new Promise((resolve, reject) => {
      this.#running = { host, files, resolve, reject, handled: Promise.resolve() }
      worker.ref()
      try {
        worker.postMessage(message)
      } catch (cause) {
        this.fail(cause)
      }
    })
  }

  #startedWorker(heapLimitBytes: number): Worker {
    if (this.#worker !== null) return this.#worker
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const worker = new Worker(new URL(`./loading-worker.${extension}`, import.meta.url), {
      name: 'quiver-loading',
      resourceLimits: {
        maxOldGenerationSizeMb: Math.ceil(heapLimitBytes / 2 ** 20),
        maxYoungGenerationSizeMb: YOUNG_HEAP_MB_MAX,
      },
    })
    this.#worker = worker
    worker.on('message', (message: FromLoader) => {
      if (worker === this.#worker) this.#receive(message)
    })
    worker.on('error', (cause) => this.#lost(worker, cause))
    worker.on('messageerror', (cause) => this.#lost(worker, cause))
    worker.on('exit', () => this.#lost(worker, null))
    return worker
  }

  /** What is written takes its time; what comes later waits for it. */
  #receive(message: FromLoader): void {
    const running = this.#running
    if (running === null) return
    if (message.kind === 'state') {
      running.host?.progressed(message.state)
      return
    }
    running.handled = running.handled
      .then(() => (running === this.#running ? this.#handle(message, running) : undefined))
      .catch((error: unknown) => this.fail(error, running))
  }

  async #handle(message: Exclude<FromLoader, { kind: 'state' }>, running: Running): Promise<void> {
    const { host } = running
    if (message.kind === 'batch') {
      await host?.write(message)
      this.#worker?.postMessage({ kind: 'written' } satisfies ToLoader)
      return
    }
    if (message.kind === 'mark' || message.kind === 'ended') host?.progressed(message.state)
    if (message.kind === 'mark') {
      await host?.reached(message.place, message.state)
      return
    }
    this.#running = null
    this.#worker?.unref()
    running.resolve(message)
  }

  /** Looks whether the thread goes on. */
  watch(nowMs: number, lineMsMax: number): void {
    const count = this.words[loadWord.beat]!
    const isBusy = Atomics.load(this.words, loadWord.isBusy) === 1
    if (!isBusy || count !== this.#beat.count) {
      this.#beat = { count, sinceMs: nowMs }
      return
    }
    if (nowMs - this.#beat.sinceMs < lineMsMax) return
    const seconds = lineMsMax / 1_000
    const text = `${this.#lineText()} took longer than ${seconds} seconds: the loading job was ended.`
    this.fail(new DbError('INVALID_PAYLOAD', text))
  }

  #lineText(): string {
    if (this.#running?.files.length === 0) return 'An object of the request'
    const input = this.words[loadWord.input]!
    const name = this.#running?.files[input]?.fileName ?? 'a temporary table'
    return `Line ${this.words[loadWord.line]} of ${name}`
  }

  stop(): void {
    Atomics.store(this.words, loadWord.stop, 1)
  }

  #lost(worker: Worker, cause: unknown): void {
    if (worker !== this.#worker) return
    const isFull = (cause as { readonly code?: unknown } | null)?.code === OUT_OF_MEMORY
    const error = isFull
      ? new DbError(
          'MEMORY_LIMIT',
          `${this.#lineText()} needs more memory than a loading job may take.`,
        )
      : new DbError('UNAVAILABLE', 'The thread of the loading job has ended unexpectedly.', {
          cause,
        })
    this.fail(error)
  }

  /** Ends the thread, whatever it does. @param of only if it still runs this */
  fail(error: unknown, of: Running | null = this.#running): void {
    if (of === null || of !== this.#running) {
      if (this.#running === null) void this.end()
      return
    }
    this.#running = null
    // A native call may go on for a while: nobody waits for it.
    void this.end()
    // What is being written is written, before anybody hears of the end.
    void of.handled.then(() => of.reject(error))
  }

  async end(): Promise<void> {
    const worker = this.#worker
    this.#worker = null
    await worker?.terminate()
  }
}

function errorOf({ code, message, details = {} }: LoaderError): Error {
  return code === null ? new Error(message) : new DbError(code, message, { details })
}

function filesOf(message: LoadTask | SampleTask | PayloadTask): readonly LoadFile[] {
  if (message.kind === 'load') return message.files
  return message.kind === 'sample' ? [message.file] : []
}

const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY'
