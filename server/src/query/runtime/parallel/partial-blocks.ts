/**
 * Collections that the segments of a divided loop fold into (`plan/parallel/partial-folds.ts`): each thread
 * makes them in its own arena, helpers hand over what is in theirs, and the run folds them into its
 * accumulator in the order of the segments.
 */
import { assert } from '#kernel/assert.ts'
import type { BlockShape } from '../cells/block.ts'
import { HeapShape } from '../cells/heap.ts'
import { ListShape } from '../cells/list.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import { addAll } from '../cells/merging.ts'
import type { Shapes } from '../cells/shapes.ts'
import { TableShape } from '../cells/table.ts'
import { GroupShape, MapShape } from '../cells/table-shapes.ts'
import type { RunControl } from '../control.ts'
import { packBlock, unpackBlock } from './packing.ts'
import { bytesOf, type Parcel, ParcelReader, ParcelWriter } from './parcels.ts'

interface SegmentBlock {
  readonly slot: number
  /** First item of the segment. */
  readonly first: number
}

/** What a segment of a helper's has folded. */
export interface PartialBlock extends SegmentBlock {
  readonly parcel: Parcel
}

/** Of the run's own thread: the block itself. */
interface OwnBlock extends SegmentBlock {
  readonly own: number
}

/**
 * Whether segments fold into collections of their own: not at all, in loops that are shared, or in all
 * loops of several segments, because the order of the folds counts.
 */
export type PartialFolds = 'none' | 'free' | 'ordered'

/**
 * Entries that a segment leaves, for each of its rows and edges, where one thread folds by segments as
 * well: it saves nothing by that.
 */
const ORDERED_ENTRIES_MAX = 0.05
/** Elements of a list that are put behind others in the time of one entry of a table. */
const LIST_ELEMENTS = 16
/** Parcels of all segments are there before the first is taken in, and grow the accumulator. */
const PARCEL_ROOM = 2
/** Time to take in what a segment hands over, of the time that it takes to fold it (measured). */
const TAKING_IN_MAX = 0.15

export class PartialBlocks {
  /** Otherwise the accumulators themselves are folded into. */
  isPartial = false
  private found: (PartialBlock | OwnBlock)[] = []
  /** Where the collections of this thread's segments belong. */
  private readonly targets = new Map<
    number,
    { readonly shape: BlockShape; readonly block: number }
  >()
  private readonly budget: MemoryBudget
  private readonly shapes: Shapes
  private readonly nowMs: () => number

  constructor(budget: MemoryBudget, shapes: Shapes, nowMs: () => number) {
    this.budget = budget
    this.shapes = shapes
    this.nowMs = nowMs
  }

  /** What a helper hands over. */
  add(partial: PartialBlock): void {
    this.budget.take(bytesOf(partial.parcel))
    this.found.push(partial)
  }

  addOwn(partial: OwnBlock, at: { readonly shape: BlockShape; readonly block: number }): void {
    this.targets.set(partial.slot, at)
    this.found.push(partial)
  }

  /** Folds what came for an accumulator. */
  foldInto(shape: BlockShape, slot: number, block: number): void {
    const own = this.found.filter((partial) => partial.slot === slot)
    if (own.length === 0) return
    this.found = this.found.filter((partial) => partial.slot !== slot)
    own.sort((a, b) => a.first - b.first)
    for (const partial of own) {
      const from = 'own' in partial ? partial.own : this.unpacked(shape, partial.parcel)
      addAll(this.shapes, block, from)
      shape.free(from)
    }
  }

  private unpacked(shape: BlockShape, parcel: Parcel): number {
    const block = unpackBlock(shape, new ParcelReader(shape.memory, parcel))
    this.budget.give(bytesOf(parcel))
    return block
  }

  /** Runs segments that fold into collections of their own. */
  partially(segments: () => void): void {
    this.isPartial = true
    try {
      segments()
    } finally {
      this.isPartial = false
    }
  }

  /**
   * Runs the first segment of a loop, and folds what it leaves. Whether the others do so depends on
   * how long the run takes for that by itself; where order counts, not on time, but on how much it is.
   *
   * @param segmentCount of the loop: what fits in the limit with one thread does so with several
   */
  paysToShare(
    folds: 'free' | 'ordered',
    control: RunControl,
    segmentCount: number,
    segment: () => void,
  ): boolean {
    const before = control.counters()
    const begun = this.nowMs()
    this.partially(segment)
    const timeMs = this.nowMs() - begun
    if (folds === 'free') {
      const handed = this.handOver()
      return (
        handed.timeMs <= TAKING_IN_MAX * timeMs &&
        this.budget.hasRoom(handed.bytes * segmentCount * PARCEL_ROOM)
      )
    }
    const { rows, edges } = control.counters()
    const work = rows - before.rows + (edges - before.edges)
    const entries = this.found.reduce((sum, partial) => sum + this.entriesOf(partial), 0)
    this.settle()
    return entries <= ORDERED_ENTRIES_MAX * work
  }

  /** Folds what this thread's segments have folded so far. */
  settle(): void {
    for (const [slot, { shape, block }] of this.targets) this.foldInto(shape, slot, block)
  }

  /** The same as if a helper had handed it over. @returns how long that takes, and how much it is */
  private handOver(): { readonly timeMs: number; readonly bytes: number } {
    let bytes = 0
    this.found = this.found.map((partial) => {
      if (!('own' in partial)) return partial
      const { slot, first, own } = partial
      const parcel = packed(this.shapes.of(own), own)
      bytes += bytesOf(parcel)
      return { slot, first, parcel }
    })
    this.budget.take(bytes)
    const begun = this.nowMs()
    this.settle()
    return { timeMs: this.nowMs() - begun, bytes }
  }

  private entriesOf(partial: PartialBlock | OwnBlock): number {
    return 'own' in partial ? entriesOf(this.shapes, partial.own) : 0
  }

  /** Every segment has handed over a collection for each accumulator. */
  assertWhole(segmentCount: number): void {
    const isWhole = this.found.length % segmentCount === 0
    assert(isWhole, 'a segment of a divided loop has handed over no collection')
  }

  /** A loop that failed leaves nothing behind. */
  clear(): void {
    for (const partial of this.found) {
      if ('own' in partial) this.shapes.of(partial.own).free(partial.own)
      else this.budget.give(bytesOf(partial.parcel))
    }
    this.found = []
  }
}

/** How many steps it takes to fold a block into another, about. */
function entriesOf(shapes: Shapes, block: number): number {
  const shape = shapes.of(block)
  if (shape instanceof ListShape) return shape.size(block) / LIST_ELEMENTS
  const size = shape instanceof TableShape ? shape.entryCount(block) : shape.size(block)
  const codecs = innerCodecs(shape)
  if (!codecs.some(({ isBlock }) => isBlock)) return size
  const table = shape as MapShape | GroupShape
  let sum = size
  for (let i = 0; i < size; i++) {
    let at = table.valueCell(block, i)
    for (const codec of codecs) {
      if (codec.isBlock) sum += entriesOf(shapes, codec.read(at) as number)
      at += codec.width
    }
  }
  return sum
}

function innerCodecs(shape: BlockShape) {
  if (shape instanceof MapShape) return [shape.value]
  return shape instanceof GroupShape ? shape.values.map(({ codec }) => codec) : []
}

/** What is in a block, which is thrown away. */
function packed(shape: BlockShape, block: number): Parcel {
  const out = new ParcelWriter(shape.memory)
  packBlock(shape, block, out)
  shape.free(block)
  return out.finish()
}

function partialOf(shape: BlockShape, limit: number): number {
  const block = shape.make()
  if (shape instanceof HeapShape) shape.setLimit(block, limit)
  return block
}

export function partialFunctions(partials: PartialBlocks) {
  return {
    /** How many tuples a heap holds; of no meaning for others. */
    limitOf: (shape: BlockShape, block: number): number =>
      shape instanceof HeapShape ? shape.limitOf(block) : 0,
    /** What a segment folds into. */
    partialBlock: (shape: BlockShape, block: number, limit: number): number =>
      partials.isPartial ? partialOf(shape, limit) : block,
    /** A segment is done: the accumulator, and what it folded into. */
    putPartial: (
      shape: BlockShape,
      slot: number,
      [block, own]: readonly [number, number],
      first: number,
    ): void => {
      if (own !== block) partials.addOwn({ slot, first, own }, { shape, block })
    },
    foldPartials: (shape: BlockShape, slot: number, block: number): void =>
      partials.foldInto(shape, slot, block),
  }
}

/** The same for a helper, which hands over to another thread. */
export function helperPartials(post: (partial: PartialBlock) => void) {
  return {
    partialBlock: (shape: BlockShape, _block: number, limit: number): number =>
      partialOf(shape, limit),
    putPartial: (
      shape: BlockShape,
      slot: number,
      [, own]: readonly [number, number],
      first: number,
    ): void => {
      post({ slot, first, parcel: packed(shape, own) })
    },
  }
}
