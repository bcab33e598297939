/** Token buckets: so many at once, and one more every so often. */

export interface BucketSize {
  readonly size: number
  /** After which one comes back. */
  readonly refillMs: number
}

export class Bucket {
  readonly #size: BucketSize
  #left: number
  #sinceMs = 0

  constructor(size: BucketSize) {
    this.#size = size
    this.#left = size.size
  }

  /** @returns milliseconds until one can be taken; 0: now */
  waitMs(nowMs: number): number {
    this.#refill(nowMs)
    return this.#left > 0 ? 0 : this.#sinceMs + this.#size.refillMs - nowMs
  }

  take(nowMs: number): void {
    this.#refill(nowMs)
    this.#left = Math.max(0, this.#left - 1)
  }

  giveBack(nowMs: number): void {
    this.#refill(nowMs)
    this.#left = Math.min(this.#size.size, this.#left + 1)
  }

  #refill(nowMs: number): void {
    const { size, refillMs } = this.#size
    const count = Math.floor((nowMs - this.#sinceMs) / refillMs)
    if (this.#left + count >= size) {
      this.#left = size
      this.#sinceMs = nowMs
    } else if (count > 0) {
      this.#left += count
      this.#sinceMs += count * refillMs
    }
  }
}

/** A bucket for each key; the key that was used longest ago is forgotten when there are too many. */
export class BucketMap {
  readonly #size: BucketSize
  readonly #keyCountMax: number
  readonly #buckets = new Map<string, Bucket>()

  constructor(size: BucketSize, keyCountMax: number) {
    this.#size = size
    this.#keyCountMax = keyCountMax
  }

  find(key: string): Bucket | undefined {
    return this.#buckets.get(key)
  }

  bucket(key: string): Bucket {
    const found = this.#buckets.get(key) ?? new Bucket(this.#size)
    this.#buckets.delete(key)
    this.#buckets.set(key, found)
    if (this.#buckets.size > this.#keyCountMax) {
      const [oldest] = this.#buckets.keys()
      if (oldest !== undefined) this.#buckets.delete(oldest)
    }
    return found
  }
}
