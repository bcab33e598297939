/** Elements of ArrayAccums. */
import type { BoundExpression } from '#query/bind/bound-expression.ts'
import { doubleOf } from './integers.ts'
import type { Scope } from './scope.ts'
import type { Unit } from './unit.ts'

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
