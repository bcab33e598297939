/**
 * How many vertices the sets of two vertices share, where the sets lie as runs (`set-runs.ts`). The
 * side that stays the same from count to count is marked by place. What both have in the core of the
 * places is counted in two rows of bits, 32 places at a time, or, when one side has few of them, by
 * these few in the row of the other; the rest of the other side is read from front to back.
 *
 * It works on arrays of any thread: a helper counts in the sets of the run that it helps.
 */
import type { MemoryBudget } from '../cells/memory.ts'
import {
  CORE_END,
  DIRECTORY_WORDS,
  FAR_FIRST,
  FAR_PLACES_FROM,
  ROW_FIRST,
  ROW_WORDS,
} from './set-runs.ts'
import type { SharedVertices } from './shared-vertices.ts'

/** A rest so many times larger than the marked set is not read: its set has slots to look into. */
const LARGER_TIMES_MAX = 32
/** Larger sets have slots. */
const REST_MIN = 512

/** Of a column, and where its sets are; the directory is empty where they were not copied. */
export type RunArrays = readonly [
  directory: Uint32Array,
  members: Uint16Array,
  rows: Uint32Array,
  column: Uint32Array,
  initial: number,
]
export type PairOfRuns = readonly [left: RunArrays, right: RunArrays]

interface Runs {
  readonly directory: Uint32Array
  readonly members: Uint16Array
  readonly rows: Uint32Array
  readonly column: Uint32Array
  readonly initial: number
}

const noRuns: Runs = {
  directory: new Uint32Array(0),
  members: new Uint16Array(0),
  rows: new Uint32Array(0),
  column: new Uint32Array(0),
  initial: 0,
}

export class RunCounter {
  private readonly memory: MemoryBudget
  /** Greater than every number in a set. */
  private readonly vertexCount: number
  /** Counts in the sets themselves. */
  private readonly sets: SharedVertices
  private left = noRuns
  private right = noRuns
  /** By place: 1 for the members of the set that is marked. */
  private marks = new Uint8Array(0)
  private marksLeft = true
  /** The side of the marked set, and the other. */
  private mine = noRuns
  private theirs = noRuns
  /** The vertex whose set is marked; -1: none. */
  private marked = -1
  /** Of the marked set: its members in the core, how many words it has, and its row. */
  private first = 0
  private coreEnd = 0
  private size = 0
  private row = 0
  /** The sides when the marks were last changed. */
  private lastLeft = -1
  private lastRight = -1

  constructor(memory: MemoryBudget, vertexCount: number, sets: SharedVertices) {
    this.memory = memory
    this.vertexCount = vertexCount
    this.sets = sets
  }

  open([left, right]: PairOfRuns): void {
    if (left[0] === this.left.directory && right[0] === this.right.directory) return
    this.unmark()
    this.left = runsOf(left)
    this.right = runsOf(right)
    this.chooseSide(this.marksLeft)
  }

  /** Of two vertices. */
  count(left: number, right: number): number {
    if (this.marked !== (this.marksLeft ? left : right)) this.markOneOf(left, right)
    const { directory } = this.theirs
    const entry = (this.marksLeft ? right : left) * DIRECTORY_WORDS
    const end = directory[entry + DIRECTORY_WORDS]!
    const row = directory[entry + ROW_FIRST]!
    const first = directory[row > 0 ? entry + CORE_END : entry]!
    if (end - first > REST_MIN && end - first > this.size * LARGER_TIMES_MAX) {
      return this.countSets(left, right)
    }
    const rest = this.countMarked(first, directory[entry + FAR_FIRST]!, end)
    if (row === 0) return rest
    return rest + (this.row > 0 ? this.countRows(row) : this.countInRow(row))
  }

  private markOneOf(left: number, right: number): void {
    const leftStays = left === this.lastLeft
    this.unmark()
    // When neither stays, the side that did before is the one to stay again.
    if (leftStays !== (right === this.lastRight)) this.chooseSide(leftStays)
    this.lastLeft = left
    this.lastRight = right
    this.mark(this.marksLeft ? left : right)
  }

  private chooseSide(isLeft: boolean): void {
    this.marksLeft = isLeft
    this.mine = isLeft ? this.left : this.right
    this.theirs = isLeft ? this.right : this.left
  }

  private mark(vertex: number): void {
    if (this.marks.length === 0) {
      this.memory.take(this.vertexCount + 1)
      this.marks = new Uint8Array(this.vertexCount + 1)
    }
    const { directory } = this.mine
    const entry = vertex * DIRECTORY_WORDS
    this.marked = vertex
    this.first = directory[entry]!
    this.coreEnd = directory[entry + CORE_END]!
    this.size = directory[entry + DIRECTORY_WORDS]! - this.first
    this.row = directory[entry + ROW_FIRST]!
    this.setMarks(1)
  }

  private unmark(): void {
    if (this.marked < 0) return
    this.setMarks(0)
    this.marked = -1
  }

  private setMarks(mark: number): void {
    const { marks } = this
    const { directory, members } = this.mine
    const farFirst = directory[this.marked * DIRECTORY_WORDS + FAR_FIRST]!
    const end = this.first + this.size
    for (let at = this.first; at < farFirst; at++) marks[members[at]!] = mark
    for (let at = farFirst; at < end; at += 2) {
      marks[members[at]! * FAR_PLACES_FROM + members[at + 1]!] = mark
    }
  }

  /** Members of the other side that are marked. */
  private countMarked(first: number, farFirst: number, end: number): number {
    const { marks } = this
    const { members } = this.theirs
    let count = 0
    // Sums of bytes are twice as fast as comparisons: which members are shared cannot be foreseen.
    for (let at = first; at < farFirst; at++) count = (count + marks[members[at]!]!) | 0
    for (let at = farFirst; at < end; at += 2) {
      count = (count + marks[members[at]! * FAR_PLACES_FROM + members[at + 1]!]!) | 0
    }
    return count
  }

  /** The few members in the core of the marked set, in the row of the other one. */
  private countInRow(row: number): number {
    const { members } = this.mine
    const { rows } = this.theirs
    const { coreEnd } = this
    let count = 0
    for (let at = this.first; at < coreEnd; at++) {
      const place = members[at]!
      count = (count + ((rows[row + (place >>> 5)]! >>> (place & 31)) & 1)) | 0
    }
    return count
  }

  /** Ones that both rows have: sums of 2, 4 and 8 bits side by side, of four words together. */
  private countRows(row: number): number {
    const mine = this.mine.rows
    const theirs = this.theirs.rows
    const { row: own } = this
    let count = 0
    for (let i = 0; i < ROW_WORDS; i += 4) {
      const a = pairsOfBits(mine[own + i]! & theirs[row + i]!)
      const b = pairsOfBits(mine[own + i + 1]! & theirs[row + i + 1]!)
      const c = pairsOfBits(mine[own + i + 2]! & theirs[row + i + 2]!)
      const d = pairsOfBits(mine[own + i + 3]! & theirs[row + i + 3]!)
      const ab = (fours(a) + fours(b)) | 0
      const cd = (fours(c) + fours(d)) | 0
      const bytes = (eights(ab) + eights(cd)) | 0
      count = (count + (Math.imul(bytes, 0x0101_0101) >>> 24)) | 0
    }
    return count
  }

  /** In the sets themselves. */
  private countSets(left: number, right: number): number {
    const one = this.left.column[left]! || this.left.initial
    const other = this.right.column[right]! || this.right.initial
    return this.sets.count(one, other)
  }
}

function runsOf([directory, members, rows, column, initial]: RunArrays): Runs {
  return { directory, members, rows, column, initial }
}

function pairsOfBits(word: number): number {
  return (word - ((word >>> 1) & 0x5555_5555)) | 0
}

function fours(pairs: number): number {
  return ((pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333)) | 0
}

/** Of two words; those of four words sum to 32 at most. */
function eights(nibbles: number): number {
  return ((nibbles & 0x0f0f_0f0f) + ((nibbles >>> 4) & 0x0f0f_0f0f)) | 0
}
