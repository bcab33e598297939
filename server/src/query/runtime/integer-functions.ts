/** Arithmetic that generated code calls; see `generate/expressions/integers.ts` for the two ways of integers. */
import { DbError } from '#kernel/errors.ts'
import type { IntegerRules } from './cells/shapes.ts'
import type { Value } from './cells/value.ts'
import { bitsText } from './output/number-text.ts'

/** A double that stands for INT or UINT left the safe integers: run again in 64 bits. */
export class WidenSignal extends Error {}

const SAFE = Number.MAX_SAFE_INTEGER
const INT_LIMIT = 2n ** 63n

function widen(): never {
  throw new WidenSignal()
}

export function dividerIsZero(): never {
  throw new DbError('QUERY_RUNTIME', 'Runtime Error: divider is zero.', {
    details: { code: 'GSQL-2500' },
  })
}

export const integerFunctions = {
  dividerIsZero,
  ck: (value: number): number => (value <= SAFE && value >= -SAFE ? value : widen()),
  cu: (value: number): number => (value <= SAFE && value >= 0 ? value : widen()),
  asInt: BigInt.asIntN,
  asUint: BigInt.asUintN,
  fround: Math.fround,
  trunc: Math.trunc,
  Number,
  BigInt,
  safeOf: (value: bigint): number => {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : widen()
  },
  divideSafe: (left: number, right: number): number =>
    right === 0 ? dividerIsZero() : Math.trunc(left / right),
  moduloSafe: (left: number, right: number): number =>
    right === 0 ? dividerIsZero() : left % right,
  divideWide: (left: bigint, right: bigint): bigint =>
    right === 0n ? dividerIsZero() : left / right,
  moduloWide: (left: bigint, right: bigint): bigint =>
    right === 0n ? dividerIsZero() : left % right,
  divideReal: (left: number, right: number): number =>
    right === 0 ? dividerIsZero() : left / right,
  moduloReal: (left: number, right: number): number =>
    right === 0 ? dividerIsZero() : left % right,
  bitAnd: (left: number, right: number): number =>
    isInt32(left, right) ? left & right : narrow(exact(left) & exact(right)),
  bitOr: (left: number, right: number): number =>
    isInt32(left, right) ? left | right : narrow(exact(left) | exact(right)),
  left: (value: number, count: number): number =>
    value * 2 ** shiftCount(count) === Infinity ? widen() : value * 2 ** shiftCount(count),
  right: (value: number, count: number): number =>
    Math.floor(exactNumber(value) / 2 ** shiftCount(count)),
  leftWide: (value: bigint, count: bigint, unsigned: boolean): bigint => {
    const shifted = value << (count & 63n)
    return unsigned ? BigInt.asUintN(64, shifted) : BigInt.asIntN(64, shifted)
  },
  rightWide: (value: bigint, count: bigint): bigint => value >> (count & 63n),
  /** INT or UINT as a real number; infinities are the ends of the range, and integers have no -0. */
  realOf: (value: number, unsigned: boolean): number => {
    if (value <= SAFE && value >= -SAFE) return value + 0
    return value < 0 ? -(2 ** 63) : unsigned ? 2 ** 64 : 2 ** 63
  },
  wideOfReal: (value: number, unsigned: boolean): bigint => {
    if (Number.isNaN(value)) return 0n
    if (!Number.isFinite(value)) return value < 0 ? -INT_LIMIT : INT_LIMIT - 1n
    const whole = BigInt(Math.trunc(value))
    return unsigned ? BigInt.asUintN(64, whole) : BigInt.asIntN(64, whole)
  },
  /** A bigint of 64 bits as two doubles. */
  highWord: (value: bigint): number => Number(value >> 32n),
  lowWord: (value: bigint): number => Number(value & 0xffffffffn),
  fromWords: (high: number, low: number): bigint => (BigInt(high) << 32n) | BigInt(low),
  bitCount: (value: number | bigint): number => bitsText(value, 64).replaceAll('0', '').length,
  absolute: (value: number | bigint): number | bigint => (value < 0 ? -value : value),
  between: (value: Value, low: Value, high: Value): boolean => value >= low && value <= high,
  mean: (sum: number, count: number): number => (count === 0 ? 0 : sum / count),
  /** The state of a vertex that may be unknown. */
  stateAt: (column: ArrayLike<Value>, vertex: number, initial: Value): Value =>
    vertex < 0 ? initial : column[vertex]!,
  stepOf: (step: number): number => {
    if (step !== 0) return step
    throw new DbError('QUERY_RUNTIME', 'Runtime Error: the step of RANGE is zero.', {
      details: { code: 'GSQL-1002' },
    })
  },
}

function isInt32(left: number, right: number): boolean {
  return (left | 0) === left && (right | 0) === right
}

function exactNumber(value: number): number {
  return value <= SAFE && value >= -SAFE ? value : widen()
}

function exact(value: number): bigint {
  return BigInt(exactNumber(value))
}

function narrow(value: bigint): number {
  const number = Number(BigInt.asIntN(64, value))
  return Number.isSafeInteger(number) ? number : widen()
}

function shiftCount(count: number): number {
  return exactNumber(count) & 63
}

export const integerRules: IntegerRules = {
  narrow: (value) => integerFunctions.safeOf(value),
  add: (left, right, unsigned) => {
    if (typeof left === 'bigint') {
      const sum = left + (right as bigint)
      return unsigned ? BigInt.asUintN(64, sum) : BigInt.asIntN(64, sum)
    }
    const sum = (left as number) + (right as number)
    return unsigned ? integerFunctions.cu(sum) : integerFunctions.ck(sum)
  },
  bits: (operator, left, right) => {
    if (typeof left === 'bigint') {
      return operator === '&' ? left & (right as bigint) : left | (right as bigint)
    }
    const both = [left as number, right as number] as const
    return operator === '&' ? integerFunctions.bitAnd(...both) : integerFunctions.bitOr(...both)
  },
}
