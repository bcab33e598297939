/** Operators: arithmetic, comparison, logic, membership. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { BOOL, DOUBLE, INT, STRING, type ValueType } from '#query/ir/types.ts'
import {
  higherNumeric,
  isCollection,
  isFloating,
  isInteger,
  isNumeric,
  joinTypes,
  sameType,
  typeText,
} from '#query/ir/value-types.ts'
import type { BinaryOperator, Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { bindCondition } from '../core/conditions.ts'
import { convertTo, tryConvert } from '../core/convert.ts'
import { valueOrFailure } from '../core/run-failures.ts'
import { refuseOneForList } from '../core/strict-types.ts'
import { bindNegativeInteger, narrow } from './integers.ts'
import { bindSetOperation } from './set-operations.ts'
import { looksLikeVertexSet } from './vertex-set-shape.ts'

type Node<K extends Expression['kind']> = Extract<Expression, { kind: K }>

export function bindBinary(binder: Binder, node: Node<'binary'>): BoundExpression {
  switch (node.operator) {
    case 'AND':
    case 'OR':
      return bindCondition(binder, node)
    case 'XOR':
      return bindExclusiveOr(binder, node)
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
      return bindCompare(binder, node, node.operator)
    case 'UNION':
    case 'INTERSECT':
    case 'MINUS':
      if (!looksLikeVertexSet(binder, node)) {
        return bindSetOperation(binder, { ...node, operator: node.operator })
      }
      return binder.fail(
        diagnosticCodes.misplaced,
        node.range,
        `${node.operator} combines vertex sets: it stands in an assignment, COUNT or IN`,
      )
    default:
      return bindArithmetic(binder, node, node.operator)
  }
}

function bindExclusiveOr(binder: Binder, node: Node<'binary'>): BoundExpression {
  const left = bindCondition(binder, node.left)
  const right = bindCondition(binder, node.right)
  return { kind: 'compare', type: BOOL, operator: '!=', left, right }
}

type ArithmeticOperator = Extract<BoundExpression, { kind: 'arithmetic' }>['operator']

function bindArithmetic(
  binder: Binder,
  node: Node<'binary'>,
  operator: ArithmeticOperator & BinaryOperator,
): BoundExpression {
  const [left, given] = operandsOf(binder, node)
  const right = literalLike(given, left.type)
  const isWhole = INTEGER_ONLY.has(operator) && !(operator === '%' && binder.options.cypher)
  const type = arithmeticType(operator, isWhole, [left.type, right.type])
  if (type === null) return failOperands(binder, node, [left.type, right.type])
  return {
    kind: 'arithmetic',
    type,
    operator,
    left: convertTo(binder, left, type, node.left.range),
    right: convertTo(binder, right, type, node.right.range),
  }
}

function operandsOf(binder: Binder, { left, right }: Node<'binary'>) {
  return binder.both(
    () => binder.expression(left),
    () => binder.expression(right),
  )
}

/** `list + [1]`: the literal takes the list's element type. */
function literalLike(value: BoundExpression, type: ValueType): BoundExpression {
  return value.kind === 'collection' ? (tryConvert(value, type) ?? value) : value
}

/** Of integers only; openCypher has `%` of reals. */
const INTEGER_ONLY = new Set<ArithmeticOperator>(['%', '<<', '>>', '&', '|'])

function arithmeticType(
  operator: ArithmeticOperator,
  isWhole: boolean,
  [left, right]: readonly [ValueType, ValueType],
): ValueType | null {
  if (isNumeric(left) && isNumeric(right)) {
    if (isWhole && !(isInteger(left) && isInteger(right))) return null
    return higherNumeric(left, right)
  }
  if (operator === '*') return isTextList(left) && isTextList(right) ? left : null
  return operator === '+' ? combinedType(left, right) : null
}

function combinedType(left: ValueType, right: ValueType): ValueType | null {
  if (left.kind === 'STRING' && right.kind === 'STRING') return STRING
  const combines = isCollection(left) || left.kind === 'MAP'
  return combines && sameType(left, right) ? left : null
}

function isTextList(type: ValueType): boolean {
  return type.kind === 'LIST' && type.element.kind === 'STRING'
}

function failOperands(
  binder: Binder,
  node: Node<'binary'>,
  types: readonly [ValueType, ValueType],
): never {
  const [left, right] = types.map((type) => typeText(type, (id) => binder.schema.nameOf(id)))
  const string = types.some(({ kind }) => kind === 'STRING') && node.operator === '+'
  const hint = string ? '; use to_string for numbers' : ''
  const message = `operator ${node.operator} does not take ${left} and ${right}${hint}`
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

type CompareOperator = Extract<BoundExpression, { kind: 'compare' }>['operator']

function bindCompare(
  binder: Binder,
  node: Node<'binary'>,
  operator: CompareOperator,
): BoundExpression {
  const [left, right] = operandsOf(binder, node)
  refuseChain(binder, node, right.type)
  const ordered = operator !== '==' && operator !== '!='
  if (!ordered && areUnlike(binder, left.type, right.type)) {
    return unlike(binder, node, { operator, types: [left.type, right.type] })
  }
  const type = comparedType(binder, node.range, [left, right])
  if (ordered && type.kind === 'EDGE') return failOperands(binder, node, [left.type, right.type])
  if (isFloating(type) && ['==', '<=', '>='].includes(operator)) warnExact(binder, node.range)
  return {
    kind: 'compare',
    type: BOOL,
    operator,
    left: convertTo(binder, left, type, node.left.range),
    right: convertTo(binder, right, type, node.right.range),
  }
}

/** `a < b < c`: only what is compared with a BOOL itself can be meant as it is read. */
function refuseChain(binder: Binder, { chained, range }: Node<'binary'>, right: ValueType): void {
  if (chained === undefined || right.kind === 'BOOL') return
  const message = `comparisons cannot be chained: write ${chained}`
  binder.fail(diagnosticCodes.notComparable, range, message)
}

/** Values of openCypher that are never equal, whatever they are (openCypher 9, "Equality"). */
function areUnlike(binder: Binder, left: ValueType, right: ValueType): boolean {
  if (!binder.options.cypher) return false
  const [one, other] = [left, right].map((type) => (isNumeric(type) ? 'number' : type.kind))
  const scalars = ['number', 'STRING', 'BOOL']
  return one !== other && scalars.includes(one!) && scalars.includes(other!)
}

function unlike(
  binder: Binder,
  { range }: Node<'binary'>,
  { operator, types }: { readonly operator: CompareOperator; readonly types: readonly ValueType[] },
): BoundExpression {
  const [left, right] = types.map((type) => typeText(type, (id) => binder.schema.nameOf(id)))
  const value = operator === '!='
  const message = `${left} never equals ${right}: this is always ${value}`
  binder.warn(diagnosticCodes.neverEqual, range, message)
  return { kind: 'literal', type: BOOL, value }
}

function warnExact(binder: Binder, range: SourceRange): void {
  const message = 'exact comparison of FLOAT or DOUBLE values may be surprising'
  binder.warn(diagnosticCodes.exactComparison, range, message)
}

/** The one type operands are compared in. @throws BindFailure TYP-9002 */
function comparedType(
  binder: Binder,
  range: SourceRange,
  operands: readonly BoundExpression[],
): ValueType {
  let type: ValueType | null = operands[0]!.type
  for (const operand of operands) {
    type = type === null ? null : comparable(binder, type, operand)
  }
  if (type !== null) return type
  const texts = operands.map((operand) => typeText(operand.type, (id) => binder.schema.nameOf(id)))
  const dates = operands.some((operand) => operand.type.kind === 'DATETIME')
  const hint = dates ? '; use to_datetime' : ''
  const message = `cannot compare ${texts.join(' with ')}${hint}`
  return binder.fail(diagnosticCodes.notComparable, range, message)
}

function comparable(binder: Binder, type: ValueType, operand: BoundExpression): ValueType | null {
  const joined = joinTypes(type, operand.type)
  if (joined !== null) return joined
  // TRUE is 1, as in C++; openCypher has no such conversion.
  if (type.kind === 'BOOL' && isNumeric(operand.type))
    return binder.options.cypher ? null : operand.type
  if (operand.type.kind === 'BOOL' && isNumeric(type)) return binder.options.cypher ? null : type
  return tryConvert(operand, type) === null ? null : type
}

export function bindUnary(binder: Binder, node: Node<'unary'>): BoundExpression {
  if (node.operator === 'NOT') {
    return { kind: 'not', type: BOOL, value: bindCondition(binder, node.operand) }
  }
  if (node.operator === '-' && node.operand.kind === 'int') {
    return bindNegativeInteger(binder, node.operand, node.range)
  }
  const value = binder.expression(node.operand)
  if (!isNumeric(value.type)) {
    const text = typeText(value.type, (id) => binder.schema.nameOf(id))
    binder.fail(diagnosticCodes.typeMismatch, node.range, `cannot negate ${text}`)
  }
  if (node.operator === '+') return value
  const folded = value.kind === 'literal' ? negated(value) : null
  return folded ?? { kind: 'negate', type: value.type, value }
}

/** In 64 bits, as a run has it; null: no number. */
function negated({
  type,
  value,
}: Extract<BoundExpression, { kind: 'literal' }>): BoundExpression | null {
  if (typeof value === 'boolean' || typeof value === 'string') return null
  if (!isInteger(type)) return { kind: 'literal', type, value: -Number(value) }
  const exact = -BigInt(value)
  const wrapped = type.kind === 'INT' ? BigInt.asIntN(64, exact) : BigInt.asUintN(64, exact)
  return { kind: 'literal', type, value: narrow(wrapped) }
}

export function bindBetween(binder: Binder, node: Node<'between'>): BoundExpression {
  const parts = [node.value, node.low, node.high].map((part) => binder.expression(part))
  const type = comparedType(binder, node.range, parts)
  if (isFloating(type)) warnExact(binder, node.range)
  const [value, low, high] = parts.map((part) => convertTo(binder, part, type, node.range))
  const between = { kind: 'between', type: BOOL, value: value!, low: low!, high: high! } as const
  return negatedIf(node.negated, between)
}

/** openCypher's IN asks by `=`, which never holds for NaN; a collection of GSQL may hold it. */
function byEquality(test: Extract<BoundExpression, { kind: 'in' }>): BoundExpression {
  const { value } = test
  if (!isFloating(value.type)) return test
  const isANumber = {
    kind: 'compare',
    type: BOOL,
    operator: '==',
    left: value,
    right: value,
  } as const
  return { kind: 'and', type: BOOL, left: test, right: isANumber }
}

export function bindIn(binder: Binder, node: Node<'in'>): BoundExpression {
  const value = binder.expression(node.value)
  if (looksLikeVertexSet(binder, node.container)) {
    const { set } = binder.rules.vertexSet(binder, node.container)
    if (value.type.kind !== 'VERTEX') {
      binder.fail(diagnosticCodes.notComparable, node.range, 'only a vertex can be IN a vertex set')
    }
    return negatedIf(node.negated, { kind: 'inVertexSet', type: BOOL, value, set })
  }
  const container = bindContainer(binder, node.container)
  // `x IN []`: a list of nothing is one of any type.
  if (container.kind === 'collection' && container.elements.length === 0) {
    return { kind: 'literal', type: BOOL, value: node.negated }
  }
  const element = elementOf(binder, container, node.container.range)
  const shared = joinTypes(value.type, element)
  const keeps = shared === null || (container.kind !== 'collection' && !sameType(shared, element))
  const wide = { kind: 'LIST', element: keeps ? element : shared } as const
  const isWidened = !keeps && container.kind === 'collection'
  const test = {
    kind: 'in',
    type: BOOL,
    value: convertTo(binder, value, wide.element, node.range),
    container: isWidened ? convertTo(binder, container, wide, node.range) : container,
  } as const
  return negatedIf(node.negated, binder.options.cypher ? byEquality(test) : test)
}

/** `x IN (a)` is `x IN (a, )`: one element in parentheses is a container here. */
function bindContainer(binder: Binder, node: Expression): BoundExpression {
  const container = binder.expression(node)
  const kind = container.type.kind
  if (isCollection(container.type) || kind === 'MAP' || kind === 'HEAP') return container
  refuseOneForList(binder, container, node.range)
  return {
    kind: 'collection',
    type: { kind: 'LIST', element: container.type },
    elements: [container],
  }
}

function elementOf(binder: Binder, container: BoundExpression, range: SourceRange): ValueType {
  const { type } = container
  if (type.kind === 'MAP') return type.key
  if (isCollection(type) || type.kind === 'HEAP') return type.element
  return binder.fail(diagnosticCodes.typeMismatch, range, 'IN needs a collection on its right')
}

export function bindLike(binder: Binder, node: Node<'like'>): BoundExpression {
  const value = convertTo(binder, binder.expression(node.value), STRING, node.value.range)
  const pattern = convertTo(binder, binder.expression(node.pattern), STRING, node.pattern.range)
  if (node.escape !== null && [...node.escape].length !== 1) {
    const message = `ESCAPE takes one character, not "${node.escape}"`
    return binder.fail(diagnosticCodes.badLiteral, node.range, message)
  }
  const like = { kind: 'like', type: BOOL, value, pattern, escape: node.escape } as const
  return negatedIf(node.negated, like)
}

function negatedIf(negated: boolean, value: BoundExpression): BoundExpression {
  return negated ? { kind: 'not', type: BOOL, value } : value
}

export function bindCase(binder: Binder, node: Node<'case'>): BoundExpression {
  const branches = node.branches.map((branch) => ({
    condition:
      node.subject === null
        ? bindCondition(binder, branch.when)
        : bindEqual(binder, node.subject, branch.when),
    value: branchValue(binder, branch.result),
  }))
  const otherwise = node.otherwise === null ? null : branchValue(binder, node.otherwise)
  const values = [...branches.map(({ value }) => value), ...(otherwise === null ? [] : [otherwise])]
  const known = values.filter(({ kind }) => kind !== 'failure')
  const type = (known.length === 0 ? values : known)
    .map((value) => value.type)
    .reduce((left, right) => joinTypes(left, right) ?? failBranches(binder, node.range))
  return {
    kind: 'case',
    type,
    branches: branches.map(({ condition, value }) => ({
      condition,
      value: branchOf(binder, value, { type, range: node.range }),
    })),
    otherwise: otherwise === null ? null : branchOf(binder, otherwise, { type, range: node.range }),
  }
}

function bindEqual(binder: Binder, subject: Expression, when: Expression): BoundExpression {
  return valueOrFailure(binder, BOOL, () => binder.expression(equals(subject, when)))
}

function branchValue(binder: Binder, node: Expression): BoundExpression {
  return valueOrFailure(binder, INT, () => binder.expression(node))
}

/** A branch that ends the run is of whatever type the others have. */
function branchOf(
  binder: Binder,
  value: BoundExpression,
  { type, range }: { readonly type: ValueType; readonly range: SourceRange },
): BoundExpression {
  return value.kind === 'failure' ? { ...value, type } : convertTo(binder, value, type, range)
}

function failBranches(binder: Binder, range: SourceRange): never {
  return binder.fail(
    diagnosticCodes.typeMismatch,
    range,
    'the branches of CASE have different types',
  )
}

/** `CASE e WHEN k` as `e == k`. */
export function equals(left: Expression, right: Expression): Expression {
  const range = { start: right.range.start, end: right.range.end }
  return { kind: 'binary', operator: '==', left, right, range }
}

/** GSQL has infinities, openCypher no literal beyond the largest number. */
export function bindReal(binder: Binder, { text, range }: Node<'real'>): BoundExpression {
  const value = Number(text)
  if (binder.options.cypher && !Number.isFinite(value)) {
    binder.fail(diagnosticCodes.badLiteral, range, `real literal ${text} is too large for DOUBLE`)
  }
  return { kind: 'literal', type: DOUBLE, value }
}
