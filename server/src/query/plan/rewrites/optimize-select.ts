/** The rewrites of a SELECT's plan, in their order. Each is a file of its own. */
import type { SelectPlan } from '../select/select-plan.ts'
import { hoistInvariants } from './hoist-invariants.ts'

export function optimizeSelect(plan: SelectPlan): SelectPlan {
  return hoistInvariants(plan)
}
