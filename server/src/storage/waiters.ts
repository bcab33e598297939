/** Those who wait until something has become so: a position that is reached, a writer that is known. */

interface Waiting {
  readonly isDone: () => boolean
  readonly resolve: () => void
}

export class Waiters {
  readonly #after: (ms: number, call: () => void) => () => void
  #waiting: Waiting[] = []

  /** @param after calls once, later; returns what cancels it */
  constructor(after: (ms: number, call: () => void) => () => void) {
    this.#after = after
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** @returns whether it became so in time. @param msMax null: for ever */
  until(isDone: () => boolean, msMax: number | null): Promise<boolean> {
    if (isDone()) return Promise.resolve(true)
    return new Promise((resolve) => {
      const end = (isThere: boolean) => {
        cancel?.()
        this.#waiting = this.#waiting.filter((one) => one !== waiting)
        resolve(isThere)
      }
      const waiting: Waiting = { isDone, resolve: () => end(true) }
      const cancel = msMax === null ? null : this.#after(msMax, () => end(false))
      this.#waiting.push(waiting)
    })
  }

  /** Something has changed: each looks whether it is what he waits for. */
  look(): void {
    for (const { isDone, resolve } of this.#waiting) if (isDone()) resolve()
  }
}
