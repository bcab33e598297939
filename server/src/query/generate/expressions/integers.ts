/**
 * Arithmetic by type. INT and UINT are exact over 64 bits in two ways: as doubles whose every
 * result is checked to be a safe integer (`ck`, `cu`: beyond it the query is generated again), or,
 * in wide units, as bigints wrapped to 64 bits. In the first way the ends of the range, which Min
 * and Max accumulators start from, are infinities: they compare rightly, and arithmetic on them
 * fails the check.
 */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import { NeedsWideIntegers, type Unit } from '../text/unit.ts'

const INT_MAX = 2n ** 63n - 1n
const INT_MIN = -(2n ** 63n)
const UINT_MAX = 2n ** 64n - 1n

export function isInteger(type: ValueType): boolean {
  return type.kind === 'INT' || type.kind === 'UINT'
}

export function integerLiteral(unit: Unit, kind: 'INT' | 'UINT', value: number | bigint): string {
  if (unit.wide) return `${value < 0 ? `(${BigInt(value)}n)` : `${BigInt(value)}n`}`
  // Infinity is the end of the range of its type, and no other value of it.
  if (value === (kind === 'INT' ? INT_MAX : UINT_MAX)) return 'Infinity'
  if (kind === 'INT' && value === INT_MIN) return '(-Infinity)'
  if (!Number.isSafeInteger(Number(value))) throw new NeedsWideIntegers()
  return Number(value) < 0 ? `(${value})` : String(value)
}

/** Wraps an INT or UINT result to 64 bits, or checks it. */
export function wrapInteger(unit: Unit, kind: 'INT' | 'UINT', code: string): string {
  if (!unit.wide) return unit.call(kind === 'INT' ? 'ck' : 'cu', code)
  return unit.call(kind === 'INT' ? 'asInt' : 'asUint', 64, code)
}

type Operator = Extract<BoundExpression, { kind: 'arithmetic' }>['operator']

export interface Operands {
  readonly operator: Operator
  readonly left: string
  readonly right: string
  /** The right one is known not to be zero. */
  readonly isSafe: boolean
}

/** Runtime functions of the operators that are no single JavaScript operation. */
const calls = {
  '/': ['divideSafe', 'divideWide'],
  '%': ['moduloSafe', 'moduloWide'],
  '<<': ['left', 'leftWide'],
  '>>': ['right', 'rightWide'],
  '&': ['bitAnd', null],
  '|': ['bitOr', null],
  '+': [null, null],
  '-': [null, null],
  '*': [null, null],
} as const

export function integerArithmetic(unit: Unit, kind: 'INT' | 'UINT', operands: Operands): string {
  const { operator, left, right } = operands
  const name = calls[operator][unit.wide ? 1 : 0]
  if (name === null) return wrapInteger(unit, kind, `${left}${operator}${right}`)
  if (name === 'leftWide' || name === 'rightWide') {
    return unit.call(name, left, right, wideFlag(kind))
  }
  return wrapInteger(unit, kind, unit.call(name, left, right))
}

function wideFlag(kind: 'INT' | 'UINT'): string {
  return kind === 'UINT' ? 'true' : 'false'
}

export function realArithmetic(unit: Unit, kind: 'FLOAT' | 'DOUBLE', operands: Operands): string {
  const { operator, left, right, isSafe } = operands
  if (operator === '/') {
    const quotient = isSafe ? `(${left}/${right})` : realQuotient(unit, left, right)
    return round(unit, kind, quotient)
  }
  if (operator === '%') return round(unit, kind, unit.call('moduloReal', left, right))
  return round(unit, kind, `(${left}${operator}${right})`)
}

/** Characters of a divisor that is written twice instead of called with. */
const TWICE_MAX = 80

/** V8 did not inline `divideReal` in loops of a few instructions: it took most of their time. */
function realQuotient(unit: Unit, left: string, right: string): string {
  if (/^\d+(\.\d+)?$/.test(right) && Number(right) !== 0) return `(${left}/${right})`
  const isCheap = right.length <= TWICE_MAX && /^[\w.[\]()+-]+$/.test(right)
  if (!isCheap || /\w\(/.test(right)) return unit.call('divideReal', left, right)
  return `(${right}===0?${unit.call('dividerIsZero')}:${left}/${right})`
}

function round(unit: Unit, kind: 'FLOAT' | 'DOUBLE', code: string): string {
  return kind === 'FLOAT' ? unit.call('fround', code) : code
}

/** Code of a value of type `from` as type `to`; the same code when nothing changes. */
export function convert(unit: Unit, code: string, from: ValueType, to: ValueType): string {
  if (from.kind === to.kind) return code
  switch (to.kind) {
    case 'INT':
    case 'UINT':
      return toInteger(unit, code, from, to.kind)
    case 'DOUBLE':
      return toReal(unit, code, from)
    case 'FLOAT':
      return unit.call('fround', toReal(unit, code, from))
    case 'BOOL':
      return unit.wide && isInteger(from) ? `(${code}!==0n)` : `(${code}!==0)`
    case 'DATETIME':
      return toDate(unit, code, from)
    default:
      return code
  }
}

function toDate(unit: Unit, code: string, from: ValueType): string {
  if (from.kind === 'STRING') return unit.call('datetimeOf', code)
  return unit.wide && isInteger(from) ? unit.call('Number', code) : code
}

function toInteger(unit: Unit, code: string, from: ValueType, to: 'INT' | 'UINT'): string {
  switch (from.kind) {
    case 'INT':
    case 'UINT':
      return wrapInteger(unit, to, code)
    case 'FLOAT':
    case 'DOUBLE':
      if (unit.wide) return unit.call('wideOfReal', code, wideFlag(to))
      return unit.call(to === 'INT' ? 'ck' : 'cu', unit.call('trunc', code))
    case 'BOOL':
      return unit.wide ? `(${code}?1n:0n)` : `(${code}?1:0)`
    default:
      return unit.wide ? unit.call('BigInt', code) : code
  }
}

function toReal(unit: Unit, code: string, from: ValueType): string {
  switch (from.kind) {
    case 'INT':
    case 'UINT':
      if (unit.wide) return unit.call('Number', code)
      return /^\(?(0|-?[1-9]\d*)\)?$/.test(code)
        ? code
        : unit.call('realOf', code, wideFlag(from.kind))
    case 'BOOL':
      return `(${code}?1:0)`
    default:
      return code
  }
}

/** An INT that the runtime yields as a double (a size, a degree), as this unit keeps integers. */
export function integerOf(unit: Unit, code: string): string {
  return unit.wide ? unit.call('BigInt', code) : code
}

/** The other way: an INT expression as a double, for runtime functions that take one. */
export function doubleOf(unit: Unit, code: string): string {
  return unit.wide ? unit.call('Number', code) : code
}
