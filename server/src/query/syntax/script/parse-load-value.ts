/** Column expressions of loading jobs: what one value of a row is made of (docs/reference/gsql/loading.md). */

import type { Cursor } from '../cursor.ts'
import type { ValueSyntax } from './ast-script.ts'
import { parseLiteral, parseName } from './parse-schema.ts'

export function parseValueSyntax(cursor: Cursor): ValueSyntax {
  return cursor.nested(() => parseUnchecked(cursor))
}

function parseUnchecked(cursor: Cursor): ValueSyntax {
  if (cursor.atKind('column')) return columnOf(cursor.advance().text)
  if (cursor.atSymbol('(')) return parseEntry(cursor)
  if (!cursor.atKind('name')) return { kind: 'constant', text: parseLiteral(cursor) }
  if (cursor.token.text === '_') {
    cursor.advance()
    return { kind: 'skip' }
  }
  const isCall = cursor.atSymbol('(', 1)
  const name = parseName(cursor)
  if (!isCall) return { kind: 'constant', text: name }
  return name.toUpperCase() === 'REDUCE' ? parseReduce(cursor) : parseCall(cursor, name)
}

/** `$0`, `$name`, `$sys.file_name`, `$"a":"b"`. */
function columnOf(text: string): ValueSyntax {
  if (/^\$\d+$/.test(text)) return { kind: 'position', position: Number(text.slice(1)) }
  if (text.toLowerCase() === '$sys.file_name') return { kind: 'fileName' }
  if (!text.startsWith('$"')) return { kind: 'column', path: [text.slice(1)] }
  const parts = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, part = '']) => part)
  return { kind: 'column', path: parts.map((part) => part.replace(/\\(.)/g, '$1')) }
}

function parseEntry(cursor: Cursor): ValueSyntax {
  cursor.expectSymbol('(')
  const key = parseValueSyntax(cursor)
  cursor.expectSymbol('->')
  const value = parseValueSyntax(cursor)
  cursor.expectSymbol(')')
  return { kind: 'entry', key, value }
}

function parseReduce(cursor: Cursor): ValueSyntax {
  cursor.expectSymbol('(')
  const reducer = parseName(cursor).toLowerCase()
  cursor.expectSymbol('(')
  const value = parseValueSyntax(cursor)
  cursor.expectSymbol(')')
  cursor.expectSymbol(')')
  return { kind: 'reduce', reducer, value }
}

function parseCall(cursor: Cursor, name: string): ValueSyntax {
  cursor.expectSymbol('(')
  const values: ValueSyntax[] = []
  while (!cursor.atSymbol(')')) {
    values.push(parseValueSyntax(cursor))
    if (!cursor.acceptSymbol(',')) break
  }
  cursor.expectSymbol(')')
  return { kind: 'call', name, arguments: values }
}
