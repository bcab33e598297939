/** Arithmetic, comparisons and conversions of values. */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import { ListState } from './collection-states.ts'
import { dateOf } from './library.ts'
import { zeroOf } from './make-state.ts'
import { isState, type State } from './state.ts'
import { compare, fail, keyOf, Unsupported, type Value, wrap } from './values.ts'

type Node<K extends BoundExpression['kind']> = Extract<BoundExpression, { kind: K }>

export function converted(value: Value, from: ValueType, to: ValueType): Value {
  if (to.kind === 'LIST' || to.kind === 'SET' || to.kind === 'BAG') {
    if (!isState(value)) throw new Unsupported('conversion of no collection')
    if (from.kind === to.kind && sameNumbers(from, to)) return value
    const element = 'element' in from ? from.element : to.element
    const state = zeroOf(to) as State
    for (const item of value.elements()) {
      state.fold({ kind: 'element', value: converted(item, element, to.element) })
    }
    return state
  }
  if (from.kind === to.kind) return value
  switch (to.kind) {
    case 'INT':
    case 'UINT':
      return toInteger(value, to.kind)
    case 'DOUBLE':
      return Number(value)
    case 'FLOAT':
      return Math.fround(Number(value))
    case 'BOOL':
      return typeof value === 'bigint' ? value !== 0n : value !== 0
    case 'DATETIME':
      return from.kind === 'STRING' ? dateOf(value as string) : Number(value)
    default:
      return value
  }
}

function sameNumbers(from: ValueType, to: ValueType): boolean {
  return 'element' in from && 'element' in to && from.element.kind === to.element.kind
}

function toInteger(value: Value, kind: 'INT' | 'UINT'): bigint {
  if (typeof value === 'bigint') return wrap(value, kind)
  if (typeof value === 'boolean') return value ? 1n : 0n
  const number = value as number
  if (Number.isNaN(number)) return 0n
  if (!Number.isFinite(number)) return number < 0 ? -(2n ** 63n) : 2n ** 63n - 1n
  return wrap(BigInt(Math.trunc(number)), kind)
}

export function arithmetic(node: Node<'arithmetic'>, left: Value, right: Value): Value {
  const { kind } = node.type
  const { operator } = node
  if (kind === 'INT' || kind === 'UINT') {
    return wrap(integerArithmetic(operator, left as bigint, right as bigint), kind)
  }
  if (kind === 'DOUBLE') return realArithmetic(operator, left as number, right as number)
  if (kind === 'FLOAT') {
    return Math.fround(realArithmetic(operator, left as number, right as number))
  }
  if (kind === 'STRING') return (left as string) + (right as string)
  if (operator === '+') {
    const sum = (left as State).clone()
    sum.fold({ kind: 'merge', value: (right as State).clone() })
    return sum
  }
  if (operator !== '*') throw new Unsupported(`${operator} of ${kind}`)
  const list = new ListState(() => null)
  for (const head of (left as State).elements()) {
    for (const tail of (right as State).elements()) {
      list.fold({ kind: 'element', value: `${head as string}${tail as string}` })
    }
  }
  return list
}

function integerArithmetic(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0n ? fail('GSQL-2500', 'divider is zero.') : left / right
    case '%':
      return right === 0n ? fail('GSQL-2500', 'divider is zero.') : left % right
    case '<<':
      return left << (right & 63n)
    case '>>':
      return left >> (right & 63n)
    case '&':
      return left & right
    default:
      return left | right
  }
}

function realArithmetic(operator: string, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return right === 0 ? fail('GSQL-2500', 'divider is zero.') : left / right
    case '%':
      return right === 0 ? fail('GSQL-2500', 'divider is zero.') : left % right
    default:
      throw new Unsupported(`${operator} of real numbers`)
  }
}

export function comparison(node: Node<'compare'>, left: Value, right: Value): boolean {
  const { operator } = node
  const isEquality = operator === '==' || operator === '!='
  if (isEquality && !isState(left)) return isEqual(left, right) === (operator === '==')
  // No order of a number and NaN holds.
  const isUnordered = Number.isNaN(left) || Number.isNaN(right)
  const order = isUnordered ? Number.NaN : compare(left, right)
  const holds: Record<typeof operator, boolean> = {
    '==': order === 0,
    '!=': order !== 0,
    '<': order < 0,
    '<=': order <= 0,
    '>': order > 0,
    '>=': order >= 0,
  }
  return holds[operator]
}

export function isEqual(left: Value, right: Value): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left === right
  return keyOf(left) === keyOf(right)
}
