/** UNION: the rows of two tables in one, where a column is null in either it may be in the whole. */

import type { BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { nullFlagOf } from '#query/ir/row-names.ts'
import { BOOL, DOUBLE, type TupleValueType, type ValueType } from '#query/ir/types.ts'
import { isInteger, isNumeric, sameType, typeText } from '#query/ir/value-types.ts'
import type { CypherPart } from '#query/syntax/cypher/ast-cypher.ts'
import type { Binder } from '../core/binder.ts'
import { foldStatement } from '../tables/match-source.ts'
import { declared, hidden, readOf, tableOf } from '../tables/tables.ts'
import { type Column, flagLiteral, rowsOf, type Table, WorkingTable } from './working-table.ts'
import { shownName } from './written-lists.ts'

export function uniteTables(
  binder: Binder,
  part: CypherPart,
  { left, right, names }: { left: Table | null; right: Table | null; names: { count: number } },
): { readonly statements: readonly BoundStatement[]; readonly table: Table } {
  const { range } = part
  if (left === null || right === null) {
    const message = 'every part of a UNION returns columns'
    return binder.fail(diagnosticCodes.typeMismatch, range, message)
  }
  const difference = differenceOf(binder, left, right)
  if (difference !== null) {
    const message = `the parts of a UNION return columns of the same names and types: ${difference}`
    return binder.fail(diagnosticCodes.typeMismatch, range, message)
  }
  const columns = columnsOf(left, right)
  const row = rowOf(left, right, columns)
  const kind = part.union === 'all' ? 'ListAccum' : 'SetAccum'
  const slot = hidden(binder, '#rows', { kind, element: { kind: 'value', type: row } })
  const into = { name: `#union${names.count}`, range }
  names.count += 1
  const outputs = {
    columns: row.fields.map(({ name }) => ({
      name,
      value: { kind: 'name', name, range } as const,
    })),
    keys: [],
    having: null,
  }
  const cut = tableOf(
    binder,
    { outputs, limit: null, into, range },
    { row, rows: readOf(binder, slot) },
  )
  const rows = new WorkingTable(binder, names)
  rows.use(into, columns)
  return {
    statements: [
      declared(binder, part, slot),
      addRows(binder, left, { part, slot, row }),
      addRows(binder, right, { part, slot, row }),
      ...cut,
    ],
    table: rows.table!,
  }
}

/** What keeps two tables from being one; null: nothing. */
function differenceOf(binder: Binder, left: Table, right: Table): string | null {
  const [one, other] = [left, right].map(({ columns }) => columns.length)
  if (one !== other) return `these have ${one} and ${other}`
  for (const [index, { name, isNull }] of left.columns.entries()) {
    const second = right.columns[index]!
    if (second.name !== name) {
      return `column ${index + 1} is called "${shownName(name)}" and "${shownName(second.name)}"`
    }
    if (isNull === true || second.isNull === true || jointType(left, right, name) !== null) continue
    const [first, then] = [left, right].map((table) =>
      typeText(typeOf(table, name), (id) => binder.schema.nameOf(id)),
    )
    return `"${shownName(name)}" is ${first} and ${then}`
  }
  return null
}

/** Numbers of which one is real are reals; null: there is no type for both. */
function jointType(left: Table, right: Table, name: string): ValueType | null {
  const [one, other] = [typeOf(left, name), typeOf(right, name)]
  if (sameType(one, other)) return one
  const areNumbers = isNumeric(one) && isNumeric(other)
  return areNumbers && !(isInteger(one) && isInteger(other)) ? DOUBLE : null
}

function columnsOf(left: Table, right: Table): readonly Column[] {
  return left.columns.map(({ name, nullable, isNull }, index) => {
    const other = right.columns[index]!
    const always = isNull === true && other.isNull === true
    return { name, nullable: nullable || other.nullable, ...(always && { isNull }) }
  })
}

function typeOf({ row }: Table, name: string) {
  return row.fields.find((field) => field.name === name)?.type ?? BOOL
}

function rowOf(left: Table, right: Table, columns: readonly Column[]): TupleValueType {
  const fields = columns.flatMap(({ name, nullable }) => {
    const isNullIn = ({ columns: own }: Table) =>
      own.some((column) => column.name === name && column.isNull === true)
    const joint = isNullIn(left) || isNullIn(right) ? null : jointType(left, right, name)
    const own = { name, type: joint ?? typeOf(isNullIn(left) ? right : left, name) }
    return nullable ? [own, { name: nullFlagOf(name), type: BOOL }] : [own]
  })
  return { kind: 'TUPLE', name: '', fields }
}

interface Union {
  readonly part: CypherPart
  /** The accumulator that the rows go to. */
  readonly slot: number
  readonly row: TupleValueType
}

function addRows(binder: Binder, table: Table, { part, slot, row }: Union): BoundStatement {
  const place = binder.place(part.range)
  const rows = rowsOf(table)
  if (sameType(table.row, row)) {
    return foldStatement({ slot, fold: { kind: 'elements', value: rows }, when: null }, place)
  }
  const rowSlot = binder.variables.push({ name: '#row', type: table.row }) - 1
  const of: BoundExpression = { kind: 'variable', type: table.row, slot: rowSlot }
  const fields = row.fields.map(({ name, type }): BoundExpression => {
    const field = table.row.fields.findIndex((own) => own.name === name)
    if (field < 0) return flagLiteral(false)
    const own = table.row.fields[field]!.type
    if (sameType(own, type)) return { kind: 'field', type, of, field }
    const isNull = table.columns.some((column) => column.name === name && column.isNull === true)
    if (isNull) return { kind: 'default', type }
    return { kind: 'convert', type, value: { kind: 'field', type: own, of, field } }
  })
  const fold = { kind: 'element', value: { kind: 'tuple', type: row, fields } } as const
  return {
    kind: 'foreach',
    slots: [rowSlot],
    over: { kind: 'collection', value: rows },
    body: [foldStatement({ slot, fold, when: null }, place)],
    place,
  }
}
