/**
 * Edges since the last rebuild, in order of insertion, chained per source and per target.
 *
 * Heads are published after what they point to, so a reader on another thread finds whole edges.
 * Growing the chain arrays under a pinned version moves the heads to new arrays, if a view has them:
 * the old heads, which the pinned reader holds, then never point past the old chains.
 */
import type { DeltaView } from '#graph/view.ts'
import type { Memory } from '../columns/column.ts'
import { Growable } from '../memory/growable.ts'
import { DeltaIndex } from './delta-index.ts'

/** 8 heads are moved for one edge at most. */
const HEADS_PER_EDGE_BITS = 3
/** A delta with more edges gets room for as many as its heads would have to move for, before anybody reads it. */
const SMALL_COUNT_MAX = 8_192

export class Delta {
  count = 0
  sources: Uint32Array<SharedArrayBuffer>
  targets: Uint32Array<SharedArrayBuffer>
  readonly index: DeltaIndex
  readonly #memory: Memory
  readonly #sources: Growable<'uint32'>
  readonly #targets: Growable<'uint32'>
  readonly #outNext: Growable<'uint32'>
  readonly #inNext: Growable<'uint32'>
  #outHeads: Growable<'uint32'>
  #inHeads: Growable<'uint32'>
  #capacity = 0
  /** A view has the present heads. */
  #areHeadsShown = false

  constructor(memory: Memory) {
    this.#memory = memory
    const { meter } = memory
    this.index = new DeltaIndex(meter)
    this.#sources = new Growable('uint32', meter)
    this.#targets = new Growable('uint32', meter)
    this.#outNext = new Growable('uint32', meter)
    this.#inNext = new Growable('uint32', meter)
    this.#outHeads = new Growable('uint32', meter)
    this.#inHeads = new Growable('uint32', meter)
    this.sources = this.#sources.array
    this.targets = this.#targets.array
  }

  get sizeBytes(): number {
    const arrays = [this.#sources, this.#targets, this.#outNext, this.#inNext]
    const all = [...arrays, this.#outHeads, this.#inHeads, this.index]
    return all.reduce((sum, one) => sum + one.sizeBytes, 0)
  }

  /** Appends an edge under its hash; returns its delta index. */
  append(source: number, target: number, hash: number): number {
    const index = this.count
    if (index >= this.#capacity) this.#grow(index + 1)
    if (source >= this.#outHeads.array.length) this.#outHeads.ensure(source + 1)
    if (target >= this.#inHeads.array.length) this.#inHeads.ensure(target + 1)
    const outHeads = this.#outHeads.array
    const inHeads = this.#inHeads.array
    this.sources[index] = source
    this.targets[index] = target
    this.#outNext.array[index] = outHeads[source]!
    this.#inNext.array[index] = inHeads[target]!
    if (this.#memory.versions.newest === 0) {
      // Nobody reads now, and who begins to sees all of it. Atomic stores would wait for those before them.
      outHeads[source] = index + 1
      inHeads[target] = index + 1
    } else {
      Atomics.store(outHeads, source, index + 1)
      Atomics.store(inHeads, target, index + 1)
    }
    this.index.add(hash, index)
    this.count = index + 1
    return index
  }

  view(): DeltaView {
    this.#areHeadsShown = true
    return {
      sources: this.sources,
      targets: this.targets,
      outNext: this.#outNext.array,
      inNext: this.#inNext.array,
      outHeads: this.#outHeads.array,
      inHeads: this.#inHeads.array,
    }
  }

  release(): void {
    this.index.release()
    for (const one of [this.#sources, this.#targets, this.#outNext, this.#inNext]) one.release()
    this.#outHeads.release()
    this.#inHeads.release()
  }

  #grow(count: number): void {
    const isRead = this.#areHeadsShown && this.#memory.versions.newest !== 0
    const least = Math.max(count, this.#roomFor(count, isRead))
    for (const one of [this.#sources, this.#targets, this.#outNext, this.#inNext]) one.ensure(least)
    this.sources = this.#sources.array
    this.targets = this.#targets.array
    this.#capacity = this.sources.length
    if (!isRead) return
    this.#outHeads = this.#copy(this.#outHeads)
    this.#inHeads = this.#copy(this.#inHeads)
    this.#areHeadsShown = false
  }

  /** Heads are as many as vertices: where they have to move, it is for many edges at least. */
  #roomFor(count: number, isRead: boolean): number {
    const room = (this.#outHeads.array.length + this.#inHeads.array.length) >>> HEADS_PER_EDGE_BITS
    if (isRead) return this.#capacity + room
    return count > SMALL_COUNT_MAX ? room : 0
  }

  #copy(old: Growable<'uint32'>): Growable<'uint32'> {
    const next = new Growable('uint32', this.#memory.meter)
    next.ensure(old.array.length)
    next.array.set(old.array)
    old.release()
    return next
  }
}
