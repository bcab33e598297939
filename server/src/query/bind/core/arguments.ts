/** The arguments of calls: how many there may be, and each as the type that is wanted of it. */

import type { BoundExpression } from '#query/ir/bound-expression.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ValueType } from '#query/ir/types.ts'
import type { CallSyntax } from '#query/syntax/ast.ts'
import type { Binder } from './binder.ts'
import { asArgument } from './strict-types.ts'

/** As many as there are types; each is converted to its own. */
export function bindArguments(
  binder: Binder,
  node: CallSyntax,
  types: readonly ValueType[],
): BoundExpression[] {
  checkCount(binder, node, { least: types.length, most: types.length })
  return binder.each(
    node.arguments.map(
      (argument, index) => () =>
        asArgument(binder, binder.expression(argument), {
          type: types[index]!,
          range: argument.range,
        }),
    ),
  )
}

export function checkCount(
  binder: Binder,
  node: CallSyntax,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  const given = node.arguments.length
  if (given >= least && given <= most) return
  const wanted = least === most ? `${least}` : `${least} to ${most}`
  const message = `${node.name.name} takes ${wanted} argument(s), not ${given}`
  binder.fail(diagnosticCodes.argumentCount, node.range, message)
}
