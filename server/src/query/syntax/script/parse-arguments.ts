/** The values of `RUN QUERY q(…)`: one after the other, or an object by name (docs/reference/gsql/queries.md). */

import type { Cursor } from '../cursor.ts'
import type { CallArguments, CallValue } from './ast-script.ts'
import { parseLiteral } from './parse-schema.ts'

export function parseArguments(cursor: Cursor): CallArguments {
  if (cursor.atSymbol('{')) {
    return { kind: 'named', values: parseObject(cursor) }
  }
  const values: CallValue[] = []
  while (!cursor.atSymbol(')')) {
    const isDefault = cursor.atKind('name') && cursor.token.text === '_'
    if (isDefault) cursor.advance()
    values.push(isDefault ? { kind: 'default' } : { kind: 'value', value: parseValue(cursor) })
    if (!cursor.acceptSymbol(',')) break
  }
  return { kind: 'positional', values }
}

/** JSON values, and `("id", "type")` for a vertex. Whole numbers stay texts: they may be long. */
function parseValue(cursor: Cursor): unknown {
  return cursor.nested(() => {
    if (cursor.atSymbol('{')) return parseObject(cursor)
    if (cursor.acceptSymbol('[')) return parseElements(cursor, ']')
    if (cursor.acceptSymbol('(')) {
      const [id, type] = parseElements(cursor, ')')
      return { id, type }
    }
    if (cursor.atKind('string')) return cursor.advance().text
    const literal = parseLiteral(cursor)
    if (/^(true|false)$/i.test(literal)) return literal.toLowerCase() === 'true'
    if (/^-?\d+$/.test(literal)) return BigInt(literal)
    return Number.isNaN(Number(literal)) ? literal : Number(literal)
  })
}

function parseElements(cursor: Cursor, close: string): unknown[] {
  const values: unknown[] = []
  while (!cursor.atSymbol(close)) {
    values.push(parseValue(cursor))
    if (!cursor.acceptSymbol(',')) break
  }
  cursor.expectSymbol(close)
  return values
}

function parseObject(cursor: Cursor): Record<string, unknown> {
  const entries: [string, unknown][] = []
  cursor.expectSymbol('{')
  while (!cursor.atSymbol('}')) {
    const key = cursor.expectKind('string').text
    cursor.expectSymbol(':')
    entries.push([key, parseValue(cursor)])
    if (!cursor.acceptSymbol(',')) break
  }
  cursor.expectSymbol('}')
  return Object.fromEntries(entries)
}
