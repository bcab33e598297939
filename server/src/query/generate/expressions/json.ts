/** Reading JSON values. */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { doubleOf, integerOf } from './integers.ts'

type JsonMethod = Extract<BoundExpression, { kind: 'jsonMethod' }>

export function jsonMethod(unit: Unit, node: JsonMethod, scope: Scope): string {
  const of = unit.expression(node.of, scope)
  if (node.key === null) return integerOf(unit, unit.call('jsonSize', of))
  const code = unit.expression(node.key, scope)
  const key = node.key.type.kind === 'INT' ? doubleOf(unit, code) : code
  if (node.method === 'containsKey') return unit.call('jsonHas', of, key)
  const kind = unit.bind(`json ${node.type.kind}`, () => node.type.kind)
  return unit.call('jsonGet', of, kind, key)
}
