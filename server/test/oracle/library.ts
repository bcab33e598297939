/**
 * Built-in functions. Those of `query/functions` are plain functions of values, no part of the
 * compiler: the interpreter calls the same ones, by way of codes for texts.
 */

import { builtIns, type FunctionValue } from '#query/functions/functions.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { ValueType } from '#query/ir/types.ts'
import { type EdgeValue, numberOf, Unsupported, type Value, type Vertex, wrap } from './values.ts'

type Call = Extract<BoundExpression, { kind: 'call' }>

/** Answers that differ from run to run. */
const RANDOM = ['rand', 'gsql_uuid_v4']

interface Moment {
  readonly nowSeconds: number
}

const texts: string[] = ['']

function intern(text: string): number {
  texts.push(text)
  return texts.length - 1
}

let library: ReturnType<typeof builtIns> | null = null
const moment = { nowSeconds: 0 }

function functionOf(name: string, { nowSeconds }: Moment) {
  moment.nowSeconds = nowSeconds
  library ??= builtIns({
    text: (code) => texts[code]!,
    intern,
    reserve: () => undefined,
    reserveCharacters: () => undefined,
    get nowSeconds() {
      return moment.nowSeconds
    },
    random: () => 0.5,
  })
  const found = library.get(name)
  if (found === undefined) throw new Unsupported(`function ${name}`)
  return found
}

export function dateOf(text: string): number {
  return Number(functionOf('to_datetime', moment)(intern(text)))
}

export function callBuiltIn(
  at: Moment,
  node: Call,
  values: readonly Value[],
  textOf: (one: { readonly value: Value; readonly type: ValueType }) => string,
): Value {
  const { name } = node
  if (RANDOM.includes(name)) throw new Unsupported(`function ${name}`)
  const first = values[0]!
  if (name === 'getvid') return BigInt(numberOf(first as Vertex | null))
  if (name === 'gettgtvid') return (first as EdgeValue | null)?.to ?? null
  if (name === 'getsrcvid') return (first as EdgeValue | null)?.from ?? null
  if (name === 'bit_count') {
    return BigInt(
      BigInt.asUintN(64, first as bigint)
        .toString(2)
        .replaceAll('0', '').length,
    )
  }
  if (name === 'to_string') return textOf({ value: first, type: node.arguments[0]!.type })
  if (name === 'abs' && typeof first === 'bigint') {
    return wrap(first < 0n ? -first : first, node.type.kind)
  }
  const args = values.map((value, i) => argument(value, node.arguments[i]!.type))
  return result(functionOf(name, at)(...args), node.type)
}

function argument(value: Value, { kind }: ValueType): FunctionValue {
  switch (kind) {
    case 'STRING':
      return intern(value as string)
    case 'INT':
    case 'UINT':
      return Number(value)
    case 'VERTEX':
    case 'EDGE':
    case 'LIST':
    case 'SET':
    case 'BAG':
      throw new Unsupported(`a ${kind} as an argument`)
    default:
      return value as number | boolean
  }
}

function result(value: FunctionValue, { kind }: ValueType): Value {
  switch (kind) {
    case 'STRING':
      return texts[value as number]!
    case 'INT':
    case 'UINT': {
      if (typeof value === 'bigint') return wrap(value, kind)
      const number = Number(value)
      if (Number.isNaN(number)) return 0n
      if (!Number.isFinite(number)) return number < 0 ? -(2n ** 63n) : 2n ** 63n - 1n
      return wrap(BigInt(Math.trunc(number)), kind)
    }
    case 'FLOAT':
      return Math.fround(Number(value))
    default:
      return value as number | boolean
  }
}
