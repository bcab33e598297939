/** Arrays that sources write what they send into; kept for the run, for fresh pages cost more than the values. */
import type { VertexLayout } from './layout.ts'
import type { MemoryBudget } from './memory.ts'

/** Fewer sources than one of so many vertices fold one by one. */
const VERTICES_PER_SOURCE_MAX = 8
const BYTES_PER_VALUE = 12
const BYTES_PER_SOURCE = 8

type Spare = Int32Array | Float64Array

export function sentFunctions(layout: VertexLayout, memory: MemoryBudget) {
  const spare: Spare[] = []
  const take = <T extends Spare>(fits: (array: Spare) => array is T, length: number): T | null => {
    const at = spare.findIndex((array) => fits(array) && array.length === length)
    return at < 0 ? null : (spare.splice(at, 1)[0] as T)
  }
  const areWords = (array: Spare): array is Int32Array => array instanceof Int32Array
  const areDoubles = (array: Spare): array is Float64Array => array instanceof Float64Array
  return {
    /** Whether there are sources (null: all) and room enough for so many values. */
    sends: (rows: Uint32Array | null, typeId: number, count: number): boolean => {
      const { rowCount } = layout.tableOfType(typeId)
      const areMany = rows === null || rows.length * VERTICES_PER_SOURCE_MAX >= rowCount
      const bytes = count * BYTES_PER_VALUE + rowCount * BYTES_PER_SOURCE
      return areMany && count < 2 ** 31 && memory.hasRoom(bytes)
    },
    takeWords: (length: number): Int32Array =>
      take(areWords, length) ?? new Int32Array(memory.buffer(length * 4)),
    takeDoubles: (length: number): Float64Array =>
      take(areDoubles, length) ?? new Float64Array(memory.buffer(length * 8)),
    giveArray: (array: Spare): void => {
      spare.push(array)
    },
  }
}
