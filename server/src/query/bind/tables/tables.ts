/**
 * From rows to a table, in terms of what is there already: rows are folded into hidden accumulators
 * (a list or set of rows, a GroupByAccum, or one accumulator per aggregate when nothing is
 * grouped), from which a second step makes the table's rows, sorts and cuts them. A table is a base
 * variable that holds a list of tuples.
 */

import type { BoundAccumUpdate, BoundFold, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import {
  type AccumType,
  readTypeOf,
  type TupleValueField,
  type TupleValueType,
  type ValueType,
} from '#query/ir/types.ts'
import { sameType } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression, Identifier } from '#query/syntax/ast.ts'
import type { LimitSyntax } from '#query/syntax/ast-statement.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { convertTo } from '../core/convert.ts'
import { bindRowCount } from '../core/strict-types.ts'
import {
  type Aggregate,
  aggregateAt,
  aggregateInfo,
  replaced,
  sameCall,
  sameText,
} from '../expressions/aggregates.ts'

/** Names no user can write. */
const ROW = '#row'

export type BindRow = (node: Expression) => BoundExpression

/** What is folded into which hidden accumulator; `when` null: for every row. */
export interface RowFold {
  readonly slot: number
  readonly fold: BoundFold
  readonly when: BoundExpression | null
}

/** Where rows come from: a match, or a loop over an earlier table. */
export interface RowSource {
  /** Binds expressions as they stand for one row. */
  readonly inRow: <T>(use: (bind: BindRow) => T) => T
  /** Folds every row. */
  readonly folding: (folds: readonly RowFold[]) => readonly BoundStatement[]
  /** When a value of a row counts for an aggregate; null: always. */
  readonly counts: (argument: Expression) => Expression | null
}

/** Columns of the table, and behind them the values that rows are sorted by. */
export interface Outputs {
  readonly columns: readonly { readonly name: string; readonly value: Expression }[]
  readonly keys: readonly { readonly value: Expression; readonly descending: boolean }[]
  readonly having: Expression | null
}

export interface TableSpec {
  readonly source: RowSource
  readonly outputs: Outputs
  /** What rows are grouped by, none: one row of totals; null: rows are not grouped. */
  readonly groupBy: readonly Expression[] | null
  readonly distinct: boolean
  readonly limit: Pick<LimitSyntax, 'count' | 'offset'> | null
  readonly into: Identifier
  readonly range: SourceRange
}

export function bindTable(binder: Binder, spec: TableSpec): BoundStatement[] {
  if (spec.groupBy === null) return bindPlain(binder, spec)
  return spec.groupBy.length === 0
    ? bindTotals(binder, spec)
    : bindGroups(binder, { ...spec, groupBy: spec.groupBy })
}

export function aggregatesIn(expression: Expression): Aggregate[] {
  const found: Aggregate[] = []
  replaced(expression, (part) => {
    const aggregate = aggregateAt(part)
    if (aggregate !== null) found.push(aggregate)
    return aggregate === null ? null : part
  })
  return found
}

// Without groups: each row is a row of the table.

function bindPlain(binder: Binder, spec: TableSpec): BoundStatement[] {
  const { source, outputs } = spec
  const values = source.inRow((bind) =>
    [...outputs.columns, ...outputs.keys].map(({ value }) => bind(value)),
  )
  const row = tupleOf(outputs, values)
  const rows = hiddenRows(binder, spec, row)
  const fold: BoundFold = { kind: 'element', value: { kind: 'tuple', type: row, fields: values } }
  return [
    declared(binder, spec, rows),
    ...source.folding([{ slot: rows, fold, when: null }]),
    ...tableOf(binder, spec, { row, rows: readOf(binder, rows) }),
  ]
}

// One row of totals.

function bindTotals(binder: Binder, spec: TableSpec): BoundStatement[] {
  const { source, outputs } = spec
  const totals = totalsOf(binder, spec)
  const slots = totals.map(({ accum }, index) => hidden(binder, `#total${index}`, accum))
  const folds = totals.map(({ fold, when }, index) => ({ slot: slots[index]!, fold, when }))
  const resolve = (expression: Expression) =>
    replaced(expression, (part) => {
      const index = totals.findIndex(({ aggregate }) => sameCall(aggregate, part))
      if (index < 0) return null
      const name = `#total${index}`
      return totals[index]!.read({ kind: 'globalAccum', name, previous: false, range: part.range })
    })
  const rows = rowsFrom(binder, spec, resolvedOutputs(outputs, resolve))
  return [
    ...slots.map((slot) => declared(binder, spec, slot)),
    ...source.folding(folds),
    declared(binder, spec, rows.slot),
    ...rows.add,
    ...tableOf(binder, spec, { row: rows.row, rows: readOf(binder, rows.slot) }),
  ]
}

// Groups: a row of the table for each.

type GroupSpec = TableSpec & { readonly groupBy: readonly Expression[] }

function bindGroups(binder: Binder, spec: GroupSpec): BoundStatement[] {
  const { source, groupBy } = spec
  const keys = source.inRow((bind) => groupBy.map((key) => bind(key)))
  const totals = totalsOf(binder, spec)
  const groups = hidden(binder, '#groups', {
    kind: 'GroupByAccum',
    keys: keys.map(({ type }, index) => ({ name: `k${index}`, type })),
    values: totals.map((total, index) => ({ name: `a${index}`, accum: total.accum })),
  })
  const groupsRead = readOf(binder, groups)
  const loop = binder.scoped(() => {
    const type = groupsRead.type.kind === 'GROUPS' ? groupsRead.type.row : null
    const slot = binder.declareVariable(ROW, type!, spec.range)
    const outputs = resolvedOutputs(spec.outputs, groupResolver(groupBy, totals))
    return { slot, rows: rowsFrom(binder, spec, outputs) }
  })
  return [
    declared(binder, spec, groups),
    ...source.folding(groupFolds(groups, keys, totals)),
    declared(binder, spec, loop.rows.slot),
    {
      kind: 'foreach',
      slots: [loop.slot],
      over: { kind: 'collection', value: groupsRead },
      body: loop.rows.add,
      place: binder.place(spec.range),
    },
    ...tableOf(binder, spec, { row: loop.rows.row, rows: readOf(binder, loop.rows.slot) }),
  ]
}

/** One fold for what every row counts for, which makes the group; one for each other total. */
function groupFolds(
  slot: number,
  keys: readonly BoundExpression[],
  totals: readonly Total[],
): RowFold[] {
  const foldOf = (chosen: (total: Total) => boolean): BoundFold => ({
    kind: 'group',
    keys,
    values: totals.map((total) => (chosen(total) ? total.fold : null)),
  })
  const always: RowFold = { slot, fold: foldOf(({ when }) => when === null), when: null }
  const others = totals.filter(({ when }) => when !== null)
  return [
    always,
    ...others.map((total) => ({
      slot,
      fold: foldOf((candidate) => candidate === total),
      when: total.when,
    })),
  ]
}

function groupResolver(keys: readonly Expression[], totals: readonly Total[]) {
  const field = (name: string, { range }: Expression): Expression => ({
    kind: 'member',
    of: { kind: 'name', name: ROW, range },
    name: { name, range },
    range,
  })
  return (expression: Expression) =>
    replaced(expression, (part) => {
      const total = totals.findIndex(({ aggregate }) => sameCall(aggregate, part))
      if (total >= 0) return totals[total]!.read(field(`a${total}`, part))
      const key = keys.findIndex((candidate) => sameText(candidate, part))
      return key < 0 ? null : field(`k${key}`, part)
    })
}

interface Total {
  readonly aggregate: CallSyntax
  readonly accum: AccumType
  readonly fold: BoundFold
  readonly when: BoundExpression | null
  /** What stands for the call once rows are made, given the accumulator's value. */
  readonly read: (value: Expression) => Expression
}

function totalsOf(binder: Binder, { source, outputs }: TableSpec): Total[] {
  const written = [...outputs.columns, ...outputs.keys].map(({ value }) => value)
  if (outputs.having !== null) written.push(outputs.having)
  const calls: Aggregate[] = []
  for (const aggregate of written.flatMap(aggregatesIn)) {
    if (!calls.some(({ call }) => sameCall(call, aggregate.call))) calls.push(aggregate)
  }
  return calls.map(({ call, name }) => {
    const [argument] = call.arguments
    const counted = argument === undefined || call.star ? null : argument
    const { value, when } = source.inRow((bind) => {
      const condition = counted === null ? null : source.counts(counted)
      return {
        value: counted === null ? null : bind(counted),
        when: condition === null ? null : bindCondition(binder, condition),
      }
    })
    return { aggregate: call, when, ...aggregateInfo(binder, { call, name, value }) }
  })
}

interface Rows {
  readonly slot: number
  readonly row: TupleValueType
  readonly add: readonly BoundStatement[]
}

/** Adds the row that the outputs make of what they are resolved to, where HAVING holds. */
function rowsFrom(binder: Binder, spec: TableSpec, outputs: Outputs): Rows {
  const values = [...outputs.columns, ...outputs.keys].map(({ value }) => binder.expression(value))
  const row = tupleOf(outputs, values)
  const slot = hiddenRows(binder, spec, row)
  const place = binder.place(spec.range)
  const add: BoundAccumUpdate = {
    kind: 'updateAccum',
    target: { kind: 'globalAccum', slot },
    assign: false,
    value: { kind: 'element', value: { kind: 'tuple', type: row, fields: values } },
    applies: null,
    place,
  }
  if (outputs.having === null) return { slot, row, add: [add] }
  const condition = bindCondition(binder, outputs.having)
  const filtered: BoundStatement = {
    kind: 'if',
    branches: [{ condition, body: [add] }],
    otherwise: [],
    place,
  }
  return { slot, row, add: [filtered] }
}

function resolvedOutputs(outputs: Outputs, resolve: (value: Expression) => Expression): Outputs {
  return {
    columns: outputs.columns.map(({ name, value }) => ({ name, value: resolve(value) })),
    keys: outputs.keys.map(({ value, descending }) => ({ value: resolve(value), descending })),
    having: outputs.having === null ? null : resolve(outputs.having),
  }
}

function tupleOf(outputs: Outputs, values: readonly BoundExpression[]): TupleValueType {
  const names = [...outputs.columns.map(({ name }) => name), ...outputs.keys.map((_, i) => `#${i}`)]
  const fields: TupleValueField[] = names.map((name, i) => ({ name, type: values[i]!.type }))
  return { kind: 'TUPLE', name: '', fields }
}

/** The sorted and cut rows without their sort keys, in the table's variable. */
export function tableOf(
  binder: Binder,
  { outputs, limit, into, range }: Pick<TableSpec, 'outputs' | 'limit' | 'into' | 'range'>,
  { row, rows }: { readonly row: TupleValueType; readonly rows: BoundExpression },
): BoundStatement[] {
  const count = outputs.columns.length
  const narrow: TupleValueType = { ...row, fields: row.fields.slice(0, count) }
  const type = { kind: 'LIST', element: narrow } as const
  const value: BoundExpression = {
    kind: 'tableRows',
    type,
    of: rows,
    order: outputs.keys.map(({ descending }, i) => ({ field: count + i, descending })),
    limit: limit === null ? null : bindRowCount(binder, limit.count, 'LIMIT'),
    offset: limit?.offset ? bindRowCount(binder, limit.offset, 'SKIP') : null,
  }
  const slot = tableSlot(binder, into, type)
  return [{ kind: 'setVariable', slot, value, place: binder.place(range) }]
}

/** The table of that name, declared by the first SELECT into it. */
function tableSlot(binder: Binder, { name, range }: Identifier, type: ValueType): number {
  const entry = binder.lookup(name)
  if (entry === undefined) return binder.declareTable(name, type, range)
  const known = entry.kind === 'variable' ? binder.variables[entry.slot]!.type : null
  if (known !== null && sameType(known, type)) return entry.slot
  const message = `"${name}" is not a table with these columns`
  return binder.fail(diagnosticCodes.duplicate, range, message)
}

function hiddenRows(binder: Binder, { distinct }: TableSpec, row: TupleValueType): number {
  const kind = distinct ? 'SetAccum' : 'ListAccum'
  return hidden(binder, '#rows', { kind, element: { kind: 'value', type: row } })
}

export function hidden(binder: Binder, name: string, type: AccumType): number {
  return binder.declareHidden({ name, type, initial: null, capacity: null, dimensions: [] })
}

export function declared(
  binder: Binder,
  { range }: { readonly range: SourceRange },
  slot: number,
): BoundStatement {
  return { kind: 'declareAccum', global: true, slot, place: binder.place(range) }
}

export function readOf(binder: Binder, slot: number): BoundExpression {
  return { kind: 'globalAccum', type: readTypeOf(binder.globalAccums[slot]!.type), slot }
}

/** A literal is taken as it is; all else keeps its type. */
export function rowValue(binder: Binder, node: Expression): BoundExpression {
  const value = binder.expression(node)
  return value.kind === 'literal' ? convertTo(binder, value, value.type, node.range) : value
}
