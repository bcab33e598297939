/**
 * Looks at the slots of ids that the next edges of a run name, before these are applied one by one.
 *
 * Almost each id leads to memory that is not in the cache. One look behind the other, the processor waits for many of
 * them together; an edge that is applied in between makes it wait for each alone. Small tables are in the
 * cache, and nothing is looked at.
 */
import type { VertexTable } from '../tables/vertex-table.ts'
import type { FrameCursor } from './frame-cursor.ts'

/** As many lines as the first cache has room for beside what else is read. */
const ENTRIES_PER_LOOK = 128
const TABLE_SIZE_BYTES_MIN = 1024 * 1024
/** For fewer edges it is not worth a look. */
const ENTRIES_MIN = 16

/** Of one position of the edges. */
const tags = [new Uint32Array(ENTRIES_PER_LOOK), new Uint32Array(ENTRIES_PER_LOOK)] as const

export interface EndTables {
  readonly from: VertexTable
  readonly to: VertexTable
}

export class EndsAhead {
  readonly #cursor: FrameCursor
  readonly #tables: EndTables
  /** Steps over the values of an entry. */
  readonly #skip: () => void
  /** Entries of the run behind those that were looked at. */
  #left: number
  /** Entries that were looked at and are not applied yet. */
  #known = 0

  /** Null: its slots are in the cache, or it has few entries. */
  static of(cursor: FrameCursor, tables: EndTables, skip: () => void): EndsAhead | null {
    const isLarge = isOutOfCache(tables.from) || isOutOfCache(tables.to)
    return isLarge && cursor.count >= ENTRIES_MIN ? new EndsAhead(cursor, tables, skip) : null
  }

  private constructor(cursor: FrameCursor, tables: EndTables, skip: () => void) {
    this.#cursor = cursor
    this.#tables = tables
    this.#skip = skip
    this.#left = cursor.count
  }

  /** Before each entry is read. */
  next(): void {
    if (this.#known === 0) this.#look()
    this.#known -= 1
  }

  #look(): void {
    const cursor = this.#cursor
    const { keyStart, keyEnd, at } = cursor
    const [from, fromEnd, to, toEnd] = [keyStart[0]!, keyEnd[0]!, keyStart[1]!, keyEnd[1]!]
    const count = Math.min(this.#left, ENTRIES_PER_LOOK)
    let fromCount = 0
    let toCount = 0
    for (let entry = 0; entry < count; entry++) {
      if (cursor.readKey(0, this.#tables.from.isNumericId)) {
        tags[0][fromCount++] = this.#tagOf(0, this.#tables.from)
      }
      if (cursor.readKey(1, this.#tables.to.isNumericId)) {
        tags[1][toCount++] = this.#tagOf(1, this.#tables.to)
      }
      this.#skip()
    }
    this.#tables.from.ids.slots.fetch(tags[0], fromCount)
    this.#tables.to.ids.slots.fetch(tags[1], toCount)
    this.#left -= count
    this.#known = count
    cursor.at = at
    keyStart[0] = from
    keyEnd[0] = fromEnd
    keyStart[1] = to
    keyEnd[1] = toEnd
  }

  #tagOf(position: 0 | 1, { ids }: VertexTable): number {
    const { bytes, keyStart, keyEnd } = this.#cursor
    return ids.tagOf(bytes, keyStart[position]!, keyEnd[position]!)
  }
}

function isOutOfCache({ ids }: VertexTable): boolean {
  return ids.slots.words.byteLength >= TABLE_SIZE_BYTES_MIN
}
