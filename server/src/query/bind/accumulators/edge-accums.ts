/**
 * Edge accumulators (docs/reference/gsql/accumulators.md): `SumAccum<INT> EDGE @n;`. One is a hidden global map from edges
 * to accumulators of its kind: what was never written reads as the kind's own beginning, and the
 * rules of ACCUM for global accumulators are those of edge accumulators, too.
 */

import type { BoundAccumUpdate } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { type AccumType, ANY_EDGE, readTypeOf } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { AssignSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder } from '../core/binder.ts'
import { edgeAccumNamed, hiddenName } from './edge-accum-names.ts'
import { bindFold } from './fold.ts'

type AccumOf = Extract<Expression, { kind: 'vertexAccum' }>

export function declareEdgeAccum(binder: Binder, name: string, accum: AccumType): number {
  const value = { kind: 'accum', accum } as const
  return binder.declareHidden({
    name: hiddenName(name),
    type: { kind: 'MapAccum', key: ANY_EDGE, value },
    initial: null,
    capacity: null,
    dimensions: [],
  })
}

/** `e.@n` as a value; null: no edge accumulator has the name. */
export function bindEdgeAccum(binder: Binder, node: AccumOf): BoundExpression | null {
  const found = edgeAccumNamed(binder, node.name.name)
  if (found === null) return null
  if (node.previous) {
    const message = 'only vertex accumulators have a previous value'
    binder.fail(diagnosticCodes.misplaced, node.range, message)
  }
  const key = edgeOf(binder, node)
  binder.clause?.globalsRead.add(found.slot)
  const type = readTypeOf(found.accum)
  const map = readTypeOf(binder.globalAccums[found.slot]!.type)
  const of: BoundExpression = { kind: 'globalAccum', type: map, slot: found.slot }
  return { kind: 'method', type, method: 'get', of, arguments: [key] }
}

/** `e.@n += x`, `e.@n = x`; null: the target is no edge accumulator. */
export function bindEdgeAccumAssign(
  binder: Binder,
  { target, operator, range }: AssignSyntax,
  value: Expression,
): BoundAccumUpdate | null {
  if (target.kind !== 'vertexAccum') return null
  const found = edgeAccumNamed(binder, target.name.name)
  if (found === null) return null
  const key = edgeOf(binder, target)
  const { slot, accum } = found
  binder.clause?.globalsWritten.add(slot)
  const fold = bindFold(binder, accum, value)
  return {
    kind: 'updateAccum',
    target: { kind: 'globalAccum', slot },
    assign: false,
    value: { kind: 'pair', key, value: fold, assign: operator === '=' },
    applies: null,
    place: binder.place(range),
  }
}

/** The edge itself: an undirected one has the same accumulator from both of its ends. */
function edgeOf(binder: Binder, node: AccumOf): BoundExpression {
  const of = binder.expression(node.of)
  if (of.type.kind === 'EDGE') return { kind: 'edgeIdentity', type: of.type, of }
  const message = `"@${node.name.name}" is an accumulator of edges`
  return binder.fail(diagnosticCodes.typeMismatch, node.of.range, message)
}
