/** PercentileContAccum: the values, and the percentile of them that is wanted. */
import { EXTRA } from './block.ts'
import type { Codec, Memory } from './codec.ts'
import { ListShape } from './list.ts'
import type { Value } from './value.ts'

export class PercentileShape extends ListShape {
  private readonly percent: number

  constructor(memory: Memory, id: number, parts: { value: Codec; percent: number }) {
    super(memory, id, parts.value)
    this.percent = parts.percent
  }

  override make(): number {
    const block = super.make()
    this.memory.arena.cells[block + EXTRA] = this.percent
    return block
  }

  setPercent(block: number, percent: number): void {
    this.memory.arena.cells[block + EXTRA] = percent
  }

  percentOf(block: number): number {
    return this.memory.arena.cells[block + EXTRA]!
  }

  override copy(block: number): number {
    const copy = super.copy(block)
    this.setPercent(copy, this.memory.arena.cells[block + EXTRA]!)
    return copy
  }

  /** Between the two values around the place, linearly; 0 of none. */
  override read(block: number): Value {
    const size = this.size(block)
    if (size === 0) return 0
    const values = new Float64Array(size)
    for (let i = 0; i < size; i++) values[i] = this.elementAt(block, i) as number
    values.sort()
    const place = (this.memory.arena.cells[block + EXTRA]! / 100) * (size - 1)
    const below = Math.min(size - 1, Math.max(0, Math.floor(place)))
    const [low, high] = [values[below]!, values[Math.min(size - 1, below + 1)]!]
    return low + (high - low) * (place - below)
  }
}
