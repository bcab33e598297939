/** What the sources of a divided loop have collected becomes their sets. */
import { assert } from '#kernel/assert.ts'
import type { BlockShape } from '../cells/block.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import { VertexCollectionShape } from '../cells/vertex-collection.ts'
import type { VertexLayout } from '../graph/layout.ts'

/** Fewer sources than one of so many vertices are put into their sets one by one. */
const VERTICES_PER_SOURCE_MAX = 8
/** Members, and two numbers for each source. */
const NUMBERS = 3

type Column = readonly [column: Uint32Array, initial: number, typeId: number]
type Members = readonly [members: Int32Array, starts: Int32Array, counts: Int32Array]

export function collectedFunctions(layout: VertexLayout, memory: MemoryBudget) {
  const bytesOf = (count: number): number => count * Int32Array.BYTES_PER_ELEMENT
  return {
    /** Whether there are sources (null: all) and room enough for so many members of each fold. */
    collects: (
      rows: Uint32Array | null,
      ...[typeId, edges, folds]: readonly [number, number, number]
    ): boolean => {
      const { rowCount } = layout.tableOfType(typeId)
      const areMany = rows === null || rows.length * VERTICES_PER_SOURCE_MAX >= rowCount
      // Room for the sets themselves is left as well.
      const bytes = bytesOf((edges + rowCount) * folds * NUMBERS)
      return areMany && edges < 2 ** 31 && memory.hasRoom(bytes)
    },
    newMembers: (count: number): Int32Array => new Int32Array(memory.buffer(bytesOf(count))),
    putMembers: (shape: BlockShape, [column, initial, typeId]: Column, found: Members): void => {
      assert(shape instanceof VertexCollectionShape, 'sets of vertices')
      const [members, starts, counts] = found
      const base = layout.baseOfType(typeId)
      for (let row = 0; row < counts.length; row++) {
        const count = counts[row]!
        if (count === 0) continue
        let block = column[base + row]!
        if (block === 0) {
          block = initial === 0 ? shape.make() : shape.copy(initial)
          column[base + row] = block
        }
        shape.addAll(block, members, starts[row]!, count)
      }
      for (const array of found) memory.give(array.byteLength)
    },
  }
}
