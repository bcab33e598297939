/**
 * Values by small numbers that are given out once and never again, such as the ids of types.
 *
 * Numbers of dropped things stay unused, so a plain array would have holes. `map` leaves a hole
 * where it is and a spread turns it into `undefined`, and a maximum over that is NaN. Here only the
 * values that exist are seen, in the order of their numbers.
 */
export class ById<Value extends object> implements Iterable<Value> {
  /** Without holes: every index below the length was written. */
  readonly #values: (Value | undefined)[] = []

  get(id: number): Value | undefined {
    return this.#values[id]
  }

  set(id: number, value: Value): void {
    while (this.#values.length < id) this.#values.push(undefined)
    this.#values[id] = value
  }

  delete(id: number): void {
    if (id < this.#values.length) this.#values[id] = undefined
  }

  /** The ids that have a value, ascending. */
  ids(): number[] {
    return this.#values.flatMap((value, id) => (value === undefined ? [] : [id]))
  }

  /** The values that exist, in the order of their ids. */
  all(): Value[] {
    return this.#values.filter((value) => value !== undefined)
  }

  [Symbol.iterator](): Iterator<Value> {
    return this.all()[Symbol.iterator]()
  }
}
