/** Blobs in the order in which they are wanted, some of them read ahead: a store may read several side by side. */
import type { Store } from '#storage/store.ts'

const AHEAD_MAX = 4

type Blob = Uint8Array<SharedArrayBuffer>

export class BlobsAhead {
  readonly #store: Pick<Store, 'readBlob'>
  readonly #next: Iterator<string>
  /** Those that nobody has taken yet. */
  readonly #begun = new Map<string, Promise<Blob>>()

  /** @param keys in about the order in which they are taken, each once */
  constructor(store: Pick<Store, 'readBlob'>, keys: readonly string[]) {
    this.#store = store
    this.#next = keys.values()
  }

  take(key: string): Promise<Blob> {
    while (!this.#begun.has(key)) if (!this.#beginNext()) return this.#store.readBlob(key)
    const blob = this.#begun.get(key)!
    this.#begun.delete(key)
    while (this.#begun.size < AHEAD_MAX && this.#beginNext());
    return blob
  }

  #beginNext(): boolean {
    const { value, done } = this.#next.next()
    if (done === true) return false
    const blob = this.#store.readBlob(value)
    // Who takes it hears of a failure; nobody may, when another one ends the reading.
    blob.catch(() => undefined)
    this.#begun.set(value, blob)
    return true
  }
}
