/** Scripts, one command at a time: what stands before an error is done before it is met. */
import { SCRIPT_COMMAND_SIZE_CHARS_MAX } from '#kernel/limits.ts'
import { Cursor, type GrammarRules, SyntaxFailure } from '../cursor.ts'
import { lex } from '../lexer.ts'
import { parseExpression } from '../parse/parse-expression.ts'
import { parseBlock } from '../parse/parse-statement.ts'
import { LineTable } from '../source.ts'
import type { Command } from './ast-script.ts'
import { parseCommand } from './parse-command.ts'

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

/**
 * The commands of a script, but for those between a BEGIN and an ABORT: they are as if they were not
 * there. Those between BEGIN and END are given when END is met, or what cannot be read.
 */
export function* scriptCommands(text: string): Generator<ScriptItem> {
  let held: ScriptItem[] | null = null
  for (const item of everyCommand(text)) {
    const kind = item.kind === 'command' ? item.command.kind : 'problem'
    if (kind === 'abort') held = null
    else if (held !== null && !BOUNDARIES.includes(kind)) held.push(item)
    else {
      yield* held ?? []
      yield item
      held = kind === 'begin' ? [] : null
    }
  }
  yield* held ?? []
}

/** What ends a block that is held back. */
const BOUNDARIES = ['begin', 'end', 'problem']

/**
 * What is no token at all ends the script where it stands, but for the texts of queries: those
 * report it themselves.
 */
function* everyCommand(text: string): Generator<ScriptItem> {
  const { tokens, problems } = lex(text)
  const cursor = new Cursor(text, tokens, { rules, elseIf: new Map(), recover: false })
  const pending = [...problems].sort((one, other) => one.start - other.start)
  while (!cursor.atKind('end')) {
    const { start } = cursor.token
    const item = nextItem(text, cursor)
    const { end } = cursor.rangeFrom(0)
    const isQuery = item.kind === 'command' && /^(create|interpret)Query$/.test(item.command.kind)
    const lexical = takeUntil(pending, item.kind === 'problem' ? text.length : end)
    if (lexical !== undefined && !isQuery) {
      yield { kind: 'problem', problem: problemOf(text, lexical.message, lexical) }
      return
    }
    if (!isQuery && end - start > SCRIPT_COMMAND_SIZE_CHARS_MAX) {
      const message = `a command is longer than ${SCRIPT_COMMAND_SIZE_CHARS_MAX} characters`
      yield { kind: 'problem', problem: problemOf(text, message, { start, end }) }
      return
    }
    yield item
    if (item.kind === 'problem') return
  }
  const rest = pending[0]
  if (rest !== undefined) yield { kind: 'problem', problem: problemOf(text, rest.message, rest) }
}

function nextItem(text: string, cursor: Cursor): ScriptItem {
  try {
    return { kind: 'command', command: parseCommand(cursor) }
  } catch (failure) {
    if (!(failure instanceof SyntaxFailure)) throw failure
    return { kind: 'problem', problem: problemOf(text, failure.message, failure.range) }
  }
}

/** Takes away what begins before `end`. @returns the first of it */
function takeUntil<T extends { readonly start: number }>(pending: T[], end: number): T | undefined {
  const count = pending.findIndex(({ start }) => start >= end)
  const [first] = pending.splice(0, count < 0 ? pending.length : count)
  return first
}

const TEXT_SHOWN_CHARS_MAX = 60
const MESSAGE_SIZE_CHARS_MAX = 400

function problemOf(
  text: string,
  message: string,
  { start, end }: { readonly start: number; readonly end: number },
): ScriptProblem {
  const { line, column } = new LineTable(text).placeOf(start)
  const found = text.slice(start, Math.min(end, start + TEXT_SHOWN_CHARS_MAX)) || '<EOF>'
  return { message: message.slice(0, MESSAGE_SIZE_CHARS_MAX), line, column, found }
}
