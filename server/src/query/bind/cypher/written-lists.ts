/**
 * Lists that a WITH or RETURN writes out: `[a.name, c.age, null]`. A value of the engine is a list of
 * one type without nulls. So the elements are columns of their own, each null when it is, and the name
 * of the list stands for a list of their names: whatever may be done with a written list may be done
 * with it.
 */

import { itemOf } from '#query/ir/row-names.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { CypherPart } from '#query/syntax/cypher/ast-cypher.ts'
import type { SourceRange } from '#query/syntax/source.ts'

/** A list of more is a value: `WITH [l, l] AS l` could make columns without end. */
const ELEMENTS_MAX = 256
const DEPTH_MAX = 8

/** A column, or the elements of a list. */
type Tree = string | Tree[]

/** The lists whose elements are among the columns, by their names. */
export function listsIn(columns: readonly string[]): ReadonlyMap<string, Tree> {
  const lists = new Map<string, Tree[]>()
  const place = (name: string, tree: Tree): void => {
    const item = itemOf(name)
    if (item === null) return
    const known = lists.get(item.list)
    const items = known ?? []
    items[item.index] = tree
    if (known !== undefined) return
    lists.set(item.list, items)
    place(item.list, items)
  }
  for (const column of columns) place(column, column)
  const isHidden = (name: string) => itemOf(name) !== null || columns.includes(name)
  return new Map([...lists].filter(([name]) => !isHidden(name)))
}

/** The name of the outermost list that the column is of; of others their own. */
export function shownName(column: string): string {
  const item = itemOf(column)
  return item === null ? column : shownName(item.list)
}

function expressionOf(tree: Tree, range: SourceRange): Expression {
  if (typeof tree === 'string') return { kind: 'name', name: tree, range }
  return { kind: 'list', items: tree.map((item) => expressionOf(item, range)), range }
}

/** `node`, a clause or an expression, with the elements in the place of each list's name. */
export function withElements<T>(node: T, lists: ReadonlyMap<string, Tree>): T {
  return lists.size === 0 ? node : (exchanged(node, lists) as T)
}

function exchanged(node: unknown, lists: ReadonlyMap<string, Tree>): unknown {
  if (Array.isArray(node)) return node.map((part) => exchanged(part, lists))
  if (typeof node !== 'object' || node === null) return node
  const { kind, name, range } = node as Extract<Expression, { kind: 'name' }>
  // Types of patterns are names, too, and have one member more.
  const tree = kind === 'name' && !('all' in node) ? lists.get(name) : undefined
  if (tree !== undefined) return expressionOf(tree, range)
  return Object.fromEntries(
    Object.entries(node).map(([key, part]) => [key, exchanged(part, lists)]),
  )
}

type List = Extract<Expression, { kind: 'list' }>

/** Whether a list is short enough for a column for each element. */
export function fitsColumns(list: List): boolean {
  return elementsOf(list, DEPTH_MAX) <= ELEMENTS_MAX
}

/** Of lists in it their elements; infinitely many when it is too deep. */
function elementsOf({ items }: List, depth: number): number {
  if (depth === 0) return Number.POSITIVE_INFINITY
  return items.reduce(
    (sum, item) => sum + (item.kind === 'list' ? elementsOf(item, depth - 1) : 1),
    0,
  )
}

/** Texts only, or numbers only: a list of one type, and shorter as a value. */
export function isPlainList({ items }: List): boolean {
  const kinds = new Set(items.map(({ kind }) => kind))
  const [kind] = kinds
  return kinds.size === 0 || (kinds.size === 1 && ['int', 'real', 'string', 'bool'].includes(kind!))
}

/**
 * The columns of a UNION, by their places, that every part writes out as a list of the same shape:
 * those can be columns of elements in all of them.
 */
export function listsOfUnion(parts: readonly CypherPart[]): ReadonlySet<number> {
  const shapes = parts.map(({ clauses }) => {
    const last = clauses.at(-1)
    if (last?.kind !== 'return' || last.star) return []
    return last.items.map(({ value }) => shapeOf(value, clauses, clauses.length - 1))
  })
  const [first] = shapes
  const isShared = (shape: string, at: number) =>
    shape.startsWith('[') && shapes.every((other) => other[at] === shape)
  return new Set((first ?? []).flatMap((shape, at) => (isShared(shape, at) ? [at] : [])))
}

/** `[.[..]]`, by the clauses before `end` where a name stands for a list. */
function shapeOf(value: Expression, clauses: CypherPart['clauses'], end: number): string {
  if (value.kind === 'list' && value.items.length > 0) {
    return `[${value.items.map((item) => shapeOf(item, clauses, end)).join('')}]`
  }
  if (value.kind !== 'name') return '.'
  for (let at = end - 1; at >= 0; at--) {
    const clause = clauses[at]!
    if (clause.kind === 'unwind' && clause.as.name === value.name) return '.'
    if (clause.kind !== 'with') continue
    const item = clause.items.find(({ as }) => as?.name === value.name)
    if (item !== undefined) return namedShape(item.value, clauses, at)
  }
  return '.'
}

/** A plain list that WITH names is a value. */
function namedShape(value: Expression, clauses: CypherPart['clauses'], at: number): string {
  return value.kind === 'list' && isPlainList(value) ? '.' : shapeOf(value, clauses, at)
}
