/**
 * The shared words of one run: the main thread raises `stop`, the worker reports how far it is.
 * One block per worker; the main thread clears it before a run.
 */

export const STOP = 0
export const STATEMENT = 1
const ROWS = 0
const EDGES = 1
const MEMORY = 2
const SIZE_BYTES = 64

/** Why a run is to stop. */
export const stopReason = { none: 0, aborted: 1, timedOut: 2, memory: 3, moved: 4 } as const

/** Looks at the heap of the thread; see `HeapGuard`. */
export interface HeapLook {
  /** @throws DbError QUERY_MEMORY_LIMIT when too much of the heap is in use */
  look(): void
}

/** Looks at the clock of a run that are worth one look at the heap. */
const LOOKS_PER_HEAP_LOOK = 64
/** A look after many rows counts as so many. */
const LOOKS_OF_ROWS = 16

export interface RunCounters {
  readonly rows: number
  readonly edges: number
  /** Line of the statement that is running, from 1; 0 before the first. */
  readonly line: number
}

export class RunControl {
  readonly buffer: SharedArrayBuffer
  private readonly words: Int32Array
  private readonly counts: Float64Array
  /** Of the run that counts here; null: nobody's memory is told of. */
  private memory: { readonly usedBytes: number } | null = null
  private heap: HeapLook | null = null
  private looks = 0

  constructor(buffer = new SharedArrayBuffer(SIZE_BYTES)) {
    this.buffer = buffer
    this.words = new Int32Array(buffer, 0, 4)
    this.counts = new Float64Array(buffer, 16, 3)
  }

  clear(): void {
    this.counts.fill(0)
    Atomics.store(this.words, STATEMENT, 0)
    Atomics.store(this.words, STOP, stopReason.none)
  }

  /** Counts begin again; a stop that was asked for stays. */
  restart(): void {
    this.counts.fill(0)
  }

  stop(reason: number): void {
    Atomics.compareExchange(this.words, STOP, stopReason.none, reason)
  }

  stopped(): number {
    return Atomics.load(this.words, STOP)
  }

  add(edges: number, rows: number): void {
    this.counts[EDGES] = this.counts[EDGES]! + edges
    this.counts[ROWS] = this.counts[ROWS]! + rows
    if (this.memory !== null) this.counts[MEMORY] = this.memory.usedBytes
  }

  /** From now on what it uses is told of with each count. */
  watch(memory: { readonly usedBytes: number }): void {
    this.memory = memory
  }

  /** From now on the heap of the thread is looked at while the run goes on. */
  watchHeap(heap: HeapLook | null): void {
    this.heap = heap
  }

  /** @throws DbError QUERY_MEMORY_LIMIT */
  lookAtHeap(count: number): void {
    this.looks += count === 0 ? 1 : LOOKS_OF_ROWS
    if (this.looks < LOOKS_PER_HEAP_LOOK) return
    this.looks = 0
    this.heap?.look()
  }

  statement(line: number): void {
    this.words[STATEMENT] = line
  }

  counters(): RunCounters {
    return {
      rows: this.counts[ROWS]!,
      edges: this.counts[EDGES]!,
      line: Atomics.load(this.words, STATEMENT),
    }
  }

  /** Of the structures that its limit counts, at the last count. */
  memoryBytes(): number {
    return this.counts[MEMORY]!
  }
}
