/** How the columns of a table are called (docs/reference/gsql/select.md#tables, docs/reference/gsql/opencypher.md). */

import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { NamedExpression } from '#query/syntax/ast.ts'
import type { Binder } from '../core/binder.ts'

/**
 * The name after AS; else the attribute's, and where several columns would have that one, what is
 * written: `a.name`, `b.name`. Two columns that AS calls the same are an error.
 */
export function columnNames(binder: Binder, columns: readonly NamedExpression[]): string[] {
  const short = columns.map(shortName)
  const names = columns.map(({ as, text }, index) => {
    const name = short[index]!
    const isAlone = short.filter((other) => other === name).length === 1
    return as !== null || isAlone ? name : text
  })
  names.forEach((name, index) => {
    if (names.indexOf(name) === index) return
    const message = `the column "${name}" is there twice: give one of them another name with AS`
    binder.fail(diagnosticCodes.duplicate, columns[index]!.value.range, message)
  })
  return names
}

function shortName({ as, value, text }: NamedExpression): string {
  if (as !== null) return as.name
  if (value.kind === 'member') return value.name.name
  if (value.kind === 'vertexAccum') return `@${value.name.name}`
  return value.kind === 'name' ? value.name : text
}
