/** Changes one after the other: each reads what stands and writes over an await. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  run<T>(change: () => Promise<T>): Promise<T> {
    const done = this.#last.then(change)
    this.#last = done.catch(() => undefined)
    return done
  }
}
