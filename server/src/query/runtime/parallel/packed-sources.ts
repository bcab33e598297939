/**
 * A narrow copy of what gathering reads at random: of each source's value, in an order in which the
 * sources that are read most often stand together. A graph's edges lead from few of its vertices
 * mostly, so the lines of the cache that are read again and again are full of values that are
 * wanted (measured at 16M edges: half the time; at 4M: four fifths).
 *
 * The sources are laid out by classes of their degree, the highest first, and by row within a class:
 * so writing the values in the order of the rows goes on in as many places as there are classes. A
 * source's place is its *slot*. The ends of the edges are copied as slots when the same edges are gathered
 * over for the second time, and kept for the runs that follow on the thread: that takes as long as
 * gathering does, for half of it is fresh memory.
 */
import type { AdjacencyView, GraphView } from '#graph/view.ts'
import { PACKINGS_KEPT_BYTES_MAX } from '#kernel/limits.ts'
import type { MemoryBudget } from '../cells/memory.ts'

/** Of degrees by their binary logarithm. */
const CLASSES = 32

interface Packing {
  /** Rows by slot. */
  readonly order: Uint32Array
  /** Slots by row. */
  readonly slots: Uint32Array
  readonly ends: Uint32Array
  readonly bytes: number
  isFilled: boolean
}

/** Which way the edges of a base are gathered over; the arrays of two equal ones are the same. */
export function packingKey({ baseId }: AdjacencyView, out: boolean): string {
  return `${baseId} ${out ? 'out' : 'in'}`
}

/**
 * Packings that a thread keeps between its runs, as long as the graph has their bases. They
 * count as memory of the run that makes them, and of none that uses them after it.
 */
export class KeptPackings {
  private readonly byKey = new Map<string, Packing>()
  private bytes = 0
  private readonly bytesMax: number

  constructor(bytesMax = PACKINGS_KEPT_BYTES_MAX) {
    this.bytesMax = bytesMax
  }

  find(key: string): Packing | null {
    return this.byKey.get(key) ?? null
  }

  /** Those kept for the longest time make room. */
  keep(key: string, packing: Packing): void {
    if (packing.bytes > this.bytesMax || this.byKey.has(key)) return
    for (const [oldest] of this.byKey) {
      if (this.bytes + packing.bytes <= this.bytesMax) break
      this.drop(oldest)
    }
    this.byKey.set(key, packing)
    this.bytes += packing.bytes
  }

  /** Drops what was made for bases that are no more. */
  keepFor(view: GraphView): void {
    if (this.byKey.size === 0) return
    const adjacencies = view.edgeTables.flatMap((table) => table.adjacencies)
    const keys = new Set(
      adjacencies.flatMap((one) => [packingKey(one, true), packingKey(one, false)]),
    )
    for (const key of [...this.byKey.keys()]) if (!keys.has(key)) this.drop(key)
  }

  private drop(key: string): void {
    this.bytes -= this.byKey.get(key)!.bytes
    this.byKey.delete(key)
  }
}

/** `fromRows`: values of fewer rows are not packed. */
export function packingFunctions(memory: MemoryBudget, fromRows: number, kept: KeptPackings) {
  /** By the rows at the other ends of the edges; null: gathered over once, or never to be packed. */
  const known = new Map<Uint32Array, Packing | null>()
  const packingOf = (ends: Uint32Array): Packing => known.get(ends)!
  return {
    /**
     * The rows that have edges by their slots, of the first rows by their offsets; null: the values
     * are to be read by row, since they are few, for the first time, or because memory is short.
     */
    rowsBySlot: (
      offsets: Uint32Array,
      ends: Uint32Array,
      ...[rowCount, key]: readonly [number, string]
    ): Uint32Array | null => {
      const packing = known.get(ends)
      if (packing) return packing.order
      if (rowCount < fromRows) return null
      const before = kept.find(key)
      known.set(ends, before)
      if (before !== null) return before.order
      const bytes = (rowCount * 2 + ends.length) * 4
      if (packing === undefined || !memory.hasRoom(bytes)) return null
      memory.take(bytes)
      // Whoever uses it later may have helpers.
      const words = (length: number) => new Uint32Array(new SharedArrayBuffer(length * 4))
      const [slots, copy] = [words(rowCount), words(ends.length)]
      const order = layOut(offsets, { slots, order: words(rowCount) })
      known.set(ends, { order, slots, ends: copy, bytes, isFilled: false })
      return order
    },
    needsEnds: (ends: Uint32Array): boolean => !packingOf(ends).isFilled,
    /** The slots of the ends have been written. */
    keepEnds: (ends: Uint32Array, key: string): void => {
      const packing = packingOf(ends)
      packing.isFilled = true
      kept.keep(key, packing)
    },
    slotsByRow: (ends: Uint32Array): Uint32Array => packingOf(ends).slots,
    slottedEnds: (ends: Uint32Array): Uint32Array => packingOf(ends).ends,
  }
}

/** A counting sort by class; the slots of rows without edges are 0: nobody asks for them. */
function layOut(offsets: Uint32Array, into: Pick<Packing, 'slots' | 'order'>): Uint32Array {
  const { slots, order } = into
  const degreeOf = (row: number) => offsets[row + 1]! - offsets[row]!
  /** By the leading zeros of a degree, 32 of them for none: what comes before, then what is next. */
  const next = new Uint32Array(CLASSES + 2)
  for (let row = 0; row < slots.length; row++) next[Math.clz32(degreeOf(row)) + 1]!++
  for (let zeros = 1; zeros <= CLASSES; zeros++) next[zeros]! += next[zeros - 1]!
  const count = next[CLASSES]!
  for (let row = 0; row < slots.length; row++) {
    const zeros = Math.clz32(degreeOf(row))
    if (zeros === CLASSES) continue
    const slot = next[zeros]!++
    slots[row] = slot
    order[slot] = row
  }
  return order.subarray(0, count)
}
