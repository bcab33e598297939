/** Elements of ArrayAccums: `@@a[i][j]` read, and on the left of `=` and `+=`. */

import type { BoundAccumUpdate } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { type AccumType, readTypeOf } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { AssignSyntax } from '#query/syntax/ast-statement.ts'
import { bindFold } from '../accumulators/fold.ts'
import { accumTypeOf, bindAccumPlace } from '../accumulators/mutate.ts'
import type { Binder } from '../core/binder.ts'
import { bindInt } from '../statements/control.ts'

type Bracket = Extract<Expression, { kind: 'bracket' }>

interface Indexed {
  readonly array: Expression
  readonly indexes: readonly Expression[]
}

function unfold(node: Bracket): Indexed {
  const own = node.items.map(({ value }) => value)
  if (node.of.kind !== 'bracket') return { array: node.of, indexes: own }
  const { array, indexes } = unfold(node.of)
  return { array, indexes: [...indexes, ...own] }
}

function arrayType(
  binder: Binder,
  node: Bracket,
  { array, indexes }: Indexed,
): Extract<AccumType, { kind: 'ArrayAccum' }> {
  const type = accumTypeOf(binder, array)
  if (type?.kind !== 'ArrayAccum') {
    return binder.fail(diagnosticCodes.misplaced, node.range, 'only an ArrayAccum has elements [i]')
  }
  if (type.dimensions === indexes.length) return type
  const message = `this array has ${type.dimensions} dimension(s), not ${indexes.length}`
  return binder.fail(diagnosticCodes.argumentCount, node.range, message)
}

export function bindElement(binder: Binder, node: Bracket): BoundExpression {
  const indexed = unfold(node)
  const type = arrayType(binder, node, indexed)
  return {
    kind: 'element',
    type: readTypeOf(type.element),
    of: binder.expression(indexed.array),
    indexes: indexed.indexes.map((index) => bindInt(binder, index)),
  }
}

export function bindElementUpdate(
  binder: Binder,
  node: AssignSyntax,
  target: Bracket,
  value: Expression,
): BoundAccumUpdate {
  const indexed = unfold(target)
  const type = arrayType(binder, target, indexed)
  const place = bindAccumPlace(binder, indexed.array)
  if (place === null) throw new Error('an array without a place')
  return {
    kind: 'updateAccum',
    target: place.target,
    assign: false,
    value: {
      kind: 'at',
      indexes: indexed.indexes.map((index) => bindInt(binder, index)),
      assign: node.operator === '=',
      value: bindFold(binder, type.element, value),
    },
    applies: null,
    place: binder.place(node.range),
  }
}
