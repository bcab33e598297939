/** `EXPORT GRAPH … TO "dir"` and `IMPORT GRAPH … FROM "dir"`, with the flags of the product's shell. */

import type { Cursor } from '../cursor.ts'
import type { TransferCommand } from './ast-script.ts'
import { parseNames } from './parse-schema.ts'

/** Each flag by its short and its long name; those with `true` take a text. */
const exportFlags: Readonly<Record<string, readonly [name: string, takesText: boolean]>> = {
  S: ['schema', false],
  SCHEMA: ['schema', false],
  T: ['template', false],
  TEMPLATE: ['template', false],
  D: ['data', false],
  DATA: ['data', false],
  U: ['users', false],
  USERS: ['users', false],
  P: ['password', true],
  PASSWORD: ['password', true],
  SEPARATOR: ['separator', true],
  EOL: ['eol', true],
  FORMAT: ['format', true],
}

const importFlags: typeof exportFlags = {
  KU: ['keepUsers', false],
  KEEP_USERS: ['keepUsers', false],
  P: ['password', true],
  PASSWORD: ['password', true],
  NP: ['noPassword', false],
}

/** From the word GRAPH on. */
export function parseExportGraph(cursor: Cursor): TransferCommand {
  return parseTransfer(cursor, 'exportGraph', exportFlags, 'TO')
}

export function parseImportGraph(cursor: Cursor): TransferCommand {
  return parseTransfer(cursor, 'importGraph', importFlags, 'FROM')
}

function parseTransfer(
  cursor: Cursor,
  kind: TransferCommand['kind'],
  known: typeof exportFlags,
  before: 'TO' | 'FROM',
): TransferCommand {
  cursor.expectWord('GRAPH')
  const all = cursor.acceptSymbol('*') || cursor.acceptWord('ALL')
  const graphs = all ? null : parseNames(cursor)
  const flags = new Map<string, string>()
  while (cursor.acceptSymbol('-')) {
    cursor.acceptSymbol('-')
    const [name, takesText] = flagOf(cursor, known)
    flags.set(name, takesText ? cursor.expectKind('string').text : 'true')
  }
  cursor.expectWord(before)
  return { kind, graphs, flags, path: cursor.expectKind('string').text }
}

/** `KEEP-USERS` is one flag of two words. */
function flagOf(cursor: Cursor, known: typeof exportFlags): readonly [string, boolean] {
  const { upper } = cursor.token
  const isKeep = upper === 'KEEP' && cursor.atWord('USERS', 2)
  const flag = isKeep ? known['KEEP_USERS'] : Object.hasOwn(known, upper) ? known[upper] : undefined
  if (flag === undefined) return cursor.fail()
  cursor.advance()
  if (isKeep) {
    cursor.advance()
    cursor.advance()
  }
  return flag
}
