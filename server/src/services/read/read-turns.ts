/**
 * Shares the event loop between long reads: together they take about one slice of each turn of the
 * loop, so that short requests wait for one slice and not for one of every read. Reads are served
 * in the order in which they came, a few at a time: each holds what it has written so far.
 */
import { type AnswerMemory, answerMemory } from '#kernel/answer-memory.ts'
import { APPLY_SLICE_MS_MAX, LARGE_READS_MAX, LARGE_READS_WAITING_MAX } from '#kernel/limits.ts'

interface Waiting {
  readonly read: TurnTaker
  resume(): void
}

interface Beginning {
  readonly owner: string
  resume(): void
}

export interface TurnTaker {
  /** The user; empty: not known. */
  readonly owner: string
  /** Whether it has timed out or nobody waits for it: it goes on only to end. */
  readonly isOver: boolean
}

/** Asked in a turn whether they can begin: more than a turn has room for. */
const BEGINNERS_PER_TURN_MAX = 100

/** How often it is checked whether a read may go on while none may. */
const BLOCKED_CHECK_MS = 10

export class ReadTurns {
  readonly #answers: Pick<AnswerMemory, 'isFull'>
  readonly #queue: Waiting[] = []
  #beginning: Beginning[] = []
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

  /** Whether a read of the user may begin now: what those that wait have written is held. */
  mayBegin(owner: string): boolean {
    return !this.isSpent && this.#mayJoin(owner)
  }

  #mayJoin(owner: string): boolean {
    if (this.#queue.length < LARGE_READS_WAITING_MAX) return true
    const own = this.#queue.filter(({ read }) => read.owner === owner)
    return own.length < LARGE_READS_WAITING_MAX
  }

  /** After a slice. */
  spend(ms: number): void {
    this.#spentMs += ms
    this.#schedule()
  }

  /** Resolves in one of the next turns, for a read that has not begun. */
  nextTurn(owner: string): Promise<void> {
    return new Promise((resume) => {
      this.#beginning.push({ owner, resume })
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
    const [first, second] = this.#isTurnOfBeginners
      ? [() => this.#begin(), () => this.#resumeOne()]
      : [() => this.#resumeOne(), () => this.#begin()]
    const isIdle = !first() && !second()
    if (this.#queue.length + this.#beginning.length === 0) return
    if (isIdle) {
      this.#isScheduled = true
      setTimeout(() => this.#startTurn(), BLOCKED_CHECK_MS)
    } else this.#schedule()
  }

  /**
   * Most are short: all that the turn has room for; the others ask for the next one.
   * @returns false when none may begin
   */
  #begin(): boolean {
    const mayJoin = new Map<string, boolean>()
    for (const { owner } of this.#beginning) {
      if (!mayJoin.has(owner)) mayJoin.set(owner, this.#mayJoin(owner))
    }
    const some = this.#beginning.filter(({ owner }) => mayJoin.get(owner) === true)
    this.#beginning = this.#beginning.filter(({ owner }) => mayJoin.get(owner) === false)
    // The rest of them could not begin in this turn anyway.
    this.#beginning.push(...some.splice(BEGINNERS_PER_TURN_MAX))
    for (const { resume } of some) resume()
    return some.length > 0
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
