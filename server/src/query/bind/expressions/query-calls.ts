/** Calls of queries (docs/reference/gsql/queries.md#calls): as values when they have RETURNS, as statements without. */

import type { BoundParameter } from '#query/ir/bound.ts'
import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { INT } from '#query/ir/types.ts'
import { isCollection } from '#query/ir/value-types.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { checkCount } from '../core/arguments.ts'
import type { Binder } from '../core/binder.ts'
import { type CalleeSignature, UNKNOWN_CALLEE } from '../core/call-table.ts'
import { convertTo } from '../core/convert.ts'
import { isTypeParameter, typeArgument } from '../core/type-parameters.ts'
import { looksLikeVertexSet, verticesOfSet } from './vertex-set-shape.ts'

export type BoundQueryCall = Extract<BoundExpression, { kind: 'callQuery' }>

/** `a.b.c(…)` and `c(…)`: the name of the query it may mean; null: it is a method of a value. */
export function queryNameOf(binder: Binder, node: CallSyntax): string | null {
  const parts = [node.name.name]
  for (let of = node.of; of !== null; ) {
    if (of.kind === 'member') {
      parts.unshift(of.name.name)
      of = of.of
    } else if (of.kind === 'name') {
      if (binder.visibleNames().includes(of.name)) return null
      parts.unshift(of.name)
      of = null
    } else return null
  }
  return parts.join('.')
}

/** Null: there is no such query. */
export function bindQueryCall(binder: Binder, node: CallSyntax): BoundQueryCall | null {
  const { calls } = binder.options
  const name = queryNameOf(binder, node)
  if (calls === undefined || name === null) return null
  const signature = calls.lookup(name)
  // Of `a.b(…)` nobody knows whether a value was meant, or a package.
  if (signature === 'missing' && name.split('.').length < 3) return null
  if (signature === 'missing') {
    const message = `there is no query ${name}`
    return binder.fail(diagnosticCodes.undefinedFunction, node.range, message)
  }
  if (signature === 'faulty') {
    const message = `query ${name} has errors and cannot be called`
    return binder.fail(diagnosticCodes.undefinedFunction, node.name.range, message)
  }
  if (signature === 'mutual') {
    const message = `query ${name} calls this one: only calls of itself may be recursive`
    return binder.fail(diagnosticCodes.misplaced, node.name.range, message)
  }
  const { parameters } = signature
  const least = parameters.findLastIndex(({ defaultValue }) => defaultValue === null) + 1
  checkCount(binder, node, { least, most: parameters.length })
  const args = parameters.map((parameter, index) =>
    argumentOf(binder, node.arguments[index] ?? null, { node, parameter }),
  )
  return {
    kind: 'callQuery',
    type: signature.returns ?? INT,
    returns: signature.returns !== null,
    name,
    callee: calleeOf(binder, { node, name, signature }),
    arguments: args,
  }
}

/** The call used for its value. */
export function bindQueryValue(binder: Binder, node: CallSyntax): BoundExpression | null {
  const call = bindQueryCall(binder, node)
  if (call === null || call.returns) return call
  const message = `query ${call.name} has no RETURNS: it gives no value`
  return binder.fail(diagnosticCodes.queryReturnsNothing, node.name.range, message)
}

function argumentOf(
  binder: Binder,
  written: Expression | null,
  { node, parameter }: { readonly node: CallSyntax; readonly parameter: BoundParameter },
): BoundExpression {
  const { type, defaultValue, name } = parameter
  if (written === null || (written.kind === 'name' && written.name === '_')) {
    if (defaultValue !== null) return defaultValue
    const message = `parameter "${name}" of ${node.name.name} has no default`
    return binder.fail(diagnosticCodes.argumentCount, (written ?? node).range, message)
  }
  if (isCollection(type) && looksLikeVertexSet(binder, written)) {
    return convertTo(binder, verticesOfSet(binder, written), type, written.range)
  }
  const value = binder.expression(written)
  const empty = value.kind === 'collection' && value.elements.length === 0
  return empty ? { kind: 'default', type } : convertTo(binder, value, type, written.range)
}

interface CalleeUse {
  readonly node: CallSyntax
  readonly name: string
  readonly signature: CalleeSignature
}

/** The called query with the type names that this call gives it. */
function calleeOf(binder: Binder, { node, name, signature }: CalleeUse): number {
  const { calls } = binder.options
  const given = signature.typeParameters.map((slot) => {
    const parameter = signature.parameters[slot]!
    const names = typeNames(binder, node.arguments[slot] ?? null, parameter)
    return [parameter.name, names] as const
  })
  const complete = given.flatMap(([parameter, names]) =>
    names === null ? [] : [[parameter, names] as const],
  )
  if (complete.length < given.length) return UNKNOWN_CALLEE
  const index = calls!.instance(name, new Map(complete))
  if (index !== null) return index
  const message = `query ${name} has errors with these type names`
  return binder.fail(diagnosticCodes.undefinedFunction, node.name.range, message)
}

/** Names that an argument is known to give before the query runs; null: not known yet. */
function typeNames(
  binder: Binder,
  node: Expression | null,
  parameter: BoundParameter,
): readonly string[] | null {
  if (node === null || (node.kind === 'name' && node.name === '_')) {
    return defaultNames(parameter.defaultValue)
  }
  if (node.kind === 'string') return [node.value]
  if (node.kind === 'list' || node.kind === 'parenthesised') {
    const items = node.items.map((item) => typeNames(binder, item, parameter))
    return items.includes(null) ? null : items.flatMap((names) => names ?? [])
  }
  if (node.kind === 'name' && isTypeParameter(binder, node.name)) {
    return typeArgument(binder, node.name)
  }
  const message = `"${parameter.name}" names types: it takes a text or a parameter, nothing computed`
  return binder.fail(diagnosticCodes.notSupported, node.range, message)
}

function defaultNames(value: BoundExpression | null): readonly string[] {
  if (value?.kind === 'literal') return [String(value.value)]
  return value?.kind === 'collection' ? value.elements.flatMap(defaultNames) : []
}
