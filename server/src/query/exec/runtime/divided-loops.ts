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

import { MessageChannel, type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { assert } from '#kernel/assert.ts'
import { DbError, type ErrorCode } from '#kernel/errors.ts'
import type { RunControl } from './control.ts'
import { WidenSignal } from './integer-functions.ts'
import type { MemoryBudget } from './memory.ts'
import type { PartialMap, PartialMaps } from './partial-maps.ts'
import type { Profiler } from './profile.ts'
import type { VertexSets } from './vertex-set.ts'
import { SEGMENTS_MAX, type TurnWords, WorkBlock } from './work-block.ts'

/** Items of a segment: enough to outweigh a message, few enough to even out the threads. */
export const SEGMENT_ITEMS = 4096
/** Segments of a loop in which no order counts, and the fewest items of one. */
const FREE_SEGMENTS = 128
const FREE_ITEMS_MIN = 256
/** Of those whose segments fold into maps, each of which is handed over. */
const MAP_SEGMENTS = 24
/** Of loops whose every item may lead far, or to all vertices there are. */
const DIVISORS = { row: 1, alone: 1, deep: 16, search: 256 } as const

/** The last of the inputs are the cells. */
export type Part = (inputs: readonly unknown[], segment: number, first: number, end: number) => void

/** One turn, as it is posted to a helper. */
export interface Turn {
  readonly words: TurnWords
  /** The segments before this one are done: the words know those behind. */
  readonly from: number
  /** Whose segments are taken first. */
  readonly lane: number
  /** Which text: that of 64-bit integers, or that of doubles. */
  readonly wide: boolean
  /** Index of the part in the text. */
  readonly part: number
  readonly inputs: readonly unknown[]
  readonly items: number
  readonly segmentItems: number
}

/** Why a segment was not finished, as a helper tells it. */
export interface Failure {
  readonly segment: number
  readonly widen: boolean
  readonly error: {
    readonly code: ErrorCode
    readonly message: string
    readonly details: Readonly<Record<string, unknown>>
  }
}

/** Asks for helpers: the words they will share with the run, and the way ports to them come in. */
export type AskForHelpers = (block: SharedArrayBuffer, lending: MessagePort) => void

/** Words that are shared with helpers, and where the ports to them come in. */
export interface Lending {
  readonly block: WorkBlock
  readonly lending: MessagePort
}

/** How long a run that could go two ways waits to hear whether it has helpers. */
const ANSWER_MS = 1

/** The helpers of a run. They are asked for when there is something for them to do. */
export class Team {
  /** By the number of the helper. */
  private readonly ports: MessagePort[] = []
  private readonly ask: AskForHelpers
  private asked: Lending | null

  /** @param asked the pool lends helpers already; null: not before it is asked */
  constructor(ask: AskForHelpers, asked: Lending | null = null) {
    this.ask = ask
    this.asked = asked
  }

  get block(): WorkBlock {
    return this.call().block
  }

  /** Numbers of those who are there, and were not called back. */
  present(): number[] {
    const { block, lending } = this.call()
    while (this.ports.length < block.lent) {
      const received = receiveMessageOnPort(lending)
      if (received === undefined) break
      this.ports.push(received.message as MessagePort)
    }
    return [...this.ports.keys()].filter((helper) => !block.leaves(helper))
  }

  awaitAnswer(ms = ANSWER_MS): void {
    this.call().block.awaitAnswer(ms)
  }

  /** Waits until one of so many helpers has begun the turn, or none is left to begin it. */
  awaitBegin(count: number, words: TurnWords): void {
    const { block } = this
    while (count > 0 && !block.hasBegun(words) && !block.isLost && this.present().length > 0);
  }

  post(helper: number, turn: Turn): void {
    this.ports[helper]!.postMessage(turn)
  }

  /** What a helper has said since it was last asked. */
  messages(helper: number): (Failure | PartialMap)[] {
    const all: (Failure | PartialMap)[] = []
    for (;;) {
      const received = receiveMessageOnPort(this.ports[helper]!)
      if (received === undefined) return all
      all.push(received.message as Failure | PartialMap)
    }
  }

  close(): void {
    for (const port of this.ports) port.close()
    this.asked?.lending.close()
  }

  private call() {
    if (this.asked !== null) return this.asked
    const block = new WorkBlock()
    const { port1: lending, port2 } = new MessageChannel()
    this.asked = { block, lending }
    this.ask(block.buffer, port2)
    return this.asked
  }
}

export interface DividerParts {
  readonly wide: boolean
  readonly control: RunControl
  readonly memory: MemoryBudget
  readonly sets: VertexSets
  readonly partials: PartialMaps
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
  /** Segments fold into maps of their own as well. */
  readonly maps: boolean
}

export function segmentSize(
  items: number,
  segmentItems: number,
  { size, ordered, maps }: Pick<Division, 'size' | 'ordered' | 'maps'>,
): number {
  if (size === 'share') return 1
  let count = Math.max(1, Math.floor(segmentItems / DIVISORS[size]))
  // Short ones leave less to wait for at the end; where sums are ordered they are what they are.
  const segments = maps ? MAP_SEGMENTS : FREE_SEGMENTS
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
    const { width, ordered, size, maps } = division
    const segmentItems = segmentSize(items, this.parts.segmentItems, division)
    const segmentCount = Math.max(1, Math.ceil(items / segmentItems))
    const isAlone = size === 'alone'
    const isShared = team !== null && segmentCount > 1 && !isAlone
    // Otherwise in segments as well: each call of a part may take code that was compiled meanwhile.
    if (!isShared && (!ordered || isAlone) && (width > 0 || maps)) {
      const cells = new Float64Array(width)
      part([...inputs, cells], 0, 0, items)
      return cells
    }
    const cells = new Float64Array(memory.buffer(segmentCount * width * 8))
    memory.give(cells.byteLength)
    const all = [...inputs, cells]
    const loop = { inputs: all, items, segmentItems }
    const from = isShared && maps ? this.tried(part, loop) : 0
    if (isShared && from !== null) this.share(part, division, { loop, segmentCount, team, from })
    else {
      for (let segment = from === null ? 1 : 0; segment < segmentCount; segment++) {
        const begin = segment * segmentItems
        part(all, segment, begin, Math.min(items, begin + segmentItems))
      }
    }
    return cells
  }

  /**
   * Does the first segment of a loop that folds into maps, to see how much threads would hand over.
   * @returns the first segment to share; null: the loop is faster on one thread
   */
  private tried(part: Part, { inputs, items, segmentItems }: SharedLoop['loop']): number | null {
    const { control, partials, helpersFirst } = this.parts
    if (helpersFirst) return 0
    const end = Math.min(items, segmentItems)
    return partials.paysToShare(control, end, () => part(inputs, 0, 0, end)) ? 1 : null
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
    this.parts.partials.isDirect = false
    // A helper may be lent while the loop is under way.
    do this.invite(team, { turn, division, own })
    while (runSegment(block, turn, part, failed))
    block.settled()
    this.parts.partials.isDirect = true
    const helpers = [...own.keys()]
    this.collectCounts(block, helpers)
    if (block.isLost) throw lostHelper()
    this.collectMessages(division, { team, helpers, failures })
    if (division.maps) this.parts.partials.assertWhole(segmentCount)
    for (const mark of division.marks) {
      for (const inputs of own.values()) {
        join(loop.inputs[mark] as Uint32Array, inputs[mark] as Uint32Array)
      }
    }
  }

  /** Sends the turn to helpers that do not have it yet, each with bitmaps of its own. */
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
    const fresh = team.present().filter((helper) => !own.has(helper))
    for (const helper of fresh) {
      // What fits in the limit with one thread does so with several.
      if (!this.parts.sets.hasRoom(division.marks.length)) return
      const inputs = [...turn.inputs]
      for (const mark of division.marks) inputs[mark] = this.parts.sets.newWords()
      own.set(helper, inputs)
      team.post(helper, { ...turn, inputs, lane: own.size })
      team.block.ring()
    }
  }

  /** @throws what one thread alone would have failed of */
  private collectMessages(
    { maps }: Division,
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
    if (!maps && !hasFailed) return
    const { partials } = this.parts
    for (const message of helpers.flatMap((helper) => team.messages(helper))) {
      if ('cells' in message) partials.add(message)
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
