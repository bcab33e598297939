/** Clauses that make rows of rows: OPTIONAL MATCH and UNWIND. */

import type { BoundFold, BoundIterable, BoundStatement } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { nullFlagOf } from '#query/ir/row-names.ts'
import { BOOL, INT, type TupleValueType, type ValueType } from '#query/ir/types.ts'
import { isCollection } from '#query/ir/value-types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { MatchClause, UnwindClause } from '#query/syntax/cypher/ast-cypher.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { asArgument } from '../core/strict-types.ts'
import { bindMatch } from '../statements/select.ts'
import { foldStatement, matchSource } from '../tables/match-source.ts'
import { declared, hidden, readOf, tableOf } from '../tables/tables.ts'
import { checkNameKinds } from './name-kinds.ts'
import type { NullRewriter } from './nulls.ts'
import { aliasesOf, firstComponent } from './paths.ts'
import { type Column, flagLiteral, type WorkingTable } from './working-table.ts'

/** Names and values of a row, companions included. */
interface Cell {
  readonly name: string
  readonly value: BoundExpression
}

/** Rows that the patterns extend; where they match nothing, once with nulls. */
export function bindOptional(rows: WorkingTable, clause: MatchClause): void {
  const { binder } = rows
  const { range } = clause
  checkNameKinds(rows, clause.patterns)
  rows.materialise(range)
  if (firstComponent(clause.patterns).outside.length > 0) {
    const message = 'the patterns of an OPTIONAL MATCH must share a node'
    binder.fail(diagnosticCodes.misplaced, range, message)
  }
  const known = rows.columns
  const names = new Set(known.map(({ name }) => name))
  const fresh = [...new Set(clause.patterns.flatMap(aliasesOf))].filter((name) => !names.has(name))
  const rewriter = rows.rewriter(clause.patterns)
  const loop = rows.loop(range)
  const bound = loop.inside(() => {
    const patterns = rows.joined(clause.patterns, rewriter)
    const where = clause.where === null ? null : rewriter.whenTrue(clause.where)
    const source = matchSource(binder, bindMatch(binder, { patterns, where }), range)
    const carriedCells = cellsOf(rows)
    const found = source.inRow((bind) =>
      fresh.map((name): Cell => ({ name, value: bind({ kind: 'name', name, range }) })),
    )
    return { source, carriedCells, found }
  })
  const flags = (isNull: boolean) =>
    fresh.map((name): Cell => ({ name: nullFlagOf(name), value: flagLiteral(isNull) }))
  const absent = bound.found.map(
    ({ name, value }): Cell => ({
      name,
      value: { kind: 'default', type: value.type },
    }),
  )
  const row = rowOf([...bound.carriedCells, ...bound.found, ...flags(false)])
  const none = rowOf([...bound.carriedCells, ...absent, ...flags(true)])
  const count = hidden(binder, '#found', { kind: 'SumAccum', value: INT })
  const table = tableRows(rows, row.type)
  const one: BoundFold = { kind: 'scalar', value: { kind: 'literal', type: INT, value: 1 } }
  const place = binder.place(range)
  rows.statements.push(
    declared(binder, clause, table.slot),
    ...loop.around([
      declared(binder, clause, count),
      ...bound.source.folding([
        { slot: table.slot, fold: row.fold, when: null },
        { slot: count, fold: one, when: null },
      ]),
      {
        kind: 'if',
        branches: [
          {
            condition: isZero(readOf(binder, count)),
            body: [foldStatement({ slot: table.slot, fold: none.fold, when: null }, place)],
          },
        ],
        otherwise: [],
        place,
      },
    ]),
  )
  const added = fresh.map((name): Column => ({ name, nullable: true }))
  table.finish([...known, ...added], range)
}

function isZero(value: BoundExpression): BoundExpression {
  const right: BoundExpression = { kind: 'literal', type: INT, value: 0 }
  return { kind: 'compare', type: BOOL, operator: '==', left: value, right }
}

/** The columns of a row as they are, in the loop over the table. */
function cellsOf({ binder, table }: WorkingTable): Cell[] {
  return (table?.row.fields ?? []).map(({ name, type }) => {
    const entry = binder.lookup(name)
    const slot = entry?.kind === 'variable' ? entry.slot : -1
    return { name, value: { kind: 'variable', type, slot } }
  })
}

function rowOf(cells: readonly Cell[]): {
  readonly type: TupleValueType
  readonly fold: BoundFold
} {
  const fields = cells.map(({ name, value }) => ({ name, type: value.type }))
  const type: TupleValueType = { kind: 'TUPLE', name: '', fields }
  const values = cells.map(({ value }) => value)
  return { type, fold: { kind: 'element', value: { kind: 'tuple', type, fields: values } } }
}

/** An accumulator for rows, and the table that it becomes. */
function tableRows(rows: WorkingTable, type: TupleValueType) {
  const { binder } = rows
  const slot = hidden(binder, '#rows', {
    kind: 'ListAccum',
    element: { kind: 'value', type },
  })
  const finish = (columns: readonly Column[], range: SourceRange): void => {
    const into = rows.nextName(range)
    const names = type.fields.map(({ name }) => ({
      name,
      value: { kind: 'name', name, range } as const,
    }))
    const outputs = { columns: names, keys: [], having: null }
    const statements = tableOf(
      binder,
      { outputs, limit: null, into, range },
      { row: type, rows: readOf(binder, slot) },
    )
    rows.statements.push(...statements)
    rows.use(into, columns)
  }
  return { slot, finish }
}

/** One row per element; none for an empty list. */
export function bindUnwind(rows: WorkingTable, clause: UnwindClause): void {
  const { binder } = rows
  const { as, range } = clause
  rows.materialise(range)
  const known = rows.columns.filter(({ name }) => name !== as.name)
  const rewriter = rows.rewriter()
  const loop = rows.loop(range)
  const bound = loop.inside(() => {
    const elements = elementsOf(rows, clause, rewriter)
    const own = elements.slots.map(
      ({ name, type, slot }): Cell => ({ name, value: { kind: 'variable', type, slot } }),
    )
    const names = new Set(own.map(({ name }) => name).concat(as.name, nullFlagOf(as.name)))
    const others = cellsOf(rows).filter(({ name }) => !names.has(name))
    return { elements, cells: [...others, ...own] }
  })
  const row = rowOf(bound.cells)
  const table = tableRows(rows, row.type)
  const place = binder.place(range)
  const { over, slot, setters } = bound.elements
  const fold = foldStatement({ slot: table.slot, fold: row.fold, when: null }, place)
  const body: BoundStatement[] = [
    { kind: 'foreach', slots: [slot], over, body: [...setters, fold], place },
  ]
  rows.statements.push(declared(binder, clause, table.slot), ...loop.around(body))
  const nullable = bound.elements.slots.length > 1
  const isNull = bound.elements.isNull ? ({ isNull: true } as const) : {}
  table.finish([...known, { name: as.name, nullable, ...isNull }], range)
}

interface Elements {
  readonly over: BoundIterable
  /** The variable of the loop. */
  readonly slot: number
  /** Variables of the row: the element, and whether it is null where it can be. */
  readonly slots: readonly BoundSlot[]
  readonly setters: readonly BoundStatement[]
  /** No element is anything but null. */
  readonly isNull: boolean
}

interface BoundSlot {
  readonly name: string
  readonly type: ValueType
  readonly slot: number
}

function elementsOf(rows: WorkingTable, clause: UnwindClause, rewriter: NullRewriter): Elements {
  const { binder } = rows
  const { as, range } = clause
  const written = rewriter.spelled(clause.list)
  if (written.kind === 'list' && written.items.some((one) => rewriter.isNull(one) !== null)) {
    return nullableElements(rows, { ...clause, elements: written.items }, rewriter)
  }
  const list = rewriter.value(written)
  const isRange = list.kind === 'call' && list.name.name.toLowerCase() === 'range'
  const { iterable, element } = isRange ? rangeOf(rows, list.arguments, range) : listOf(rows, list)
  const slot = binder.variables.push({ name: as.name, type: element }) - 1
  return {
    over: iterable,
    slot,
    slots: [{ name: as.name, type: element, slot }],
    setters: [],
    isNull: false,
  }
}

/** The elements of a list that is written out, each with whether it is null. */
function nullableElements(
  rows: WorkingTable,
  { as, range, elements }: UnwindClause & { readonly elements: readonly Expression[] },
  rewriter: NullRewriter,
): Elements {
  const { binder } = rows
  const some = elements.find(({ kind }) => kind !== 'null') ?? elements[0]!
  const values = elements.map((one) => rewriter.value(one.kind === 'null' ? some : one))
  const list = listOf(rows, { kind: 'list', items: values, range })
  const flags = elements.map((one) => {
    const isNull = rewriter.isNull(one)
    return isNull === null ? flagLiteral(false) : bindCondition(binder, isNull)
  })
  const flag = nullFlagOf(as.name)
  const pairs = list.elements.map((value, index) =>
    rowOf([
      { name: as.name, value },
      { name: flag, value: flags[index]! },
    ]),
  )
  const { type } = pairs[0]!
  const tuples = pairs.map(({ fold }) => (fold as Extract<BoundFold, { kind: 'element' }>).value)
  const slot = binder.variables.push({ name: '#pair', type }) - 1
  const of: BoundExpression = { kind: 'variable', type, slot }
  const slots = type.fields.map((field) => ({ ...field, slot: binder.variables.push(field) - 1 }))
  const place = binder.place(range)
  const setters = slots.map((own, field): BoundStatement => {
    const value: BoundExpression = { kind: 'field', type: own.type, of, field }
    return { kind: 'setVariable', slot: own.slot, value, place }
  })
  const pairList = { kind: 'LIST', element: type } as const
  const value: BoundExpression = { kind: 'collection', type: pairList, elements: tuples }
  const isNull = elements.every(({ kind }) => kind === 'null')
  return { over: { kind: 'collection', value }, slot, slots, setters, isNull }
}

function listOf({ binder }: WorkingTable, list: UnwindClause['list']) {
  const value = binder.expression(list)
  if (!isCollection(value.type)) {
    return binder.fail(diagnosticCodes.typeMismatch, list.range, 'UNWIND needs a list')
  }
  const elements = value.kind === 'collection' ? value.elements : []
  return {
    iterable: { kind: 'collection', value } as const,
    element: value.type.element,
    elements,
  }
}

function rangeOf(
  { binder }: WorkingTable,
  [from, to, step]: readonly UnwindClause['list'][],
  range: SourceRange,
) {
  if (from === undefined || to === undefined) {
    return binder.fail(diagnosticCodes.argumentCount, range, 'range takes a start and an end')
  }
  const iterable = {
    kind: 'range',
    from: bindBound(binder, from),
    to: bindBound(binder, to),
    step: step === undefined ? null : bindBound(binder, step),
  } as const
  return { iterable, element: INT }
}

function bindBound(binder: Binder, node: Expression): BoundExpression {
  return asArgument(binder, binder.expression(node), { type: INT, range: node.range })
}
