/** What expressions do with collections. */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { SetState } from './collection-states.ts'
import { zeroOf } from './make-state.ts'
import { isState, type State } from './state.ts'
import { GroupState, type HeapState, MapState, percentile } from './table-states.ts'
import { compare, keyOf, Unsupported, type Value, wrap } from './values.ts'

type Node<K extends BoundExpression['kind']> = Extract<BoundExpression, { kind: K }>

export function holds(container: Value, value: Value): boolean {
  if (container instanceof MapState) return container.has(value)
  if (container instanceof SetState) return container.has(value)
  if (!isState(container)) throw new Unsupported('IN of no collection')
  return container.elements().some((element) => keyOf(element) === keyOf(value))
}

export function methodOf(node: Node<'method'>, of: Value, args: readonly Value[]): Value {
  if (!isState(of)) throw new Unsupported(`${node.method} of no collection`)
  switch (node.method) {
    case 'size':
      return BigInt(of.size)
    case 'contains':
      return holds(of, args[0]!)
    case 'containsKey':
      if (of instanceof GroupState) return of.has(args)
      return (of as MapState).has(args[0]!)
    case 'top':
      return (of as HeapState).top()
    case 'get': {
      if (of instanceof GroupState) return of.get(args)
      if (of instanceof MapState) return of.get(args[0]!)
      const [index, size] = [args[0] as bigint, BigInt(of.size)]
      if (index < 0n || index >= size) return zeroOf(node.type)
      return of.elements()[Number(index)]!
    }
  }
}

export function setOperation(node: Node<'setOperation'>, left: State, right: State): Value {
  const result = zeroOf(node.type) as State
  const put = (value: Value): void => result.fold({ kind: 'element', value })
  if (node.operation === 'union') {
    for (const value of left.elements()) put(value)
    for (const value of right.elements()) put(value)
    return result
  }
  // Repeats count: one of the right side stands against one of the left, unless both are sets.
  const asSets = left instanceof SetState && right instanceof SetState
  const rest = new Map<string, number>()
  const isSetResult = node.type.kind === 'SET'
  for (const value of right.elements()) {
    const key = keyOf(value)
    rest.set(key, (rest.get(key) ?? 0) + 1)
  }
  for (const value of left.elements()) {
    const key = keyOf(value)
    const count = rest.get(key) ?? 0
    if (count > 0 && !asSets && !isSetResult) rest.set(key, count - 1)
    if (count > 0 === (node.operation === 'intersect')) put(value)
  }
  return result
}

export function aggregate(node: Node<'aggregate'>, of: Value, percent: Value): Value {
  if (!isState(of)) throw new Unsupported('an aggregate of no collection')
  const all = of.elements()
  const values = node.distinct ? [...new Map(all.map((one) => [keyOf(one), one])).values()] : all
  switch (node.function) {
    case 'count':
      return BigInt(values.length)
    case 'min':
    case 'max': {
      if (values.length === 0) return zeroOf(node.type)
      const sign = node.function === 'min' ? 1 : -1
      return values.reduce((best, one) => (compare(one, best) * sign < 0 ? one : best))
    }
    case 'sum':
    case 'avg':
      return sumOrMean(node, values)
    case 'percentilecont':
      return percentile(values.map(Number), Number(percent))
    default: {
      const numbers = values.map(Number)
      const divisor = numbers.length - (node.function === 'stdev' ? 1 : 0)
      if (divisor <= 0) return 0
      const mean = numbers.reduce((sum, one) => sum + one, 0) / numbers.length
      const squares = numbers.reduce((sum, one) => sum + (one - mean) ** 2, 0)
      return Math.sqrt(squares / divisor)
    }
  }
}

function sumOrMean(node: Node<'aggregate'>, values: readonly Value[]): Value {
  const { kind } = node.type
  if (kind === 'INT' || kind === 'UINT') {
    const sum = values.reduce<bigint>((total, one) => total + BigInt(one as bigint), 0n)
    const isMean = node.function === 'avg' && values.length > 0
    return wrap(isMean ? sum / BigInt(values.length) : sum, kind)
  }
  const sum = values.reduce<number>((total, one) => total + Number(one), 0)
  const result = node.function === 'avg' && values.length > 0 ? sum / values.length : sum
  return kind === 'FLOAT' ? Math.fround(result) : result
}
