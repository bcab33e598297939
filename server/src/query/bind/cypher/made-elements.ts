/**
 * What a CREATE has made is not in the graph before the query ends. Its properties are read from
 * where they were written: each is a column of the rows, under a name that nobody can write.
 */

import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { Expression } from '#query/syntax/ast.ts'
import type { SourceRange } from '#query/syntax/source.ts'
import type { Binder } from '../core/binder.ts'
import { replaced } from '../expressions/aggregates.ts'

/** By the name of a node or relationship, the columns that hold its properties, by their names. */
export type MadeElements = Map<string, ReadonlyMap<string, string>>

/** The call that gives a value the type of the attribute it is written to; no user can write it. */
export const STORED_VALUE = '#stored value'

export function storedCall(
  value: Expression,
  typeName: string,
  attribute: string,
): Extract<Expression, { kind: 'call' }> {
  const { range } = value
  const text = (written: string): Expression => ({ kind: 'string', value: written, range })
  const name = { name: STORED_VALUE, range }
  const plain = { kind: 'call', of: null, distinct: false, star: false } as const
  return { ...plain, name, arguments: [value, text(typeName), text(attribute)], range }
}

/** `node`, a clause or an expression, with columns in the place of properties of what was made. */
export function withMade<T>(binder: Binder, node: T, made: MadeElements): T {
  if (made.size === 0) return node
  return replaced(node as Expression, (part) => {
    if (part.kind === 'member' && part.of.kind === 'name') {
      const properties = made.get(part.of.name)
      if (properties === undefined) return null
      const column = properties.get(part.name.name)
      if (column === undefined) failMade(binder, part.of.name, part.range)
      return { kind: 'name', name: column, range: part.range }
    }
    // Types of patterns are names, too, and have one member more.
    const isMade = part.kind === 'name' && !('all' in part) && made.has(part.name)
    return isMade ? failMade(binder, part.name, part.range) : null
  }) as T
}

export function failMade(binder: Binder, name: string, range: SourceRange): never {
  const message = `"${name}" is made by this query: until it ends, only properties that CREATE has written are known`
  return binder.fail(diagnosticCodes.misplaced, range, message)
}
