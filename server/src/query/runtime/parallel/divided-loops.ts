/**
 * Loops that generated code divides into segments: run one after the other by the run's own thread,
 * or at the same time by it and the helpers it was lent. What comes out is the same, bit for bit.
 *
 * A *part* is a function of the text that runs one segment. It is given all it needs: columns,
 * bitmaps and lists of rows (memory that every thread reaches), and values. It writes only elements
 * that its segment owns, bits of bitmaps that are each thread's own and are joined afterwards, and
 * its row of the cells, in which sums and extremes of the segment are left for the run to fold in
 * the order of the segments.
 */

import { assert } from '#kernel/assert.ts'
import { DbError } from '#kernel/errors.ts'
import type { MemoryBudget } from '../cells/memory.ts'
import type { RunControl } from '../control.ts'
import type { VertexSets } from '../graph/vertex-set.ts'
import { WidenSignal } from '../integer-functions.ts'
import type { Profiler } from '../profile.ts'
import type { Column, ColumnCopies, CopiedInput } from './column-copies.ts'
import type { PartialBlocks, PartialFolds } from './partial-blocks.ts'
import type { Failure, Team, Turn } from './team.ts'
import { SEGMENTS_MAX, type WorkBlock } from './work-block.ts'

/** Items of a segment: enough to outweigh a message, few enough to even out the threads. */
export const SEGMENT_ITEMS = 4096
/** Segments of a loop in which no order counts, and the fewest items of one. */
const FREE_SEGMENTS = 128
const FREE_ITEMS_MIN = 256
/** Of those whose segments fold into collections, each of which is handed over. */
const PARTIAL_SEGMENTS = 24
/** Of loops whose every item may lead far, or to all vertices there are. */
const DIVISORS = { row: 1, alone: 1, deep: 16, search: 256 } as const

/** The last of the inputs are the cells. */
export type Part = (inputs: readonly unknown[], segment: number, first: number, end: number) => void

export interface DividerParts {
  readonly wide: boolean
  readonly control: RunControl
  readonly memory: MemoryBudget
  readonly sets: VertexSets
  readonly copies: ColumnCopies
  readonly partials: PartialBlocks
  readonly team: Team | null
  readonly segmentItems: number
  /** For tests: the run waits for helpers, and lets them begin each loop. */
  readonly helpersFirst: boolean
  readonly profiler: Profiler | null
}

/**
 * What an item is: a row, a row that may lead to very many, one that a search begins from, as much
 * as one thread is to do, or a row of a loop that the run's own thread does by itself.
 */
export type ItemSize = 'row' | 'deep' | 'search' | 'share' | 'alone'

/** How a loop may be cut. `ordered`: its sums are folded by segments, however many threads. */
export interface Division {
  readonly part: number
  readonly size: ItemSize
  readonly ordered: boolean
  /** Cells of a segment. */
  readonly width: number
  /** Which of the inputs are bitmaps that each thread marks for itself. */
  readonly marks: readonly number[]
  /** Which of them are columns that each thread folds into a copy of. */
  readonly copies: readonly CopiedInput[]
  /** Into collections of the segments. */
  readonly folds: PartialFolds
}

export function segmentSize(
  items: number,
  segmentItems: number,
  { size, ordered, folds }: Pick<Division, 'size' | 'ordered' | 'folds'>,
): number {
  if (size === 'share') return 1
  let count = Math.max(1, Math.floor(segmentItems / DIVISORS[size]))
  // Short ones leave less to wait for at the end; where sums are ordered they are what they are.
  const segments = folds === 'none' ? FREE_SEGMENTS : PARTIAL_SEGMENTS
  if (!ordered) count = Math.min(count, Math.max(FREE_ITEMS_MIN, Math.ceil(items / segments)))
  while (Math.ceil(items / count) > SEGMENTS_MAX) count *= 2
  return count
}

/** Runs the next segment of a turn on this thread. @returns false when none is left */
export function runSegment(
  block: WorkBlock,
  turn: Omit<Turn, 'part' | 'wide'>,
  part: Part,
  failed: (segment: number, error: unknown) => void,
): boolean {
  const { items, segmentItems, inputs } = turn
  const taken = block.take(turn.words, turn.lane)
  if (taken < 0) return false
  const segment = turn.from + taken
  const first = segment * segmentItems
  try {
    part(inputs, segment, first, Math.min(items, first + segmentItems))
  } catch (error) {
    block.fail(taken)
    failed(segment, error)
  }
  return true
}

interface SharedLoop {
  readonly loop: Pick<Turn, 'inputs' | 'items' | 'segmentItems'>
  readonly segmentCount: number
  readonly team: Team
  /** The segments before it are done. */
  readonly from: number
}

export class Divider {
  private readonly parts: DividerParts

  constructor(parts: DividerParts) {
    this.parts = parts
  }

  /** Threads that a loop may be divided between now. */
  threads(): number {
    const { team } = this.parts
    if (team === null) return 1
    team.awaitAnswer()
    return 1 + team.present().length
  }

  /** @returns the cells of all segments, or of one that stands for all */
  divide(part: Part, division: Division, inputs: readonly unknown[], items: number): Float64Array {
    const { memory, team } = this.parts
    const { width, ordered, size, folds } = division
    const segmentItems = segmentSize(items, this.parts.segmentItems, division)
    const segmentCount = Math.max(1, Math.ceil(items / segmentItems))
    const isShared = team !== null && segmentCount > 1 && size !== 'alone'
    // Otherwise in segments as well: each call of a part may take code that was compiled meanwhile.
    if (!isShared && !ordered && (width > 0 || folds !== 'none')) {
      const cells = new Float64Array(width)
      part([...inputs, cells], 0, 0, items)
      return cells
    }
    const cells = new Float64Array(memory.buffer(segmentCount * width * 8))
    memory.give(cells.byteLength)
    const all = [...inputs, cells]
    const loop = { inputs: all, items, segmentItems }
    const isTried = segmentCount > 1 && (folds === 'ordered' || (folds === 'free' && isShared))
    const from = isTried ? this.tried(part, folds, loop) : 0
    if (isShared && from !== null) this.share(part, division, { loop, segmentCount, team, from })
    else this.runAlone(part, loop, { from: from ?? 1, partially: isTried && from !== null })
    return cells
  }

  /** @param how `partially`: segments fold into collections of their own, as on several threads */
  private runAlone(
    part: Part,
    { inputs, items, segmentItems }: SharedLoop['loop'],
    how: { readonly from: number; readonly partially: boolean },
  ): void {
    const { partials } = this.parts
    for (let segment = how.from; segment * segmentItems < Math.max(items, 1); segment++) {
      const begin = segment * segmentItems
      const run = () => part(inputs, segment, begin, Math.min(items, begin + segmentItems))
      if (!how.partially) run()
      else {
        partials.settle()
        partials.partially(run)
      }
    }
  }

  /**
   * Does the first segment of a loop that folds into collections, to see how much threads would hand
   * over. Where their order counts that decides for one thread as well.
   * @returns the first segment to share; null: the loop is faster on one thread
   */
  private tried(
    part: Part,
    folds: 'free' | 'ordered',
    { inputs, items, segmentItems }: SharedLoop['loop'],
  ): number | null {
    const { control, partials, helpersFirst } = this.parts
    if (helpersFirst && folds === 'free') return 0
    const end = Math.min(items, segmentItems)
    const segmentCount = Math.ceil(items / segmentItems)
    const first = () => part(inputs, 0, 0, end)
    return partials.paysToShare(folds, control, segmentCount, first) ? 1 : null
  }

  private share(part: Part, division: Division, shared: SharedLoop): void {
    const { loop, segmentCount, team, from } = shared
    const { block } = team
    if (this.parts.helpersFirst) team.awaitAnswer(Number.POSITIVE_INFINITY)
    assertReachable(loop.inputs)
    const words = block.open(segmentCount - from, 1 + team.present().length)
    const turn = { ...loop, words, from, lane: 0, wide: this.parts.wide, part: division.part }
    const own = new Map<number, readonly unknown[]>()
    const failures: { segment: number; error: unknown }[] = []
    const failed = (segment: number, error: unknown) => failures.push({ segment, error })
    if (this.parts.helpersFirst) {
      this.invite(team, { turn, division, own })
      team.awaitBegin(own.size, words)
    }
    this.parts.partials.partially(() => {
      // A helper may be lent while the loop is under way.
      do this.invite(team, { turn, division, own })
      while (runSegment(block, turn, part, failed))
    })
    block.settled()
    const helpers = [...own.keys()]
    this.collectCounts(block, helpers)
    if (block.isLost) throw lostHelper()
    this.collectMessages(division, { team, helpers, failures })
    if (division.folds !== 'none') this.parts.partials.assertWhole(segmentCount - from)
    for (const inputs of own.values()) this.join(division, loop.inputs, inputs)
  }

  /** Sends the turn to helpers that do not have it yet, each with bitmaps and columns of its own. */
  private invite(
    team: Team,
    {
      turn,
      division,
      own,
    }: {
      readonly turn: Turn
      readonly division: Division
      readonly own: Map<number, readonly unknown[]>
    },
  ): void {
    const { sets, copies } = this.parts
    const columns = division.copies.map(({ input }) => turn.inputs[input] as Column)
    const fresh = team.present().filter((helper) => !own.has(helper))
    for (const helper of fresh) {
      // What fits in the limit with one thread does so with several.
      if (!sets.hasRoom(division.marks.length) || !copies.hasRoom(columns)) return
      const inputs = [...turn.inputs]
      for (const mark of division.marks) inputs[mark] = sets.newWords()
      division.copies.forEach(({ input }, i) => {
        inputs[input] = copies.copyOf(columns[i]!)
      })
      own.set(helper, inputs)
      team.post(helper, { ...turn, inputs, lane: own.size })
      team.block.ring()
    }
  }

  /** Takes over what a helper has written into its own bitmaps and columns. */
  private join(
    { marks, copies }: Division,
    all: readonly unknown[],
    own: readonly unknown[],
  ): void {
    for (const mark of marks) join(all[mark] as Uint32Array, own[mark] as Uint32Array)
    for (const { input, keeps } of copies) {
      this.parts.copies.keep(all[input] as Column, own[input] as Column, keeps)
    }
  }

  /** @throws what one thread alone would have failed of */
  private collectMessages(
    { folds }: Division,
    {
      team,
      helpers,
      failures,
    }: {
      readonly team: Team
      readonly helpers: readonly number[]
      readonly failures: { segment: number; error: unknown }[]
    },
  ): void {
    const { hasFailed } = team.block
    if (folds === 'none' && !hasFailed) return
    const { partials } = this.parts
    for (const message of helpers.flatMap((helper) => team.messages(helper))) {
      if ('parcel' in message) partials.add(message)
      else failures.push(thrown(message))
    }
    if (!hasFailed) return
    partials.clear()
    throw firstOf(failures)
  }

  private collectCounts(block: WorkBlock, helpers: readonly number[]): void {
    const { control, profiler } = this.parts
    let threads = 1
    for (const helper of helpers) {
      const { edges, rows, segments } = block.takeCounts(helper)
      control.add(edges, rows)
      if (segments > 0) threads++
    }
    profiler?.noteThreads(threads)
  }
}

function thrown({ segment, widen, error }: Failure): { segment: number; error: unknown } {
  const { code, message, details } = error
  return {
    segment,
    error: widen ? new WidenSignal() : new DbError(code, message, { details }),
  }
}

/** What one thread alone would have failed of: no segment before the first that failed is left out. */
function firstOf(failures: readonly { segment: number; error: unknown }[]): unknown {
  const [first] = [...failures].sort((a, b) => a.segment - b.segment)
  return first?.error ?? lostHelper()
}

function lostHelper(): DbError {
  return new DbError('QUERY_RUNTIME', 'Runtime Error: the query lost a thread that helped it.', {
    details: { code: 'GSQL-8001' },
  })
}

/** A helper that was sent a copy would write where nobody looks. */
function assertReachable(inputs: readonly unknown[]): void {
  for (const input of inputs) {
    assert(
      !ArrayBuffer.isView(input) || input.buffer instanceof SharedArrayBuffer,
      'an array of a divided loop is out of reach of other threads',
    )
  }
}

function join(into: Uint32Array, words: Uint32Array): void {
  for (let i = 0; i < into.length; i++) into[i] = into[i]! | words[i]!
}
