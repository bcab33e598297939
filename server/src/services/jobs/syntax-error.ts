/** A text that could not be read, in the words that clients take for a failure. */
import { DbError } from '#kernel/errors.ts'
import type { ScriptProblem } from '#query/syntax/script/script.ts'

export function syntaxError({ message, line, column, found }: ScriptProblem): DbError {
  const text = `Encountered "${found}" at line ${line}, column ${column}.\nSyntax Error: line ${line}:${column} ${message}`
  return new DbError('INVALID_PARAMETER', text)
}
