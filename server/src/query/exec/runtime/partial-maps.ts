/**
 * Maps and groups that the segments of a divided loop fold into (`plan/partial-folds.ts`): each
 * thread makes them in its own arena and hands over their cells, which hold numbers alone; the run
 * folds them into its accumulator in the order of the segments.
 */
import { assert } from '#kernel/assert.ts'
import type { RunControl } from './control.ts'
import type { MemoryBudget } from './memory.ts'
import type { TableShape } from './table.ts'

/** The entries of one segment's map, as they lay in the arena. */
export interface PartialMap {
  readonly slot: number
  /** First item of the segment. */
  readonly first: number
  readonly entries: number
  readonly cells: Float64Array
}

/**
 * Entries that a segment hands over, for each of its rows and edges. The run folds them by itself: more
 * of them take longer than other threads save (measured).
 */
const HANDED_OVER_MAX = 0.3

export class PartialMaps {
  /** A loop that is not shared folds into the accumulators themselves. */
  isDirect = true
  private found: PartialMap[] = []
  /** Where the maps of this thread's segments belong. */
  private readonly targets = new Map<
    number,
    { readonly shape: TableShape; readonly block: number }
  >()
  private readonly memory: MemoryBudget

  constructor(memory: MemoryBudget) {
    this.memory = memory
  }

  add(partial: PartialMap): void {
    this.memory.take(partial.cells.byteLength)
    this.found.push(partial)
  }

  /** Folds what came for an accumulator. */
  foldInto(shape: TableShape, slot: number, block: number): void {
    const own = this.found.filter((partial) => partial.slot === slot)
    if (own.length === 0) return
    this.found = this.found.filter((partial) => partial.slot !== slot)
    own.sort((a, b) => a.first - b.first)
    for (const { cells } of own) {
      shape.foldEntries(block, cells)
      this.memory.give(cells.byteLength)
    }
  }

  /** @param at of this thread; what others hand over is added */
  addOwn(partial: PartialMap, at: { readonly shape: TableShape; readonly block: number }): void {
    this.targets.set(partial.slot, at)
    this.add(partial)
  }

  /**
   * Runs the first segment of a loop. When others had too much to hand over for what they do, its
   * maps are folded at once, and the loop goes on with the accumulators themselves.
   */
  paysToShare(control: RunControl, items: number, segment: () => void): boolean {
    const before = control.counters()
    this.isDirect = false
    try {
      segment()
    } finally {
      this.isDirect = true
    }
    const { rows, edges } = control.counters()
    const work = Math.max(items, rows - before.rows + (edges - before.edges))
    if (this.found.reduce((sum, { entries }) => sum + entries, 0) <= HANDED_OVER_MAX * work) {
      return true
    }
    this.settle()
    return false
  }

  private settle(): void {
    for (const [slot, { shape, block }] of this.targets) this.foldInto(shape, slot, block)
  }

  /** Every segment has handed over a map for each accumulator. */
  assertWhole(segmentCount: number): void {
    const isWhole = this.found.length % segmentCount === 0
    assert(isWhole, 'a segment of a divided loop has handed over no map')
  }

  /** A loop that failed leaves nothing behind. */
  clear(): void {
    for (const { cells } of this.found) this.memory.give(cells.byteLength)
    this.found = []
  }
}

export function partialFunctions(partials: PartialMaps) {
  return {
    /** What a segment folds into. */
    partialMap: (shape: TableShape, block: number): number =>
      partials.isDirect ? block : shape.make(),
    /** A segment is done: the accumulator, and what it folded into. */
    putPartial: (
      shape: TableShape,
      slot: number,
      [block, own]: readonly [number, number],
      first: number,
    ): void => {
      if (own === block) return
      partials.addOwn({ slot, first, ...handedOver(shape, own) }, { shape, block })
    },
    foldPartials: (shape: TableShape, slot: number, block: number): void =>
      partials.foldInto(shape, slot, block),
  }
}

/** The same for a helper, which hands over to another thread. */
export function helperPartials(post: (partial: PartialMap) => void) {
  return {
    partialMap: (shape: TableShape, _block: number): number => shape.make(),
    putPartial: (
      shape: TableShape,
      slot: number,
      [, own]: readonly [number, number],
      first: number,
    ): void => post({ slot, first, ...handedOver(shape, own) }),
  }
}

function handedOver(shape: TableShape, own: number): Pick<PartialMap, 'entries' | 'cells'> {
  const entries = shape.size(own)
  const cells = shape.entryCells(own)
  shape.free(own)
  return { entries, cells }
}
