/**
 * Two shapes of one-hop SELECTs that have a faster loop than source by source, edge by edge.
 *
 * *Pull*: only the distinct targets are wanted. When the source set reaches much of the graph, each
 * target looks for one neighbour in the set and stops at the first (measured twice as fast at the
 * third hop of a search). *Edge scan*: conditions and sums speak of the edge alone. When every
 * vertex is a source, the edges are read in one sweep, and those that satisfy the conditions are
 * first collected in a selection vector: no branch depends on the data (measured 2.6 times as fast
 * at 39 % selectivity). Both are chosen when the query runs, by the set at hand.
 */
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { type References, referencesOf } from '../select/references.ts'
import { isChained, type SelectPlan } from '../select/select-plan.ts'

/** The targets are all that is wanted, and conditions speak of nothing else. */
export function wantsTargetsOnly(plan: SelectPlan): boolean {
  const [walk] = plan.walks
  if (!isOneHop(plan) || walk === undefined) return false
  const { accum } = plan.select
  const onlyTarget = plan.marked.length === 1 && plan.marked[0] === walk.to
  if (accum !== null || !onlyTarget || plan.filters[0]!.length > 0) return false
  return plan.filters[1]!.every((filter) => {
    const { positions, hops, throws } = referencesOf(filter)
    return hops.size === 0 && !throws && !positions.has(walk.from)
  })
}

/** The ends of one repeated hop are all that is wanted: one search from all sources will do. */
export function wantsEndsOfRepeat(plan: SelectPlan): boolean {
  const [walk] = plan.walks
  const { accum, per } = plan.select
  if (walk === undefined || plan.walks.length > 1 || walk.repeat === null || walk.joins)
    return false
  if (accum !== null || per !== null) return false
  if (plan.marked.length !== 1 || plan.marked[0] !== walk.to) return false
  return plan.filters[1]!.every((filter) => !referencesOf(filter).positions.has(walk.from))
}

function isOneHop({ walks, select }: SelectPlan): boolean {
  const [walk] = walks
  if (walks.length !== 1 || walk!.joins || walk!.repeat !== null || isChained(walk!)) return false
  return select.per === null && select.hops[walk!.hop]!.names === null
}

/** Conditions and statements speak of the edge alone, and no vertex is wanted. */
export function speaksOfEdgesOnly(plan: SelectPlan): boolean {
  const [walk] = plan.walks
  const { accum, positions } = plan.select
  if (!isOneHop(plan) || walk === undefined || accum === null) return false
  if (plan.marked.length > 0 || plan.filters[0]!.length > 0 || accum.locals.length > 0) return false
  if (positions[walk.to]!.within !== null) return false
  return (
    plan.filters[1]!.every((filter) => isOfEdge(referencesOf(filter))) &&
    accum.body.every(isScalarSum)
  )
}

function isOfEdge({ positions, throws, fixed }: References): boolean {
  return positions.size === 0 && !throws && !fixed
}

function isScalarSum(statement: BoundDmlStatement): boolean {
  if (statement.kind !== 'updateAccum' || statement.assign || statement.applies !== null)
    return false
  const { target, value } = statement
  return (
    target.kind === 'globalAccum' &&
    value.kind === 'scalar' &&
    referencesOf(value.value).positions.size === 0
  )
}
