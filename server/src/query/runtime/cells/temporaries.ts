/** Blocks that live until their statement, or their row, is done. */

import type { BlockShape } from './block.ts'
import type { MemoryBudget } from './memory.ts'

export class TemporaryBlocks {
  private blocks = new Float64Array(64)
  private count = 0
  private readonly memory: MemoryBudget
  shapeOf: (block: number) => BlockShape

  constructor(memory: MemoryBudget) {
    this.memory = memory
    this.shapeOf = () => {
      throw new Error('no shapes yet')
    }
  }

  push(block: number): void {
    if (this.count === this.blocks.length) {
      this.memory.take(this.blocks.length * 8)
      const grown = new Float64Array(this.blocks.length * 2)
      grown.set(this.blocks)
      this.blocks = grown
    }
    this.blocks[this.count++] = block
  }

  mark(): number {
    return this.count
  }

  release(mark: number): void {
    while (this.count > mark) {
      const block = this.blocks[--this.count]!
      this.shapeOf(block).free(block)
    }
  }
}
