/**
 * Strings that grow at their end: what a SumAccum<STRING> holds. Joining the strings at every `+=`
 * would keep every intermediate one, bytes by the square of the rows. A rope is the code of a
 * string (from 0) or, below 0, a node: another rope and the code of the string after it. Nodes never
 * change what they stand for, so a copied column may share them.
 */
import type { MemoryBudget } from './memory.ts'
import type { StringTable } from './strings.ts'

const FIRST_NODES = 64
const NODE_BYTES = 16

export class Ropes {
  private before = new Float64Array(FIRST_NODES)
  private last = new Float64Array(FIRST_NODES)
  private count = 0
  private readonly strings: StringTable
  private readonly memory: MemoryBudget

  constructor(strings: StringTable, memory: MemoryBudget) {
    this.strings = strings
    this.memory = memory
  }

  /** @returns the rope of `rope` and the string `code` after it */
  append(rope: number, code: number): number {
    if (code === 0) return rope
    if (rope === 0) return code
    if (this.count === this.before.length) this.grow()
    const node = this.count++
    this.before[node] = rope
    this.last[node] = code
    return -1 - node
  }

  /** The code of the whole string; the node remembers it. */
  flat(rope: number): number {
    if (rope >= 0) return rope
    const parts: number[] = []
    let at = rope
    while (at < 0) {
      parts.push(this.last[-1 - at]!)
      at = this.before[-1 - at]!
    }
    if (at > 0) parts.push(at)
    const code = this.strings.join(parts.reverse())
    this.before[-1 - rope] = 0
    this.last[-1 - rope] = code
    return code
  }

  private grow(): void {
    const length = this.before.length * 2
    this.memory.take(length * NODE_BYTES)
    const [before, last] = [new Float64Array(length), new Float64Array(length)]
    before.set(this.before)
    last.set(this.last)
    this.memory.give(this.before.length * NODE_BYTES)
    this.before = before
    this.last = last
  }
}
