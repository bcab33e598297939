/** What the clients saw: latencies and errors by kind of request, and answers that were wrong. */
import { Latencies, type LatencyFigures } from './latencies.ts'

const WRONG_SHOWN_MAX = 20
const TEXT_CHARS_MAX = 300

export interface KindFigures extends LatencyFigures {
  readonly kind: string
}

export class Ledger {
  readonly #latencies = new Map<string, Latencies>()
  /** By kind, status and text. Refusals under load (429, 503) are counted apart. */
  readonly errors = new Map<string, number>()
  readonly refusals = new Map<string, number>()
  readonly wrong: string[] = []
  wrongCount = 0
  acknowledgedWrites = 0
  checkedElements = 0

  answered(kind: string, durationMs: number): void {
    const latencies = this.#latencies.get(kind) ?? new Latencies()
    this.#latencies.set(kind, latencies)
    latencies.add(durationMs)
  }

  failed(kind: string, status: number, text: string): void {
    count(this.errors, `${kind}: ${status} ${text.slice(0, TEXT_CHARS_MAX)}`)
  }

  refused(kind: string, status: number, text: string): void {
    count(this.refusals, `${kind}: ${status} ${text.slice(0, TEXT_CHARS_MAX)}`)
  }

  isWrong(kind: string, text: string): void {
    this.wrongCount++
    if (this.wrong.length < WRONG_SHOWN_MAX) this.wrong.push(`${kind}: ${text}`)
  }

  expectNone(kind: string, lines: readonly string[]): void {
    for (const line of lines) this.isWrong(kind, line)
  }

  expectEqual(kind: string, what: string, [found, expected]: readonly [unknown, unknown]): void {
    this.checkedElements++
    const [left, right] = [JSON.stringify(found), JSON.stringify(expected)]
    if (left === right) return
    this.isWrong(kind, `${what} is ${brief(left)}, expected ${brief(right)}`)
  }

  figures(): KindFigures[] {
    return [...this.#latencies].map(([kind, latencies]) => ({ kind, ...latencies.figures }))
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function brief(text: string | undefined): string {
  if (text === undefined) return 'absent'
  return text.length <= TEXT_CHARS_MAX ? text : `${text.slice(0, TEXT_CHARS_MAX)}…`
}
