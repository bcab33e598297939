/**
 * SELECT … INTO a table (gsql.md 12.10), in terms of what is there already: the rows of the match
 * are folded into hidden accumulators (a list or set of rows, a GroupByAccum, or one accumulator
 * per aggregate when nothing is grouped), from which a second step makes the table's rows, sorts
 * and cuts them. A table is a base variable that holds a list of tuples.
 */
import type { CallSyntax, Expression, NamedExpression } from '#query/syntax/ast.ts'
import type { SqlSelectSyntax } from '#query/syntax/ast-statement.ts'
import {
  type Aggregate,
  aggregateAt,
  aggregateInfo,
  replaced,
  sameCall,
  sameText,
} from './aggregates.ts'
import type { Binder } from './binder.ts'
import type { BoundAccumUpdate, BoundFold, BoundStatement } from './bound.ts'
import type { BoundExpression } from './bound-expression.ts'
import type { BoundSelect } from './bound-select.ts'
import { ClauseState } from './clause-state.ts'
import { bindCondition } from './conditions.ts'
import { bindInt } from './control.ts'
import { convertTo } from './convert.ts'
import { diagnosticCodes } from './diagnostic-codes.ts'
import { bindMatch, type Match } from './select.ts'
import {
  type AccumType,
  readTypeOf,
  type TupleValueField,
  type TupleValueType,
  type ValueType,
} from './types.ts'
import { sameType } from './value-types.ts'

/** Names no user can write. */
const ROW = '#row'

export function bindSelectInto(binder: Binder, node: SqlSelectSyntax): BoundStatement[] {
  if (node.into === null) {
    const message = 'a SELECT of columns needs INTO and the name of a table'
    return binder.fail(diagnosticCodes.misplaced, node.range, message)
  }
  const match = bindMatch(binder, node)
  const grouped = groupedOf(node)
  const parts = { node, match, outputs: outputsOf(node) }
  if (!grouped) return bindPlain(binder, parts)
  const keys = groupKeys(node)
  return keys.length === 0 ? bindTotals(binder, parts) : bindGroups(binder, { ...parts, keys })
}

interface Parts {
  readonly node: SqlSelectSyntax
  readonly match: Match
  readonly outputs: Outputs
}

/** Columns of the table, and behind them the values that rows are sorted by. */
interface Outputs {
  readonly columns: readonly { readonly name: string; readonly value: Expression }[]
  readonly keys: readonly { readonly value: Expression; readonly descending: boolean }[]
  readonly having: Expression | null
}

/** HAVING and ORDER BY may name a column by its alias. */
function outputsOf(node: SqlSelectSyntax): Outputs {
  const columns = node.columns.map((column) => ({ name: columnName(column), value: column.value }))
  const named = new Map(node.columns.flatMap(({ as, value }) => (as ? [[as.name, value]] : [])))
  const resolve = (expression: Expression): Expression =>
    replaced(expression, (part) => (part.kind === 'name' ? (named.get(part.name) ?? null) : null))
  const keys = node.orderBy.map(({ value, descending }) => ({ value: resolve(value), descending }))
  return { columns, keys, having: node.having === null ? null : resolve(node.having) }
}

function columnName({ as, value, text }: NamedExpression): string {
  if (as !== null) return as.name
  if (value.kind === 'member') return value.name.name
  if (value.kind === 'vertexAccum') return `@${value.name.name}`
  return text
}

function groupedOf(node: SqlSelectSyntax): boolean {
  const written = [...node.columns.map(({ value }) => value), ...(node.having ? [node.having] : [])]
  return node.groupBy.length > 0 || written.some((value) => aggregatesIn(value).length > 0)
}

/** Grouped by what GROUP BY says, else by every column without an aggregate. */
function groupKeys(node: SqlSelectSyntax): readonly Expression[] {
  const named = new Map(node.columns.flatMap(({ as, value }) => (as ? [[as.name, value]] : [])))
  if (node.groupBy.length > 0) {
    return node.groupBy.map((key) => (key.kind === 'name' ? (named.get(key.name) ?? key) : key))
  }
  return node.columns.map(({ value }) => value).filter((value) => aggregatesIn(value).length === 0)
}

function aggregatesIn(expression: Expression): Aggregate[] {
  const found: Aggregate[] = []
  replaced(expression, (part) => {
    const aggregate = aggregateAt(part)
    if (aggregate !== null) found.push(aggregate)
    return aggregate === null ? null : part
  })
  return found
}

// Without groups: each row of the match is a row of the table.

function bindPlain(binder: Binder, { node, match, outputs }: Parts): BoundStatement[] {
  const inRow = rowClause(binder, match)
  const values = inRow((bind) =>
    [...outputs.columns, ...outputs.keys].map(({ value }) => bind(value)),
  )
  const row = tupleOf(outputs, values)
  const type: AccumType = {
    kind: node.distinct ? 'SetAccum' : 'ListAccum',
    element: { kind: 'value', type: row },
  }
  const rows = hidden(binder, '#rows', type)
  const fold: BoundFold = { kind: 'element', value: { kind: 'tuple', type: row, fields: values } }
  return [
    declared(binder, node, rows),
    selectWith(binder, { node, match }, [{ slot: rows, fold }]),
    ...tableOf(binder, { node, outputs, row, rows: readOf(binder, rows) }),
  ]
}

// One row of totals.

function bindTotals(binder: Binder, { node, match, outputs }: Parts): BoundStatement[] {
  const totals = totalsOf(binder, match, outputs)
  const slots = totals.map(({ accum }, index) => hidden(binder, `#total${index}`, accum))
  const folds = totals.map(({ fold }, index) => ({ slot: slots[index]!, fold }))
  const resolve = (expression: Expression) =>
    replaced(expression, (part) => {
      const index = totals.findIndex(({ aggregate }) => sameCall(aggregate, part))
      if (index < 0) return null
      const name = `#total${index}`
      return totals[index]!.read({ kind: 'globalAccum', name, previous: false, range: part.range })
    })
  const rows = rowsFrom(binder, { node, outputs: resolvedOutputs(outputs, resolve) })
  return [
    ...slots.map((slot) => declared(binder, node, slot)),
    selectWith(binder, { node, match }, folds),
    declared(binder, node, rows.slot),
    ...rows.add,
    ...tableOf(binder, { node, outputs, row: rows.row, rows: readOf(binder, rows.slot) }),
  ]
}

// Groups: a row of the table for each.

function bindGroups(
  binder: Binder,
  { node, match, outputs, keys }: Parts & { readonly keys: readonly Expression[] },
): BoundStatement[] {
  const keyValues = rowClause(binder, match)((bind) => keys.map((key) => bind(key)))
  const totals = totalsOf(binder, match, outputs)
  const accum: AccumType = {
    kind: 'GroupByAccum',
    keys: keyValues.map(({ type }, index) => ({ name: `k${index}`, type })),
    values: totals.map((total, index) => ({ name: `a${index}`, accum: total.accum })),
  }
  const groups = hidden(binder, '#groups', accum)
  const fold: BoundFold = {
    kind: 'group',
    keys: keyValues,
    values: totals.map((total) => total.fold),
  }
  const field = (name: string, at: Expression): Expression => ({
    kind: 'member',
    of: { kind: 'name', name: ROW, range: at.range },
    name: { name, range: at.range },
    range: at.range,
  })
  const resolve = (expression: Expression) =>
    replaced(expression, (part) => {
      const total = totals.findIndex(({ aggregate }) => sameCall(aggregate, part))
      if (total >= 0) return totals[total]!.read(field(`a${total}`, part))
      const key = keys.findIndex((candidate) => sameText(candidate, part))
      return key < 0 ? null : field(`k${key}`, part)
    })
  const place = binder.place(node.range)
  const groupsRead = readOf(binder, groups)
  const loop = binder.scoped(() => {
    const type = groupsRead.type.kind === 'GROUPS' ? groupsRead.type.row : null
    const slot = binder.declareVariable(ROW, type!, node.range)
    const rows = rowsFrom(binder, { node, outputs: resolvedOutputs(outputs, resolve) })
    return { slot, rows }
  })
  return [
    declared(binder, node, groups),
    selectWith(binder, { node, match }, [{ slot: groups, fold }]),
    declared(binder, node, loop.rows.slot),
    {
      kind: 'foreach',
      slots: [loop.slot],
      over: { kind: 'collection', value: groupsRead },
      body: loop.rows.add,
      place,
    },
    ...tableOf(binder, {
      node,
      outputs,
      row: loop.rows.row,
      rows: readOf(binder, loop.rows.slot),
    }),
  ]
}

interface Total {
  readonly aggregate: CallSyntax
  readonly accum: AccumType
  readonly fold: BoundFold
  /** What stands for the call once rows are made, given the accumulator's value. */
  readonly read: (value: Expression) => Expression
}

function totalsOf(binder: Binder, match: Match, outputs: Outputs): Total[] {
  const written = [...outputs.columns, ...outputs.keys].map(({ value }) => value)
  if (outputs.having !== null) written.push(outputs.having)
  const calls: Aggregate[] = []
  for (const aggregate of written.flatMap(aggregatesIn)) {
    if (!calls.some(({ call }) => sameCall(call, aggregate.call))) calls.push(aggregate)
  }
  const inRow = rowClause(binder, match)
  return calls.map(({ call, name }) => {
    const [argument] = call.arguments
    const value = argument === undefined || call.star ? null : inRow((bind) => bind(argument))
    return { aggregate: call, ...aggregateInfo(binder, { call, name, value }) }
  })
}

interface Rows {
  readonly slot: number
  readonly row: TupleValueType
  readonly add: readonly BoundStatement[]
}

/** Adds the row that the outputs make of what they are resolved to, where HAVING holds. */
function rowsFrom(
  binder: Binder,
  { node, outputs }: { readonly node: SqlSelectSyntax; readonly outputs: Outputs },
): Rows {
  const values = [...outputs.columns, ...outputs.keys].map(({ value }) => binder.expression(value))
  const row = tupleOf(outputs, values)
  const type: AccumType = {
    kind: node.distinct ? 'SetAccum' : 'ListAccum',
    element: { kind: 'value', type: row },
  }
  const slot = hidden(binder, '#rows', type)
  const place = binder.place(node.range)
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
function tableOf(
  binder: Binder,
  {
    node,
    outputs,
    row,
    rows,
  }: {
    readonly node: SqlSelectSyntax
    readonly outputs: Outputs
    readonly row: TupleValueType
    readonly rows: BoundExpression
  },
): BoundStatement[] {
  const count = outputs.columns.length
  const narrow: TupleValueType = { ...row, fields: row.fields.slice(0, count) }
  const type = { kind: 'LIST', element: narrow } as const
  const { limit } = node
  const value: BoundExpression = {
    kind: 'tableRows',
    type,
    of: rows,
    order: outputs.keys.map(({ descending }, i) => ({ field: count + i, descending })),
    limit: limit === null ? null : bindInt(binder, limit.count),
    offset: limit?.offset ? bindInt(binder, limit.offset) : null,
  }
  const slot = tableSlot(binder, node, type)
  return [{ kind: 'setVariable', slot, value, place: binder.place(node.range) }]
}

/** The table of that name, declared by the first SELECT into it. */
function tableSlot(binder: Binder, node: SqlSelectSyntax, type: ValueType): number {
  const { name, range } = node.into!
  const entry = binder.lookup(name)
  if (entry === undefined) return binder.declareTable(name, type, range)
  const known = entry.kind === 'variable' ? binder.variables[entry.slot]!.type : null
  if (known !== null && sameType(known, type)) return entry.slot
  const message = `"${name}" is not a table with these columns`
  return binder.fail(diagnosticCodes.duplicate, range, message)
}

function hidden(binder: Binder, name: string, type: AccumType): number {
  return binder.declareHidden({ name, type, initial: null, capacity: null, dimensions: [] })
}

function declared(binder: Binder, node: SqlSelectSyntax, slot: number): BoundStatement {
  return { kind: 'declareAccum', global: true, slot, place: binder.place(node.range) }
}

function readOf(binder: Binder, slot: number): BoundExpression {
  return { kind: 'globalAccum', type: readTypeOf(binder.globalAccums[slot]!.type), slot }
}

type BindRow = (node: Expression) => BoundExpression

/** Binds expressions as they stand for one row of the match. */
function rowClause(binder: Binder, match: Match) {
  return <T>(use: (bind: BindRow) => T): T => {
    binder.clause = new ClauseState('accum', match.state)
    try {
      return use((node) => rowValue(binder, node))
    } finally {
      binder.clause = null
    }
  }
}

/** A literal is taken as it is; all else keeps its type. */
function rowValue(binder: Binder, node: Expression): BoundExpression {
  const value = binder.expression(node)
  return value.kind === 'literal' ? convertTo(binder, value, value.type, node.range) : value
}

function selectWith(
  binder: Binder,
  { node, match }: { readonly node: SqlSelectSyntax; readonly match: Match },
  folds: readonly { readonly slot: number; readonly fold: BoundFold }[],
): BoundSelect {
  const place = binder.place(node.range)
  const body = folds.map(
    ({ slot, fold }): BoundAccumUpdate => ({
      kind: 'updateAccum',
      target: { kind: 'globalAccum', slot },
      assign: false,
      value: fold,
      applies: null,
      place,
    }),
  )
  const state = new ClauseState('accum', match.state)
  for (const { slot } of folds) state.globalsWritten.add(slot)
  return {
    ...match.select,
    kind: 'select',
    resultSlot: null,
    resultPosition: 0,
    accum: {
      locals: [],
      body,
      effects: state.effects(),
      snapshotGlobals: [],
      snapshotVertexAccums: [],
    },
    postAccum: [],
    previousVertexAccums: [],
    having: null,
    orderBy: [],
    limit: null,
    offset: null,
    place,
  }
}
