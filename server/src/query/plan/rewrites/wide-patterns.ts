/**
 * Patterns that can match in more combinations of types than code can be generated for. They are
 * counted in the plan: rewrites make some wide patterns narrow. A query that takes names of types
 * from its parameters is counted when they are known.
 */
import type { BoundQuery, Place } from '#query/ir/bound.ts'
import { combinationCount } from '../select/combinations.ts'
import { selectsIn } from '../select/index-conditions.ts'
import { planSelect } from '../select/select-plan.ts'
import { deadResults } from './drop-dead-results.ts'
import { optimizeSelect } from './optimize-select.ts'
import { splitChains } from './split-chains.ts'

/** Beyond this the text takes seconds to make and megabytes to keep. */
export const COMBINATIONS_MAX = 5_000

export interface WidePattern {
  /** Of the SELECT. */
  readonly place: Place
  readonly count: number
}

/** Of the query's own text: one that it calls was checked when it was created. */
export function widePatterns(bound: BoundQuery): readonly WidePattern[] {
  if (!bound.executable) return []
  const { body } = splitChains(bound)
  const dead = deadResults(body)
  return selectsIn(body).flatMap((select) => {
    const wanted = dead.has(select) ? { ...select, resultSlot: null } : select
    const count = Math.round(combinationCount(optimizeSelect(planSelect(wanted))))
    return count > COMBINATIONS_MAX ? [{ place: select.place, count }] : []
  })
}
