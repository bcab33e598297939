/**
 * Mutators called in ACCUM (`v.@l.clear()`, `@@h.pop()`): they are noted while the rows are run and
 * applied when the clause ends, after all that was folded (docs/reference/gsql/accumulators.md).
 */
import type { MemoryBudget } from './cells/memory.ts'
import type { Value } from './cells/value.ts'

/** What one noted mutator costs, with room for its arguments. */
const NOTE_BYTES = 128

export interface DeferredMutation {
  readonly method: string
  /** Number of the vertex whose accumulator it is; -1: a global one. */
  readonly vertex: number
  readonly args: readonly Value[]
}

export type DeferredQueue = DeferredMutation[]

export function deferredFunctions(memory: MemoryBudget) {
  return {
    newQueue: (): DeferredQueue => [],
    defer: (
      queue: DeferredQueue,
      method: string,
      vertex: number,
      ...args: readonly Value[]
    ): void => {
      memory.takeHeap(NOTE_BYTES)
      queue.push({ method, vertex, args })
    },
    deferredCount: (queue: DeferredQueue): number => queue.length,
    deferredVertex: (queue: DeferredQueue, index: number): number => queue[index]!.vertex,
    dropQueue: (queue: DeferredQueue): void => memory.giveHeap(queue.length * NOTE_BYTES),
  }
}
