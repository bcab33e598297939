/**
 * How an accumulator type is kept.
 *
 * *Register* accumulators (Sum, Min, Max, Avg, Or, And, Bitwise over scalars and vertices) are one
 * or two numbers: a variable of the text when global, a typed array over all vertex numbers when
 * attached to vertices. All others are *cell* accumulators: a block of the arena, worked on by the
 * runtime; a global holds its block, a vertex column one block per vertex that has one.
 */
import { type AccumType, isWideBits, type ValueType } from '#query/ir/types.ts'
import type { Unit } from '../text/unit.ts'
import { isInteger } from './integers.ts'

export type ColumnKind = 'f64' | 'f32' | 'u8' | 'i64' | 'u64' | 'block'

export interface RegisterKind {
  readonly fold: 'sum' | 'min' | 'max' | 'avg' | 'or' | 'and' | 'bitOr' | 'bitAnd'
  /** Type of the value folded in and read. */
  readonly value: ValueType
  readonly column: ColumnKind
  /** Code of the state before anything was folded in. */
  readonly initial: string
}

const FLOAT_MAX = '3.4028234663852886e+38'
const DOUBLE_MAX = '1.7976931348623157e+308'

/** Null: a cell accumulator. */
export function registerKind(unit: Unit, type: AccumType): RegisterKind | null {
  if (isWideBits(type)) return null
  switch (type.kind) {
    case 'SumAccum':
      return { ...storage(unit, type.value, 'sum'), initial: zero(unit, type.value) }
    case 'MinAccum':
    case 'MaxAccum':
      if (type.isOfRows === true) return null
      return extreme(unit, type.kind === 'MinAccum', type.value)
    case 'AvgAccum':
      return { fold: 'avg', value: { kind: 'DOUBLE' }, column: 'f64', initial: '(-0)' }
    case 'OrAccum':
      return { fold: 'or', value: { kind: 'BOOL' }, column: 'u8', initial: '0' }
    case 'AndAccum':
      return { fold: 'and', value: { kind: 'BOOL' }, column: 'u8', initial: '1' }
    case 'BitwiseOrAccum':
      return { ...storage(unit, { kind: 'INT' }, 'bitOr'), initial: unit.wide ? '0n' : '0' }
    case 'BitwiseAndAccum':
      return { ...storage(unit, { kind: 'INT' }, 'bitAnd'), initial: unit.wide ? '(-1n)' : '(-1)' }
    default:
      return null
  }
}

function zero(unit: Unit, type: ValueType): string {
  // An integral start makes V8 keep the local as an integer first: 2.5 times slower.
  if (type.kind === 'DOUBLE' || type.kind === 'FLOAT') return '(-0)'
  return isInteger(type) && unit.wide ? '0n' : '0'
}

function extreme(unit: Unit, min: boolean, value: ValueType): RegisterKind | null {
  if (value.kind === 'TUPLE') return null
  return { ...storage(unit, value, min ? 'min' : 'max'), initial: extremeStart(unit, min, value) }
}

/** Starts of MinAccum and MaxAccum by value type, with doubles for INT and in wide units. */
const starts: Readonly<Partial<Record<ValueType['kind'], Readonly<Record<Mode, Ends>>>>> = {
  INT: {
    narrow: ['Infinity', '(-Infinity)'],
    wide: ['9223372036854775807n', '(-9223372036854775808n)'],
  },
  UINT: { narrow: ['Infinity', '0'], wide: ['18446744073709551615n', '0n'] },
  FLOAT: same(FLOAT_MAX, `(-${FLOAT_MAX})`),
  DOUBLE: same(DOUBLE_MAX, `(-${DOUBLE_MAX})`),
  DATETIME: same('Infinity', '(-Infinity)'),
  BOOL: same('1', '0'),
}

type Mode = 'narrow' | 'wide'
/** Of a MinAccum, of a MaxAccum. */
type Ends = readonly [string, string]

function same(min: string, max: string): Readonly<Record<Mode, Ends>> {
  return { narrow: [min, max], wide: [min, max] }
}

/** VERTEX and STRING start as -1, "nothing yet", and read as unknown and "". */
function extremeStart(unit: Unit, min: boolean, value: ValueType): string {
  const ends = starts[value.kind]?.[unit.wide ? 'wide' : 'narrow'] ?? ['-1', '-1']
  return ends[min ? 0 : 1]
}

function storage(
  unit: Unit,
  value: ValueType,
  fold: RegisterKind['fold'],
): Omit<RegisterKind, 'initial'> {
  return { fold, value, column: columnKind(unit, value) }
}

function columnKind(unit: Unit, value: ValueType): ColumnKind {
  if (value.kind === 'BOOL') return 'u8'
  if (value.kind === 'FLOAT') return 'f32'
  if (unit.wide && value.kind === 'INT') return 'i64'
  if (unit.wide && value.kind === 'UINT') return 'u64'
  return 'f64'
}

/** Values that mean "nothing yet" are not what an expression sees. */
export function readRegister(unit: Unit, kind: RegisterKind, state: string): string {
  if (kind.column === 'u8') return `(${state}!==0)`
  if (kind.fold === 'sum' && kind.value.kind === 'STRING') return unit.call('flat', state)
  const extremum = kind.fold === 'min' || kind.fold === 'max'
  if (extremum && kind.value.kind === 'STRING') return unit.call('writtenString', state)
  if (extremum && kind.value.kind === 'DATETIME') return unit.call('writtenDate', state)
  return state
}
