/** INIT, ORDER, FILTER, PROJECT, JOIN, UNION and UNWIND over tables (docs/reference/gsql/select.md#tables). */

import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { nullFlagOf } from '#query/ir/row-names.ts'
import { BOOL, INT } from '#query/ir/types.ts'
import { isCollection, sameType } from '#query/ir/value-types.ts'
import type { Expression, NamedExpression } from '#query/syntax/ast.ts'
import type { JoinSyntax, TableSyntax } from '#query/syntax/ast-table.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { columnNames } from './column-names.ts'
import { foldStatement } from './match-source.ts'
import { joinIndex } from './table-join.ts'
import { type TableInput, TableRows, tableInput } from './table-rows.ts'
import {
  bindTable,
  declared,
  hidden,
  type Outputs,
  type RowFold,
  type RowSource,
  readOf,
  rowValue,
} from './tables.ts'

type Node<K extends TableSyntax['kind']> = Extract<TableSyntax, { kind: K }>

export function bindTableStatement(binder: Binder, node: TableSyntax): BoundStatement[] {
  switch (node.kind) {
    case 'initTable':
      return bindInit(binder, node)
    case 'orderTable':
      return bindOrder(binder, node)
    case 'filterTable':
      return bindFilter(binder, node)
    case 'projectTable':
      return bindProject(binder, node)
    case 'projectVertices':
      return node.columns.flatMap((column) => bindVertexColumn(binder, node, column))
    case 'joinTables':
      return bindJoin(binder, node)
    case 'uniteTables':
      return bindUnion(binder, node)
    case 'unwindTable':
      return bindUnwind(binder, node)
  }
}

const plain = { keys: [], having: null } as const
const whole = { groupBy: null, distinct: false, limit: null } as const

function bindInit(binder: Binder, node: Node<'initTable'>): BoundStatement[] {
  const place = binder.place(node.range)
  const source: RowSource = {
    inRow: (use) => use((value) => rowValue(binder, value)),
    folding: (folds) => folds.map((fold) => foldStatement(fold, place)),
    counts: () => null,
  }
  const names = columnNames(binder, node.columns)
  const columns = node.columns.map(({ value }, index) => ({ name: names[index]!, value }))
  return bindTable(binder, { ...node, ...whole, source, outputs: { ...plain, columns } })
}

/** Rows in `rows`, folded by the statements that `folding` makes of them. */
function sourceOf(
  binder: Binder,
  rows: TableRows,
  folding: (body: readonly BoundStatement[]) => readonly BoundStatement[],
  { range }: Pick<TableSyntax, 'range'>,
): RowSource {
  const place = binder.place(range)
  return {
    inRow: (use) => rows.inside(() => use((value) => rowValue(binder, value))),
    folding: (folds) => folding(folds.map((fold: RowFold) => foldStatement(fold, place))),
    counts: () => null,
  }
}

/** `body` where the condition holds; null: always. */
function guarded(
  binder: Binder,
  rows: TableRows,
  { condition, body }: { condition: Expression | null; body: readonly BoundStatement[] },
): readonly BoundStatement[] {
  if (condition === null) return body
  const bound = rows.inside(() => bindCondition(binder, rows.condition(condition)))
  const place = binder.place(condition.range)
  return [{ kind: 'if', branches: [{ condition: bound, body }], otherwise: [], place }]
}

function bindOrder(binder: Binder, node: Node<'orderTable'>): BoundStatement[] {
  const { table, range, orderBy, limit } = node
  const rows = new TableRows(binder, [tableInput(binder, table)], { range })
  const source = sourceOf(binder, rows, (body) => rows.aroundAll(body), node)
  const keys = orderBy.map(({ value, descending }) => ({ value: rows.value(value), descending }))
  const outputs: Outputs = { columns: rows.carried(range), keys, having: null }
  return bindTable(binder, { ...whole, source, outputs, limit, into: table, range })
}

function bindFilter(binder: Binder, node: Node<'filterTable'>): BoundStatement[] {
  const { table, range, condition } = node
  const rows = new TableRows(binder, [tableInput(binder, table)], { range })
  const folding = (body: readonly BoundStatement[]) =>
    rows.aroundAll(guarded(binder, rows, { condition, body }))
  const source = sourceOf(binder, rows, folding, node)
  const outputs: Outputs = { ...plain, columns: rows.carried(range) }
  return bindTable(binder, { ...whole, source, outputs, into: table, range })
}

function projected(binder: Binder, rows: TableRows, columns: readonly NamedExpression[]): Outputs {
  const names = columnNames(binder, columns)
  const outputs = columns.flatMap(({ value }, index) => rows.outputs(names[index]!, value))
  return { ...plain, columns: outputs }
}

function bindProject(binder: Binder, node: Node<'projectTable'>): BoundStatement[] {
  const { table, range, into } = node
  const rows = new TableRows(binder, [tableInput(binder, table)], { range })
  const source = sourceOf(binder, rows, (body) => rows.aroundAll(body), node)
  const outputs = projected(binder, rows, node.columns)
  return bindTable(binder, { ...whole, source, outputs, into, range })
}

/** The vertices of a column; where there is none in a row, the row gives none. */
function bindVertexColumn(
  binder: Binder,
  { table, range }: Node<'projectVertices'>,
  { column, into }: Node<'projectVertices'>['columns'][number],
): BoundStatement[] {
  const rows = new TableRows(binder, [tableInput(binder, table)], { range })
  const name: Expression = { kind: 'name', name: column.name, range: column.range }
  const value = rows.inside(() => binder.expression(rows.value(name)))
  if (value.type.kind !== 'VERTEX') {
    const message = `column "${column.name}" holds no vertices`
    return binder.fail(diagnosticCodes.typeMismatch, column.range, message)
  }
  const element = { kind: 'value', type: value.type } as const
  const vertices = hidden(binder, '#vertices', { kind: 'SetAccum', element })
  const place = binder.place(range)
  const fold = foldStatement(
    { slot: vertices, fold: { kind: 'element', value }, when: null },
    place,
  )
  const isThere: Expression = { kind: 'isNull', negated: true, value: name, range: column.range }
  const typeIds = value.type.typeIds ?? binder.schema.allVertexTypeIds()
  const slot = binder.assignVertexSet(into.name, typeIds)
  return [
    declared(binder, { range }, vertices),
    ...rows.aroundAll(guarded(binder, rows, { condition: isThere, body: [fold] })),
    {
      kind: 'assignVertexSet',
      slot,
      value: { kind: 'vertices', value: readOf(binder, vertices) },
      place,
    },
  ]
}

function bindJoin(binder: Binder, node: JoinSyntax): BoundStatement[] {
  const { range, join, condition, distinct, into } = node
  const left = tableInput(binder, node.left.table, node.left.alias)
  const right = tableInput(binder, node.right.table, node.right.alias)
  if (left.alias === right.alias) {
    const message = `both tables are called "${left.alias}": give one another name`
    binder.fail(diagnosticCodes.duplicate, node.right.alias.range, message)
  }
  const optional = join === 'left' ? right.alias : null
  const rows = new TableRows(binder, [left, right], { range, optional })
  const index = joinIndex(binder, rows, { condition, right: right.row, range })
  const some = index?.rows ?? null
  const folding = (body: readonly BoundStatement[]) => [
    ...(index?.before ?? []),
    join === 'inner'
      ? rows.around(0, [rows.around(1, guarded(binder, rows, { condition, body }), some)])
      : outerLoop(binder, rows, { node, body, some }),
  ]
  const source = sourceOf(binder, rows, folding, node)
  const own = join === 'semi' ? new TableRows(binder, [left], { range }) : rows
  const outputs = projected(binder, own, node.columns)
  return bindTable(binder, { ...whole, source, outputs, distinct, into, range })
}

/**
 * SEMIJOIN: a row of the left table once, where one of the right fits. LEFT JOIN: with each that
 * fits; without any, once with nulls.
 */
function outerLoop(
  binder: Binder,
  rows: TableRows,
  {
    node,
    body,
    some,
  }: { node: JoinSyntax; body: readonly BoundStatement[]; some: BoundExpression | null },
): BoundStatement {
  const { condition, range, join } = node
  const place = binder.place(range)
  const count = hidden(binder, '#found', { kind: 'SumAccum', value: INT })
  const one: BoundExpression = { kind: 'literal', type: INT, value: 1 }
  const found = foldStatement(
    { slot: count, fold: { kind: 'scalar', value: one }, when: null },
    place,
  )
  const each = join === 'left' ? [...body, found] : [found]
  const isNone: BoundExpression = {
    kind: 'compare',
    type: BOOL,
    operator: '==',
    left: readOf(binder, count),
    right: { kind: 'literal', type: INT, value: 0 },
  }
  const none = join === 'left' ? [...rows.absent(1), ...body] : []
  const after: BoundStatement = {
    kind: 'if',
    branches: [{ condition: isNone, body: none }],
    otherwise: join === 'semi' ? body : [],
    place,
  }
  return rows.around(0, [
    declared(binder, { range }, count),
    rows.around(1, guarded(binder, rows, { condition, body: each }), some),
    after,
  ])
}

/** Tables with the same columns, one behind the other. */
function bindUnion(binder: Binder, node: Node<'uniteTables'>): BoundStatement[] {
  const { range, into } = node
  const inputs = node.tables.map((table) => tableInput(binder, table))
  const [first] = inputs
  if (first === undefined) throw new Error('a UNION of no tables')
  inputs.forEach(({ alias, row }, index) => {
    if (sameType(first.row, row)) return
    const message = `table "${alias}" has other columns than "${first.alias}"`
    binder.fail(diagnosticCodes.typeMismatch, node.tables[index]!.range, message)
  })
  const { type } = first.rows
  const all = inputs
    .map((input) => input.rows)
    .reduce((left, right) => ({ kind: 'arithmetic', type, operator: '+', left, right }))
  const united: TableInput = { ...first, rows: all }
  const rows = new TableRows(binder, [united], { range })
  const source = sourceOf(binder, rows, (body) => rows.aroundAll(body), node)
  const outputs: Outputs = { ...plain, columns: rows.carried(range) }
  return bindTable(binder, { ...whole, source, outputs, distinct: !node.all, into, range })
}

/** A name for the element that no user can write. */
const ELEMENT = '#element'

function bindUnwind(binder: Binder, node: Node<'unwindTable'>): BoundStatement[] {
  const { table, range, as, into } = node
  const inputs = table === null ? [] : [tableInput(binder, table)]
  const rows = new TableRows(binder, inputs, { range })
  const value = rows.inside(() => binder.expression(rows.value(node.list)))
  if (!isCollection(value.type)) {
    return binder.fail(diagnosticCodes.typeMismatch, node.list.range, 'UNWIND needs a list')
  }
  const slot = binder.variables.push({ name: ELEMENT, type: value.type.element }) - 1
  const place = binder.place(range)
  const folding = (body: readonly BoundStatement[]) =>
    rows.aroundAll([
      { kind: 'foreach', slots: [slot], over: { kind: 'collection', value }, body, place },
    ])
  const inner = sourceOf(binder, rows, folding, node)
  const source: RowSource = {
    ...inner,
    inRow: (use) => binder.withVariables(new Map([[ELEMENT, slot]]), () => inner.inRow(use)),
  }
  // The element takes the place of a column of its name, and is never null.
  const replacedNames = [as.name, nullFlagOf(as.name)]
  const others = rows.carried(range).filter(({ name }) => !replacedNames.includes(name))
  const own = { name: as.name, value: { kind: 'name', name: ELEMENT, range } as const }
  const outputs: Outputs = { ...plain, columns: [...others, own] }
  return bindTable(binder, { ...whole, source, outputs, into, range })
}
