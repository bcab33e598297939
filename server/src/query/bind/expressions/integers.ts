/** Integers that are written out, with the sign in front of them: exact, and inside of their type. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import { INT, UINT } from '#query/ir/types.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'

type Integer = Extract<Expression, { kind: 'int' }>

const INT_MIN = -(2n ** 63n)
const INT_MAX = 2n ** 63n - 1n
const UINT_MAX = 2n ** 64n - 1n

/** What no INT holds is a UINT in GSQL; openCypher has no unsigned integers. */
export function bindInteger(binder: Binder, node: Integer): BoundExpression {
  const exact = BigInt(node.text)
  if (exact > (binder.options.cypher ? INT_MAX : UINT_MAX)) failRange(binder, node)
  return { kind: 'literal', type: exact > INT_MAX ? UINT : INT, value: narrow(exact) }
}

/** `-n`: an INT; without its sign the smallest INT would be none. What is below it wraps, as UINT does. */
export function bindNegativeInteger(
  binder: Binder,
  node: Integer,
  range: Expression['range'],
): BoundExpression {
  const exact = -BigInt(node.text)
  if (exact >= INT_MIN) return { kind: 'literal', type: INT, value: narrow(exact) }
  if (binder.options.cypher || exact < -UINT_MAX) failRange(binder, { ...node, range })
  return { kind: 'literal', type: UINT, value: narrow(BigInt.asUintN(64, exact)) }
}

function failRange(binder: Binder, { range }: Integer): never {
  const message = 'integer literal does not fit in 64 bits'
  return binder.fail(diagnosticCodes.badLiteral, range, message)
}

export function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}
