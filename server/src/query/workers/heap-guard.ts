/**
 * Keeps the heap of a worker far below the limit at which V8 ends the process
 * (docs/decisions/0076). A run that holds more than its part of the heap, whatever it is made of,
 * ends with an error; between two runs, what the worker keeps for later runs is dropped.
 */
import { getHeapStatistics } from 'node:v8'
import { collectGarbage } from '#graph/memory/collect-garbage.ts'
import { limitError } from '#query/runtime/cells/memory.ts'
import type { HeapLook } from '#query/runtime/control.ts'

/** Of the heap, what is in use while a run goes on. */
const RUN_SHARE = 0.5
/** Of the heap, what is in use between two runs. */
const IDLE_SHARE = 0.25
/** New garbage may take so much more before the heap is collected anew. */
const GARBAGE_SHARE = 0.2

export interface Heap {
  usedBytes(): number
  /** Leaves only what is in use. */
  collect(): void
}

/** Of the calling thread. */
const ownHeap: Heap = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  collect: collectGarbage,
}

export class HeapGuard implements HeapLook {
  readonly #heap: Heap
  readonly #limitBytes: number
  /** Use at which the heap is collected to see what of it is garbage. */
  #collectAtBytes = 0

  constructor(limitBytes: number, heap: Heap = ownHeap) {
    this.#limitBytes = limitBytes
    this.#heap = heap
  }

  look(): void {
    const limit = this.#limitBytes * RUN_SHARE
    if (this.#isWithin(limit)) return
    const size = Math.round(limit / 2 ** 20)
    throw limitError(`The query needs more than its ${size} MB of memory for texts and values.`)
  }

  /** Between two runs. @returns true when what is kept for later runs has to be dropped */
  isCrowded(): boolean {
    return !this.#isWithin(this.#limitBytes * IDLE_SHARE)
  }

  #isWithin(bytes: number): boolean {
    const used = this.#heap.usedBytes()
    if (used <= Math.max(bytes, this.#collectAtBytes)) return true
    this.#heap.collect()
    const live = this.#heap.usedBytes()
    const limit = this.#limitBytes
    this.#collectAtBytes = Math.min(live, limit * RUN_SHARE) + limit * GARBAGE_SHARE
    return live <= bytes
  }
}
