/**
 * Shares the event loop between long reads: together they take about one slice of each turn of the
 * loop, so that short requests wait for one slice and not for one of every read. Reads are served
 * in the order in which they came, a few at a time: each holds what it has written so far.
 */
import { type AnswerMemory, answerMemory } from '#kernel/answer-memory.ts'
import { APPLY_SLICE_MS_MAX, LARGE_READS_MAX } from '#kernel/limits.ts'

interface Waiting {
  readonly read: TurnTaker
  resume(): void
}

export interface TurnTaker {
  /** Whether it has timed out or nobody waits for it: it goes on only to end. */
  readonly isOver: boolean
}

/** How often it is checked whether a read may go on while none may. */
const BLOCKED_CHECK_MS = 10

export class ReadTurns {
  readonly #answers: Pick<AnswerMemory, 'isFull'>
  readonly #queue: Waiting[] = []
  #beginning: (() => void)[] = []
  /** Reads that have had a second slice and have not ended. */
  readonly #active = new Set<TurnTaker>()
  /** Of the turn that runs. */
  #spentMs = 0
  #isScheduled = false
  #isTurnOfBeginners = false

  constructor(answers: Pick<AnswerMemory, 'isFull'>) {
    this.#answers = answers
  }

  /** Whether the reads of this turn have used up their share of it. */
  get isSpent(): boolean {
    return this.#spentMs >= APPLY_SLICE_MS_MAX
  }

  /** After a slice. */
  spend(ms: number): void {
    this.#spentMs += ms
    this.#schedule()
  }

  /** Resolves in one of the next turns, for a read that has not begun. */
  nextTurn(): Promise<void> {
    return new Promise((resume) => {
      this.#beginning.push(resume)
      this.#schedule()
    })
  }

  /** Resolves in a turn in which the read may go on. */
  next(read: TurnTaker): Promise<void> {
    return new Promise((resume) => {
      this.#queue.push({ read, resume })
      this.#schedule()
    })
  }

  /** The read has ended. */
  end(read: TurnTaker): void {
    this.#active.delete(read)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => this.#startTurn())
  }

  #startTurn(): void {
    this.#isScheduled = false
    this.#spentMs = 0
    this.#isTurnOfBeginners = !this.#isTurnOfBeginners
    if (this.#beginning.length > 0 && (this.#isTurnOfBeginners || this.#queue.length === 0)) {
      this.#begin()
      return
    }
    const isIdle = this.#queue.length > 0 && !this.#resumeOne() && this.#beginning.length === 0
    if (isIdle) {
      this.#isScheduled = true
      setTimeout(() => this.#startTurn(), BLOCKED_CHECK_MS)
    } else if (this.#queue.length + this.#beginning.length > 0) this.#schedule()
  }

  /** Most are short: all that the turn has room for; the others ask for the next one. */
  #begin(): void {
    const beginning = this.#beginning
    this.#beginning = []
    for (const resume of beginning) resume()
    this.#schedule()
  }

  /** @returns false when none may go on */
  #resumeOne(): boolean {
    const place = this.#queue.findIndex(({ read }) => this.#mayGoOn(read))
    const [waiting] = place < 0 ? [] : this.#queue.splice(place, 1)
    if (waiting === undefined) return false
    this.#active.add(waiting.read)
    waiting.resume()
    return true
  }

  #mayGoOn(read: TurnTaker): boolean {
    if (this.#active.has(read) || read.isOver) return true
    return this.#active.size < LARGE_READS_MAX && !this.#answers.isFull
  }
}

/** There is one event loop. */
export const readTurns = new ReadTurns(answerMemory)
