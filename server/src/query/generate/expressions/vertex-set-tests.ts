/** Sizes of vertex sets, and membership: the bitmaps made for them are given back at once. */
import type { BoundExpression, BoundVertexSetExpression } from '#query/ir/bound-expression.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'

/** As a double. What two collections share is counted without a bitmap: rows may ask for it. */
export function setSizeOf(unit: Unit, set: BoundVertexSetExpression, scope: Scope): string {
  if (set.kind === 'variable') return unit.call('setSize', unit.vertexSet(set, scope))
  if (set.kind === 'intersect') {
    const [left, right] = [collectionIn(set.left), collectionIn(set.right)]
    if (left !== null && right !== null) {
      return unit.call('countCommon', unit.expression(left, scope), unit.expression(right, scope))
    }
  }
  return unit.call('takeSize', unit.call('setMark'), unit.vertexSet(set, scope))
}

function collectionIn(set: BoundVertexSetExpression): BoundExpression | null {
  return set.kind === 'vertices' && set.value.type.kind === 'SET' ? set.value : null
}

export function setHolds(
  unit: Unit,
  node: Extract<BoundExpression, { kind: 'inVertexSet' }>,
  scope: Scope,
): string {
  const vertex = unit.expression(node.value, scope)
  const set = unit.vertexSet(node.set, scope)
  if (node.set.kind === 'variable') return unit.call('setHas', set, vertex)
  return unit.call('takeHas', unit.call('setMark'), set, vertex)
}
