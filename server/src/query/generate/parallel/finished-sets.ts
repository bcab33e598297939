/**
 * Counts among sets of vertices that do not change while a clause runs (`plan/parallel/shared-sets.ts`): the
 * clause takes the arrays they lie in once; each loop, on whatever thread, a counter over them.
 */
import { assert } from '#kernel/assert.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { type SetRead, sharedSets } from '#query/plan/parallel/shared-sets.ts'
import { vertexNumber } from '../expressions/access.ts'
import { integerOf } from '../expressions/integers.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

export interface FinishedSets {
  /** A loop's counters, by the counts they are for. */
  readonly counters: ReadonlyMap<BoundExpression, Counter>
  /** What makes each counter, by its JavaScript name. */
  readonly texts: ReadonlyMap<string, string>
}

interface Counter {
  readonly name: string
  /** Code that tells whether both sides lie in runs; null: one of them never does. */
  readonly inRuns: string | null
}

/**
 * Writes what is at hand before the loops; null: there is nothing to count. `sources`: how many
 * vertices the loops start from.
 */
export function emitFinishedSets(
  unit: Unit,
  counts: ReadonlySet<BoundExpression>,
  sources: string,
): FinishedSets | null {
  if (counts.size === 0) return null
  const arrays = (['setCells', 'setWords', 'setChanges'] as const).map((part) =>
    named(unit, unit.call(part)),
  )
  const runs = new Map<number, Runs>()
  const runsOf = (slot: number): Runs => {
    const known = runs.get(slot) ?? emitRuns(unit, slot, sources)
    runs.set(slot, known)
    return known
  }
  const counters = new Map<BoundExpression, Counter>()
  const texts = new Map<string, string>()
  for (const node of counts) {
    const slots = sharedSets(node, unit.query)!.map(columnOf)
    const pair = slots.every((slot) => slot !== null) ? slots.map(runsOf) : null
    const name = unit.name('k')
    const sides = pair === null ? 'null' : `[${pair.map(({ text }) => text).join(',')}]`
    texts.set(name, unit.call('sharedIn', String(texts.size), `[${arrays.join(',')}]`, sides))
    counters.set(node, { name, inRuns: pair?.map(({ exist }) => exist).join('&&') ?? null })
  }
  return { counters, texts }
}

interface Runs {
  /** What a counter is given. */
  readonly text: string
  readonly exist: string
}

function emitRuns(unit: Unit, slot: number, sources: string): Runs {
  const [column, initial] = [`v${slot}`, `i${slot}`]
  const directory = named(unit, unit.call('runDirectory', column, initial, sources))
  const members = named(unit, unit.call('runMembers', column))
  const rows = named(unit, unit.call('runRows', column))
  const text = `[${directory},${members},${rows},${column},${initial}]`
  return { text, exist: `${directory}.length>0` }
}

function columnOf(set: SetRead): number | null {
  return set.kind === 'vertexAccum' ? set.slot : null
}

function named(unit: Unit, code: string): string {
  const name = unit.name('k')
  unit.line(`const ${name}=${code};`)
  return name
}

/** Writes the counters at the beginning of a loop, or of one of its parts. */
export function emitCounters(unit: Unit, finished: FinishedSets | null): void {
  for (const [name, text] of finished?.texts ?? []) unit.line(`const ${name}=${text};`)
}

/** Null: the sets are not known to be finished. */
export function finishedCount(unit: Unit, node: BoundExpression, scope: Scope): string | null {
  const counter = scope.finished?.counters.get(node)
  if (counter === undefined) return null
  const { name, inRuns } = counter
  const sets = sharedSets(node, unit.query)!
  const blocks = sets.map((set) => unit.expression(set, scope))
  const inSets = unit.call('countIn', name, ...blocks)
  if (inRuns === null) return integerOf(unit, inSets)
  const vertices = sets.map((set) => ownerOf(unit, set, scope))
  const inBoth = unit.call('countInRuns', name, ...vertices)
  return integerOf(unit, `(${inRuns}?${inBoth}:${inSets})`)
}

function ownerOf(unit: Unit, set: SetRead, scope: Scope): string {
  assert(set.kind === 'vertexAccum' && set.of.kind === 'vertexAlias', 'a column has runs')
  return vertexNumber(unit, scope.vertices.get(set.of.position)!)
}
