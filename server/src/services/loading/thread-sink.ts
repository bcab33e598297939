/** On a thread for loading: what a run makes goes to the main thread, within what the thread may hold. */
import { DbError } from '#kernel/errors.ts'
import { HeapGuard } from '#query/workers/heap-guard.ts'
import {
  BATCHES_IN_FLIGHT_MAX,
  type FromLoader,
  type LinePosition,
  type LoadBatch,
  type LoadState,
  type LoadTask,
  loadWord,
} from './load-protocol.ts'
import type { LoadSink } from './load-runner.ts'

const KILOBYTE = 1_024
const TELL_EVERY_MS = 100
/** The heap is measured behind so many characters of lines. */
const CHARS_PER_HEAP_LOOK = 256 * 1_024

export class ThreadSink implements LoadSink {
  readonly #task: LoadTask
  readonly #post: (message: FromLoader, transfer?: ArrayBuffer[]) => void
  readonly #stateOf: () => LoadState
  readonly #words: Int32Array
  readonly #tables: Int32Array
  readonly #heap: HeapGuard
  /** Until the first line; null: there was none yet. */
  skipMs: number | null = null
  #inFlight = 0
  #wake: (() => void) | null = null
  #charsUntilLook = CHARS_PER_HEAP_LOOK
  #toldMs = performance.now()
  #markedMs = performance.now()

  constructor(
    task: LoadTask,
    post: (message: FromLoader, transfer?: ArrayBuffer[]) => void,
    stateOf: () => LoadState,
  ) {
    this.#task = task
    this.#post = post
    this.#stateOf = stateOf
    this.#words = new Int32Array(task.words)
    this.#tables = new Int32Array(task.tables)
    this.#heap = new HeapGuard(task.heapLimitBytes)
  }

  async send(batch: LoadBatch): Promise<void> {
    this.endLine()
    while (this.#inFlight >= BATCHES_IN_FLIGHT_MAX) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
    this.#inFlight++
    const all = [batch.payload, ...(batch.made?.payload.frames ?? [])]
    const buffers = all.flatMap((bytes) => bytes?.buffer ?? [])
    this.#post(
      batch,
      buffers.filter((buffer) => buffer instanceof ArrayBuffer),
    )
  }

  /** The main thread has written a batch. */
  written(): void {
    this.#inFlight--
    this.#wake?.()
    this.#wake = null
  }

  beginLine({ input, line }: LinePosition, sizeChars: number): void {
    this.skipMs ??= performance.now() - this.#toldMs
    this.#words[loadWord.input] = input
    this.#words[loadWord.line] = line
    Atomics.store(this.#words, loadWord.isBusy, 1)
    this.beat()
    this.#charsUntilLook -= sizeChars + 1
    if (this.#charsUntilLook > 0) return
    this.#charsUntilLook = CHARS_PER_HEAP_LOOK
    this.#checkHeap()
  }

  #checkHeap(): void {
    try {
      this.#heap.look()
    } catch (cause) {
      const megabytes = Math.round(this.#task.heapLimitBytes / 2 / KILOBYTE ** 2)
      const text = `The loading job needs more than ${megabytes} MB for a line and what it makes.`
      throw new DbError('MEMORY_LIMIT', text, { cause })
    }
  }

  endLine(): void {
    Atomics.store(this.#words, loadWord.isBusy, 0)
  }

  beat(): void {
    Atomics.add(this.#words, loadWord.beat, 1)
  }

  tell(): void {
    if (performance.now() - this.#toldMs < TELL_EVERY_MS) return
    this.#toldMs = performance.now()
    this.#post({ kind: 'state', state: this.#stateOf() })
  }

  get isMarkDue(): boolean {
    const { markEveryMs } = this.#task
    return markEveryMs !== null && performance.now() - this.#markedMs >= markEveryMs
  }

  mark(place: LinePosition): void {
    this.#markedMs = performance.now()
    this.#post({ kind: 'mark', place, state: this.#stateOf() })
  }

  get isStopped(): boolean {
    return Atomics.load(this.#words, loadWord.stop) !== 0
  }

  claim(sizeBytes: number): void {
    const kilobytes = Math.ceil(sizeBytes / KILOBYTE)
    const before = Atomics.add(this.#tables, 0, kilobytes)
    Atomics.add(this.#words, loadWord.tablesKb, kilobytes)
    const { tablesLimitBytes } = this.#task
    if ((before + kilobytes) * KILOBYTE <= tablesLimitBytes) return
    const megabytes = Math.floor(tablesLimitBytes / KILOBYTE ** 2)
    const text = `Temporary tables of loading jobs hold at most ${megabytes} MB together.`
    throw new DbError('MEMORY_LIMIT', text)
  }

  isCrowded(): boolean {
    return this.#heap.isCrowded()
  }
}
