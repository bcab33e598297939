/** Why lines of a load brought nothing: the first of them, and how many there were. */
import { LOAD_ERROR_LINE_CHARS_MAX, LOAD_ERRORS_KEPT_MAX } from '#kernel/limits.ts'

export interface LoadError {
  readonly fileName: string
  /** Counted from 1, a header too; of a temporary table its row. */
  readonly line: number
  readonly reason: string
  /** The line, cut where it is long; null: it was too long to be held. */
  readonly text: string | null
}

/** The line that is being read. */
export interface LinePlace {
  readonly fileName: string
  readonly line: number
  readonly text: string | null
}

export class LoadErrors {
  readonly #kept: LoadError[] = []
  #count = 0

  get kept(): readonly LoadError[] {
    return this.#kept
  }

  /** Those that are not kept, too. */
  get count(): number {
    return this.#count
  }

  add({ fileName, line, text }: LinePlace, reason: string): void {
    this.#count++
    if (this.#kept.length >= LOAD_ERRORS_KEPT_MAX) return
    const isLong = text !== null && text.length > LOAD_ERROR_LINE_CHARS_MAX
    const shown = isLong ? `${text.slice(0, LOAD_ERROR_LINE_CHARS_MAX)}…` : text
    this.#kept.push({ fileName, line, reason, text: shown })
  }
}
