/** Lines a second of a run, from one time somebody asks to the next. */

/** Speeds are measured over at least this long. */
const WINDOW_MS = 1_000

export class LineSpeed {
  #atMs: number
  #lines = 0
  #perSecond = 0

  constructor(startMs: number) {
    this.#atMs = startMs
  }

  /** @returns the speed since this was called before, a second or longer ago */
  at(nowMs: number, lines: number): number {
    if (nowMs - this.#atMs < WINDOW_MS) return this.#perSecond
    this.#perSecond = Math.round(((lines - this.#lines) * 1000) / (nowMs - this.#atMs))
    this.#atMs = nowMs
    this.#lines = lines
    return this.#perSecond
  }
}
