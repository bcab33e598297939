/** Numbers values in the order of their first use, so that packed records store a number in place of a value. */
export class Numbering<Value> {
  /** By number. */
  readonly values: Value[] = []
  readonly #numbers = new Map<Value, number>()

  numberOf(value: Value): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.#numbers.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}
