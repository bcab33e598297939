/** UNION: the rows of two tables in one, where a column is null in either it may be in the whole. */
import type { CypherPart } from '#query/syntax/cypher/ast-cypher.ts'
import type { Binder } from '../binder.ts'
import type { BoundStatement } from '../bound.ts'
import type { BoundExpression } from '../bound-expression.ts'
import { diagnosticCodes } from '../diagnostic-codes.ts'
import { foldStatement } from '../match-source.ts'
import { declared, hidden, readOf, tableOf } from '../tables.ts'
import { BOOL, type TupleValueType } from '../types.ts'
import { sameType } from '../value-types.ts'
import { nullFlagOf } from './row-names.ts'
import { type Column, flagLiteral, rowsOf, type Table, WorkingTable } from './working-table.ts'

export function uniteTables(
  binder: Binder,
  part: CypherPart,
  { left, right, names }: { left: Table | null; right: Table | null; names: { count: number } },
): { readonly statements: readonly BoundStatement[]; readonly table: Table } {
  const { range } = part
  const columns = left === null || right === null ? null : columnsOf(left, right)
  if (left === null || right === null || columns === null) {
    const message = 'the parts of a UNION return columns of the same names and types'
    return binder.fail(diagnosticCodes.typeMismatch, range, message)
  }
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

/** Null: the tables have different columns. */
function columnsOf(left: Table, right: Table): readonly Column[] | null {
  const fits = left.columns.every((column, index) => {
    const other = right.columns[index]
    if (other === undefined || other.name !== column.name) return false
    if (column.isNull === true || other.isNull === true) return true
    return sameType(typeOf(left, column.name), typeOf(right, column.name))
  })
  if (!fits || left.columns.length !== right.columns.length) return null
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
    const isNull = left.columns.some((column) => column.name === name && column.isNull === true)
    const own = { name, type: typeOf(isNull ? right : left, name) }
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
    const isOther = !sameType(table.row.fields[field]!.type, type)
    return isOther ? { kind: 'default', type } : { kind: 'field', type, of, field }
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
