/**
 * Brings a merged adjacency up to date with what was written while it was merged.
 *
 * The adjacency in use keeps a journal of rows that change in place; rows beyond the merged ones
 * are new by themselves. The state of each such row is copied as it is now, so a row that changes
 * again is simply copied again: nothing is replayed, and `+` can not count twice.
 */
import type { Adjacency, ChangeJournal } from '../adjacency/adjacency.ts'
import { type DiscriminatorKey, emptyKey, keyOfRow, writeKey } from '../adjacency/discriminator.ts'
import { allocateWords } from '../memory/allocate.ts'

/** Made once: rows are copied by the million. */
const noKey = emptyKey()

export class CatchUp implements ChangeJournal {
  readonly #old: Adjacency
  /** Rows that changed, each once until it is copied. */
  #changed: number[] = []
  /** A bit for each of them. A set of as many would be made anew as a whole each time that it doubles. */
  #marks: Uint32Array<ArrayBuffer> | null = null
  /** Rows below this one are in the merged adjacency or have been copied. */
  #limit: number
  #next: Adjacency | null = null
  /** The new rows of the ends, when a compaction gives them new numbers. */
  rowOf: {
    readonly source: (row: number) => number
    readonly target: (row: number) => number
  } | null = null

  /** Begins the journal; the merged version is the one pinned at this moment. */
  constructor(old: Adjacency) {
    this.#old = old
    this.#limit = old.rowCount
    old.journal = this
  }

  touched(row: number): void {
    if (row >= this.#limit) return
    this.#marks ??= allocateWords((this.#old.rowCount + 31) >>> 5)
    const marks = this.#marks
    const word = row >>> 5
    const bit = 1 << (row & 31)
    const isNoted = word < marks.length && (marks[word]! & bit) !== 0
    if (isNoted) return
    this.#mark(word, bit)
    this.#changed.push(row)
  }

  #mark(word: number, bit: number): void {
    let marks = this.#marks!
    if (word >= marks.length) {
      // What was copied meanwhile may change again.
      marks = allocateWords(Math.max(word + 1, marks.length * 2))
      marks.set(this.#marks!)
      this.#marks = marks
    }
    marks[word]! |= bit
  }

  /** Rows still to be copied. */
  get remaining(): number {
    return this.#changed.length + this.#old.rowCount - this.#limit
  }

  /** Copies up to `count` rows into `next`. */
  copy(next: Adjacency, count: number): void {
    this.#next = next
    for (let i = 0; i < count && this.#changed.length > 0; i++) {
      const row = this.#changed.pop()!
      this.#marks![row >>> 5]! &= ~(1 << (row & 31))
      this.#copyRow(row, false)
    }
    for (let i = 0; i < count && this.#limit < this.#old.rowCount; i++) {
      const row = this.#limit
      this.#limit += 1
      // An edge has one row, dead or alive: that of a new one is not in the merged adjacency.
      if (!this.#old.deleted.has(row)) this.#copyRow(row, this.rowOf === null)
    }
  }

  stop(): void {
    this.#old.journal = null
  }

  #copyRow(row: number, isNew: boolean): void {
    const old = this.#old
    const next = this.#next!
    const source = this.rowOf?.source(old.sourceOf(row)) ?? old.sourceOf(row)
    const target = this.rowOf?.target(old.targetOf(row)) ?? old.targetOf(row)
    const key = old.discriminators.length === 0 ? noKey : keyOfRow(old.discriminators, row)
    const hash = next.hashOf(source, target, key)
    const found = isNew ? -1 : next.findHashed({ source, target }, key, hash)
    if (old.deleted.has(row)) {
      if (found >= 0) next.delete(found)
      return
    }
    const newRow = found >= 0 ? found : appendKeyed(next, { source, target }, key, hash)
    if (next.deleted.has(newRow)) next.revive(newRow)
    for (let i = old.discriminators.length; i < old.columns.length; i++) {
      next.columns[i]!.copyFrom(old.columns[i]!, row, newRow)
    }
  }
}

function appendKeyed(
  next: Adjacency,
  ends: { readonly source: number; readonly target: number },
  key: DiscriminatorKey,
  hash: number,
): number {
  const row = next.append(ends.source, ends.target, hash)
  if (key.end > key.start) writeKey(next.discriminators, row, key)
  return row
}
