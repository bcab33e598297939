/** Built-in functions: those that are one JavaScript operation inline, the others by the runtime. */
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import type { RuntimeName } from '#query/runtime/names.ts'
import type { Scope } from '../text/scope.ts'
import type { Unit } from '../text/unit.ts'
import { doubleOf, integerOf, isInteger, wrapInteger } from './integers.ts'

type Call = Extract<BoundExpression, { kind: 'call' }>

export function callFunction(unit: Unit, node: Call, scope: Scope): string {
  if (node.name === 'getvid') {
    return integerOf(unit, unit.expression(node.arguments[0]!, scope))
  }
  if (node.name === 'gettgtvid' || node.name === 'getsrcvid') {
    const edge = unit.expression(node.arguments[0]!, scope)
    return unit.call('edgeEnd', edge, String(node.name === 'gettgtvid'))
  }
  if (node.name === 'bit_count') {
    return integerOf(unit, unit.call('bitCount', unit.expression(node.arguments[0]!, scope)))
  }
  if (node.name === 'to_string') {
    const value = node.arguments[0]!
    return unit.call('textOf', unit.codec(value.type), unit.expression(value, scope))
  }
  if (node.name === 'abs' && isInteger(node.type)) {
    const value = unit.expression(node.arguments[0]!, scope)
    return wrapInteger(unit, node.type.kind as 'INT' | 'UINT', unit.call('absolute', value))
  }
  const args = node.arguments.map((argument) => {
    const code = unit.expression(argument, scope)
    return isInteger(argument.type) ? doubleOf(unit, code) : code
  })
  const fn = unit.bind(`function ${node.name}`, (env) => env.functions.named(node.name))
  const result = unit.call('invoke' as RuntimeName, fn, ...args)
  // Spelled in full, beyond the doubles too.
  if (unit.wide && (node.name === 'str_to_int' || node.name === 'integer_of_text')) {
    return wrapInteger(unit, 'INT', unit.call('BigInt', result))
  }
  return fromDouble(unit, node, result)
}

/** Functions compute with doubles; the result is brought to its declared type here. */
function fromDouble(unit: Unit, node: Call, result: string): string {
  switch (node.type.kind) {
    case 'INT':
    case 'UINT':
      if (unit.wide) return unit.call('wideOfReal', result, String(node.type.kind === 'UINT'))
      return unit.call(node.type.kind === 'INT' ? 'ck' : 'cu', result)
    case 'FLOAT':
      return unit.call('fround', result)
    default:
      return result
  }
}

export function callUserFunction(
  unit: Unit,
  node: Extract<BoundExpression, { kind: 'userCall' }>,
  scope: Scope,
): string {
  const types = node.arguments.map(({ type }) => type)
  const fn = unit.bind(`user function ${node.name} ${JSON.stringify(types)}`, (env) =>
    env.userFunction(node.name, types, node.type),
  )
  return unit.call('invoke', fn, ...node.arguments.map((value) => unit.expression(value, scope)))
}
