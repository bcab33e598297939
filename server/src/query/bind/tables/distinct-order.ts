/**
 * ORDER BY behind DISTINCT: rows that are equal become one, so that what they are sorted by must
 * follow from what they hold. SQL and openCypher refuse all else.
 */

import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { OrderSyntax } from '#query/syntax/ast-statement.ts'
import type { Binder } from '../core/binder.ts'
import { mentionedNames } from '../core/mentions.ts'
import { replaced, sameText } from '../expressions/aggregates.ts'

interface Columns {
  readonly values: readonly Expression[]
  readonly names: ReadonlySet<string>
  /** Whether a name stands for something that differs from row to row. */
  readonly ofRow: (name: string) => boolean
}

export function checkDistinctOrder(
  binder: Binder,
  orderBy: readonly OrderSyntax[],
  { values, names, ofRow }: Columns,
): void {
  for (const { value } of orderBy) {
    const rest = replaced(value, (part) => {
      const isColumn =
        values.some((column) => sameText(column, part)) ||
        (part.kind === 'name' && names.has(part.name))
      return isColumn ? { kind: 'null', range: part.range } : null
    })
    const other = [...mentionedNames(rest)].find(ofRow)
    if (other === undefined) continue
    const message = `behind DISTINCT, ORDER BY can use only what is returned: this depends on "${other}"`
    binder.fail(diagnosticCodes.misplaced, value.range, message)
  }
}
