/**
 * A part of a text as something to run: a query as it stands, or statements of one as the body of an
 * anonymous query. For the editor; a plain function over text and catalogue.
 */

import { formatDiagnostics } from '#query/bind/format-diagnostics.ts'
import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { ParameterSyntax, QuerySyntax } from '#query/syntax/ast-statement.ts'
import { lex } from '#query/syntax/lexer.ts'
import { parse } from '#query/syntax/parse/parse.ts'
import { type Diagnostic, LineTable, type SourceRange } from '#query/syntax/source.ts'
import {
  compileInEditor,
  type EditorContext,
  type EditorDiagnostic,
  editorDiagnostic,
} from './editor.ts'

export interface SelectedRun {
  /** What is run: the selection, or an anonymous query around it whose lines are those of the selection. */
  readonly text: string
  /** Names of the parameters that it takes. */
  readonly parameters: readonly string[]
  /** Why it cannot be run, at places of the whole text; empty: it can. */
  readonly problems: readonly EditorDiagnostic[]
  /** The problems in the words of the server. */
  readonly message: string
}

/**
 * The first reading of the selection that compiles: what is selected; else an anonymous query around
 * it, with those parameters of the query it was taken from that it names. Where neither compiles, the
 * one with better syntax tells what is wrong.
 */
export function selectedRun(
  text: string,
  { start, end }: SourceRange,
  context: EditorContext,
): SelectedRun {
  const selected = text.slice(start, end)
  const home = parse(text).script.queries.find(
    ({ range }) => range.start <= start && end <= range.end,
  )
  const used = home === undefined ? [] : usedParameters(home, selected)
  const prefix = headOf(text, home, used)
  const whole: Reading = { text: selected, before: 0, parameters: null }
  const wrapped: Reading = {
    text: `${prefix}${selected}\n}`,
    before: prefix.length,
    parameters: used.map(({ name }) => name.name),
  }
  const asWhole = outcomeOf(whole, context)
  const outcome = better(asWhole, () => outcomeOf(wrapped, context), selected)
  return placed(outcome, text, { start, end })
}

interface Reading {
  readonly text: string
  /** Letters of `text` before the selection. */
  readonly before: number
  /** Null: those that the text declares itself. */
  readonly parameters: readonly string[] | null
}

interface Outcome extends Reading {
  readonly errors: readonly Diagnostic[]
  readonly hasSyntaxErrors: boolean
  readonly declared: number
}

function outcomeOf(reading: Reading, context: EditorContext): Outcome {
  const { declared, diagnostics } = compileInEditor(reading.text, context)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const hasSyntaxErrors = errors.some(({ code }) => code === diagnosticCodes.syntax)
  return { ...reading, errors, hasSyntaxErrors, declared: declared.length }
}

function better(whole: Outcome, wrap: () => Outcome, selected: string): Outcome {
  if (whole.declared > 0 && whole.errors.length === 0) return whole
  const wrapped = wrap()
  if (wrapped.errors.length === 0) return wrapped
  const isQuery = /^\s*(CREATE|INTERPRET)\b/i.test(selected)
  const isWhole = whole.declared > 0 && !whole.hasSyntaxErrors && wrapped.hasSyntaxErrors
  return isQuery || isWhole ? whole : wrapped
}

/** `INTERPRET QUERY (…) {`, in one line. */
function headOf(
  text: string,
  home: QuerySyntax | undefined,
  used: readonly ParameterSyntax[],
): string {
  const written = used.map(({ range }) =>
    text.slice(range.start, range.end).replace(/\s*\n\s*/g, ' '),
  )
  const kind = home?.cypher == null ? '' : 'OPENCYPHER '
  const graph = home?.graph == null ? '' : ` FOR GRAPH ${home.graph.name}`
  const syntax = home?.syntax == null ? '' : ` SYNTAX ${home.syntax.name}`
  return `INTERPRET ${kind}QUERY (${written.join(', ')})${graph}${syntax} { `
}

/** One that has to be given is asked for only where it is needed. */
function usedParameters(home: QuerySyntax, selected: string): readonly ParameterSyntax[] {
  const names = new Set(lex(selected).tokens.map(({ text }) => text.replace(/^\$/, '')))
  return home.parameters.filter(({ name }) => names.has(name.name))
}

function placed(outcome: Outcome, text: string, { start, end }: SourceRange): SelectedRun {
  const lines = new LineTable(text)
  const errors = several(outcome).map((error): Diagnostic => {
    const moved = (at: number) => Math.min(end, Math.max(start, at - outcome.before + start))
    const range = { start: moved(error.range.start), end: moved(error.range.end) }
    const [place, endPlace] = [lines.placeOf(range.start), lines.placeOf(range.end)]
    return { ...error, range, place, endPlace }
  })
  const problems = errors.map(editorDiagnostic)
  const parameters = outcome.parameters ?? declaredParameters(outcome.text)
  return { text: outcome.text, parameters, problems, message: formatDiagnostics(errors).join('\n') }
}

/** Of several queries the server would run the first and say nothing of the others. */
function several({ errors, declared, text }: Outcome): readonly Diagnostic[] {
  if (errors.length > 0 || declared < 2) return errors
  const place = { line: 1, column: 1 }
  const message = `${declared} queries are selected: select the one to run`
  const range = { start: 0, end: text.length }
  const code = diagnosticCodes.misplaced
  return [{ code, severity: 'error', message, range, place, endPlace: place, query: '' }]
}

const declaredParameters = (text: string): readonly string[] =>
  parse(text).script.queries[0]?.parameters.map(({ name }) => name.name) ?? []
