/** `WITH` and `RETURN`: the rows so far as a table of their items, grouped where one aggregates. */

import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { itemName, nullFlagOf } from '#query/ir/row-names.ts'
import type { Expression, NamedExpression } from '#query/syntax/ast.ts'
import type { OrderSyntax } from '#query/syntax/ast-statement.ts'
import type { ProjectClause } from '#query/syntax/cypher/ast-cypher.ts'
import type { Binder } from '../core/binder.ts'
import { mentionedNames } from '../core/mentions.ts'
import { replaced, sameCall, sameText } from '../expressions/aggregates.ts'
import { columnNames } from '../tables/column-names.ts'
import { checkDistinctOrder } from '../tables/distinct-order.ts'
import { aggregatesIn, type Outputs } from '../tables/tables.ts'
import { not } from './logic.ts'
import { failMade } from './made-elements.ts'
import type { NullRewriter } from './nulls.ts'
import { renamed } from './paths.ts'
import type { Column, WorkingTable } from './working-table.ts'
import { fitsColumns, isPlainList, shownName } from './written-lists.ts'

/** A column: an item, or an element of one that is a written list. */
interface Part {
  readonly name: string
  readonly value: Expression
  /** When it is null; null: never. */
  readonly isNull: Expression | null
}

interface Item {
  readonly name: string
  /** As it was written: what ORDER BY may name by its alias. */
  readonly written: Expression
  readonly parts: readonly Part[]
}

/** @param lists of a RETURN in a UNION: which of its columns are lists by elements; null: all can be */
export function bindProjection(
  rows: WorkingTable,
  clause: ProjectClause,
  lists: ReadonlySet<number> | null,
): void {
  const { range, distinct, skip, limit } = clause
  const names = plainNames(clause)
  if (names !== null && rows.keepOnly(names, clause.where)) return
  const left = namesLeft(rows, clause)
  if (left.length > 0) {
    bindWithLeft(rows, clause, left)
    return
  }
  const rewriter = rows.rewriter()
  const isKey = ({ value }: NamedExpression) => aggregatesIn(value).length === 0
  rewriter.mayBeEmpty = !clause.star && !clause.items.some(isKey)
  const items = itemsOf(rows, clause, { rewriter, lists })
  const grouped = items.some(({ written }) => aggregatesIn(written).length > 0)
  if (distinct) {
    const values = [...clause.items.map(({ value }) => value), ...items.map((item) => item.written)]
    const names = new Set(items.map(({ name }) => name))
    checkDistinctOrder(rows.binder, clause.orderBy, { values, names, ofRow: () => true })
  }
  const parts = items.flatMap((item) => item.parts)
  const outputs: Outputs = {
    columns: parts.flatMap(columnsOf),
    keys: clause.orderBy.flatMap((key) => orderKeys(rows, key, { items, rewriter })),
    having: null,
  }
  rows.counts = (argument) => rewriter.counts(argument)
  const columns = parts.map(({ name, isNull }): Column => {
    const always = isNull?.kind === 'bool' && isNull.value
    return { name, nullable: isNull !== null, ...(always && { isNull: true }) }
  })
  rows.replace(columns, {
    source: rows.source(range),
    outputs,
    groupBy: grouped ? groupKeys(items) : null,
    distinct,
    limit: cutOf(skip, limit),
    range,
  })
  rows.counts = null
  rows.made.clear()
  if (clause.where !== null) rows.addCondition(rows.spelled(clause.where))
}

/** Names of the rows so far that WHERE speaks of, and that the clause does not return. */
function namesLeft(rows: WorkingTable, clause: ProjectClause): readonly string[] {
  const { where, items, star } = clause
  if (where === null || star) return []
  const known = new Set(rows.columns.map(({ name }) => shownName(name)))
  const returned = new Set(columnNames(rows.binder, items))
  const left = [...mentionedNames(where)].filter((name) => known.has(name) && !returned.has(name))
  const [first] = left
  const grouped = items.some(({ value }) => aggregatesIn(value).length > 0)
  if (first === undefined || !(clause.distinct || grouped)) return left
  const what = grouped ? 'that groups' : 'DISTINCT'
  const message = `"${first}" is not returned by this WITH: behind one ${what}, WHERE knows only its columns`
  return rows.binder.fail(diagnosticCodes.undeclared, where.range, message)
}

/** Such names go on as hidden columns, until WHERE has chosen the rows. */
function bindWithLeft(rows: WorkingTable, clause: ProjectClause, left: readonly string[]): void {
  const { range, items } = clause
  const named = (name: string, as: string): NamedExpression => {
    return { value: { kind: 'name', name, range }, as: { name: as, range }, text: name }
  }
  const hidden = left.map((name) => [name, `#left ${name}`] as const)
  const where = hidden.reduce(
    (condition, [name, next]) => renamed(condition, name, next),
    clause.where!,
  )
  const extra = hidden.map(([name, next]) => named(name, next))
  bindProjection(rows, { ...clause, items: [...items, ...extra], where }, null)
  const own = columnNames(rows.binder, items).map((name) => named(name, name))
  const plain = { ...clause, distinct: false, orderBy: [], skip: null, limit: null, where: null }
  bindProjection(rows, { ...plain, items: own }, null)
}

/** The names that a WITH only passes on; null: it does more than that. */
function plainNames({
  kind,
  star,
  items,
  distinct,
  orderBy,
  skip,
  limit,
}: ProjectClause): ReadonlySet<string> | null {
  const isCut = distinct || orderBy.length > 0 || skip !== null || limit !== null
  if (kind !== 'with' || star || isCut) return null
  const names = items.flatMap(({ value, as }) =>
    value.kind === 'name' && (as === null || as.name === value.name) ? value.name : [],
  )
  const isPlain = names.length === items.length && new Set(names).size === names.length
  return isPlain ? new Set(names) : null
}

function cutOf(skip: Expression | null, limit: Expression | null) {
  if (skip === null && limit === null) return null
  const all: Expression = {
    kind: 'int',
    text: `${Number.MAX_SAFE_INTEGER}`,
    range: skip?.range ?? limit!.range,
  }
  return { count: limit ?? all, offset: skip }
}

interface Projecting {
  readonly rewriter: NullRewriter
  readonly lists: ReadonlySet<number> | null
}

function itemsOf(rows: WorkingTable, clause: ProjectClause, at: Projecting): Item[] {
  const [made] = clause.star ? rows.made.keys() : []
  if (made !== undefined) failMade(rows.binder, made, clause.range)
  const all = clause.star ? rows.columns.map(({ name }) => shownName(name)) : []
  if (clause.kind === 'return' && all.length + clause.items.length === 0) {
    const message = 'RETURN * returns no column: no name is bound here'
    rows.binder.fail(diagnosticCodes.misplaced, clause.range, message)
  }
  // Of RETURN in the order of their names, as elsewhere.
  if (clause.kind === 'return') all.sort((left, right) => (left < right ? -1 : 1))
  const starred = [...new Set(all)].map((name): NamedExpression => {
    const value: Expression = { kind: 'name', name, range: clause.range }
    return { value, as: { name, range: clause.range }, text: name }
  })
  const written = [...starred, ...clause.items]
  const names = columnNames(rows.binder, written)
  return written.map(({ value, as }, index) => {
    if (clause.kind === 'with' && as === null && value.kind !== 'name') {
      const message = 'an expression in WITH needs a name: AS …'
      rows.binder.fail(diagnosticCodes.misplaced, value.range, message)
    }
    const own = at.rewriter.spelled(rows.spelled(value))
    const isOpen = opennessOf(own, at.lists?.has(index) ?? null)
    return {
      name: names[index]!,
      written: own,
      parts: partsOf({ name: names[index]!, written: own, isOpen }, at.rewriter),
    }
  })
}

/** Whether a list is by its elements. */
type Openness = 'needed' | 'always' | 'never'

/** @param isShared in a UNION, whether all parts write the column out; null: there is none */
function opennessOf(written: Expression, isShared: boolean | null): Openness {
  if (written.kind === 'list' && !fitsColumns(written)) return 'never'
  if (isShared === null) return 'needed'
  return isShared ? 'always' : 'never'
}

function partsOf(
  {
    name,
    written,
    isOpen,
  }: { readonly name: string; readonly written: Expression; readonly isOpen: Openness },
  rewriter: NullRewriter,
): readonly Part[] {
  if (written.kind === 'list' && written.items.length > 0 && isOpen !== 'never') {
    if (isOpen === 'always' || !isPlainList(written)) {
      return written.items.flatMap((item, index) => {
        const element = rewriter.spelled(item)
        return partsOf({ name: itemName(name, index), written: element, isOpen }, rewriter)
      })
    }
  }
  const isNull = rewriter.isNull(written)
  const value = rewriter.value(written)
  // A name that is null holds nothing already.
  const isBare = isNull === null || written.kind === 'name'
  return [{ name, value: isBare ? value : valueUnless(isNull, value), isNull }]
}

/** Rows are told apart by their values: where one is null, it must not matter what it came from. */
function valueUnless(isNull: Expression, result: Expression): Expression {
  const { range } = result
  const branches = [{ when: not(isNull), result }]
  return { kind: 'case', subject: null, branches, otherwise: null, range }
}

function columnsOf({ name, value, isNull }: Part): Outputs['columns'][number][] {
  if (isNull === null) return [{ name, value }]
  return [
    { name, value },
    { name: nullFlagOf(name), value: isNull },
  ]
}

/** Every item without an aggregate, and when it is null. */
function groupKeys(items: readonly Item[]): Expression[] {
  const keys = items.filter(({ written }) => aggregatesIn(written).length === 0)
  const parts = keys.flatMap((item) => item.parts)
  return parts.flatMap(({ value, isNull }) => (isNull === null ? [value] : [isNull, value]))
}

/** Null is the largest: last in ascending order. A list is ordered by one element after the other. */
function orderKeys(
  rows: WorkingTable,
  { value, descending }: OrderSyntax,
  { items, rewriter }: { readonly items: readonly Item[]; readonly rewriter: NullRewriter },
): Outputs['keys'][number][] {
  const named = new Map(items.map((item) => [item.name, item]))
  const own = value.kind === 'name' ? named.get(value.name) : undefined
  if (own !== undefined) {
    return own.parts.flatMap((part) => keyOf(part.value, part.isNull, descending))
  }
  const written = replaced(rows.readable(value), (part) => {
    const same = items.find((item) => sameText(item.written, part))
    if (same !== undefined) return same.written
    if (part.kind !== 'name') return null
    return named.get(part.name)?.written ?? rows.spelled(part)
  })
  checkAggregates(rows.binder, written, items)
  return keyOf(rewriter.value(written), rewriter.isNull(written), descending)
}

/** An aggregate to sort by is one of the columns, or part of one. */
function checkAggregates(binder: Binder, key: Expression, items: readonly Item[]): void {
  const known = items.flatMap((item) => aggregatesIn(item.written))
  const unknown = aggregatesIn(key).find(
    ({ call }) => !known.some((one) => sameCall(one.call, call)),
  )
  if (unknown === undefined) return
  const { name, range } = unknown.call
  const message = `ORDER BY takes an aggregate that is a column: ${name.name} is none`
  binder.fail(diagnosticCodes.misplaced, range, message)
}

function keyOf(
  value: Expression,
  isNull: Expression | null,
  descending: boolean,
): Outputs['keys'][number][] {
  const key = { value, descending }
  return isNull === null ? [key] : [{ value: isNull, descending }, key]
}
