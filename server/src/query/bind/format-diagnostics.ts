/** Diagnostics as the text that clients of GSQL know (docs/reference/gsql/queries.md#diagnostics). */

import { diagnosticCodes } from '#query/ir/diagnostic-codes.ts'
import type { RunFailure } from '#query/ir/run-failure.ts'
import type { Diagnostic } from '#query/syntax/source.ts'

/** The error of a text that should have been bound: one of its arguments, or of the text itself. */
export function errorOfDiagnostics(diagnostics: readonly Diagnostic[]): RunFailure {
  const argument = diagnostics.find(({ code }) => code.startsWith('GSQL-'))
  if (argument !== undefined) {
    const { message, code } = argument
    return { code: 'QUERY_RUNTIME', message, contractCode: code }
  }
  const message = formatDiagnostics(diagnostics).join('\n')
  return { code: 'QUERY_INVALID', message, contractCode: null }
}

export function formatDiagnostics(diagnostics: readonly Diagnostic[]): string[] {
  const lines = diagnostics.map(formatDiagnostic)
  const syntax = diagnostics.filter(({ code }) => code === diagnosticCodes.syntax).length
  return syntax === 0 ? lines : [...lines, `Parsing encountered ${syntax} syntax error(s)`]
}

function formatDiagnostic({ code, severity, message, place, query }: Diagnostic): string {
  if (code === diagnosticCodes.syntax) return `line ${place.line}:${place.column} ${message}`
  const kind = severity === 'warning' ? 'Warning' : kindOf(code)
  const name = query === '' ? '' : ` in query ${query}`
  return `${kind}${name} (${code}): line ${place.line}, col ${place.column}\n${message}`
}

function kindOf(code: string): string {
  return code.startsWith('TYP') ? 'Type Check Error' : 'Semantic Check Error'
}
