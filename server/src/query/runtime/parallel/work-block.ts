/**
 * The shared words through which a run divides the segments of a loop between its own thread and
 * the helpers it was lent.
 *
 * A *turn* is one divided loop. The run opens it (`open`), every thread takes segments (`take`)
 * until none is left, and the run waits until no helper is inside (`settled`). The segments lie in
 * as many *lanes* as there are threads; each takes those of its own first, so that what a thread has
 * written in one loop it meets again in the next: a line that another core has changed is fetched
 * from there, which takes up to 500 ns. Turn and next segment of a lane stand in one word, so that a
 * helper that comes late, with the message of an earlier turn in hand, can take nothing of a later
 * one. Helpers sleep on the bell between turns. What different threads write lies in different lines.
 */
const BELL = 0
const TURN = 1
/** Helpers that may be inside the turn. */
const INSIDE = 2
/** The first segment that failed, plus 1. */
const FAILED = 3
/** A helper's thread is gone. */
const LOST = 4
/** The run is over. */
const CLOSED = 5
/** Helpers lent so far. */
const LENT = 6
/** The run has heard whether there are any. */
const ANSWERED = 7
/** From here a word per helper: 1, it is wanted elsewhere. */
const RECALLED = 8

export const HELPERS_MAX = 16
/** What one turn can be divided into. */
export const SEGMENTS_MAX = 65_535
/** Two lines of a cache: some are fetched in pairs. */
const LINE_BYTES = 128
const LANES_MAX = HELPERS_MAX + 1
const LANES_BYTE = LINE_BYTES * Math.ceil(((RECALLED + HELPERS_MAX) * 4) / LINE_BYTES)
/** Of each lane, turn × 2^16 + next segment. */
const LANE_WORDS = LINE_BYTES / 4
const COUNTS_BYTE = LANES_BYTE + LANES_MAX * LINE_BYTES
/** Per helper: edges, rows, segments. */
const COUNTS = 3
const COUNTS_DOUBLES = LINE_BYTES / 8
const SIZE_BYTES = COUNTS_BYTE + HELPERS_MAX * LINE_BYTES
/** Looks before a thread goes to sleep: waking it takes longer than most turns are apart. */
const SPINS = 5_000
/** Nothing waits longer without looking around: a lost bell would stop a query for ever. */
const WAIT_MS = 100

/** A divided loop, as the words know it. */
export interface TurnWords {
  readonly turn: number
  readonly segmentCount: number
  readonly lanes: number
}

export interface HelperCounts {
  readonly edges: number
  readonly rows: number
  readonly segments: number
}

export class WorkBlock {
  readonly buffer: SharedArrayBuffer
  private readonly words: Int32Array
  private readonly lanes: Int32Array
  private readonly counts: Float64Array

  constructor(buffer = new SharedArrayBuffer(SIZE_BYTES)) {
    this.buffer = buffer
    this.words = new Int32Array(buffer, 0, RECALLED + HELPERS_MAX)
    this.lanes = new Int32Array(buffer, LANES_BYTE, LANES_MAX * LANE_WORDS)
    this.counts = new Float64Array(buffer, COUNTS_BYTE, HELPERS_MAX * COUNTS_DOUBLES)
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

  /** Begins a turn that so many threads are expected in. Those who know of it may take segments. */
  open(segmentCount: number, threads = 1): TurnWords {
    const turn = (Atomics.load(this.words, TURN) + 1) & 0x7fff
    const words = { turn, segmentCount, lanes: Math.min(threads, LANES_MAX) }
    Atomics.store(this.words, FAILED, 0)
    Atomics.store(this.words, TURN, turn)
    for (let lane = 0; lane < words.lanes; lane++) {
      Atomics.store(this.lanes, lane * LANE_WORDS, (turn << 16) | firstOf(lane, words))
    }
    return words
  }

  /** A loop has been divided. */
  get hasTurned(): boolean {
    return Atomics.load(this.words, TURN) !== 0
  }

  /** A segment of the turn has been taken. */
  hasBegun(words: TurnWords): boolean {
    for (let lane = 0; lane < words.lanes; lane++) {
      if (this.nextOf(lane) > firstOf(lane, words)) return true
    }
    return false
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
    const at = helper * COUNTS_DOUBLES
    const [edges, rows, segments] = this.counts.subarray(at, at + COUNTS)
    this.counts.fill(0, at, at + COUNTS)
    return { edges: edges!, rows: rows!, segments: segments! }
  }

  // Every thread's.

  ring(): void {
    Atomics.add(this.words, BELL, 1)
    Atomics.notify(this.words, BELL)
  }

  /** @returns the next segment of a lane, or of those after it; -1: all are taken, or the turn is over */
  take(words: TurnWords, lane: number): number {
    for (let i = 0; i < words.lanes; i++) {
      const segment = this.takeOf(words, (lane + i) % words.lanes)
      if (segment >= 0) return segment
    }
    return -1
  }

  private takeOf(words: TurnWords, lane: number): number {
    const at = lane * LANE_WORDS
    const end = firstOf(lane + 1, words)
    for (;;) {
      const word = Atomics.load(this.lanes, at)
      const segment = word & 0xffff
      if (word >>> 16 !== words.turn || segment >= end || this.isPastFailure(segment)) return -1
      if (Atomics.compareExchange(this.lanes, at, word, word + 1) === word) return segment
    }
  }

  private nextOf(lane: number): number {
    return Atomics.load(this.lanes, lane * LANE_WORDS) & 0xffff
  }

  private isPastFailure(segment: number): boolean {
    const failed = Atomics.load(this.words, FAILED)
    return failed !== 0 && segment + 1 >= failed
  }

  /** Nobody takes a segment behind this one any more; those before it may fail as well. */
  fail(segment: number): void {
    for (;;) {
      const failed = Atomics.load(this.words, FAILED)
      if (failed !== 0 && failed <= segment + 1) return
      if (Atomics.compareExchange(this.words, FAILED, failed, segment + 1) === failed) return
    }
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
    const at = helper * COUNTS_DOUBLES
    this.counts[at] = this.counts[at]! + edges
    this.counts[at + 1] = this.counts[at + 1]! + rows
    this.counts[at + 2] = this.counts[at + 2]! + segments
  }
}

/** The first segment of a lane; of the lane behind the last, their number. */
function firstOf(lane: number, { segmentCount, lanes }: TurnWords): number {
  return Math.floor((lane * segmentCount) / lanes)
}
