/** What the answer of a run says besides its results. */

/** Warnings of one run; more of them are dropped. */
const WARNINGS_MAX = 100

export class Warnings {
  readonly #texts = new Set<string>()

  add(text: string): void {
    if (this.#texts.size < WARNINGS_MAX) this.#texts.add(text)
  }

  list(): readonly string[] {
    return [...this.#texts]
  }
}
