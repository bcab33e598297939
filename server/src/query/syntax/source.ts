/** Places in a query text, and the problems found there: shared by syntax, bind and the editor. */

/** Offsets in UTF-16 units; `end` is exclusive. */
export interface SourceRange {
  readonly start: number
  readonly end: number
}

/** Line and column as people count them, both from 1. */
export interface SourcePlace {
  readonly line: number
  readonly column: number
}

export type Severity = 'error' | 'warning'

/** `code` is one of docs/reference/gsql/queries.md#diagnostics, or our own: see `ir/diagnostic-codes.ts`. */
export interface Diagnostic {
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly range: SourceRange
  readonly place: SourcePlace
  /** Just behind the range. */
  readonly endPlace: SourcePlace
  /** The query it belongs to; empty when the text does not get that far. */
  readonly query: string
}

/** Finds lines by binary search over their starts; built once per text. */
export class LineTable {
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
    this.#starts = starts
  }

  offsetOf({ line, column }: SourcePlace): number {
    return this.#starts[line - 1]! + column - 1
  }

  placeOf(offset: number): SourcePlace {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.#starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - this.#starts[low]! + 1 }
  }
}
