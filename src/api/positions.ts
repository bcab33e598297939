/**
 * How far in the log of a shared store this tab has seen: the highest position of an answer. Each
 * request hands it on, so that another server answers no earlier state than what is on the screen,
 * and one's own writes are seen wherever they are read (docs/decisions/0131).
 *
 * A server that does not share its store sends no position, and requests to it carry none.
 */
let highest = 0

export const positions = {
  /** Of the request; null: this tab has seen none. */
  after: (): string | null => (highest === 0 ? null : String(highest)),

  note(headers: Headers): void {
    const position = Number(headers.get('x-quiver-position'))
    if (Number.isSafeInteger(position) && position > highest) highest = position
  },

  /**
   * A server waited for the position in vain. It may never come, where the store was restored to an
   * earlier moment: what is asked from here on takes what there is.
   */
  forget(): void {
    highest = 0
  },
}
