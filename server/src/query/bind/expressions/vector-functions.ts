/** The functions of `gds.vector` (docs/reference/gsql/functions.md#vectors). */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { FLOAT, INT, STRING, type ValueType } from '#query/ir/types.ts'
import { isNumeric, typeText } from '#query/ir/value-types.ts'
import { type VectorFunctionInfo, vectorFunctions } from '#query/ir/vector-function-table.ts'
import type { CallSyntax, Expression } from '#query/syntax/ast.ts'
import { suggest } from '#query/syntax/suggest.ts'
import type { Binder } from '../core/binder.ts'
import { convertTo } from '../core/convert.ts'

/** Null: it is no call of the package. */
export function bindVectorCall(binder: Binder, node: CallSyntax): BoundExpression | null {
  if (node.of === null || !isPackage(node.of)) return null
  const name = node.name.name.toLowerCase()
  const signature = vectorFunctions.get(name)
  if (signature === undefined) {
    const hint = suggest(node.name.name, [...vectorFunctions.keys()])
    const message = `gds.vector has no function "${node.name.name}"${hint}`
    return binder.fail(diagnosticCodes.undefinedFunction, node.name.range, message)
  }
  const { vectorCount, extra } = signature
  const count = vectorCount + (extra === 'metric' || extra === 'index' ? 1 : 0)
  if (node.arguments.length !== count) {
    const message = `${node.name.name} takes ${count} argument(s), not ${node.arguments.length}`
    binder.fail(diagnosticCodes.argumentCount, node.range, message)
  }
  const type = signature.function === 'dimension' ? INT : FLOAT
  const vectors = node.arguments
    .slice(0, vectorCount)
    .map((argument) => bindVector(binder, argument))
  const more = bindExtra(binder, node, signature)
  return { kind: 'vectorCall', type, function: signature.function, vectors, extra: more }
}

function isPackage(of: Expression): boolean {
  return (
    of.kind === 'member' &&
    of.name.name.toLowerCase() === 'vector' &&
    of.of.kind === 'name' &&
    of.of.name.toLowerCase() === 'gds'
  )
}

/** A LIST of numbers: an attribute, a parameter, an accumulator, a literal. */
export function bindVector(binder: Binder, node: Expression): BoundExpression {
  const value = binder.expression(node)
  if (value.type.kind === 'LIST' && isNumeric(value.type.element)) return value
  const text = typeText(value.type, (id) => binder.schema.nameOf(id))
  const message = `expected a LIST of numbers, not ${text}`
  return binder.fail(diagnosticCodes.typeMismatch, node.range, message)
}

const METRICS = ['COSINE', 'L2', 'IP']

function bindExtra(
  binder: Binder,
  node: CallSyntax,
  { extra, vectorCount }: VectorFunctionInfo,
): BoundExpression | null {
  if (extra === null) return null
  const argument = node.arguments[vectorCount]
  if (argument === undefined) return { kind: 'literal', type: STRING, value: extra }
  const type: ValueType = extra === 'index' ? INT : STRING
  const value = convertTo(binder, binder.expression(argument), type, argument.range)
  if (extra === 'index' || value.kind !== 'literal') return value
  const metric = String(value.value).toUpperCase()
  if (METRICS.includes(metric)) return { ...value, value: metric }
  const message = `unknown metric "${value.value}": ${METRICS.join(', ')}`
  return binder.fail(diagnosticCodes.badLiteral, argument.range, message)
}
