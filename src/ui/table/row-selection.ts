/** Which rows are selected after a click or a key, as lists everywhere do it. */

export interface RowGesture {
  /** The row that was clicked, or that the keyboard is on now. */
  readonly key: string
  /** Adds the row, or takes it out. */
  readonly toggles: boolean
  /** Everything from the anchor to the row. */
  readonly extends: boolean
  /** Where a key came from: the anchor of the first range. */
  readonly from?: string
}

interface RowSelection {
  /** Keys of all rows, in the order shown. */
  readonly order: readonly string[]
  /** Rows of other tables may be among them. */
  readonly selected: ReadonlySet<string>
  /** Where a range starts: the row of the last gesture that was none. */
  readonly anchor: string | null
}

export interface SelectedRows {
  readonly keys: readonly string[]
  readonly anchor: string
}

export function afterGesture(selection: RowSelection, gesture: RowGesture): SelectedRows {
  const { order, selected } = selection
  const { key } = gesture
  const anchor = selection.anchor ?? gesture.from ?? key
  if (gesture.extends) {
    const ends = [order.indexOf(anchor), order.indexOf(key)]
    if (!ends.includes(-1)) {
      const range = order.slice(Math.min(...ends), Math.max(...ends) + 1)
      const before = gesture.toggles ? [...selected] : []
      return { keys: [...new Set([...before, ...range])], anchor }
    }
  }
  if (!gesture.toggles) return { keys: [key], anchor: key }
  const others = [...selected].filter((other) => other !== key)
  return { keys: selected.has(key) ? others : [...others, key], anchor: key }
}
