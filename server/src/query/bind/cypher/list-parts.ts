/**
 * Parts and properties of written lists that cannot be values, since an element may be null or they
 * are of several types: what `l[0]`, `tail(l)` or `size(l)` come to is known from what is written.
 */

import { itemOf } from '#query/ir/row-names.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { join } from './logic.ts'
import { isPlainList } from './written-lists.ts'

export interface ListRules {
  /** An expression in terms of elements, where it is of such a list. */
  spelled(node: Expression): Expression
  /** When an expression is null; null: never. */
  isNull(node: Expression): Expression | null
}

type List = Extract<Expression, { kind: 'list' }>
type Bracket = Extract<Expression, { kind: 'bracket' }>
type Case = Extract<Expression, { kind: 'case' }>

/** What `node` comes to; null: it is no part of such a list. */
export function listPart(node: Expression, rules: ListRules): Expression | null {
  if (node.kind === 'bracket') return itemAt(node, rules)
  if (node.kind === 'case') return chosenList(node, rules)
  const { range } = node
  if (node.kind === 'binary' && node.operator === '+') {
    const [left, right] = [rules.spelled(node.left), rules.spelled(node.right)]
    if (left.kind !== 'list' || right.kind !== 'list') return null
    if (!isOpen(left, rules) && !isOpen(right, rules)) return null
    return { kind: 'list', items: [...left.items, ...right.items], range }
  }
  if (node.kind !== 'call' || node.arguments.length !== 1) return null
  const list = openList(node.arguments[0]!, rules)
  return list === null ? null : propertyOf(list, node.name.name.toLowerCase(), range)
}

/**
 * A CASE that comes to one list or another of the same length is a list of such CASEs: its elements
 * are what they are by themselves.
 */
function chosenList(node: Case, rules: ListRules): Expression | null {
  if (node.otherwise === null) return null
  const results = [...node.branches.map(({ result }) => result), node.otherwise]
  const lists = results.map((result) => rules.spelled(result)).filter(isList)
  const count = lists[0]?.items.length ?? 0
  if (count === 0 || lists.length < results.length) return null
  if (lists.some(({ items }) => items.length !== count) || lists.every(isPlainList)) return null
  // Each element asks for the conditions anew.
  if (isRandom([node.subject, node.branches.map(({ when }) => when)])) return null
  const items = Array.from({ length: count }, (_, at): Expression => {
    const branches = node.branches.map(({ when }, i) => ({ when, result: lists[i]!.items[at]! }))
    return { ...node, branches, otherwise: lists.at(-1)!.items[at]! }
  })
  return { kind: 'list', items, range: node.range }
}

function isList(node: Expression): node is List {
  return node.kind === 'list'
}

const random = new Set(['rand', 'randomuuid', 'gsql_uuid_v4'])

function isRandom(node: unknown): boolean {
  if (Array.isArray(node)) return node.some(isRandom)
  if (typeof node !== 'object' || node === null) return false
  const { kind, name } = node as { readonly kind?: unknown; readonly name?: { name?: unknown } }
  if (kind === 'call' && random.has(String(name?.name).toLowerCase())) return true
  return Object.values(node).some(isRandom)
}

function propertyOf({ items }: List, name: string, range: SourceRange): Expression | null {
  switch (name) {
    case 'size':
      return { kind: 'int', text: `${items.length}`, range }
    case 'head':
      return items[0]!
    case 'last':
      return items.at(-1)!
    case 'tail':
      return { kind: 'list', items: items.slice(1), range }
    default:
      return null
  }
}

/** Null: no written list, or one that can be a value. */
export function openList(node: Expression, rules: ListRules): List | null {
  const list = rules.spelled(node)
  return list.kind === 'list' && isOpen(list, rules) ? list : null
}

function isOpen({ items }: List, rules: ListRules): boolean {
  return items.some((item) => {
    if (item.kind === 'list' && isOpen(item, rules)) return true
    return (item.kind === 'name' && itemOf(item.name) !== null) || rules.isNull(item) !== null
  })
}

/** `list[i]`; by a number that only a row has, each element where it is asked for. */
function itemAt(node: Bracket, rules: ListRules): Expression | null {
  const list = openList(node.of, rules)
  const index = node.items[0]?.value
  if (list === null || index === undefined || node.items.length > 1) return null
  const { range } = node
  const known = constantElement({ ...node, of: list })
  if (known !== null) return known === 'none' ? { kind: 'null', range } : known
  const is = (value: number): Expression => {
    return { kind: 'binary', operator: '==', left: index, right: integerAt(value, range), range }
  }
  const branches = list.items.map((result, i) => {
    return { when: join('OR', is(i), is(i - list.items.length)), result }
  })
  return { kind: 'case', subject: null, branches, otherwise: null, range }
}

function integerAt(value: number, range: SourceRange): Expression {
  const digits: Expression = { kind: 'int', text: `${Math.abs(value)}`, range }
  return value < 0 ? { kind: 'unary', operator: '-', operand: digits, range } : digits
}

/** Of a list that is written out, by a number that is; null: it is not, `none`: there is none. */
export function constantElement({ of, items }: Bracket): Expression | 'none' | null {
  const index = items[0]?.value
  if (of.kind !== 'list' || items.length !== 1 || index === undefined) return null
  const isNegative = index.kind === 'unary' && index.operator === '-'
  const digits = isNegative ? index.operand : index
  if (digits.kind !== 'int') return null
  return of.items.at(Number(digits.text) * (isNegative ? -1 : 1)) ?? 'none'
}
