/** `WITH` and `RETURN`: the rows so far as a table of their items, grouped where one aggregates. */
import type { Expression, NamedExpression } from '#query/syntax/ast.ts'
import type { OrderSyntax } from '#query/syntax/ast-statement.ts'
import type { ProjectClause } from '#query/syntax/cypher/ast-cypher.ts'
import { replaced } from '../aggregates.ts'
import { columnNames } from '../column-names.ts'
import { diagnosticCodes } from '../diagnostic-codes.ts'
import { aggregatesIn, type Outputs } from '../tables.ts'
import { elementFlagsOf, type NullRewriter, not, nullFlagOf } from './nulls.ts'
import type { Column, WorkingTable } from './working-table.ts'

interface Item {
  readonly name: string
  /** As it was written: what ORDER BY may name by its alias. */
  readonly written: Expression
  readonly value: Expression
  /** When it is null; null: never. */
  readonly isNull: Expression | null
  /** Of a list that is written out, when each element is null; null: none ever is. */
  readonly elementFlags: Expression | null
}

/** @param isPrinted the rows are printed as they are: lists may have nulls in them */
export function bindProjection(
  rows: WorkingTable,
  clause: ProjectClause,
  isPrinted: boolean,
): void {
  const { range, distinct, skip, limit } = clause
  const names = plainNames(clause)
  if (names !== null && rows.keepOnly(names)) {
    if (clause.where !== null) rows.addCondition(clause.where)
    return
  }
  const rewriter = rows.rewriter()
  const isKey = ({ value }: NamedExpression) => aggregatesIn(value).length === 0
  rewriter.mayBeEmpty = !clause.star && !clause.items.some(isKey)
  const written = itemsOf(rows, clause, rewriter)
  const items = isPrinted ? written.map((item) => withElementFlags(item, rewriter)) : written
  const grouped = items.some(({ written }) => aggregatesIn(written).length > 0)
  const outputs: Outputs = {
    columns: items.flatMap(columnsOf),
    keys: clause.orderBy.flatMap((key) => orderKeys(key, items, rewriter)),
    having: null,
  }
  rows.counts = (argument) => rewriter.counts(argument)
  const columns = items.map(({ name, isNull }): Column => ({ name, nullable: isNull !== null }))
  rows.replace(columns, {
    source: rows.source(range),
    outputs,
    groupBy: grouped ? groupKeys(items) : null,
    distinct,
    limit: cutOf(skip, limit),
    range,
  })
  rows.counts = null
  if (clause.where !== null) rows.addCondition(clause.where)
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

function itemsOf(rows: WorkingTable, clause: ProjectClause, rewriter: NullRewriter): Item[] {
  const all = clause.star ? rows.columns : []
  const starred = all.map(({ name }): NamedExpression => {
    const value: Expression = { kind: 'name', name, range: clause.range }
    return { value, as: { name, range: clause.range }, text: name }
  })
  const written = [...starred, ...clause.items]
  const names = columnNames(rows.binder, written)
  return written.map((item, index) =>
    itemOf(rows, clause, { ...item, name: names[index]! }, rewriter),
  )
}

function itemOf(
  { binder }: WorkingTable,
  clause: ProjectClause,
  { value, as, name }: NamedExpression & { readonly name: string },
  rewriter: NullRewriter,
): Item {
  const own = value.kind === 'name' ? value.name : null
  if (clause.kind === 'with' && as === null && own === null) {
    const message = 'an expression in WITH needs a name: AS …'
    binder.fail(diagnosticCodes.misplaced, value.range, message)
  }
  const isNull = rewriter.isNull(value)
  const rewritten = rewriter.value(value)
  return {
    name,
    written: value,
    // A name that is null holds nothing already.
    value: isNull === null || own !== null ? rewritten : valueUnless(isNull, rewritten),
    isNull,
    elementFlags: null,
  }
}

/** A list that is written out is no longer null as a whole where an element is. */
function withElementFlags(item: Item, rewriter: NullRewriter): Item {
  const { written } = item
  if (item.isNull === null || written.kind !== 'list') return item
  const { range } = written
  const nulls = written.items.map((element) => rewriter.isNull(element))
  const some = written.items.find(({ kind }) => kind !== 'null')
  const values = written.items.map((element, i) => {
    const value = rewriter.value(element.kind === 'null' ? (some ?? element) : element)
    const isNull = nulls[i] ?? null
    return isNull === null ? value : valueUnless(isNull, value)
  })
  const never: Expression = { kind: 'bool', value: false, range }
  return {
    ...item,
    value: { kind: 'list', items: values, range },
    isNull: null,
    elementFlags: { kind: 'list', items: nulls.map((isNull) => isNull ?? never), range },
  }
}

/** Rows are told apart by their values: where one is null, it must not matter what it came from. */
function valueUnless(isNull: Expression, result: Expression): Expression {
  const { range } = result
  const branches = [{ when: not(isNull), result }]
  return { kind: 'case', subject: null, branches, otherwise: null, range }
}

function columnsOf({ name, value, isNull, elementFlags }: Item): Outputs['columns'][number][] {
  if (elementFlags !== null) {
    return [
      { name, value },
      { name: elementFlagsOf(name), value: elementFlags },
    ]
  }
  if (isNull === null) return [{ name, value }]
  return [
    { name, value },
    { name: nullFlagOf(name), value: isNull },
  ]
}

/** Every item without an aggregate, and when it is null. */
function groupKeys(items: readonly Item[]): Expression[] {
  const keys = items.filter(({ written }) => aggregatesIn(written).length === 0)
  return keys.flatMap(({ value, isNull, elementFlags }) =>
    [isNull, elementFlags, value].filter((key) => key !== null),
  )
}

/** Null is the largest: last in ascending order. */
function orderKeys(
  { value, descending }: OrderSyntax,
  items: readonly Item[],
  rewriter: NullRewriter,
): Outputs['keys'][number][] {
  const named = new Map(items.map((item) => [item.name, item]))
  const own = value.kind === 'name' ? named.get(value.name) : undefined
  if (own !== undefined) return keyOf(own.value, own.isNull, descending)
  const written = replaced(value, (part) =>
    part.kind === 'name' ? (named.get(part.name)?.written ?? null) : null,
  )
  return keyOf(rewriter.value(written), rewriter.isNull(written), descending)
}

function keyOf(
  value: Expression,
  isNull: Expression | null,
  descending: boolean,
): Outputs['keys'][number][] {
  const key = { value, descending }
  return isNull === null ? [key] : [{ value: isNull, descending }, key]
}
