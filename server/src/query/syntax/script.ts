/** Scripts, one command at a time: what stands before an error is done before it is met. */
import type { Command } from './ast-script.ts'
import { Cursor, type GrammarRules, SyntaxFailure } from './cursor.ts'
import { lex } from './lexer.ts'
import { parseCommand } from './parse-command.ts'
import { parseExpression } from './parse-expression.ts'
import { parseBlock } from './parse-statement.ts'
import { LineTable } from './source.ts'

export interface ScriptProblem {
  readonly message: string
  readonly line: number
  readonly column: number
  /** The text that could not be read. */
  readonly found: string
}

export type ScriptItem =
  | { readonly kind: 'command'; readonly command: Command }
  /** Nothing follows it. */
  | { readonly kind: 'problem'; readonly problem: ScriptProblem }

const rules: GrammarRules = { expression: parseExpression, block: parseBlock }

export function* scriptCommands(text: string): Generator<ScriptItem> {
  const { tokens } = lex(text)
  const cursor = new Cursor(text, tokens, { rules, elseIf: new Map(), recover: false })
  while (!cursor.atKind('end')) {
    try {
      yield { kind: 'command', command: parseCommand(cursor) }
    } catch (failure) {
      if (!(failure instanceof SyntaxFailure)) throw failure
      yield { kind: 'problem', problem: problemOf(text, failure) }
      return
    }
  }
}

function problemOf(text: string, { message, range }: SyntaxFailure): ScriptProblem {
  const { line, column } = new LineTable(text).placeOf(range.start)
  const found = text.slice(range.start, range.end) || '<EOF>'
  return { message, line, column, found }
}
