/** Whether a SELECT begins with the rows that an index proposes. */
import type { BoundQuery } from '#query/ir/bound.ts'
import { isOrdered, parallelShape } from '../parallel/parallel-shape.ts'
import { type IndexCondition, selectsIn, startConditions } from '../select/index-conditions.ts'
import { planSelect, type SelectPlan } from '../select/select-plan.ts'

/**
 * The conditions to ask indexes for. None where sums of real numbers are folded segment by segment
 * of the rows: with fewer rows the segments would be others and the last bits, too, so that an
 * answer would depend on whether an index is ready.
 */
export function indexedStart(
  plan: SelectPlan,
  query: BoundQuery,
  typeId: number,
): readonly IndexCondition[] {
  const written = plan.select.accum?.effects.globalsWritten ?? []
  const isFoldOrdered = written.some((slot) => isOrdered(query.globalAccums[slot]!.type))
  if (isFoldOrdered && parallelShape(plan, query) === 'sources') return []
  return startConditions(plan, typeId)
}

/** Of every SELECT of a query, in their order. */
export function indexedStartsOf(query: BoundQuery): readonly IndexCondition[] {
  return selectsIn(query.body).flatMap((select) => {
    const plan = planSelect(select)
    const { typeIds } = plan.select.positions[plan.start]!
    return typeIds.flatMap((typeId) => indexedStart(plan, query, typeId))
  })
}
