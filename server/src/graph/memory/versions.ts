/**
 * Which versions readers have pinned, and what keeping them costs.
 *
 * Every pin gets the next epoch. A page remembers the epoch at which its present copy was made:
 * while a living pin has a later epoch, somebody sees the page, and a change must go to a copy.
 */

/** Something that keeps superseded pages until no pin sees them. */
export interface PageOwner {
  /** Frees up to so many pages that no living pin sees. @returns how many */
  collect(pagesMax: number): number
  /** Nothing is left to free later. */
  readonly isSettled: boolean
}

/** Pages that the end of a pin frees at once. */
export const PAGES_FREED_AT_ONCE = 128

export class Versions {
  /** Epoch of the newest living pin; 0: nobody reads, everything may change in place. */
  newest = 0
  /** Epoch of the oldest living pin; 0 when there is none. */
  oldest = 0
  /** Last epoch given out. */
  epoch = 0
  /** Bytes of pages that exist only because a pinned version differs from the present. */
  copiedBytes = 0
  readonly #pins = new Map<number, (() => void) | null>()
  readonly #owners = new Set<PageOwner>()
  readonly #copiedBytesMax: number
  /** Called when the end of a pin leaves pages to `collect`. */
  onUnfinished: () => void = () => {}

  constructor(copiedBytesMax = Number.POSITIVE_INFINITY) {
    this.#copiedBytesMax = copiedBytesMax
  }

  get pinCount(): number {
    return this.#pins.size
  }

  /** @param onRevoke called once when copies exceed the limit and this is the oldest pin. */
  pin(onRevoke: (() => void) | null): number {
    this.epoch += 1
    this.#pins.set(this.epoch, onRevoke)
    this.#refresh()
    return this.epoch
  }

  /** Whom to ask when copies exceed the limit and this is the oldest pin that may be asked. */
  arm(epoch: number, onRevoke: () => void): void {
    if (this.#pins.has(epoch)) this.#pins.set(epoch, onRevoke)
  }

  /** @returns whether pages may have moved, so that cached directories of them are stale */
  release(epoch: number): boolean {
    if (!this.#pins.delete(epoch)) return false
    this.#refresh()
    const hasOwners = this.#owners.size > 0
    if (!this.collect(PAGES_FREED_AT_ONCE)) this.onUnfinished()
    return hasOwners
  }

  /**
   * Frees up to so many pages that no living pin sees; cached directories of them are stale then.
   * @returns false when there may be more
   */
  collect(pagesMax: number): boolean {
    let left = pagesMax
    for (const owner of this.#owners) {
      left -= owner.collect(left)
      if (owner.isSettled) this.#owners.delete(owner)
      if (left === 0) return false
    }
    return true
  }

  /** Whether a living pin was made after one epoch and not after another. */
  hasPinWithin(afterEpoch: number, lastEpoch: number): boolean {
    // Epochs are given out in order, and a map keeps the order of insertion.
    for (const epoch of this.#pins.keys()) {
      if (epoch > lastEpoch) return false
      if (epoch > afterEpoch) return true
    }
    return false
  }

  /** Called with each copied page; asks the oldest reader to go when there are too many. */
  copied(owner: PageOwner, bytes: number): void {
    this.#owners.add(owner)
    this.copiedBytes += bytes
    if (this.copiedBytes > this.#copiedBytesMax) this.#revokeOldest()
  }

  freed(bytes: number): void {
    this.copiedBytes -= bytes
  }

  /** Asks all readers to go who may be asked. */
  revokeAll(): void {
    for (let count = this.#pins.size; count > 0; count--) this.#revokeOldest()
  }

  #revokeOldest(): void {
    for (const [epoch, onRevoke] of this.#pins) {
      if (onRevoke === null) continue
      this.#pins.set(epoch, null)
      onRevoke()
      return
    }
  }

  #refresh(): void {
    this.oldest = this.#pins.size === 0 ? 0 : this.#pins.keys().next().value!
    this.newest = 0
    for (const epoch of this.#pins.keys()) this.newest = Math.max(this.newest, epoch)
  }
}
