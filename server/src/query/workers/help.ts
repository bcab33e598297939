/**
 * A worker that helps another one's run: it makes the same functions from the same plan and view,
 * and runs segments of the loops that the run divides, until it is called back or the run is over.
 *
 * The thread sleeps between turns, so it answers no messages meanwhile; the pool rings the bell
 * of the run's block when it wants the thread back.
 */
import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads'
import { assert } from '#kernel/assert.ts'
import { isDbError } from '#kernel/errors.ts'
import { unpackViews } from '#kernel/shared-views.ts'
import { NeedsWideIntegers } from '#query/generate/text/unit.ts'
import { RunControl } from '#query/runtime/control.ts'
import { WidenSignal } from '#query/runtime/integer-functions.ts'
import { type Part, runSegment } from '#query/runtime/parallel/divided-loops.ts'
import { helperPartials, type PartialBlock } from '#query/runtime/parallel/partial-blocks.ts'
import type { Failure, Turn } from '#query/runtime/parallel/team.ts'
import type { WorkBlock } from '#query/runtime/parallel/work-block.ts'
import type { InstalledPlan } from './plan.ts'
import { makeEnv, type RunOptions, type RunPlace, runErrorOf } from './run.ts'

export interface HelpPlace extends Pick<RunPlace, 'cache' | 'view' | 'memory'> {
  readonly block: WorkBlock
  /** Number of this helper within the run. */
  readonly helper: number
  /** Turns come in, failures go out. */
  readonly port: MessagePort
  /** Of the run: when it is to stop, so is the helper. */
  readonly control: RunControl
}

/** Stops when the run stops, and counts for itself: two threads cannot add to one counter. */
class HelperControl extends RunControl {
  private readonly place: HelpPlace

  constructor(place: HelpPlace) {
    super(place.control.buffer)
    this.place = place
    this.watchHeap(place.memory?.heap ?? null)
  }

  override add(edges: number, rows: number): void {
    this.place.block.addCounts(this.place.helper, { edges, rows, segments: 0 })
  }
}

/** Returns when the helper is wanted elsewhere, no longer needed, or of no use. */
export function helpPlan(plan: InstalledPlan, options: RunOptions, place: HelpPlace): void {
  const { block, helper, port } = place
  const known = new Map(partsToBeginWith(plan, options, place))
  while (!block.leaves(helper)) {
    const { bell } = block
    const turn = lastTurn(port)
    if (turn === null) {
      block.sleep(bell)
      continue
    }
    const parts = known.get(turn.wide) ?? tryParts(plan, options, { ...place, wide: turn.wide })
    if (parts === null) break
    known.set(turn.wide, parts)
    if (turn.wide) place.cache.markWide(plan)
    runTurn(turn, parts, place)
  }
  port.close()
}

/**
 * Those of the text that was run last, or of doubles: made before the first turn comes in. None when
 * there is no memory, or integers are too long for them.
 */
function partsToBeginWith(
  plan: InstalledPlan,
  options: RunOptions,
  place: HelpPlace,
): readonly (readonly [boolean, readonly Part[]])[] {
  const wide = place.cache.needsWide(plan)
  try {
    const parts = tryParts(plan, options, { ...place, wide })
    return parts === null ? [] : [[wide, parts]]
  } catch (error) {
    if (!(error instanceof NeedsWideIntegers)) throw error
    place.cache.markWide(plan)
    return []
  }
}

/** Earlier ones are over. */
function lastTurn(port: MessagePort): Turn | null {
  let turn: Turn | null = null
  for (;;) {
    const received = receiveMessageOnPort(port)
    if (received === undefined) return turn && unpackViews(turn)
    turn = received.message as Turn
  }
}

function runTurn(turn: Turn, parts: readonly Part[], { block, helper, port }: HelpPlace): void {
  const part = parts[turn.part]
  assert(part !== undefined, 'a helper has the parts of the run')
  const failed = (segment: number, error: unknown) => port.postMessage(failureOf(segment, error))
  block.enter()
  try {
    while (!block.leaves(helper) && runSegment(block, turn, part, failed)) {
      block.addCounts(helper, { edges: 0, rows: 0, segments: 1 })
    }
  } finally {
    block.leave()
  }
}

/** Null: there is no memory for them here. The run goes on without this helper. */
function tryParts(
  plan: InstalledPlan,
  options: RunOptions,
  place: HelpPlace & { readonly wide: boolean },
): readonly Part[] | null {
  try {
    return makeParts(plan, options, place)
  } catch (thrown) {
    const error = runErrorOf(thrown)
    if (isDbError(error) && error.code === 'QUERY_MEMORY_LIMIT') return null
    throw error
  }
}

function makeParts(
  plan: InstalledPlan,
  options: RunOptions,
  place: HelpPlace & { readonly wide: boolean },
): readonly Part[] {
  const control = new HelperControl(place)
  const { code, env, bindings } = makeEnv(plan, options, { ...place, control })
  let found: readonly Part[] = []
  const beginRun = (_main: unknown, parts: readonly Part[]) => {
    found = parts
  }
  // Copied: a thread that gives a buffer away loses its fast code (docs/decisions/0045).
  const post = (partial: PartialBlock) => place.port.postMessage(partial)
  code.run(bindings, { ...env.runtime, ...helperPartials(post), beginRun })
  return found
}

function failureOf(segment: number, thrown: unknown): Failure {
  const error = runErrorOf(thrown)
  const widen = error instanceof WidenSignal
  if (isDbError(error)) {
    const { code, message, details } = error
    return { segment, widen, error: { code, message, details } }
  }
  const cause = error instanceof Error ? `${error.message}\n${error.stack}` : 'unknown'
  const message = 'Runtime Error: the query failed inside the engine.'
  return {
    segment,
    widen,
    error: { code: 'QUERY_RUNTIME', message, details: { code: 'GSQL-8001', cause } },
  }
}
