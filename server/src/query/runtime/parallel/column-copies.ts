/**
 * Copies of columns that helpers fold into, where no order counts (`generate/parallel/copied-folds.ts`). Kept
 * for the run: fresh pages cost more than the numbers.
 */
import { compareDoubles } from '#kernel/order.ts'
import type { MemoryBudget } from '../cells/memory.ts'

export type Kept = 'least' | 'greatest'

/** Which of the inputs of a divided loop each thread has a copy of, and what is kept in the end. */
export interface CopiedInput {
  readonly input: number
  readonly keeps: Kept
}

export type Column = Float64Array | Float32Array | Uint8Array

export class ColumnCopies {
  private readonly memory: MemoryBudget
  private readonly spare: SharedArrayBuffer[] = []

  constructor(memory: MemoryBudget) {
    this.memory = memory
  }

  /** Whether copies of all of them are within the limit of memory. */
  hasRoom(columns: readonly Column[]): boolean {
    const sizes = this.spare.map(({ byteLength }) => byteLength)
    let bytes = 0
    for (const { byteLength } of columns) {
      const at = sizes.indexOf(byteLength)
      if (at >= 0) sizes.splice(at, 1)
      else bytes += byteLength
    }
    return this.memory.hasRoom(bytes)
  }

  /** @throws DbError `QUERY_MEMORY_LIMIT` where `hasRoom` would have told so */
  copyOf(column: Column): Column {
    const at = this.spare.findIndex(({ byteLength }) => byteLength === column.byteLength)
    const buffer = at < 0 ? this.memory.buffer(column.byteLength) : this.spare.splice(at, 1)[0]!
    const copy = new (column.constructor as new (buffer: ArrayBufferLike) => Column)(buffer)
    copy.set(column)
    return copy
  }

  /** Folds a copy into its column; its memory is free for the next. */
  keep(column: Column, copy: Column, keeps: Kept): void {
    if (keeps === 'least') {
      for (let i = 0; i < column.length; i++) {
        if (compareDoubles(copy[i]!, column[i]!) < 0) column[i] = copy[i]!
      }
    } else {
      for (let i = 0; i < column.length; i++) {
        if (compareDoubles(copy[i]!, column[i]!) > 0) column[i] = copy[i]!
      }
    }
    this.spare.push(copy.buffer as SharedArrayBuffer)
  }
}
