/**
 * Null in openCypher expressions, by rewriting: the values of this engine are never null, so a name
 * that can be null (what an OPTIONAL MATCH did not find) has a BOOL companion that says so. From
 * these follow, for every expression, when it is null, and the three-valued logic of conditions:
 * an expression is true, false, or neither (openCypher 9, "Working with null").
 */
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import { aggregateAt } from '../aggregates.ts'

/** The companion of a name; no user can write it. */
export function nullFlagOf(name: string): string {
  return `#null ${name}`
}

/**
 * The call that says when a conversion of something that is not null is null; no user can write it.
 * Null: it never is, or it is no conversion.
 */
export function nullTestOf(name: string): string | null {
  const known = name.toLowerCase()
  return known === 'tointeger' || known === 'tofloat' ? `#null ${known}` : null
}

/** Aggregates that are null of no value. */
const OF_SOME = new Set(['min', 'max', 'avg', 'percentilecont'])

export class NullRewriter {
  /** Aggregates may be of no rows at all. */
  mayBeEmpty = false
  readonly #nullable: ReadonlySet<string>
  /** Rewritten arguments of aggregates, with when they are null. */
  readonly #counted = new WeakMap<Expression, Expression>()

  constructor(nullable: ReadonlySet<string>) {
    this.#nullable = nullable
  }

  /** When an aggregate takes its rewritten argument; null: always. */
  counts(argument: Expression): Expression | null {
    return this.#counted.get(argument) ?? null
  }

  /** When `node` is null; null: never. */
  isNull(node: Expression): Expression | null {
    switch (node.kind) {
      case 'null':
        return { kind: 'bool', value: true, range: node.range }
      case 'name':
        if (!this.#nullable.has(node.name)) return null
        return { kind: 'name', name: nullFlagOf(node.name), range: node.range }
      case 'case':
        return this.#caseIsNull(node)
      case 'isNull':
        return null
      case 'call':
        return this.#callIsNull(node)
      case 'binary':
        return isLogic(node) ? null : this.#any(node)
      case 'unary':
        return node.operator === 'NOT' ? null : this.#any(node)
      default:
        return this.#any(node)
    }
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
    const test = nullTestOf(node.name.name)
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
    const known = this.isNull(node)
    const value = this.value(node)
    const holds = wanted ? value : not(value)
    return known === null ? holds : join('AND', not(known), holds)
  }

  /** `node` where it is not null; what it is otherwise is not looked at. */
  value(node: Expression): Expression {
    switch (node.kind) {
      case 'null':
        return { kind: 'int', text: '0', range: node.range }
      case 'isNull':
        return this.#nullTest(node)
      case 'case':
        return this.#case(node)
      case 'call':
        return this.#call(node)
      case 'bracket':
        return this.#element(node)
      case 'binary':
        if (isLogic(node) && node.operator !== 'XOR') return this.#condition(node, true)
        return this.#children(node)
      case 'unary':
        return node.operator === 'NOT' ? this.#condition(node, true) : this.#children(node)
      default:
        return this.#children(node)
    }
  }

  #children(node: Expression): Expression {
    return mapChildren(node, (child) => this.value(child))
  }

  #nullTest(node: Extract<Expression, { kind: 'isNull' }>): Expression {
    const flag = this.isNull(node.value) ?? { kind: 'bool', value: false, range: node.range }
    return node.negated ? not(flag) : flag
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
    const known = this.isNull(first)
    if (known === null || rest.length === 0) return this.value(first)
    const otherwise = this.#coalesce({ ...node, arguments: rest })
    const result = first.kind === 'null' ? otherwise : this.value(first)
    const branches = [{ when: not(known), result }]
    return { kind: 'case', subject: null, branches, otherwise, range: node.range }
  }

  /** `list[i]`. */
  #element(node: Extract<Expression, { kind: 'bracket' }>): Expression {
    const name = { name: 'get', range: node.range }
    const index = node.items.map(({ value }) => this.value(value))
    return {
      kind: 'call',
      of: this.value(node.of),
      name,
      distinct: false,
      star: false,
      arguments: index,
      range: node.range,
    }
  }
}

function isLogic(node: Extract<Expression, { kind: 'binary' }>): boolean {
  return node.operator === 'AND' || node.operator === 'OR' || node.operator === 'XOR'
}

export function not(operand: Expression): Expression {
  return { kind: 'unary', operator: 'NOT', operand, range: operand.range }
}

export function join(operator: 'AND' | 'OR', left: Expression, right: Expression): Expression {
  const range: SourceRange = left.range
  return { kind: 'binary', operator, left, right, range }
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
