/**
 * The shared words through which a run divides the segments of a loop between its own thread and
 * the helpers it was lent.
 *
 * A *turn* is one divided loop. The run opens it (`open`), every thread takes the next segment
 * (`take`) until none is left, and the run waits until no helper is inside (`settled`). Turn and
 * next segment stand in one word, so that a helper that comes late, with the message of an earlier
 * turn in hand, can take nothing of a later one. Helpers sleep on the bell between turns.
 */
const BELL = 0
const TURN = 1
/** Turn × 2^16 + next segment. */
const NEXT = 2
/** Helpers that may be inside the turn. */
const INSIDE = 3
const FAILED = 4
/** A helper's thread is gone. */
const LOST = 5
/** The run is over. */
const CLOSED = 6
/** Helpers lent so far. */
const LENT = 7
/** The run has heard whether there are any. */
const ANSWERED = 8
/** From here a word per helper: 1, it is wanted elsewhere. */
const RECALLED = 9

export const HELPERS_MAX = 16
/** What one turn can be divided into. */
export const SEGMENTS_MAX = 65_535
const WORD_COUNT = RECALLED + HELPERS_MAX
/** Doubles begin at a multiple of 8. */
const COUNTS_BYTE = Math.ceil(WORD_COUNT / 2) * 8
/** Per helper: edges, rows, segments. */
const COUNTS = 3
const SIZE_BYTES = COUNTS_BYTE + HELPERS_MAX * COUNTS * 8
/** Looks before a thread goes to sleep: waking it takes longer than most turns are apart. */
const SPINS = 5_000
/** Nothing waits longer without looking around: a lost bell would stop a query for ever. */
const WAIT_MS = 100

export interface HelperCounts {
  readonly edges: number
  readonly rows: number
  readonly segments: number
}

export class WorkBlock {
  readonly buffer: SharedArrayBuffer
  private readonly words: Int32Array
  private readonly counts: Float64Array

  constructor(buffer = new SharedArrayBuffer(SIZE_BYTES)) {
    this.buffer = buffer
    this.words = new Int32Array(buffer, 0, WORD_COUNT)
    this.counts = new Float64Array(buffer, COUNTS_BYTE, HELPERS_MAX * COUNTS)
  }

  // The pool's side.

  noteLent(): void {
    Atomics.add(this.words, LENT, 1)
  }

  answer(): void {
    Atomics.store(this.words, ANSWERED, 1)
    Atomics.notify(this.words, ANSWERED)
  }

  recall(helper: number): void {
    Atomics.store(this.words, RECALLED + helper, 1)
    this.ring()
  }

  close(): void {
    Atomics.store(this.words, CLOSED, 1)
    this.ring()
  }

  noteLost(): void {
    Atomics.store(this.words, LOST, 1)
    Atomics.notify(this.words, INSIDE)
  }

  // The run's side.

  get lent(): number {
    return Atomics.load(this.words, LENT)
  }

  awaitAnswer(ms: number): void {
    Atomics.wait(this.words, ANSWERED, 0, ms)
  }

  get isLost(): boolean {
    return Atomics.load(this.words, LOST) !== 0
  }

  /** @returns the number of the turn; its segments are given out to those who know of it */
  open(): number {
    const turn = (Atomics.load(this.words, TURN) + 1) & 0x7fff
    Atomics.store(this.words, FAILED, 0)
    Atomics.store(this.words, TURN, turn)
    Atomics.store(this.words, NEXT, turn << 16)
    return turn
  }

  /** A segment of the turn has been taken. */
  get hasBegun(): boolean {
    return (Atomics.load(this.words, NEXT) & 0xffff) > 0
  }

  /** Waits until no helper is inside the turn, or one is lost. */
  settled(): void {
    for (;;) {
      const inside = this.spin(INSIDE, (count) => count === 0)
      if (inside === 0 || this.isLost) return
      Atomics.wait(this.words, INSIDE, inside, WAIT_MS)
    }
  }

  get hasFailed(): boolean {
    return Atomics.load(this.words, FAILED) !== 0
  }

  /** What a helper has done since it was last asked; asked between turns. */
  takeCounts(helper: number): HelperCounts {
    const at = helper * COUNTS
    const [edges, rows, segments] = this.counts.subarray(at, at + COUNTS)
    this.counts.fill(0, at, at + COUNTS)
    return { edges: edges!, rows: rows!, segments: segments! }
  }

  // Every thread's.

  ring(): void {
    Atomics.add(this.words, BELL, 1)
    Atomics.notify(this.words, BELL)
  }

  /** @returns the next segment of a turn; -1: there is none, or the turn is over */
  take(turn: number, count: number): number {
    for (;;) {
      const next = Atomics.load(this.words, NEXT)
      const segment = next & 0xffff
      if (next >>> 16 !== turn || segment >= count || this.hasFailed) return -1
      if (Atomics.compareExchange(this.words, NEXT, next, next + 1) === next) return segment
    }
  }

  /** Nobody takes another segment of this turn. */
  fail(): void {
    Atomics.store(this.words, FAILED, 1)
  }

  // A helper's side.

  get bell(): number {
    return Atomics.load(this.words, BELL)
  }

  /** Sleeps until the bell rings after `bell` was read. */
  sleep(bell: number): void {
    this.spin(BELL, (now) => now !== bell)
    Atomics.wait(this.words, BELL, bell, WAIT_MS)
  }

  /** @returns the word when it is as wanted, or after some looks */
  private spin(word: number, isWanted: (value: number) => boolean): number {
    for (let look = 1; look < SPINS; look++) {
      const value = Atomics.load(this.words, word)
      if (isWanted(value)) return value
    }
    return Atomics.load(this.words, word)
  }

  leaves(helper: number): boolean {
    return (
      Atomics.load(this.words, CLOSED) !== 0 || Atomics.load(this.words, RECALLED + helper) !== 0
    )
  }

  enter(): void {
    Atomics.add(this.words, INSIDE, 1)
  }

  leave(): void {
    Atomics.sub(this.words, INSIDE, 1)
    Atomics.notify(this.words, INSIDE)
  }

  addCounts(helper: number, { edges, rows, segments }: HelperCounts): void {
    const at = helper * COUNTS
    this.counts[at] = this.counts[at]! + edges
    this.counts[at + 1] = this.counts[at + 1]! + rows
    this.counts[at + 2] = this.counts[at + 2]! + segments
  }
}
