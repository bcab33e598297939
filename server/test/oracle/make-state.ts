/** The state of each type of accumulator, and the zero of each type of value. */
import type { AccumElement, AccumType, ValueType } from '#query/ir/types.ts'
import { BagState, ListState, SetState } from './collection-states.ts'
import { OverwriteState, ScalarState } from './scalar-states.ts'
import type { State } from './state.ts'
import { ArrayState, GroupState, HeapState, MapState, PercentileState } from './table-states.ts'
import { Unsupported, type Value } from './values.ts'

/** Numbers of a parameter, for capacities of heaps inside other accumulators. */
export type ParameterNumber = (slot: number) => number

export function stateOf(type: AccumType, parameter: ParameterNumber): State {
  switch (type.kind) {
    case 'ListAccum':
      return new ListState(() => elementStateOf(type.element, parameter))
    case 'SetAccum':
      return new SetState()
    case 'BagAccum':
      return new BagState()
    case 'MapAccum':
      return new MapState(() => mapValueOf(type.value, parameter))
    case 'HeapAccum':
      return new HeapState(
        type.order,
        limitOf(type.limit, parameter),
        zeroFields(type.tuple.fields),
      )
    case 'ArrayAccum':
      return new ArrayState(() => stateOf(type.element, parameter))
    case 'GroupByAccum':
      return new GroupState(
        () => type.values.map(({ accum }) => stateOf(accum, parameter)),
        () => zeroFields(type.keys),
      )
    case 'PercentileContAccum':
      return new PercentileState(type.percent)
    case 'BitwiseOrAccum':
    case 'BitwiseAndAccum':
      if (type.lengthBits > 64) throw new Unsupported('bitwise accumulators of more than 64 bits')
      return scalarOf(type)
    default:
      return scalarOf(type)
  }
}

function limitOf(
  limit: Extract<AccumType, { kind: 'HeapAccum' }>['limit'],
  parameter: ParameterNumber,
): number {
  if (limit === null) return Number.POSITIVE_INFINITY
  return limit.kind === 'constant' ? limit.value : parameter(limit.slot)
}

function elementStateOf(element: AccumElement, parameter: ParameterNumber): State | null {
  return element.kind === 'value' ? null : stateOf(element.accum, parameter)
}

/** Base values of a map accumulate: numbers add, strings append, all others overwrite. */
function mapValueOf(element: AccumElement, parameter: ParameterNumber): State {
  if (element.kind === 'accum') return stateOf(element.accum, parameter)
  return baseValueOf(element.type)
}

export function baseValueOf(type: ValueType): State {
  const adds = ['INT', 'UINT', 'FLOAT', 'DOUBLE', 'STRING'].includes(type.kind)
  if (adds) return scalarOf({ kind: 'SumAccum', value: type })
  return new OverwriteState(() => zeroOf(type))
}

/** The value of a type before anything was assigned. */
export function zeroOf(type: ValueType): Value {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      return 0n
    case 'FLOAT':
    case 'DOUBLE':
    case 'DATETIME':
      return 0
    case 'BOOL':
      return false
    case 'STRING':
      return ''
    case 'JSONOBJECT':
      return '{}'
    case 'JSONARRAY':
      return '[]'
    case 'VERTEX':
    case 'EDGE':
      return null
    case 'TUPLE':
      return zeroFields(type.fields)
    case 'LIST':
      return new ListState(() => null)
    case 'SET':
      return new SetState()
    case 'BAG':
      return new BagState()
    case 'MAP':
      return new MapState(() => baseValueOf(type.value))
    case 'HEAP':
      return new HeapState([], Number.POSITIVE_INFINITY, zeroFields(type.element.fields))
    case 'GROUPS':
      throw new Unsupported('zero of groups')
  }
}

function zeroFields(fields: readonly { readonly type: ValueType }[]): Value[] {
  return fields.map(({ type }) => zeroOf(type))
}

const FLOAT_MAX = 3.4028234663852886e38

/** Where Min and Max begin. */
function extremeStart(type: ValueType, isMin: boolean): Value {
  const sign = isMin ? 1 : -1
  switch (type.kind) {
    case 'INT':
      return isMin ? 2n ** 63n - 1n : -(2n ** 63n)
    case 'UINT':
      return isMin ? 2n ** 64n - 1n : 0n
    case 'FLOAT':
      return sign * FLOAT_MAX
    case 'DOUBLE':
      return sign * Number.MAX_VALUE
    case 'BOOL':
      return isMin
    default:
      return zeroOf(type)
  }
}

function scalarOf(type: AccumType): ScalarState {
  return new ScalarState(type, startOf(type))
}

function startOf(type: AccumType): Value {
  switch (type.kind) {
    case 'SumAccum':
      return zeroOf(type.value)
    case 'MinAccum':
    case 'MaxAccum':
      return extremeStart(type.value, type.kind === 'MinAccum')
    case 'AvgAccum':
      return 0
    case 'OrAccum':
      return false
    case 'AndAccum':
      return true
    case 'BitwiseOrAccum':
      return 0n
    case 'BitwiseAndAccum':
      return -1n
    default:
      throw new Unsupported(`a scalar ${type.kind}`)
  }
}
