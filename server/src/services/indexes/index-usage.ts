/** How reads and queries found their rows since the server started: by which index, or by a scan. */
import type { Clock } from '#kernel/clock.ts'

/** An index covers one attribute of a vertex type. */
export interface IndexPlace {
  readonly typeId: number
  readonly attributeId: number
}

export interface IndexUse {
  readonly count: number
  /** Epoch milliseconds. */
  readonly lastMs: number
}

export class IndexUsage {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #uses = new Map<string, IndexUse>()
  readonly #scans = new Map<string, IndexUse>()
  readonly sinceMs: number
  #indexed = 0
  #scanned = 0

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
    this.sinceMs = clock.nowMs()
  }

  /** Reads that an index served. */
  get indexed(): number {
    return this.#indexed
  }

  /** Reads that could have been served by one, and looked at every row. */
  get scanned(): number {
    return this.#scanned
  }

  /** @param places the indexes that one read went by; none: it scanned */
  read(places: readonly IndexPlace[]): void {
    if (places.length === 0) this.#scanned++
    else this.#indexed++
    for (const place of places) this.#count(this.#uses, keyOf(place))
  }

  /** @param places attributes by each of which an index would have served a read that scanned */
  scan(places: readonly IndexPlace[]): void {
    this.#scanned++
    for (const key of new Set(places.map(keyOf))) this.#count(this.#scans, key)
  }

  /** Null: not once. */
  of(place: IndexPlace): IndexUse | null {
    return this.#uses.get(keyOf(place)) ?? null
  }

  /** Reads that an index on the attribute would have served; null: not one. */
  scansOf(place: IndexPlace): IndexUse | null {
    return this.#scans.get(keyOf(place)) ?? null
  }

  /** The attribute has got another number: what was counted goes with it. */
  readonly moved = (from: IndexPlace, to: IndexPlace): void => {
    for (const uses of [this.#uses, this.#scans]) {
      const use = uses.get(keyOf(from))
      if (use === undefined) continue
      uses.delete(keyOf(from))
      uses.set(keyOf(to), use)
    }
  }

  #count(uses: Map<string, IndexUse>, key: string): void {
    uses.set(key, { count: (uses.get(key)?.count ?? 0) + 1, lastMs: this.#clock.nowMs() })
  }
}

function keyOf({ typeId, attributeId }: IndexPlace): string {
  return `${typeId}.${attributeId}`
}
