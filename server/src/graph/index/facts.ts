/** What a secondary index is: whether it is built, what it takes, how many values it tells apart. */
import type { Clock } from '#kernel/clock.ts'
import { APPLY_SLICE_MS_MAX } from '#kernel/limits.ts'
import type { Scheduler } from '#kernel/scheduler.ts'
import type { Tables } from '../tables/tables.ts'
import type { ColumnIndex } from './column-index.ts'
import { distinctCount } from './distinct.ts'

export interface IndexFacts {
  /** An index is built by the first look-up that wants it. */
  readonly state: 'unbuilt' | 'building' | 'ready'
  /** From 0 to 1. */
  readonly builtShare: number
  readonly sizeBytes: number
  /** Null: it is not built. */
  readonly distinctCount: number | null
}

export interface FactsParts {
  readonly tables: Tables
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly scheduler: Scheduler
}

const nothing: IndexFacts = { state: 'unbuilt', builtShare: 0, sizeBytes: 0, distinctCount: null }

/** Counts in slices, so that it holds up nobody; who asks for the same meanwhile shares it. */
export class IndexFactsReader {
  readonly #parts: FactsParts
  readonly #counting = new WeakMap<ColumnIndex, Promise<number | null>>()

  constructor(parts: FactsParts) {
    this.#parts = parts
  }

  async read(typeId: number, attributeId: number): Promise<IndexFacts> {
    const index = this.#parts.tables.vertexTable(typeId)?.indexOn(attributeId)
    if (index === undefined) return nothing
    const distinctCount = await this.#count(index)
    const state = index.isBuilding ? 'building' : distinctCount === null ? 'unbuilt' : 'ready'
    return { state, builtShare: index.builtShare, sizeBytes: index.sizeBytes, distinctCount }
  }

  #count(index: ColumnIndex): Promise<number | null> {
    const known = this.#counting.get(index)
    if (known !== undefined) return known
    const counted = this.#countNow(index).finally(() => this.#counting.delete(index))
    this.#counting.set(index, counted)
    return counted
  }

  async #countNow(index: ColumnIndex): Promise<number | null> {
    const { clock, scheduler } = this.#parts
    const pieces = distinctCount(index)
    let sliceStart = clock.monotonicMs()
    for (;;) {
      const piece = pieces.next()
      if (piece.done) return piece.value
      if (clock.monotonicMs() - sliceStart < APPLY_SLICE_MS_MAX) continue
      await scheduler.yieldToOthers()
      sliceStart = clock.monotonicMs()
    }
  }
}
