/**
 * Null in openCypher expressions, by rewriting: the values of this engine are never null, so a name
 * that can be null (what an OPTIONAL MATCH did not find) has a BOOL companion that says so. From
 * these follow, for every expression, when it is null, and the three-valued logic of conditions:
 * an expression is true, false, or neither (openCypher 9, "Working with null").
 */

import { nullFlagOf } from '#query/ir/row-names.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { aggregateAt } from '../expressions/aggregates.ts'
import { LACKS, type Lacks } from './lacking.ts'
import { constantElement, listPart, openList } from './list-parts.ts'
import { join, not } from './logic.ts'

/** Functions of openCypher that are null of some values that are not. */
const PARTIAL = new Set(['tointeger', 'tofloat', 'head', 'last'])

/**
 * The call that says when a function of something that is not null is null; no user can write it.
 * Null: it never is.
 */
export function nullTestOf(name: string): string | null {
  const known = name.toLowerCase()
  return PARTIAL.has(known) ? `#null ${known}` : null
}

/** `list[i]` as a call, and the one that says that there is no such element. */
export const ELEMENT_CALLS = { value: '#element', isNull: '#null element' } as const
/** What stands for a null, of whatever type is wanted: its companion says that it is one. */
export const NULL_VALUE = '#null value'
/** What stands for a list with a null in it, which no value is. */
export const LIST_WITH_NULL = '#list with null'

/** Aggregates that are null of no value. */
const OF_SOME = new Set(['min', 'max', 'avg', 'percentilecont'])

export class NullRewriter {
  /** Aggregates may be of no rows at all. */
  mayBeEmpty = false
  readonly #nullable: ReadonlySet<string>
  readonly #nulls: ReadonlySet<string>
  readonly #lacks: Lacks
  readonly #language: 'cypher' | 'gsql'
  /** Rewritten arguments of aggregates, with when they are null. */
  readonly #counted = new WeakMap<Expression, Expression>()

  /**
   * @param language in openCypher lists and conversions give null too; in GSQL only aggregates
   * @param known `nulls`: of the nullable names those that hold nothing but null, of no type; `lacks`: which properties
   *   may be missing
   */
  constructor(
    nullable: ReadonlySet<string>,
    language: 'cypher' | 'gsql',
    known: { readonly nulls: ReadonlySet<string>; readonly lacks: Lacks } | null = null,
  ) {
    this.#nullable = nullable
    this.#nulls = known?.nulls ?? new Set()
    this.#lacks = known?.lacks ?? (() => false)
    this.#language = language
  }

  /**
   * What a part or a property of a written list comes to, where the list cannot be a value: it has
   * elements that may be null, or that are of several types.
   */
  spelled(node: Expression): Expression {
    if (this.#language === 'gsql') return node
    if (node.kind === 'name' && this.#nulls.has(node.name)) {
      return { kind: 'null', range: node.range }
    }
    const part = listPart(node, this)
    return part === null ? node : this.spelled(part)
  }

  /** When an aggregate takes its rewritten argument; null: always. */
  counts(argument: Expression): Expression | null {
    return this.#counted.get(argument) ?? null
  }

  /** When `node` is null; null: never. */
  isNull(node: Expression): Expression | null {
    const spelled = this.spelled(node)
    if (spelled !== node) return this.isNull(spelled)
    switch (node.kind) {
      case 'null':
        return { kind: 'bool', value: true, range: node.range }
      case 'name':
        if (!this.#nullable.has(node.name)) return null
        return { kind: 'name', name: nullFlagOf(node.name), range: node.range }
      case 'case':
        return this.#caseIsNull(node)
      case 'member':
        return this.#propertyIsNull(node)
      case 'isNull':
        return null
      case 'call':
        return this.#callIsNull(node)
      case 'bracket':
        return this.#language === 'cypher' ? this.#elementIsNull(node) : this.#any(node)
      case 'binary':
        return isJunction(node) ? this.#isNeither(node) : this.#any(node)
      case 'in':
        return this.#isInIsNull(node)
      default:
        return this.#any(node)
    }
  }

  #propertyIsNull(node: Extract<Expression, { kind: 'member' }>): Expression | null {
    const known = this.#any(node)
    if (node.of.kind !== 'name' || !this.#lacks(node.of.name, node.name.name)) return known
    const lacks = hiddenCall(node, LACKS, [node])
    return known === null ? lacks : join('OR', known, lacks)
  }

  /** A condition of parts that may be null: null where it is neither true nor false. */
  #isNeither(node: Expression): Expression | null {
    if (this.#any(node) === null) return null
    return join('AND', not(this.#condition(node, true)), not(this.#condition(node, false)))
  }

  #isInIsNull(node: In): Expression | null {
    // Nothing is in an empty list, whatever it may be.
    if (node.container.kind === 'list' && node.container.items.length === 0) return null
    const spelled = this.#spelledIn(node)
    return spelled === null ? this.#any(node) : this.#isNeither(spelled)
  }

  /** `x IN [a, b]` where elements may be null, as the comparisons that it means; null: none may. */
  #spelledIn({ value, container, negated, range }: In): Expression | null {
    if (container.kind !== 'list') return null
    if (container.items.every((item) => this.isNull(item) === null)) return null
    const found = container.items
      .map((right): Expression => ({ kind: 'binary', operator: '==', left: value, right, range }))
      .reduce((left, right) => join('OR', left, right))
    return negated ? not(found) : found
  }

  #callIsNull(node: CallSyntax): Expression | null {
    if (aggregateAt(node) !== null) return this.#aggregateIsNull(node)
    if (node.name.name.toLowerCase() !== 'coalesce') return this.#conversionIsNull(node)
    const parts = node.arguments.map((argument) => this.isNull(argument))
    return parts.reduce<Expression | null>(
      (left, right) => (left === null || right === null ? null : join('AND', left, right)),
      { kind: 'bool', value: true, range: node.range },
    )
  }

  /** Of no value at all, there is no smallest, largest or mean one (openCypher 9). */
  #aggregateIsNull(node: CallSyntax): Expression | null {
    const [argument] = node.arguments
    if (argument === undefined || !OF_SOME.has(node.name.name.toLowerCase())) return null
    if (!this.mayBeEmpty && this.isNull(argument) === null) return null
    const { range } = node
    const name = { name: 'count', range: node.name.range }
    const left = this.#call({ ...node, name, arguments: [argument] })
    const right: Expression = { kind: 'int', text: '0', range }
    return { kind: 'binary', operator: '==', left, right, range }
  }

  #conversionIsNull(node: CallSyntax): Expression | null {
    const known = this.#any(node)
    const test = this.#language === 'cypher' ? nullTestOf(node.name.name) : null
    if (test === null) return known
    const values = node.arguments.map((argument) => this.value(argument))
    const failed = { ...node, name: { ...node.name, name: test }, arguments: values }
    return known === null ? failed : join('OR', known, failed)
  }

  #any(node: Expression): Expression | null {
    return childrenOf(node)
      .map((child) => this.isNull(child))
      .reduce(
        (left, right) =>
          left === null || right === null ? (left ?? right) : join('OR', left, right),
        null,
      )
  }

  #caseIsNull(node: Extract<Expression, { kind: 'case' }>): Expression | null {
    const { range } = node
    const results = node.branches.map(({ result }) => this.isNull(result))
    const last: Expression | null =
      node.otherwise === null ? { kind: 'bool', value: true, range } : this.isNull(node.otherwise)
    if (last === null && results.every((result) => result === null)) return null
    const never: Expression = { kind: 'bool', value: false, range }
    const branches = node.branches.map(({ when }, index) => ({
      when: this.#when(node, when),
      result: results[index] ?? never,
    }))
    return { kind: 'case', subject: null, branches, otherwise: last ?? never, range }
  }

  #when(node: Extract<Expression, { kind: 'case' }>, when: Expression): Expression {
    const { subject } = node
    if (subject === null) return this.whenTrue(when)
    const range = when.range
    return this.whenTrue({ kind: 'binary', operator: '==', left: subject, right: when, range })
  }

  /** Whether `node` is true, as a condition that is never null. */
  whenTrue(node: Expression): Expression {
    return this.#condition(node, true)
  }

  #condition(node: Expression, wanted: boolean): Expression {
    if (node.kind === 'unary' && node.operator === 'NOT') {
      return this.#condition(node.operand, !wanted)
    }
    if (node.kind === 'binary' && (node.operator === 'AND' || node.operator === 'OR')) {
      const all = (node.operator === 'AND') === wanted
      const left = this.#condition(node.left, wanted)
      return join(all ? 'AND' : 'OR', left, this.#condition(node.right, wanted))
    }
    const spelled = node.kind === 'in' ? this.#spelledIn(node) : null
    if (spelled !== null) return this.#condition(spelled, wanted)
    const known = this.isNull(node)
    const value = this.value(node)
    const holds = wanted ? value : not(value)
    return known === null ? holds : join('AND', not(known), holds)
  }

  /** `node` where it is not null; what it is otherwise is not looked at. */
  value(node: Expression): Expression {
    const spelled = this.spelled(node)
    if (spelled !== node) return this.value(spelled)
    switch (node.kind) {
      case 'null':
        return this.#language === 'cypher' ? hiddenCall(node, NULL_VALUE) : zeroAt(node)
      case 'isNull':
        return this.#nullTest(node)
      case 'case':
        return this.#case(node)
      case 'call':
        return this.#call(node)
      case 'bracket':
        return this.#language === 'cypher' ? this.#element(node) : this.#children(node)
      case 'list':
        if (node.items.some(({ kind }) => kind === 'null')) return hiddenCall(node, LIST_WITH_NULL)
        return this.#children(node)
      case 'binary':
        return isJunction(node)
          ? this.#condition(node, true)
          : this.#children(this.#withoutNull(node))
      case 'in':
        return this.#spelledIn(node) === null
          ? this.#children(this.#membershipWithoutNull(node))
          : this.#condition(node, true)
      case 'unary':
        return node.operator === 'NOT' ? this.#condition(node, true) : this.#children(node)
      default:
        return this.#children(node)
    }
  }

  #withoutNull(node: Binary): Binary {
    return withoutNull({
      ...node,
      left: this.spelled(node.left),
      right: this.spelled(node.right),
    })
  }

  #membershipWithoutNull(node: In): In {
    const [value, container] = [this.spelled(node.value), this.spelled(node.container)]
    return membershipWithoutNull({ ...node, value, container })
  }

  #children(node: Expression): Expression {
    return mapChildren(node, (child) => this.value(child))
  }

  #nullTest(node: Extract<Expression, { kind: 'isNull' }>): Expression {
    const { value } = node
    const { range } = node
    // A list is something, whatever is in it.
    if (this.#language === 'cypher' && openList(value, this) !== null) {
      return { kind: 'bool', value: node.negated, range }
    }
    // A parameter of GSQL may be NULL, which the run knows; columns have a point in their names.
    const isOther = value.kind === 'name' && !this.#nullable.has(value.name)
    if (this.#language === 'gsql' && isOther && !value.name.includes('.')) return node
    const flag = this.isNull(value)
    if (flag !== null) return node.negated ? not(flag) : flag
    // What cannot be null has to exist all the same: the binder looks.
    if (this.#language === 'cypher') return { ...node, value: this.value(value) }
    return { kind: 'bool', value: node.negated, range }
  }

  #case(node: Extract<Expression, { kind: 'case' }>): Expression {
    const branches = node.branches.map(({ when, result }) => ({
      when: this.#when(node, when),
      result,
    }))
    const results = [...branches.map(({ result }) => result), node.otherwise]
    // A null result needs a value of the others' type, which its companion then hides.
    const some = results.find((result) => result !== null && result.kind !== 'null') ?? node
    const filled = (result: Expression | null): Expression =>
      this.value(result === null || result.kind === 'null' ? some : result)
    return {
      kind: 'case',
      subject: null,
      branches: branches.map(({ when, result }) => ({ when, result: filled(result) })),
      otherwise: filled(node.otherwise),
      range: node.range,
    }
  }

  #call(node: CallSyntax): Expression {
    const rewritten = this.#children(node)
    if (node.name.name.toLowerCase() === 'coalesce') return this.#coalesce(node)
    if (aggregateAt(node) === null || rewritten.kind !== 'call') return rewritten
    const [argument] = node.arguments
    const known = argument === undefined ? null : this.isNull(argument)
    if (known !== null) this.#counted.set(rewritten.arguments[0]!, not(known))
    return rewritten
  }

  #coalesce(node: CallSyntax): Expression {
    const [first, ...rest] = node.arguments
    if (first === undefined) return node
    const isPlain = node.arguments.every((argument) => this.isNull(argument) === null)
    if (this.#language === 'gsql' && isPlain) return this.#children(node)
    const known = this.isNull(first)
    if (known === null || rest.length === 0) return this.value(first)
    const otherwise = this.#coalesce({ ...node, arguments: rest })
    const result = first.kind === 'null' ? otherwise : this.value(first)
    const branches = [{ when: not(known), result }]
    return { kind: 'case', subject: null, branches, otherwise, range: node.range }
  }

  #element(node: Bracket): Expression {
    const known = constantElement(node)
    if (known === null) return this.#elementCall(node, ELEMENT_CALLS.value)
    if (known !== 'none') return this.value(known)
    // Its companion says that there is none: any value of the type will do.
    const some = node.of.kind === 'list' ? node.of.items[0] : undefined
    return some === undefined ? zeroAt(node) : this.value(some)
  }

  #elementIsNull(node: Bracket): Expression | null {
    const known = constantElement(node)
    if (known === 'none') return { kind: 'bool', value: true, range: node.range }
    if (known !== null) return this.isNull(known)
    const absent = this.#elementCall(node, ELEMENT_CALLS.isNull)
    const parts = this.#any(node)
    return parts === null ? absent : join('OR', parts, absent)
  }

  #elementCall(node: Bracket, name: string): Expression {
    const written = [node.of, ...node.items.map(({ value }) => value)]
    return hiddenCall(
      node,
      name,
      written.map((argument) => this.value(argument)),
    )
  }
}

function zeroAt({ range }: Expression): Expression {
  return { kind: 'int', text: '0', range }
}

function hiddenCall(
  { range }: Expression,
  name: string,
  args: readonly Expression[] = [],
): CallSyntax {
  const called = { name, range }
  const plain = { kind: 'call', of: null, distinct: false, star: false } as const
  return { ...plain, name: called, arguments: args, range }
}

type Bracket = Extract<Expression, { kind: 'bracket' }>

type In = Extract<Expression, { kind: 'in' }>

type Binary = Extract<Expression, { kind: 'binary' }>

function isJunction(node: Binary): boolean {
  return node.operator === 'AND' || node.operator === 'OR'
}

/** With a null that is written out, nobody looks at the value: the other operand has its type. */
function withoutNull(node: Binary): Binary {
  const { left, right } = node
  if (right.kind === 'null') return { ...node, right: left }
  return left.kind === 'null' ? { ...node, left: right } : node
}

/** Likewise `null IN list` and `x IN null`. */
function membershipWithoutNull(node: In): In {
  const { value, container } = node
  if (container.kind === 'null') {
    const items = value.kind === 'null' ? [] : [value]
    return { ...node, container: { kind: 'list', items, range: container.range } }
  }
  const some = value.kind === 'null' && container.kind === 'list' ? container.items[0] : undefined
  return some === undefined ? node : { ...node, value: some }
}

/** Expressions directly inside `node`. */
function childrenOf(node: Expression): Expression[] {
  const found: Expression[] = []
  mapChildren(node, (child) => {
    found.push(child)
    return child
  })
  return found
}

function mapChildren(node: Expression, map: (child: Expression) => Expression): Expression {
  const entries = Object.entries(node).map(([key, part]) => [key, mapPart(part, map)])
  return Object.fromEntries(entries) as Expression
}

function mapPart(part: unknown, map: (child: Expression) => Expression): unknown {
  if (Array.isArray(part)) return part.map((item) => mapPart(item, map))
  if (typeof part !== 'object' || part === null) return part
  if ('kind' in part) return map(part as Expression)
  const entries = Object.entries(part).map(([key, inner]) => [key, mapPart(inner, map)])
  return Object.fromEntries(entries)
}
