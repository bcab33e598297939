/**
 * JOIN by an index: where the condition holds `a.x == b.y` among what it joins by AND, the rows of
 * the right table are put into a map by `y` first, and each row of the left one meets only those
 * under its `x`. The whole condition is still asked of them: the map only leaves rows out.
 */

import type { BoundFold, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { TupleValueType } from '#query/ir/types.ts'
import { sameType } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { foldStatement } from './match-source.ts'
import type { TableRows } from './table-rows.ts'
import { declared, hidden, readOf } from './tables.ts'

export interface JoinIndex {
  /** Fills the map. */
  readonly before: readonly BoundStatement[]
  /** The rows of the right table that a row of the left one meets. */
  readonly rows: BoundExpression
}

/** Types whose equal values are one key. */
const KEY_KINDS = ['STRING', 'INT', 'UINT', 'BOOL', 'DATETIME', 'VERTEX']

/** Null: no part of the condition compares a column of each table. */
export function joinIndex(
  binder: Binder,
  rows: TableRows,
  {
    condition,
    right,
    range,
  }: {
    readonly condition: Expression | null
    readonly right: TupleValueType
    readonly range: SourceRange
  },
): JoinIndex | null {
  const keys = condition === null ? null : keysOf(binder, rows, condition)
  if (keys === null) return null
  const element = { kind: 'value', type: right } as const
  const slot = hidden(binder, '#index', {
    kind: 'MapAccum',
    key: keys.right.type,
    value: { kind: 'accum', accum: { kind: 'ListAccum', element } },
  })
  const fold: BoundFold = {
    kind: 'pair',
    key: keys.right,
    value: { kind: 'element', value: rows.row(1) },
  }
  const add = foldStatement({ slot, fold, when: null }, binder.place(range))
  return {
    before: [declared(binder, { range }, slot), rows.around(1, [add])],
    rows: {
      kind: 'method',
      type: { kind: 'LIST', element: right },
      method: 'get',
      of: readOf(binder, slot),
      arguments: [keys.left],
    },
  }
}

interface Keys {
  readonly left: BoundExpression
  readonly right: BoundExpression
}

function keysOf(binder: Binder, rows: TableRows, node: Expression): Keys | null {
  if (node.kind !== 'binary') return null
  if (node.operator === 'AND') {
    return keysOf(binder, rows, node.left) ?? keysOf(binder, rows, node.right)
  }
  if (node.operator !== '==') return null
  const inputs = [rows.columnInput(node.left), rows.columnInput(node.right)]
  if (!inputs.includes(0) || !inputs.includes(1)) return null
  const bound = [node.left, node.right].map((side) =>
    rows.inside(() => binder.expression(rows.value(side))),
  )
  const [left, right] = inputs[0] === 0 ? bound : [...bound].reverse()
  const fits = KEY_KINDS.includes(left!.type.kind) && left!.type.kind === right!.type.kind
  return fits && (left!.type.kind === 'VERTEX' || sameType(left!.type, right!.type))
    ? { left: left!, right: right! }
    : null
}
