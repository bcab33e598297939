/**
 * Which vertices of a table changed, in the order of the changes: what an index has not taken in yet,
 * and what it has taken in that an older version of the graph does not show.
 *
 * Positions count from the first change ever noted. Of what an index has taken in the last changes
 * are kept for readers of older versions; a log that nobody follows drops its oldest half.
 */

/** Changes kept behind the slowest index, for readers of older versions. */
const KEPT_COUNT = 16_384
/** Longer than this the log is not kept: an index that is so far behind looks at every row again. */
export const ROW_LOG_COUNT_MAX = 1_000_000

/** Changes from `start` on belong to a version later than `sequence`. */
interface Mark {
  readonly sequence: number
  readonly start: number
}

export class RowLog {
  readonly #sequence: () => number
  readonly #onChange: () => void
  #ordinals: number[] = []
  #marks: Mark[] = []
  /** Position of the first change that is kept. */
  start = 0
  /** Versions before this one cannot be told from later ones any more. */
  #oldestVersion: number

  /**
   * @param sequence of the last commit that is published: a change belongs to a later one
   * @param onChange called with every change
   */
  constructor(sequence: () => number, onChange: () => void) {
    this.#sequence = sequence
    this.#onChange = onChange
    this.#oldestVersion = sequence()
  }

  get end(): number {
    return this.start + this.#ordinals.length
  }

  get sizeBytes(): number {
    return this.#ordinals.length * 8 + this.#marks.length * 48
  }

  note(ordinal: number): void {
    const sequence = this.#sequence()
    if (this.#marks.at(-1)?.sequence !== sequence) this.#marks.push({ sequence, start: this.end })
    this.#ordinals.push(ordinal)
    if (this.#ordinals.length > ROW_LOG_COUNT_MAX) this.#dropBefore(this.end - KEPT_COUNT)
    this.#onChange()
  }

  at(position: number): number {
    return this.#ordinals[position - this.start]!
  }

  /** Drops what is behind every index and old enough. @param position of the slowest index */
  trim(position: number): void {
    const from = position - KEPT_COUNT
    if (from - this.start >= KEPT_COUNT) this.#dropBefore(from)
  }

  /**
   * From where on changes are unknown to an index at `position`, or to readers of `version`.
   * @returns null when that is no longer known
   */
  unsureFrom(position: number, version: number): number | null {
    if (version < this.#oldestVersion || position < this.start) return null
    let from = this.end
    for (let i = this.#marks.length - 1; i >= 0 && this.#marks[i]!.sequence >= version; i--) {
      from = this.#marks[i]!.start
    }
    return Math.min(position, from)
  }

  /** The vertices changed from a position on, each once. */
  ordinalsFrom(position: number): Float64Array {
    return Float64Array.from(new Set(this.#ordinals.slice(position - this.start)))
  }

  #dropBefore(position: number): void {
    // The mark in whose commit the cut lies: versions up to it have lost changes.
    const cut = this.#marks.findLast((mark) => mark.start < position)
    this.#ordinals = this.#ordinals.slice(position - this.start)
    this.#marks = this.#marks.filter((mark) => mark.start >= position)
    this.start = position
    if (cut !== undefined) this.#oldestVersion = cut.sequence + 1
  }
}
