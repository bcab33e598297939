/** Elements of ArrayAccums. */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { doubleOf } from './integers.ts'

/** `a[i][j]`; the runtime checks the indexes. */
export function elementOf(
  unit: Unit,
  node: Extract<BoundExpression, { kind: 'element' }>,
  scope: Scope,
): string {
  const block = unit.expression(node.of, scope)
  return unit.call('arrayElement', block, arrayIndexes(unit, node.indexes, scope))
}

export function arrayIndexes(
  unit: Unit,
  indexes: readonly BoundExpression[],
  scope: Scope,
): string {
  return `[${indexes.map((index) => doubleOf(unit, unit.expression(index, scope))).join(',')}]`
}
