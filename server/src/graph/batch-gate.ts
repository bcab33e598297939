/**
 * What may only happen while no batch is half applied: it waits for the end of the present one. An
 * entry that fails half way shuts the gate until the graph has been read again: a checkpoint of such
 * tables would hold a part of the entry, which the log then applies again.
 */
import type { DbError } from '#kernel/errors.ts'

interface Waiting {
  readonly run: () => void
  readonly refuse: (error: unknown) => void
}

export class BatchGate {
  #waiting: Waiting[] = []
  #failure: DbError | null = null

  /**
   * Runs a task at once, or when `opened` is called.
   * @throws DbError UNAVAILABLE when that moment never comes
   */
  pass<Result>(isOpen: boolean, task: () => Result): Promise<Result> {
    if (this.#failure !== null) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve(task())
        } catch (error) {
          reject(error)
        }
      }
      if (isOpen) run()
      else this.#waiting.push({ run, refuse: reject })
    })
  }

  /** @throws DbError UNAVAILABLE once an entry has failed */
  check(): void {
    if (this.#failure !== null) throw this.#failure
  }

  opened(): void {
    for (const { run } of this.#waiting.splice(0)) run()
  }

  /** Refuses what waits and everything to come, until `repaired`. */
  fail(error: DbError): void {
    this.#failure = error
    for (const { refuse } of this.#waiting.splice(0)) refuse(error)
  }

  repaired(): void {
    this.#failure = null
  }
}
