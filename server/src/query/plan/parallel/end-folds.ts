/**
 * `t.@x += value` in a hop from s to t where nothing else is folded: the targets can be divided
 * between threads (`generate/parallel/ranged-folds.ts`), or each thread has a copy of them
 * (`generate/parallel/copied-folds.ts`).
 */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { BoundDmlStatement } from '#query/ir/bound-select.ts'
import { throwsItself } from '../select/references.ts'
import type { SelectPlan } from '../select/select-plan.ts'
import { sentFolds } from './sent-folds.ts'

/** Whether all that a plan folds goes into the other end of its hop, and no row can fail. */
export function foldsIntoEndsOnly(
  plan: SelectPlan,
  query: Parameters<typeof sentFolds>[1],
): boolean {
  const { select, filters } = plan
  const { accum } = select
  if (accum === null || accum.effects.globalsWritten.length > 0) return false
  const folds = sentFolds(plan, query)
  if (folds.size === 0 || foldCount(accum.body) > folds.size) return false
  // The first row that fails tells why: rows are not met in their order.
  return !mayFail(filters) && !mayFail(accum.body)
}

/** Folds into vertices, at any depth. */
function foldCount(body: readonly BoundDmlStatement[]): number {
  return body.reduce((sum, statement) => {
    if (statement.kind === 'if') {
      const bodies = [...statement.branches.map((branch) => branch.body), statement.otherwise]
      return sum + bodies.reduce((inner, one) => inner + foldCount(one), 0)
    }
    return sum + (statement.kind === 'updateAccum' && statement.target.kind !== 'local' ? 1 : 0)
  }, 0)
}

function mayFail(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(mayFail)
  if (typeof node !== 'object' || node === null) return false
  if ('kind' in node && throwsItself(node as BoundExpression)) return true
  return Object.values(node).some(mayFail)
}
