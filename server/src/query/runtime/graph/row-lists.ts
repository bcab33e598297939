/**
 * Lists of the rows in bitmaps. A bitmap does not change once its rows were asked for, so a clause
 * after it and the statement that starts from it share the list. Memory of lists that are gone is
 * written over by the next ones: fresh pages cost as much as the rows. It counts while it is in use
 * (docs/decisions/0039).
 */
import type { MemoryBudget } from '../cells/memory.ts'

/** Memory of so many lists waits to be used again. */
const SPARE_MAX = 3

interface RowList {
  readonly words: Uint32Array
  readonly typeId: number
  readonly rows: Uint32Array
  /** What `rows` is the beginning of. */
  readonly room: Uint32Array
}

export class RowLists {
  private readonly memory: MemoryBudget
  private lists: RowList[] = []
  /** Those of the queries that called this one. */
  private readonly callers: RowList[][] = []
  private spare: Uint32Array[] = []

  constructor(memory: MemoryBudget) {
    this.memory = memory
  }

  find(words: Uint32Array, typeId: number): Uint32Array | undefined {
    return this.lists.find((list) => list.words === words && list.typeId === typeId)?.rows
  }

  /** @returns a list of so many rows, for the caller to write */
  make(words: Uint32Array, typeId: number, count: number): RowList {
    const room = this.take(count)
    const list = { words, typeId, rows: room.subarray(0, count), room }
    this.lists.push(list)
    return list
  }

  /** The others are gone. */
  keep(isKept: (words: Uint32Array) => boolean): void {
    const gone = this.lists.filter(({ words }) => !isKept(words))
    if (gone.length === 0) return
    this.lists = this.lists.filter(({ words }) => isKept(words))
    for (const { room } of gone) {
      this.memory.give(room.byteLength)
      this.spare.push(room)
    }
    // The largest serve the most.
    this.spare.sort((a, b) => b.length - a.length).splice(SPARE_MAX)
  }

  /** Called queries have lists of their own: what the caller holds stays until it goes on. */
  enter(): void {
    this.callers.push(this.lists)
    this.lists = []
  }

  leave(): void {
    this.keep(() => false)
    this.lists = this.callers.pop() ?? []
  }

  private take(length: number): Uint32Array {
    const at = this.spare.findLastIndex((room) => room.length >= length)
    const [room] = at < 0 ? [] : this.spare.splice(at, 1)
    if (room === undefined) return new Uint32Array(this.memory.buffer(length * 4))
    this.memory.take(room.byteLength)
    return room
  }
}
