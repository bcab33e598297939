/** PRINT: values, whole vertex sets, projections. */

import type { BoundColumn, BoundPrint, BoundPrintItem } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { STRING } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { PrintItemSyntax, PrintSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder, BoundSet } from '../core/binder.ts'
import { ClauseState, type SelectState } from '../core/clause-state.ts'
import { bindCondition } from '../core/conditions.ts'
import { convertTo } from '../core/convert.ts'
import { valueOrFailure } from '../core/run-failures.ts'
import { looksLikeVertexSet } from '../expressions/vertex-set-shape.ts'
import { bindWideBits } from '../expressions/wide-bits.ts'

export function bindPrint(binder: Binder, node: PrintSyntax): BoundPrint {
  const items = binder.each(
    node.items.map((item) => () => bindItem(binder, asProjection(binder, item), node.where)),
  )
  const { toCsv } = node
  const path =
    toCsv === null ? null : convertTo(binder, binder.expression(toCsv), STRING, toCsv.range)
  return { kind: 'print', items, toCsv: path, place: binder.place(node.range) }
}

/** `PRINT S.attr` means `S[S.attr]`, into a file and without. */
function asProjection(binder: Binder, item: PrintItemSyntax): PrintItemSyntax {
  const { value } = item
  const member = value.kind === 'member' || value.kind === 'vertexAccum'
  if (!member || !looksLikeVertexSet(binder, value.of)) return item
  const { of, range } = value
  const items = [{ value, as: null, text: item.text }]
  return { ...item, value: { kind: 'bracket', of, items, range } }
}

function bindItem(binder: Binder, item: PrintItemSyntax, where: Expression | null): BoundPrintItem {
  const { value } = item
  if (looksLikeVertexSet(binder, value)) return bindWholeSet(binder, item, where)
  if (value.kind === 'bracket' && looksLikeVertexSet(binder, value.of)) {
    return bindProjection(binder, { item, bracket: value, where })
  }
  if (item.withVector) {
    const message = 'WITH VECTOR belongs to a vertex set'
    binder.fail(diagnosticCodes.misplaced, value.range, message)
  }
  return {
    kind: 'value',
    key: item.as?.name ?? keyOf(item.text),
    value: printedValue(binder, value),
    where: where === null ? null : bindCondition(binder, where),
  }
}

/** Bitwise accumulators print all their bits, however many an expression would see. */
function printedValue(binder: Binder, node: Expression): BoundExpression {
  return valueOrFailure(binder, STRING, () => bindWideBits(binder, node) ?? binder.expression(node))
}

/** Aggregates print in lower case: `MAX(@@l)` under `max(@@l)`. */
function keyOf(text: string): string {
  return text.replace(/\b(?:COUNT|SUM|MIN|MAX|AVG)\(/gi, (name) => name.toLowerCase())
}

function bindWholeSet(
  binder: Binder,
  item: PrintItemSyntax,
  where: Expression | null,
): BoundPrintItem {
  const bound = binder.rules.vertexSet(binder, item.value)
  return {
    kind: 'vertexSet',
    key: item.as?.name ?? item.text,
    set: bound.set,
    typeIds: bound.typeIds,
    vertexAccums: binder.visibleVertexAccums(),
    withVectors: item.withVector,
    where: bindVertexWhere(binder, currentVertex(bound, nameOf(item.value)), where),
  }
}

function nameOf(node: Expression): string {
  return node.kind === 'name' ? node.name : '#0'
}

/** The set's name stands for the vertex being printed. */
function currentVertex({ typeIds }: BoundSet, alias: string): SelectState {
  return {
    positions: [{ alias, typeIds, within: null }],
    hops: [],
    aliases: new Map([[alias, { kind: 'vertex', position: 0 }]]),
    resultPosition: 0,
    per: null,
    perHops: [],
    previous: new Set(),
  }
}

function bindVertexWhere(
  binder: Binder,
  select: SelectState,
  where: Expression | null,
): BoundExpression | null {
  if (where === null) return null
  return inResult(binder, select, () => bindCondition(binder, where))
}

function inResult<T>(binder: Binder, select: SelectState, bind: (state: ClauseState) => T): T {
  const state = new ClauseState('result', select)
  binder.clause = state
  try {
    return bind(state)
  } finally {
    binder.clause = null
  }
}

interface Projection {
  readonly item: PrintItemSyntax
  readonly bracket: Extract<Expression, { kind: 'bracket' }>
  readonly where: Expression | null
}

function bindProjection(binder: Binder, { item, bracket, where }: Projection): BoundPrintItem {
  const bound = binder.rules.vertexSet(binder, bracket.of)
  const name = nameOf(bracket.of)
  const select = currentVertex(bound, name)
  const columns = binder.each(
    bracket.items.map(
      (column) => () =>
        inResult(binder, select, (state): BoundColumn => {
          const { value, applies } = state.collectNeeds(() => printedValue(binder, column.value))
          return { key: column.as?.name ?? keyOf(column.text), value, applies }
        }),
    ),
  )
  return {
    kind: 'projection',
    key: item.as?.name ?? name,
    set: bound.set,
    typeIds: bound.typeIds,
    columns,
    withVectors: item.withVector,
    where: bindVertexWhere(binder, select, where),
  }
}
