/**
 * Calls of user functions. They are plain functions of values, no part of the compiler: the
 * interpreter calls the same ones.
 */

import { type PlainValue, userFunctionImplementations } from '#query/functions/user-functions.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import { zeroOf } from './make-state.ts'
import type { State } from './state.ts'
import { MapState } from './table-states.ts'
import { numberOf, Unsupported, type Value, type Vertex, wrap } from './values.ts'

export function callUserFunction(
  { name, type, arguments: parameters }: Extract<BoundExpression, { kind: 'userCall' }>,
  values: readonly Value[],
): Value {
  const implementation = userFunctionImplementations.get(name)
  if (implementation === undefined) throw new Unsupported(`user function ${name}`)
  const plain = values.map((value, i) => plainOf(value, parameters[i]!.type))
  const random = (): never => {
    throw new Unsupported('a random number')
  }
  return valueFrom(implementation(plain, { random, roles: [] }), type)
}

function plainOf(value: Value, type: ValueType): PlainValue {
  switch (type.kind) {
    case 'INT':
    case 'UINT': {
      const number = Number(value)
      return Number.isSafeInteger(number) ? number : (value as bigint)
    }
    case 'LIST':
    case 'SET':
    case 'BAG':
      return (value as State).elements().map((item) => plainOf(item, type.element))
    case 'MAP':
      return (value as MapState)
        .entries()
        .map(({ key, value: item }) => [plainOf(key, type.key), plainOf(item.read(), type.value)])
    case 'TUPLE':
      return (value as readonly Value[]).map((field, i) => plainOf(field, type.fields[i]!.type))
    case 'VERTEX':
      return numberOf(value as Vertex | null)
    default:
      return value as number | string | boolean
  }
}

function valueFrom(value: PlainValue, type: ValueType): Value {
  switch (type.kind) {
    case 'INT':
    case 'UINT':
      if (typeof value === 'bigint') return wrap(value, type.kind)
      if (!Number.isFinite(value)) throw new Unsupported('a user function that gives no integer')
      return wrap(BigInt(Math.trunc(value as number)), type.kind)
    case 'FLOAT':
      return Math.fround(Number(value))
    case 'DOUBLE':
    case 'DATETIME':
      return Number(value)
    case 'LIST':
    case 'SET':
    case 'BAG': {
      const state = zeroOf(type) as State
      for (const item of value as readonly PlainValue[]) {
        state.fold({ kind: 'element', value: valueFrom(item, type.element) })
      }
      return state
    }
    case 'MAP': {
      const state = zeroOf(type)
      if (!(state instanceof MapState)) throw new Unsupported('a map of this kind')
      for (const pair of value as readonly (readonly PlainValue[])[]) {
        const item = valueFrom(pair[1]!, type.value)
        state.ensure(valueFrom(pair[0]!, type.key)).fold({ kind: 'scalar', value: item })
      }
      return state
    }
    case 'TUPLE':
      return (value as readonly PlainValue[]).map((field, i) =>
        valueFrom(field, type.fields[i]!.type),
      )
    case 'VERTEX':
      throw new Unsupported('a user function that gives a vertex')
    default:
      return value as string | boolean
  }
}
