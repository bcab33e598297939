/** What a run says to the server's log, once it has ended well. */
import type { MemoryBudget } from '../cells/memory.ts'

const [encoder, decoder] = [new TextEncoder(), new TextDecoder('utf-8', { ignoreBOM: true })]

/** A copy: a part of a string holds all of it. */
function cut(text: string): string {
  return decoder.decode(encoder.encode(`${text.slice(0, LOG_LINE_CHARS_MAX)}…`))
}

/** More lines of one run than this are only counted. */
const LOG_LINES_MAX = 1000
/** Of a longer line the log takes the beginning. */
export const LOG_LINE_CHARS_MAX = 10_000

export class RunLog {
  readonly #memory: MemoryBudget
  readonly #lines: string[] = []
  #dropped = 0

  constructor(memory: MemoryBudget) {
    this.#memory = memory
  }

  /** @param write passes the line on, piece by piece */
  line(write: (out: (text: string) => void) => void): void {
    if (this.#lines.length === LOG_LINES_MAX) {
      this.#dropped += 1
      return
    }
    let text = ''
    write((piece) => {
      if (text.length <= LOG_LINE_CHARS_MAX) text += piece.slice(0, LOG_LINE_CHARS_MAX + 1)
    })
    if (text.length > LOG_LINE_CHARS_MAX) text = cut(text)
    this.#memory.takeHeap(text.length * 2 + 32)
    this.#lines.push(text)
  }

  finish(): readonly string[] {
    return this.#dropped === 0 ? this.#lines : [...this.#lines, `… and ${this.#dropped} more`]
  }
}
