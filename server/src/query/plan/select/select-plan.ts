/**
 * The plan of one SELECT: in which order its hops are walked, where each condition is tested, and
 * what has to be remembered of the rows. Immutable; `plan/rewrites` makes better ones from it.
 *
 * Level 0 is the scan of the start position; level i + 1 follows walk i. What stands at a level is
 * done as soon as the positions and hops up to there are known.
 */
import { assert } from '#kernel/assert.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundHop, BoundSelect, BoundStep } from '#query/ir/bound-select.ts'
import { referencesOf } from './references.ts'

export interface SelectPlan {
  readonly select: BoundSelect
  /** The position that is scanned. */
  readonly start: number
  readonly walks: readonly Walk[]
  /** Conditions by level, `walks.length + 1` lists; each is tested once its level is reached. */
  readonly filters: readonly (readonly BoundExpression[])[]
  /** Expressions computed once per row of a level and used further in. */
  readonly hoisted: readonly (readonly HoistedValue[])[]
  /** Positions whose distinct vertices are wanted: for the result and for POST-ACCUM. */
  readonly marked: readonly number[]
}

export interface HoistedValue {
  readonly node: BoundExpression
  /** May fail (a division): computed only where a row is certain to follow. */
  readonly throws: boolean
}

/** One hop, walked from a known position. */
export interface Walk {
  readonly hop: number
  readonly from: number
  readonly to: number
  /** Against the way the hop is written; its steps have been turned. */
  readonly turned: boolean
  readonly steps: readonly BoundStep[]
  /** The other end is known already: the hop only joins. */
  readonly joins: boolean
  readonly repeat: BoundHop['repeat']
  /** Stands behind the conditions of the level that the walk begins from. */
  readonly failure: BoundHop['failure']
}

export function planSelect(select: BoundSelect): SelectPlan {
  const walks = orderWalks(select)
  const levels = walks.length + 1
  return {
    select,
    start: 0,
    walks,
    filters: placeFilters(select, walks),
    hoisted: Array.from({ length: levels }, () => []),
    marked: markedPositions(select),
  }
}

/**
 * As written, but a hop whose left end is not known yet is walked from its right end, and one that
 * joins two known vertices comes before those that lead on.
 */
function orderWalks(select: BoundSelect): readonly Walk[] {
  const known = new Set([0])
  const left = new Set(select.hops.keys())
  const walks: Walk[] = []
  while (left.size > 0) {
    const ends = (h: number) => {
      const { from, to } = select.hops[h]!
      return Number(known.has(from)) + Number(known.has(to))
    }
    const hop = [...left].find((h) => ends(h) === 2) ?? [...left].find((h) => ends(h) === 1)
    assert(hop !== undefined, 'a pattern is not connected')
    left.delete(hop)
    const walk = walkOf(select.hops[hop]!, hop, known)
    known.add(walk.to)
    walks.push(walk)
  }
  return walks
}

function walkOf(bound: BoundHop, hop: number, known: ReadonlySet<number>): Walk {
  const { from, to, steps, repeat, failure } = bound
  const common = { hop, repeat, failure }
  if (known.has(from)) return { ...common, from, to, turned: false, steps, joins: known.has(to) }
  return { ...common, from: to, to: from, turned: true, steps: steps.map(turn), joins: false }
}

/** Whether some of its ways are of several edges. */
export function isChained({ steps }: Walk): boolean {
  return steps.some(({ chain }) => chain !== undefined)
}

/** The same way walked from its other end. */
export function turn(step: BoundStep): BoundStep {
  const directions = { out: 'in', in: 'out', both: 'both' } as const
  return {
    ...step,
    direction: directions[step.direction],
    fromTypeId: step.toTypeId,
    toTypeId: step.fromTypeId,
    ...(step.chain === undefined ? {} : { chain: step.chain.map(turn).reverse() }),
  }
}

/** Each conjunct of WHERE at the first level that knows what it speaks of. */
function placeFilters(
  select: BoundSelect,
  walks: readonly Walk[],
): readonly (readonly BoundExpression[])[] {
  const filters: BoundExpression[][] = Array.from({ length: walks.length + 1 }, () => [])
  let guarded = 0
  for (const conjunct of conjunctsOf(select.where)) {
    const references = referencesOf(conjunct)
    const own = levelOf(references, walks)
    // A condition that may fail is never tested before those that stand in front of it.
    const level = references.throws ? Math.max(own, guarded) : own
    guarded = Math.max(guarded, level)
    filters[level]!.push(conjunct)
  }
  walks.forEach(({ failure }, level) => {
    if (failure !== null) filters[level]!.push(failure)
  })
  return filters
}

export function conjunctsOf(where: BoundExpression | null): readonly BoundExpression[] {
  if (where === null) return []
  if (where.kind !== 'and') return [where]
  return [...conjunctsOf(where.left), ...conjunctsOf(where.right)]
}

/** The level at which a position is first known. */
export function levelOfPosition({ start, walks }: SelectPlan, position: number): number {
  if (position === start) return 0
  return 1 + walks.findIndex((walk) => !walk.joins && walk.to === position)
}

/** The first level at which all that an expression refers to is known. */
export function levelOf(
  references: { readonly positions: ReadonlySet<number>; readonly hops: ReadonlySet<number> },
  walks: readonly Walk[],
): number {
  let level = 0
  walks.forEach((walk, i) => {
    const binds = !walk.joins && references.positions.has(walk.to)
    if (binds || references.hops.has(walk.hop)) level = i + 1
  })
  return level
}

/**
 * `PER (source, x)`: rows of one source come one after the other, so that to mark each x with the
 * source is to know the combinations. Null: not of this form.
 */
export function markedPerSource({ select, start }: SelectPlan): number | null {
  const { per, perHops } = select
  if (per === null || per.length !== 2 || perHops.length > 0 || !per.includes(start)) return null
  return per.find((position) => position !== start) ?? null
}

function markedPositions(select: BoundSelect): readonly number[] {
  const marked = new Set(select.postAccum.map((clause) => clause.position))
  const wanted = select.resultSlot !== null
  if (wanted) marked.add(select.resultPosition)
  return [...marked].sort((a, b) => a - b)
}
