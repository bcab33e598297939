/** Acknowledged writes of a load, and who waits for more of them. */
export class Acknowledged {
  #count = 0
  #milestone: { readonly count: number; readonly reached: () => void } | null = null

  get count(): number {
    return this.#count
  }

  add(): void {
    this.#count++
    if (this.#count === this.#milestone?.count) this.#milestone.reached()
  }

  /** Resolves once so many more writes are acknowledged than now. */
  progress(count: number): Promise<void> {
    return new Promise((reached) => {
      this.#milestone = { count: this.#count + count, reached }
    })
  }
}
