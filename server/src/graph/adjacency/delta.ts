/**
 * Edges since the last rebuild, in order of insertion, chained per source and per target.
 *
 * Heads are published after what they point to, so a reader on another thread finds whole edges.
 * Growing the chain arrays under a pinned version moves the heads to new arrays, if a view has them:
 * the old heads, which the pinned reader holds, then never point past the old chains. They are as many as
 * the vertices, so the last edges before that copy a few heads each.
 */
import type { DeltaView } from '#graph/view.ts'
import { isDbError } from '#kernel/errors.ts'
import type { Memory } from '../columns/column.ts'
import { Growable } from '../memory/growable.ts'
import { DeltaIndex } from './delta-index.ts'

/** Heads of each direction that one edge copies, once the chains are nearly full. */
const HEADS_PER_STEP = 32
/** So many edges at the end of the chains copy, as a share of the heads: twice as many as it takes, since heads grow. */
const COPYING_EDGES_BITS = 4
/** Room for edges, as a share of the heads of both directions. */
const ROOM_BITS = 3
/** A delta with more edges gets this room before anybody reads it. */
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
  /** From this edge on each one copies heads, where the present ones will have to move. */
  #copiesFrom = 0
  #nextHeads: NextHeads | null = null
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
    const next = (this.#nextHeads?.out.sizeBytes ?? 0) + (this.#nextHeads?.in.sizeBytes ?? 0)
    return all.reduce((sum, one) => sum + one.sizeBytes, next)
  }

  /** Appends an edge under its hash; returns its delta index. */
  append(source: number, target: number, hash: number): number {
    const index = this.count
    if (source >= this.#outHeads.array.length) this.#outHeads.ensure(source + 1)
    if (target >= this.#inHeads.array.length) this.#inHeads.ensure(target + 1)
    if (index >= this.#copiesFrom) this.#prepare(index)
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
    if (this.#nextHeads !== null) this.#nextHeads.set(source, target, index + 1)
    this.index.add(hash, index)
    this.count = index + 1
    return index
  }

  view(): DeltaView {
    // Who reads from now on has chains with room for the edges that copy the heads.
    if (this.count > 0 && !this.#mustMove) this.#leaveRoom()
    // Without edges the heads are empty arrays, of which there will be others.
    this.#areHeadsShown = this.count > 0
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
    this.#dropNextHeads()
  }

  /** Room for an edge; while there is some, a part of the next heads if the present ones must move. */
  #prepare(index: number): void {
    const isFull = index >= this.#capacity
    if (this.#mustMove) {
      this.#nextHeads ??= new NextHeads(this.#memory)
      const countMax = isFull ? Number.POSITIVE_INFINITY : HEADS_PER_STEP
      this.#nextHeads.copy(this.#outHeads.array, this.#inHeads.array, countMax)
      if (!isFull) return
    } else this.#dropNextHeads()
    this.#grow(this.#nextHeads !== null || index > SMALL_COUNT_MAX)
    if (this.#nextHeads !== null) this.#moveHeads(this.#nextHeads)
  }

  /** Once the chains grow: the heads would point to edges behind the chains that somebody reads. */
  get #mustMove(): boolean {
    return this.#areHeadsShown && this.#memory.versions.newest !== 0
  }

  #dropNextHeads(): void {
    this.#nextHeads?.out.release()
    this.#nextHeads?.in.release()
    this.#nextHeads = null
  }

  /** Edges that copy the heads, at the end of the chains. */
  get #copyingCount(): number {
    const heads = Math.max(this.#outHeads.array.length, this.#inHeads.array.length)
    return heads >>> COPYING_EDGES_BITS
  }

  /** Without memory for it the heads are copied at once, when the chains are full. */
  #leaveRoom(): void {
    const copyingCount = this.#copyingCount
    try {
      if (this.#capacity - this.count < copyingCount) this.#grow(true)
    } catch (cause) {
      if (!isDbError(cause, 'MEMORY_LIMIT')) throw cause
      return
    }
    this.#copiesFrom = this.#capacity - copyingCount
  }

  #grow(hasRoom: boolean): void {
    const heads = this.#outHeads.array.length + this.#inHeads.array.length
    const least = this.count + 1 + (hasRoom ? heads >>> ROOM_BITS : 0)
    try {
      const chains = [this.#sources, this.#targets, this.#outNext, this.#inNext]
      for (const one of chains) one.ensure(least)
    } finally {
      // Where the memory was enough for some of them alone, these are longer all the same.
      this.sources = this.#sources.array
      this.targets = this.#targets.array
    }
    this.#capacity = this.sources.length
    this.#copiesFrom = this.#capacity - (hasRoom ? this.#copyingCount : 0)
  }

  #moveHeads(next: NextHeads): void {
    this.#outHeads.release()
    this.#inHeads.release()
    this.#outHeads = next.out
    this.#inHeads = next.in
    this.#nextHeads = null
    this.#areHeadsShown = false
  }
}

/** Heads that take the place of the present ones, which readers keep. */
class NextHeads {
  readonly out: Growable<'uint32'>
  readonly in: Growable<'uint32'>
  /** Of each direction. */
  #copied = 0

  constructor({ meter }: Memory) {
    this.out = new Growable('uint32', meter)
    this.in = new Growable('uint32', meter)
  }

  /** Copies the next so many heads of each direction. */
  copy(outHeads: Uint32Array, inHeads: Uint32Array, countMax: number): void {
    this.out.ensure(outHeads.length)
    this.in.ensure(inHeads.length)
    const end = Math.min(this.#copied + countMax, Math.max(outHeads.length, inHeads.length))
    copyBetween(outHeads, this.out.array, this.#copied, end)
    copyBetween(inHeads, this.in.array, this.#copied, end)
    this.#copied = end
  }

  /** Of those that are copied; the others are as they will be. */
  set(source: number, target: number, head: number): void {
    if (source < this.#copied) this.out.array[source] = head
    if (target < this.#copied) this.in.array[target] = head
  }
}

function copyBetween(from: Uint32Array, to: Uint32Array, start: number, end: number): void {
  const last = Math.min(end, from.length)
  if (last - start > HEADS_PER_STEP) to.set(from.subarray(start, last), start)
  else {
    for (let index = start; index < last; index++) to[index] = from[index]!
  }
}
